//! A rolling update under load: does any request fail?
//!
//! `cargo test --release --test load -- rolling` starts two replicas behind nginx, sends 200 requests a
//! second, and replaces one replica after the other as Kubernetes does in the worst case: the new one gets
//! requests once it is ready; the old one is sent SIGTERM at once, while the proxy hears of it only some time
//! later. It prints how many requests each replica answered, and fails if a request failed.
//!
//! `--old` and `--new` name programs of two versions; without them both are the one of this package.

mod proxy;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    path::{Path, PathBuf},
    rc::Rc,
    time::{Duration, Instant},
};

use actix_web::rt::{
    System, spawn,
    task::JoinHandle,
    time::{interval, sleep},
};
use clap::Args;
use reqwest::Client;

use self::proxy::{ANSWERED_BY, Proxy};
use crate::service::{PROGRAM, Service};

/// The requests, with a search among them, since a stop could cut searches off.
const QUESTIONS: [&str; 4] = [
    "/v1/games/cublino-pur/legal-moves?state=PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7",
    "/v1/games/wari/score?state=W-4-4-4-4-4-4-4-4-4-4-4-4-0-0",
    "/v1/games/mahbusa/legal-moves?state=M63-o22O",
    "/v1/games/wari/suggestion?state=W-4-4-4-4-4-4-4-4-4-4-4-4-0-0&depth=2",
];
/// A search may wait as long as the load waits for an answer. Otherwise, a replica that is starved on a
/// shared machine would refuse searches, which is no fault of an update.
const SETTINGS: [&str; 2] = ["--max-wait-ms", "10000"];
/// Requests a second.
const RATE: u32 = 200;
/// How many replicas there are at a time.
const REPLICAS: usize = 2;
/// How long it takes until the proxy hears that a replica is going: less than the replicas go on answering.
const LAG: Duration = Duration::from_secs(2);
/// The pause before, between and after the replacements.
const REST: Duration = Duration::from_secs(3);

/// How long a replica may take to become ready, and how often this is polled.
const PATIENCE: Duration = Duration::from_secs(40);
const LOOK: Duration = Duration::from_millis(50);

/// A rolling update under load
#[derive(Args)]
pub struct Rolling {
    /// The program of the old version
    #[arg(long, value_name = "PATH", default_value = PROGRAM)]
    old: PathBuf,
    /// The program of the new version
    #[arg(long, value_name = "PATH", default_value = PROGRAM)]
    new: PathBuf,
}

impl Rolling {
    /// Runs the test; returns whether it has passed.
    pub fn run(&self) -> bool {
        System::new().block_on(update(&self.old, &self.new))
    }
}

async fn update(old: &Path, new: &Path) -> bool {
    let mut replicas: Vec<_> = (0..REPLICAS).map(|_| Service::start_version(old, &SETTINGS)).collect();
    let addresses = |replicas: &[Service]| replicas.iter().map(|r| r.address.clone()).collect::<Vec<_>>();
    let Some(mut proxy) = Proxy::start(&addresses(&replicas)) else {
        println!("skipped: there is no nginx here");
        return true;
    };
    let load = Load::start(proxy.url());
    sleep(REST).await;

    let mut ended_well = true;
    for _ in 0..REPLICAS {
        let fresh = Service::start_version(new, &SETTINGS);
        ready(&fresh).await;
        replicas.push(fresh);
        proxy.send_to(&addresses(&replicas));
        sleep(REST).await;

        let going = replicas.remove(0);
        going.terminate();
        sleep(LAG).await;
        proxy.send_to(&addresses(&replicas));
        ended_well &= going.ended_well().await;
    }
    sleep(REST).await;
    let failed = load.stop().await;
    proxy.stop();
    println!("{failed} failed; the replaced ended {}", if ended_well { "well" } else { "badly" });
    failed == 0 && ended_well
}

/// Resolves when a replica says that it is ready.
async fn ready(replica: &Service) {
    let began = Instant::now();
    let client = replica.client(Client::builder());
    while client.readyz().await.is_err() {
        assert!(began.elapsed() < PATIENCE, "{} does not become ready", replica.address);
        sleep(LOOK).await;
    }
}

/// Requests at a steady rate, each over its own connection: the test is about the connections behind the
/// proxy.
struct Load {
    stop: Rc<Cell<bool>>,
    sender: JoinHandle<Vec<JoinHandle<()>>>,
    counts: Rc<RefCell<BTreeMap<String, u32>>>,
    failed: Rc<Cell<u32>>,
}

impl Load {
    fn start(url: String) -> Self {
        let (stop, failed) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(0)));
        let counts = Rc::new(RefCell::new(BTreeMap::new()));
        let client = Client::builder()
            .pool_max_idle_per_host(0)
            .timeout(Duration::from_secs(10))
            .build()
            .expect("a client");
        let sender = {
            let (stop, failed, counts) = (stop.clone(), failed.clone(), counts.clone());
            spawn(async move {
                let mut pace = interval(Duration::from_secs(1) / RATE);
                let mut questions = QUESTIONS.iter().cycle();
                let mut sent = Vec::new();
                while !stop.get() {
                    pace.tick().await;
                    let question = questions.next().expect("a cycle has no end");
                    let request = client.get(format!("{url}{question}"));
                    sent.push(spawn(ask(request, failed.clone(), counts.clone())));
                }
                sent
            })
        };
        Self { stop, sender, counts, failed }
    }

    /// Stops, prints how many requests each replica answered, and returns how many failed.
    async fn stop(self) -> u32 {
        self.stop.set(true);
        for sent in self.sender.await.expect("the load does not panic") {
            sent.await.expect("a request does not panic");
        }
        for (replica, count) in self.counts.borrow().iter() {
            println!("{replica} answered {count}");
        }
        self.failed.get()
    }
}

async fn ask(
    request: reqwest::RequestBuilder,
    failed: Rc<Cell<u32>>,
    counts: Rc<RefCell<BTreeMap<String, u32>>>,
) {
    let fail = |what: &dyn std::fmt::Display| {
        failed.set(failed.get() + 1);
        println!("failed: {what}");
    };
    match request.send().await {
        Ok(answer) if answer.status().is_success() => {
            let by = answer.headers().get(ANSWERED_BY).and_then(|by| by.to_str().ok()).unwrap_or("nobody");
            *counts.borrow_mut().entry(by.to_owned()).or_default() += 1;
            if let Err(error) = answer.bytes().await {
                fail(&error);
            }
        }
        Ok(answer) => fail(&answer.status()),
        Err(error) => fail(&error),
    }
}
