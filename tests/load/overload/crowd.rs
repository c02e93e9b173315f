//! Load of four times the capacity of the search threads.

use std::{
    cell::RefCell,
    fmt,
    net::IpAddr,
    rc::Rc,
    time::{Duration, Instant},
};

use actix_web::rt::{spawn, time::interval};
use reqwest::{Client, Response};
use serde_json::Value;

use crate::{service::Service, times::Times};

const THREADS: u32 = 2;
const CALLERS: u32 = 50;
/// The load, as a multiple of the threads' capacity.
const TIMES: u32 = 4;
/// The requests: searches for half a second, and every fourth time one limited by nodes, whose answer is
/// always the same.
const TIMED: &str = "/v1/games/cublino-pur/suggestion?state=PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7";
const TIME: Duration = Duration::from_millis(500);
const IN_FULL: &str =
    "/v1/games/cublino-pur/suggestion?state=PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7&nodes=500000";
const EVERY: u32 = 4;
/// Every answer has at least the depth of this search.
const MODEST: &str =
    "/v1/games/cublino-pur/suggestion?state=PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7&nodes=2000";
/// How long a search may wait by default, and the tolerance for a busy machine.
const MAX_WAIT: Duration = Duration::from_secs(1);
const SLACK: Duration = Duration::from_millis(250);

/// An answer to a search.
enum Answer {
    Searched { depth: u64, wait: Duration, body: Value },
    Busy,
    Wrong(String),
}

/// A client with a loopback address of its own, so that the service takes each for another caller.
fn caller(number: u32) -> Client {
    let address = IpAddr::from([127, 0, 1, u8::try_from(number).expect("there are fewer callers")]);
    Client::builder().local_address(address).build().expect("a client with an address of this machine")
}

/// Sends a request, and parses the answer.
async fn ask(client: &Client, url: &str) -> Answer {
    let answer = client.get(url).send().await.expect("an answer");
    match answer.status().as_u16() {
        200 => {
            let Some(wait) = waited(&answer) else {
                return Answer::Wrong("it does not tell how long it waited".to_owned());
            };
            let body: Value = answer.json().await.expect("a body in JSON");
            let depth = body["search"]["depth"].as_u64().expect("a depth");
            Answer::Searched { depth, wait, body }
        }
        503 => {
            if !answer.headers().contains_key("retry-after") {
                return Answer::Wrong("it does not tell when to come back".to_owned());
            }
            Answer::Busy
        }
        other => Answer::Wrong(format!("status {other}")),
    }
}

/// How long a search has waited, by the header `Server-Timing`.
fn waited(answer: &Response) -> Option<Duration> {
    let header = answer.headers().get("server-timing")?.to_str().ok()?;
    let (wait, _search) = header.strip_prefix("wait;dur=")?.split_once(", ")?;
    Some(Duration::from_secs_f64(wait.parse::<f64>().ok()? / 1_000.0))
}

/// The results of many requests.
#[derive(Default)]
struct Outcome {
    refused: usize,
    /// The waiting times of the searches that were answered.
    waits: Times,
    least_depth: Option<u64>,
    in_full: Option<Value>,
    faults: Vec<String>,
}

impl Outcome {
    fn add(&mut self, answer: Answer, in_full: bool) {
        match answer {
            Answer::Searched { depth, wait, body } => {
                self.waits.0.push(wait);
                self.least_depth = Some(self.least_depth.map_or(depth, |least| least.min(depth)));
                if in_full && *self.in_full.get_or_insert_with(|| body.clone()) != body {
                    self.faults.push("a question that has one answer has got two".to_owned());
                }
            }
            Answer::Busy => self.refused += 1,
            Answer::Wrong(what) => self.faults.push(what),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} searched, {} busy; waited {}", self.waits.0.len(), self.refused, self.waits)
    }
}

/// Many callers at four times the capacity: every answer has been searched, and every refusal has
/// `Retry-After`.
pub async fn crowd(length: Duration) -> bool {
    let service = Service::start(&["--search-threads", &THREADS.to_string(), "--drain-seconds", "0"]);
    let Answer::Searched { depth: modest, .. } = ask(&caller(1), &service.url(MODEST)).await else {
        panic!("an idle service answers");
    };
    let began = Instant::now();
    for _ in 0..TIMES {
        assert!(matches!(ask(&caller(1), &service.url(IN_FULL)).await, Answer::Searched { .. }));
    }
    let in_full = began.elapsed() / TIMES;
    let mean = (TIME * (EVERY - 1) + in_full) / EVERY;
    let pause = mean / (THREADS * TIMES);

    let outcome = Rc::new(RefCell::new(Outcome::default()));
    let callers: Vec<Client> = (1..=CALLERS).map(caller).collect();
    let mut asked = Vec::new();
    let mut pace = interval(pause);
    let end = Instant::now() + length;
    for number in 0_u32.. {
        pace.tick().await;
        if Instant::now() >= end {
            break;
        }
        let in_full = number.is_multiple_of(EVERY);
        let url = service.url(if in_full { IN_FULL } else { TIMED });
        let (client, outcome) = (callers[number as usize % callers.len()].clone(), outcome.clone());
        asked.push(spawn(async move {
            let answer = ask(&client, &url).await;
            outcome.borrow_mut().add(answer, in_full);
        }));
    }
    for answered in asked {
        answered.await.expect("every request is answered");
    }

    let mut outcome = outcome.take();
    let depth = outcome.least_depth.unwrap_or_default();
    println!(
        "{CALLERS} callers, a request every {:.0} ms, which is {TIMES} times the capacity, for {} s:\n  \
         {outcome}",
        pause.as_secs_f64() * 1_000.0,
        length.as_secs()
    );
    println!("  depth of what was searched: {depth} at least, nodes=2000 reaches {modest}");
    if depth < modest {
        outcome.faults.push("something was answered that had hardly been searched".to_owned());
    }
    if outcome.refused == 0 || outcome.waits.0.is_empty() {
        outcome.faults.push("nobody was refused, or nobody answered".to_owned());
    }
    if outcome.waits.share(1.0) > MAX_WAIT + SLACK {
        outcome.faults.push("somebody was answered who had waited too long".to_owned());
    }
    for fault in &outcome.faults {
        println!("FAULT {fault}");
    }
    service.terminate();
    service.ended_well().await && outcome.faults.is_empty()
}
