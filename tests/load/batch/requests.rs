//! The requests of the batch test.

use std::{
    collections::HashSet,
    fmt,
    rc::Rc,
    time::{Duration, Instant},
};

use cublino::{
    api::{
        Many, PositionQuestion, PositionResult,
        suggestion::{Suggestion, SuggestionQuestion},
    },
    game::{Game, Stage, playout},
    games::{GameId, Pur},
};
use cublino_client::Client;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use reqwest::{Response, StatusCode};

use crate::service::Service;

const START: &str = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7";

/// The requests to a service; clones share them.
#[derive(Clone)]
pub struct Requests(Rc<Inner>);

struct Inner {
    client: Client,
    /// For timed requests, whose answers nobody reads.
    http: reqwest::Client,
    cheap: String,
    timed: String,
    states: Vec<String>,
    nodes: u64,
}

/// A batch that was answered.
pub struct Answered {
    pub results: Vec<PositionResult<Suggestion>>,
    pub took: Duration,
}

impl Requests {
    /// Requests about this many positions, each searched with this many nodes.
    pub fn new(service: &Service, positions: usize, nodes: u64) -> Self {
        let of = |operation| service.url(&format!("/v1/games/cublino-pur/{operation}"));
        Self(Rc::new(Inner {
            client: service.client(reqwest::Client::builder()),
            http: reqwest::Client::new(),
            cheap: format!("{}?state={START}", of("legal-moves")),
            timed: format!("{}?state={START}&time_ms=100", of("suggestion")),
            states: states(positions),
            nodes,
        }))
    }

    /// How long the answer to a cheap question took, its body included.
    pub async fn cheap(self) -> Duration {
        let began = Instant::now();
        let answer = self.get(&self.0.cheap).await;
        answer.bytes().await.expect("a body");
        began.elapsed()
    }

    /// How long a suggestion has waited for a thread, by the header `Server-Timing`.
    pub async fn suggestion(self) -> Duration {
        let answer = self.get(&self.0.timed).await;
        let timing = answer.headers()["server-timing"].to_str().expect("words").to_owned();
        let wait = timing.strip_prefix("wait;dur=").and_then(|rest| rest.split(',').next());
        let wait = wait.and_then(|ms| ms.parse::<f64>().ok()).expect("the header has the waiting time");
        Duration::from_secs_f64(wait / 1_000.0)
    }

    async fn get(&self, url: &str) -> Response {
        let answer = self.0.http.get(url).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "{url}");
        answer
    }

    /// All positions in one request.
    pub async fn batch(&self) -> Answered {
        let Inner { client, states, nodes, .. } = &*self.0;
        let positions =
            states.iter().map(|state| PositionQuestion { state: state.clone(), ..Default::default() });
        let nodes = (*nodes).try_into().ok();
        let question = Many::new(positions, SuggestionQuestion { nodes, ..SuggestionQuestion::default() });
        let began = Instant::now();
        let answer = client.ask_many::<Suggestion>(GameId::CublinoPur, &question).await.expect("an answer");
        Answered { results: answer.results, took: began.elapsed() }
    }

    /// Sends one batch after the other for a time.
    pub async fn batches_for(&self, length: Duration) -> Vec<Answered> {
        let began = Instant::now();
        let mut answered = Vec::new();
        while began.elapsed() < length {
            answered.push(self.batch().await);
        }
        answered
    }

    /// The differences between a batch and single questions about some of its positions.
    pub async fn compare(&self, answered: &Answered, questions: usize) -> Vec<String> {
        let Inner { client, states, nodes, .. } = &*self.0;
        let mut faults = Vec::new();
        if answered.results.len() != states.len() {
            faults.push(format!("{} positions have {} answers", states.len(), answered.results.len()));
        }
        let every = states.len() / questions;
        for (state, result) in states.iter().zip(&answered.results).step_by(every) {
            let nodes = (*nodes).try_into().ok();
            let question = SuggestionQuestion { nodes, ..SuggestionQuestion::about(state) };
            let single = client.ask::<Suggestion>(GameId::CublinoPur, &question).await.expect("an answer");
            if !matches!(result, PositionResult::Answered(answered) if answered.answer == single) {
                faults.push(format!("{state} is answered in another way on its own: {result:?}, {single:?}"));
            }
        }
        faults
    }
}

impl Answered {
    /// A fault if another answer to the same request differs.
    pub fn differences(&self, other: &Self) -> Option<String> {
        (self.results != other.results).then(|| "a request that has one answer has got two".to_owned())
    }
}

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, positions) = (self.took.as_secs_f64(), self.results.len() as f64);
        write!(f, "{seconds:.1} s, {:.0} positions a second", positions / seconds)
    }
}

/// Different positions with a move to play, from random games.
fn states(count: usize) -> Vec<String> {
    let mut rng = Pcg64Mcg::seed_from_u64(13);
    let (mut states, mut seen) = (Vec::new(), HashSet::new());
    while states.len() < count {
        let positions = playout::positions(Pur::default(), 60, &mut rng);
        let playable = positions.filter(|position| position.stage() == Stage::Move);
        for state in playable.map(|position| position.to_string()) {
            if seen.insert(state.clone()) {
                states.push(state);
            }
        }
    }
    states.truncate(count);
    states
}
