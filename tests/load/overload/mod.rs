//! What callers notice when the service is overloaded with searches.
//!
//! `cargo test --release --test load -- overload` starts services of its own on free ports of this machine.
//! It prints the latency of cheap questions, without searches and with all search threads busy and the queue
//! full. It also prints the results of a load of four times the capacity. It fails if an answer is not the
//! expected one; the times of cheap answers are only printed.

mod crowd;

use std::time::{Duration, Instant};

use actix_web::rt::{
    System, spawn,
    time::{interval, sleep},
};
use clap::Args;
use cublino_client as client;
use reqwest::{Client, StatusCode};

use crate::{
    service::Service,
    times::{P99, Times},
};

/// A cheap question, and how many are asked in a second.
const CHEAP: &str = "/v1/games/cublino-pur/legal-moves?state=PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7";
const RATE: u32 = 400;
/// A search that takes a second, the longest that may run on any thread.
const SECOND: &str =
    "/v1/games/cublino-pur/suggestion?state=PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7&time_ms=1000";
/// Search threads and places in the queue while cheap questions are timed.
const THREADS: usize = 2;
const QUEUE: usize = 8;
/// How long a search may take to begin, and how often this is polled.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(1);

/// What callers notice when the service is overloaded with searches
#[derive(Args)]
pub struct Overload {
    /// How long cheap questions are asked, without searches and with them, in seconds
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=7))]
    seconds: u64,
    /// How long the overload lasts, in seconds
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(5..=3_600))]
    overload_seconds: u64,
}

impl Overload {
    /// Runs the test; returns whether it has passed, whatever the times of cheap answers.
    pub fn run(&self) -> bool {
        let [length, overload] = [self.seconds, self.overload_seconds].map(Duration::from_secs);
        System::new().block_on(async { full(length).await & crowd::crowd(overload).await })
    }
}

/// Cheap questions without searches, and beside as many as the service accepts.
async fn full(length: Duration) -> bool {
    let caller = Caller::new();
    let alone = caller.cheap(length).await;
    println!("cheap answers at {RATE}/s without searches               {alone}");

    let mut searches = Vec::new();
    for _ in 0..THREADS + QUEUE {
        let (http, url) = (caller.http.clone(), caller.service.url(SECOND));
        searches.push(spawn(async move {
            loop {
                time(http.clone(), url.clone(), StatusCode::OK).await;
            }
        }));
    }
    caller.until_full().await;
    let beside = caller.cheap(length).await;
    let times = beside.share(P99).as_secs_f64() / alone.share(P99).as_secs_f64();
    println!(
        "the same with {THREADS} searches running and {QUEUE} waiting        {beside}, \
         which is {times:.2} times as long"
    );

    for search in searches {
        search.abort();
    }
    caller.service.terminate();
    caller.service.ended_well().await
}

/// A service, and a client that asks it.
struct Caller {
    service: Service,
    client: client::Client,
    /// For timed requests, whose answers nobody reads.
    http: Client,
}

impl Caller {
    fn new() -> Self {
        let (threads, queue) = (THREADS.to_string(), QUEUE.to_string());
        // Searches wait for any time, until the queue is full.
        let settings = ["--search-threads", &threads, "--search-queue", &queue, "--max-wait-ms", "600000"];
        let service = Service::start(&[settings.as_slice(), &["--drain-seconds", "0"]].concat());
        Self { client: service.client(Client::builder()), http: Client::new(), service }
    }

    /// How long answers to the cheap question take, which is asked at a fixed rate (open loop).
    async fn cheap(&self, length: Duration) -> Times {
        let mut pace = interval(Duration::from_secs(1) / RATE);
        let mut asked = Vec::new();
        for _ in 0..length.as_secs() * u64::from(RATE) {
            pace.tick().await;
            asked.push(spawn(time(self.http.clone(), self.service.url(CHEAP), StatusCode::OK)));
        }
        let mut times = Times::default();
        for answered in asked {
            times.0.push(answered.await.expect("the answer is the right one"));
        }
        times
    }

    /// Resolves when all threads are busy and the queue is full.
    async fn until_full(&self) {
        let lines = [("running", THREADS), ("waiting", QUEUE)]
            .map(|(what, many)| format!("cublino_searches_{what}{{class=\"interactive\"}} {many}"));
        let began = Instant::now();
        loop {
            let metrics = self.client.get_metrics().await.expect("the metrics");
            if lines.iter().all(|line| metrics.lines().any(|metric| metric == line)) {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "the queue is not full");
            sleep(LOOK).await;
        }
    }
}

async fn time(client: Client, url: String, status: StatusCode) -> Duration {
    let began = Instant::now();
    let answer = client.get(&url).send().await.expect("an answer");
    assert_eq!(answer.status(), status, "{url}");
    answer.bytes().await.expect("a body");
    began.elapsed()
}
