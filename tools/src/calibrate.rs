//! Checks what the service expects against what becomes of games.
//!
//! `cargo run --release --example check_calibration -- cublino-contra --games 200` plays games of the search
//! against itself and prints, for every tenth of the expected result, what was expected and what became of
//! it, and the slope of the result on what was expected, which is 1 if values are right.
//!
//! `… -- cublino-contra --kept DIR/15.5000.games` plays none: it takes the games by which `cublino train` has
//! calibrated a network, fits curves to three quarters of them, and tries these on the other quarter, each
//! quarter in turn.
//!
//! A position in which a loss is expected counts for the opponent. Results that are proven are left out.

#![expect(clippy::cast_precision_loss, reason = "there are fewer positions than a float counts exactly")]

mod kept_games;
mod played_games;
#[path = "../self_play/mod.rs"]
mod self_play;
mod tally;

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use cublino::{game::Notation, games::GameId, search::Playable, with_game};
use cublino_tools::game_file::GameFileError;

/// Checks what the service expects against what becomes of games
#[derive(Debug, Parser)]
struct Asked {
    /// The game
    game: GameId,
    /// Games to play
    #[arg(long, default_value_t = 600)]
    games: u64,
    /// Positions that the search visits for a move
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// What openings and rolls are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games by which `cublino train` has calibrated the network of the program, instead of games to play
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "nodes", "seed"])]
    kept: Option<PathBuf>,
}

fn main() -> ExitCode {
    let asked = Asked::parse();
    match with_game!(asked.game, G => check::<G>(&asked)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether what was expected is close to what became of it.
fn check<G: Playable + Notation>(asked: &Asked) -> Result<bool, GameFileError> {
    let samples = match &asked.kept {
        Some(path) => kept_games::samples::<G>(path)?,
        None => played_games::samples::<G>(asked.games, asked.nodes, asked.seed),
    };
    eprintln!("{} positions without a proven result", samples.len());
    Ok(tally::print(&samples))
}
