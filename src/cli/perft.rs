//! `cublino perft`.

use std::{
    io::{self, Write},
    time::Instant,
};

use clap::Args;

use crate::{
    game::{
        Notation,
        perft::{perft, perft_by_spelling},
    },
    games::GameId,
    with_game,
};

/// The greatest depth that is counted: deeper, no machine comes to an end.
const MAX_DEPTH: i64 = 30;

/// Count the leaves of a game's tree
#[derive(Args, Clone, Debug)]
pub struct Perft {
    /// The game
    game: GameId,

    /// How many moves deep
    #[arg(value_parser = clap::value_parser!(u32).range(1..=MAX_DEPTH))]
    depth: u32,

    /// The state to count from [default: the start of the game]
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
}

impl Perft {
    /// Prints a line for each depth: depth, leaves by listed move, leaves by result, seconds.
    pub(super) fn run(&self) -> io::Result<()> {
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
