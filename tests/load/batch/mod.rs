//! What single suggestions and cheap questions notice of a request about many positions.
//!
//! `cargo test --release --test load -- batch` starts a service of its own on a free port of this machine. It
//! asks cheap questions at a steady rate: alone, then beside single suggestions, then beside suggestions and
//! a request about 1,000 positions. It repeats all of that, so that other load of the machine affects each
//! alike. It prints how long cheap answers took, how long suggestions waited for a thread, and how fast the
//! request was answered. It fails if suggestions or cheap answers came later than they should, if the request
//! was not answered in full and in order, or if an answer in it differs from that to a single question.

mod requests;

use std::time::{Duration, Instant};

use actix_web::rt::{
    System, spawn,
    time::{interval, sleep},
};
use clap::Args;

use self::requests::Requests;
use crate::{
    service::Service,
    times::{P99, Times},
};

/// Cheap questions in a second.
const RATE: u32 = 400;
/// The time between suggestions. Each takes 100 ms, so that they need most of a thread.
const PACE: Duration = Duration::from_millis(125);
/// The longest wait of suggestions, and how many times longer cheap answers may take beside a batch.
const MOST_WAIT: Duration = Duration::from_millis(60);
const MOST_TIMES: f64 = 2.0;
/// Shorter times of cheap answers count as this: they are those of the client and of the system.
const FINEST: Duration = Duration::from_micros(500);
/// Positions of the batch, and how far each is searched.
const POSITIONS: usize = 1_000;
const NODES: u64 = 20_000;
/// How many of the answers are compared with those to single questions.
const AGAIN: usize = 20;
/// How long the service rests after a batch, so that nothing of it is left.
const REST: Duration = Duration::from_secs(1);

/// What single suggestions and cheap questions notice of a request about many positions
#[derive(Args)]
pub struct Batch {
    /// How long each is asked, alone and beside a batch, in seconds
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..=600))]
    seconds: u64,
    /// How often
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=20))]
    rounds: u64,
}

/// The times that callers noticed.
#[derive(Default)]
struct Noticed {
    cheap: Times,
    waits: Times,
}

impl Batch {
    /// Runs the test; returns whether it has passed.
    pub fn run(&self) -> bool {
        System::new().block_on(self.measure())
    }

    async fn measure(&self) -> bool {
        let service = Service::start(&["--drain-seconds", "0"]);
        let requests = Requests::new(&service, POSITIONS, NODES);
        let length = Duration::from_secs(self.seconds);

        let undisturbed = requests.batch().await;
        println!("a batch of {POSITIONS} positions at nodes={NODES} alone          {undisturbed}");
        let mut faults = requests.compare(&undisturbed, AGAIN).await;

        let [mut idle, mut alone, mut beside] = [(); 3].map(|()| Noticed::default());
        let (mut batches, mut searched, mut batch_time) = (0, 0, Duration::ZERO);
        for _ in 0..self.rounds {
            idle.ask_cheap(&requests, length).await;
            alone.ask_all(&requests, length).await;
            let batch = spawn({
                let requests = requests.clone();
                async move { requests.batches_for(length).await }
            });
            beside.ask_all(&requests, length).await;
            for answered in batch.await.expect("the batches do not panic") {
                faults.extend(answered.differences(&undisturbed));
                batches += 1;
                searched += answered.results.len();
                batch_time += answered.took;
            }
            sleep(REST).await;
        }
        println!("cheap answers at {RATE}/s                               {}", idle.cheap);
        println!("the same beside suggestions of 100 ms                {}", alone.cheap);
        println!("the same beside suggestions and a batch              {}", beside.cheap);
        println!("suggestions waited                                   {}", alone.waits);
        println!("the same beside a batch                              {}", beside.waits);
        println!(
            "{batches} batches beside them: {:.0} positions a second",
            searched as f64 / batch_time.as_secs_f64()
        );

        let cheap = [&idle, &beside].map(|noticed| noticed.cheap.share(P99).max(FINEST).as_secs_f64());
        if cheap[1] > cheap[0] * MOST_TIMES {
            faults.push(format!("cheap answers took {:.2} times as long", cheap[1] / cheap[0]));
        }
        if beside.waits.share(P99) > MOST_WAIT {
            faults.push("suggestions waited for too long".to_owned());
        }
        for fault in &faults {
            println!("FAULT {fault}");
        }
        service.terminate();
        faults.is_empty() & service.ended_well().await
    }
}

impl Noticed {
    /// Asks cheap questions and suggestions, each at a fixed rate.
    async fn ask_all(&mut self, requests: &Requests, length: Duration) {
        let suggestions = spawn({
            let requests = requests.clone();
            async move { ask(PACE, length, || requests.clone().suggestion()).await }
        });
        self.ask_cheap(requests, length).await;
        self.waits.0.extend(suggestions.await.expect("every suggestion is answered"));
    }

    /// Asks cheap questions.
    async fn ask_cheap(&mut self, requests: &Requests, length: Duration) {
        let pace = Duration::from_secs(1) / RATE;
        self.cheap.0.extend(ask(pace, length, || requests.clone().cheap()).await);
    }
}

/// Asks at a fixed rate (open loop), and waits for all answers.
async fn ask<F>(pace: Duration, length: Duration, question: impl Fn() -> F) -> Vec<Duration>
where
    F: Future<Output = Duration> + 'static,
{
    let end = Instant::now() + length;
    let (mut asked, mut pace) = (Vec::new(), interval(pace));
    while Instant::now() < end {
        pace.tick().await;
        asked.push(spawn(question()));
    }
    let mut times = Vec::new();
    for answered in asked {
        times.push(answered.await.expect("every question is answered"));
    }
    times
}
