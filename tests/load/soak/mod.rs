//! Mixed traffic for a while: does the service stay small, and does it go on giving the same answers?
//!
//! `cargo test --release --test load -- soak --seconds 300` starts a service of its own on a free port of
//! this machine and sends it questions, searches, broken requests, callers who leave and callers who are
//! slow, all at once. It prints the results, and fails if an answer is not the expected one or if memory
//! grows.

mod memory;
mod tally;
mod traffic;

use std::time::Duration;

use actix_web::rt::{System, spawn, time::sleep};
use clap::Args;

use self::{memory::Memory, tally::Tally, traffic::References};
use crate::service::Service;

/// A short queue, so that it is full now and then.
const SETTINGS: [&str; 4] = ["--search-queue", "4", "--drain-seconds", "0"];
/// How much memory may grow between the beginning and the end, as a share.
const MOST_GROWTH: f64 = 0.1;
/// The longest beginning, in which buffers and tables reach their sizes.
const LONGEST_BEGINNING: Duration = Duration::from_secs(60);

/// Mixed traffic for a while, to a service that is started for it
#[derive(Args)]
pub struct Soak {
    /// How long, in seconds
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(5..=300))]
    seconds: u64,
}

impl Soak {
    /// Runs the test; returns whether it has passed.
    pub fn run(&self) -> bool {
        System::new().block_on(soak(Duration::from_secs(self.seconds)))
    }
}

async fn soak(length: Duration) -> bool {
    let service = Service::start(&SETTINGS);
    let references = References::ask(&service).await;

    let quiet = Tally::default();
    references.ask_for(&service, &quiet, length / 10).await;

    let loaded = Tally::default();
    let memory = spawn(Memory::of(service.process.id()).watch(length));
    let everybody = traffic::everybody(&service, &references, &loaded, length);
    everybody.await;
    let memory = memory.await.expect("the watch does not panic");

    // Requests in flight are abandoned, as by callers who leave; then the answers are compared once more.
    sleep(Duration::from_secs(1)).await;
    references.ask_for(&service, &loaded, Duration::from_secs(1)).await;
    service.terminate();
    let ended_well = service.ended_well().await;

    let beginning = (length / 5).min(LONGEST_BEGINNING);
    let (early, late) = memory.growth(beginning);
    let growth = (late as f64 - early as f64) / early as f64;
    println!("quiet   {quiet}");
    println!("loaded  {loaded}");
    println!(
        "memory  {} KiB at the start, {early} KiB after {beginning:?}, {late} KiB at the end ({:+.1} %), \
         {} KiB at most",
        memory.first(),
        100.0 * growth,
        memory.most(),
    );
    let faults = quiet.faults() + loaded.faults();
    for fault in quiet.some_faults().iter().chain(&loaded.some_faults()) {
        println!("fault   {fault}");
    }
    println!("{faults} faults; the service ended {}", if ended_well { "well" } else { "badly" });
    faults == 0 && ended_well && growth <= MOST_GROWTH
}
