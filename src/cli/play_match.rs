//! `cublino match`.

use std::io::{self, Write};

use clap::Args;

use crate::{
    games::GameId,
    search::{
        Evaluate, Knowledge,
        arena::{self, Match, Spec},
    },
    with_game,
};

/// Play players against each other, with colours alternating, from varied openings
#[derive(Args, Clone, Debug)]
pub struct PlayMatch {
    /// The game
    game: GameId,

    /// The player whose score is printed: random, greedy, level=1 to 8, nodes=N, time=MILLISECONDS or depth=PLIES
    #[arg(long, value_name = "SPEC")]
    one: Spec,

    /// The other player
    #[arg(long, value_name = "SPEC")]
    two: Spec,

    /// How many games; two at a time share an opening
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// What openings, rolls and players draw from
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
}

impl PlayMatch {
    /// Plays, and prints how it went for the first player.
    pub(super) fn run(&self) -> io::Result<()> {
        with_game!(self.game, G => self.play::<G>())
    }

    fn play<G: Evaluate>(&self) -> io::Result<()> {
        let Self { one, two, games, seed, .. } = *self;
        let config = Match { one, two, games, seed, max_plies: Match::MAX_PLIES };
        let report = arena::run::<G>(&config, &Knowledge::none(), &mut |_| {});
        writeln!(io::stdout(), "{report}")
    }
}
