//! The memory that requests take: each endpoint, tool, prompt, resource, page and method, at its worst.
//!
//! This is the short form of `tests/load/memory_limit`, which does the same with more requests and
//! connections.

use std::{path::Path, rc::Rc, time::Duration};

use actix_web::rt::{task::JoinHandle, time::sleep};

use crate::attacks::{
    Model,
    callers::{self, Tally},
    process::{PROGRAM, Service, peak_kib, reset_peak, resident_kib},
};

/// How many connections there are.
const CONNECTIONS: usize = 32;
/// How long the callers stay.
const WAVE: Duration = Duration::from_millis(100);
/// How much memory they may take together, in KiB: see the formula in `docs/running.md`.
const MOST: u64 = 48 << 10;

#[actix_web::test]
async fn whatever_is_asked_takes_a_bounded_amount_of_memory() {
    let start = |variables: &[_]| Service::start_with(Path::new(PROGRAM), &[], variables);
    let connections = CONNECTIONS.to_string();
    let service = start(&[("CUBLINO_MAX_CONNECTIONS", &connections), ("CUBLINO_TABLE_MIB", "1")]);
    let (address, id) = (service.address.parse().unwrap(), service.process.id());
    let before = resident_kib(id).unwrap();
    let model = Model::new(service.url(""));
    for target in model.targets().await {
        let attack = target.sample(CONNECTIONS);
        reset_peak(id);
        let tally = Rc::new(Tally::default());
        let tasks = callers::begin(address, &attack, attack.waves[0], CONNECTIONS, &tally);
        sleep(WAVE).await;
        tasks.iter().for_each(JoinHandle::abort);
        let peak = peak_kib(id).unwrap_or_else(|| panic!("the service has ended: {}", attack.name));
        assert!(peak < before + MOST, "{}: {peak} KiB, before all attacks {before} KiB", attack.name);
    }
}
