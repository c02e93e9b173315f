//! A tournament of levels: each plays each, as player one and as player two, and a table shows the points of
//! each.
//!
//! `cargo run --release --example tournament -- cublino-contra 1 3 5` lets three levels play Cublino Contra.

use std::{env, error::Error};

use cublino::{
    api::{
        Many, PositionQuestion, PositionResult, StageName,
        apply::{Applied, Apply},
        roll::{Roll, Rolled},
        suggestion::{Suggestion, SuggestionQuestion},
    },
    game::Player,
    games::GameId,
};
use cublino_client::Client;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let game: GameId = arguments.next().map_or(Ok(GameId::CublinoContra), |name| name.parse())?;
    let levels: Vec<u64> = arguments.map(|level| level.parse()).collect::<Result<_, _>>()?;
    let service = env::var("CUBLINO_URL").unwrap_or_else(|_| "http://127.0.0.1:8080".to_owned());
    let client = Client::new(&service)?;

    let mut points = vec![0.0; levels.len()];
    for (i, &one) in levels.iter().enumerate() {
        for (j, &two) in levels.iter().enumerate().filter(|&(j, _)| j != i) {
            let winner = play(&client, game, [one, two]).await?;
            println!(
                "level {one} against level {two}: {}",
                winner.map_or("drawn".to_owned(), |it| format!("{it} has won"))
            );
            points[i] += score(winner, Player::One);
            points[j] += score(winner, Player::Two);
        }
    }
    for (level, points) in levels.iter().zip(points) {
        println!("level {level}: {points} points");
    }
    Ok(())
}

/// The points of a player for a game: 1, 0.5 or 0.
fn score(winner: Option<Player>, player: Player) -> f64 {
    winner.map_or(0.5, |winner| if winner == player { 1.0 } else { 0.0 })
}

/// Plays a game between two levels; the third time that a position occurs it is drawn.
async fn play(client: &Client, game: GameId, levels: [u64; 2]) -> Result<Option<Player>, Box<dyn Error>> {
    let repetition_limit = Some(3.try_into()?);
    let start = client.describe_game(game).await?.game.start;
    let mut moves: Vec<String> = Vec::new();
    loop {
        let asked =
            Apply { state: start.clone(), moves: moves.clone(), repetition_limit, ..Apply::default() };
        let now = client.ask::<Applied>(game, &asked).await?;
        moves.push(match now.stage {
            StageName::Over => return Ok(now.outcome.winner),
            StageName::Roll => client.ask::<Rolled>(game, &Roll { state: now.state, seed: None }).await?.text,
            StageName::Move => {
                // One position with the moves before it: the search then knows about repetitions.
                let position =
                    PositionQuestion { state: start.clone(), moves: moves.clone(), repetition_limit };
                let question = SuggestionQuestion {
                    level: Some(levels[now.turn.index()].try_into()?),
                    seed: Some((moves.len() as u64).try_into()?),
                    ..SuggestionQuestion::default()
                };
                let question = Many::new([position], question);
                match client.ask_many::<Suggestion>(game, &question).await?.results.pop() {
                    Some(PositionResult::Answered(answered)) => answered.answer.best,
                    other => return Err(format!("there is no suggestion: {other:?}").into()),
                }
            }
        });
    }
}
