//! Ten thousand states checked in batches of a thousand, which is as many as the service answers in one
//! request.
//!
//! `cargo run --release --example pipeline -- wari` draws them, makes every tenth invalid, and has all of
//! them checked. The answers are read line by line while the rest are computed.

use std::{env, error::Error, time::Instant};

use cublino::{
    api::{
        Many, PositionQuestion, PositionResult,
        random_positions::{RandomPositions, RandomPositionsQuestion},
        validation::{TextQuestion, Validation},
    },
    games::GameId,
};
use cublino_client::Client;

const BATCHES: u64 = 10;
const BATCH: u64 = 1_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let game: GameId = arguments.next().map_or(Ok(GameId::Wari), |name| name.parse())?;
    let client = Client::new(&arguments.next().unwrap_or_else(|| "http://127.0.0.1:8080".to_owned()))?;

    let began = Instant::now();
    let (mut valid, mut invalid) = (0, 0);
    for seed in 0..BATCHES {
        let question = RandomPositionsQuestion {
            count: Some(BATCH.try_into()?),
            seed: Some(seed.try_into()?),
            ..RandomPositionsQuestion::default()
        };
        let mut states: Vec<_> = client
            .ask::<RandomPositions>(game, &question)
            .await?
            .positions
            .into_iter()
            .map(|it| it.state)
            .collect();
        for state in states.iter_mut().step_by(10) {
            state.push('?');
        }
        let positions = states.into_iter().map(|state| PositionQuestion { state, ..Default::default() });
        let question = Many::new(positions, TextQuestion::default());
        let mut answers = client.stream_many::<Validation>(game, &question).await?;
        while let Some(answer) = answers.next().await {
            match answer? {
                PositionResult::Answered(answered) if answered.answer.valid => valid += 1,
                PositionResult::Answered(_) => invalid += 1,
                PositionResult::Unanswered(unanswered) => return Err(unanswered.problem.detail.into()),
            }
        }
    }
    println!("{valid} states and {invalid} that are none, in {:.1} s", began.elapsed().as_secs_f64());
    Ok(())
}
