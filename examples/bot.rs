//! A bot against a bot, over HTTP: player one asks the service what to play, player two draws its moves.
//!
//! `cargo run --release --example bot -- mahbusa` plays Mahbusa at the service of this machine. Without a
//! game it is Wari; the URL of the service may follow the game. It prints, with most plies left out:
//!
//! ```text
//! 1 player one: 62
//! 2 player one: XR-RP
//! 194 player one: B0-B0
//! player one has won (all borne off)
//! ```

use std::{env, error::Error};

use cublino::{
    api::{
        StageName,
        apply::{Applied, Apply},
        roll::{Roll, Rolled},
        suggestion::{Suggestion, SuggestionQuestion},
    },
    game::{EndReason, Player},
    games::GameId,
};
use cublino_client::Client;
use rand::{SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64;

/// Moves and rolls after which a game is given up: some need not end.
const MOST_PLIES: usize = 1_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let game: GameId = arguments.next().map_or(Ok(GameId::Wari), |name| name.parse())?;
    // If the service is overloaded, the client waits for as long as it says, and retries.
    let client = Client::new(&arguments.next().unwrap_or_else(|| "http://127.0.0.1:8080".to_owned()))?;
    let mut rng = Pcg64::seed_from_u64(1);

    let mut state = client.describe_game(game).await?.game.start;
    let mut played = Vec::new();
    for ply in 1..=MOST_PLIES {
        // One request a turn: it plays the move, and returns the legal moves after it.
        let asked =
            Apply { state, moves: std::mem::take(&mut played), legal_moves: true, ..Apply::default() };
        let now = client.ask::<Applied>(game, &asked).await?;
        state = now.state;
        let text = match (now.stage, now.turn) {
            (StageName::Over, _) => {
                let winner = now.outcome.winner.map_or("nobody".to_owned(), |winner| winner.to_string());
                println!("{winner} has won ({})", now.outcome.reason.map_or("", EndReason::in_words));
                return Ok(());
            }
            (StageName::Roll, _) => {
                client.ask::<Rolled>(game, &Roll { state: state.clone(), seed: None }).await?.text
            }
            (StageName::Move, Player::One) => {
                // A limit on nodes, not on time: the answer is then the same on every machine.
                let nodes = Some(20_000.try_into()?);
                let question = SuggestionQuestion { nodes, ..SuggestionQuestion::about(&state) };
                client.ask::<Suggestion>(game, &question).await?.best
            }
            (StageName::Move, Player::Two) => {
                let moves = now.moves.unwrap_or_default();
                moves.choose(&mut rng).ok_or("who is to move has a move")?.text.clone()
            }
        };
        println!("{ply} {}: {text}", now.turn);
        played.push(text);
    }
    println!("nobody has won after {MOST_PLIES} plies");
    Ok(())
}
