//! `tools perft`.

use std::{
    io::{self, Write},
    time::Instant,
};

use clap::Args;

use cublino_rules::{
    game::{Notation, perft, perft_by_spelling},
    games::GameId,
    with_game,
};

/// Count the leaves of a game tree, to test and time move generation
///
/// Prints a line for each depth: the depth, the leaves by listed move, the leaves by resulting position, and
/// the seconds for both counts.
#[derive(Args, Clone, Debug)]
pub struct Perft {
    /// The game
    game: GameId,
    /// The depth in moves
    // No machine finishes deeper counts.
    #[arg(value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// The state to count from [default: the start of the game]
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
}

impl Perft {
    /// Counts, and prints a line for each depth.
    pub fn run(&self) -> io::Result<()> {
        with_game!(self.game, G => self.count::<G>())
    }

    fn count<G: Notation>(&self) -> io::Result<()> {
        let position = self.state.as_deref().map_or(Ok(G::default()), G::read).map_err(io::Error::other)?;
        eprintln!("depth\tby move\tby result\tseconds");
        for depth in 1..=self.depth {
            let began = Instant::now();
            let (by_move, by_result) = (perft_by_spelling(&position, depth), perft(&position, depth));
            let seconds = began.elapsed().as_secs_f64();
            writeln!(io::stdout(), "{depth}\t{by_move}\t{by_result}\t{seconds:.3}")?;
        }
        Ok(())
    }
}
