//! What callers notice when the service is overloaded with searches.
//!
//! `cargo test --release --test load -- overload` starts services of its own on free ports of this machine.
//! It prints the latency of cheap questions, without searches and with all search threads busy and the queue
//! full; of a refusal by a full queue; and of the next search after a caller has left. It also prints the
//! results of a load of four times the capacity, and of a caller beside another with twenty times the
//! requests. It fails if an answer is not the expected one; the times of cheap answers are only printed.

mod crowd;

use std::time::{Duration, Instant};

use actix_web::rt::{
    System,
    net::TcpStream,
    spawn,
    time::{interval, sleep},
};
use clap::Args;
use cublino_client as client;
use reqwest::{Client, StatusCode};
use tokio::io::AsyncWriteExt;

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
/// The longest search that a service makes with these settings: it outlasts every measurement beside it.
const LONG: &str =
    "/v1/games/cublino-pur/suggestion?state=PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7&time_ms=10000";
/// A search that ends as soon as it has a thread.
const SHORT: &str =
    "/v1/games/cublino-pur/suggestion?state=PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7&nodes=1";
/// Search threads and places in the queue while cheap questions are timed.
const THREADS: usize = 2;
const QUEUE: usize = 8;
/// How often a full queue is asked, and how often a caller leaves.
const TRIES: usize = 50;
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
        System::new().block_on(async {
            full(length).await
                & leaving().await
                & crowd::crowd(overload).await
                & crowd::two(overload / 2).await
        })
    }
}

/// Cheap questions without searches and beside as many as the service accepts, and the refusal of one more.
async fn full(length: Duration) -> bool {
    let caller = Caller::of(THREADS, QUEUE);
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
    caller.until(THREADS, QUEUE).await;
    let beside = caller.cheap(length).await;
    let times = beside.share(P99).as_secs_f64() / alone.share(P99).as_secs_f64();
    println!(
        "the same with {THREADS} searches running and {QUEUE} waiting        {beside}, \
         which is {times:.2} times as long"
    );

    for search in searches {
        search.abort();
    }
    caller.until(0, 0).await;
    let mut searches = Vec::new();
    for _ in 0..=QUEUE {
        searches.push(caller.ask_and_hang_on(LONG).await);
    }
    caller.until(1, QUEUE).await;
    // The other thread is idle, so there is room for one more.
    searches.push(caller.ask_and_hang_on(LONG).await);
    caller.until(1, QUEUE + 1).await;
    let mut refused = Times::default();
    for _ in 0..TRIES {
        refused.0.push(caller.time(LONG, StatusCode::SERVICE_UNAVAILABLE).await);
    }
    println!("a full queue says so                                  {refused}");
    drop(searches);
    caller.ended_well().await
}

/// How soon a thread serves the next caller after the caller of its search has left.
async fn leaving() -> bool {
    let caller = Caller::of(1, 1);
    let mut freed = Times::default();
    for _ in 0..TRIES {
        let search = caller.ask_and_hang_on(LONG).await;
        caller.until(1, 0).await;
        drop(search);
        freed.0.push(caller.time(SHORT, StatusCode::OK).await);
    }
    println!("a thread has answered the next after its caller left  {freed}");
    caller.ended_well().await
}

/// A service, and a client that asks it.
struct Caller {
    service: Service,
    client: client::Client,
    /// For timed requests, whose answers nobody reads.
    http: Client,
}

impl Caller {
    fn of(threads: usize, queue: usize) -> Self {
        let (threads, queue) = (threads.to_string(), queue.to_string());
        // Searches wait for any time, until the queue is full.
        let settings = ["--search-threads", &threads, "--search-queue", &queue, "--max-wait-ms", "600000"];
        let endless = ["--max-nodes", "1000000000", "--drain-seconds", "0"];
        let service = Service::start(&[settings.as_slice(), &endless].concat());
        Self { client: service.client(Client::builder()), http: Client::new(), service }
    }

    /// How long an answer with a status takes, its body included.
    async fn time(&self, path: &str, status: StatusCode) -> Duration {
        time(self.http.clone(), self.service.url(path), status).await
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

    /// Asks, and does not read the answer; dropping the connection means that the caller has left.
    async fn ask_and_hang_on(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.service.address).await.expect("a connection");
        let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("the request is sent");
        stream
    }

    /// Resolves when this many searches run and wait.
    async fn until(&self, running: usize, waiting: usize) {
        let lines = [("running", running), ("waiting", waiting)]
            .map(|(what, many)| format!("cublino_searches_{what}{{class=\"interactive\"}} {many}"));
        let began = Instant::now();
        loop {
            let metrics = self.client.get_metrics().await.expect("the metrics");
            if lines.iter().all(|line| metrics.lines().any(|metric| metric == line)) {
                return;
            }
            assert!(
                began.elapsed() < PATIENCE,
                "there are not {running} searches running and {waiting} waiting"
            );
            sleep(LOOK).await;
        }
    }

    async fn ended_well(self) -> bool {
        self.service.terminate();
        self.service.ended_well().await
    }
}

async fn time(client: Client, url: String, status: StatusCode) -> Duration {
    let began = Instant::now();
    let answer = client.get(&url).send().await.expect("an answer");
    assert_eq!(answer.status(), status, "{url}");
    answer.bytes().await.expect("a body");
    began.elapsed()
}
