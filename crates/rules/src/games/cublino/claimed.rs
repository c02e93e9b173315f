//! The dice that a text claims to be on the board, and why the rules do not allow them.

use super::square::{Square, Squares};
use crate::{
    game::{Coded, Player},
    games::colour::Colour,
};

/// How many dice a text names for each player, and where: also those on a square that is taken, for which a
/// board has no room. One problem must not hide another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claimed {
    counts: [u32; 2],
    home: [u32; 2],
    squares: [Squares; 2],
}

impl Claimed {
    pub(super) fn add(&mut self, square: Square, player: Player) {
        self.counts[player.index()] += 1;
        self.home[player.index()] += u32::from(Squares::far_rank(player).contains(square));
        self.squares[player.index()] |= square.set();
    }

    /// How many dice are named for a player.
    #[must_use]
    pub const fn count(&self, player: Player) -> u32 {
        self.counts[player.index()]
    }

    /// How many of them are named on the far rank.
    #[must_use]
    pub const fn home(&self, player: Player) -> u32 {
        self.home[player.index()]
    }

    /// The squares on which a die of a player is said to lie.
    #[must_use]
    pub const fn squares(&self, player: Player) -> Squares {
        self.squares[player.index()]
    }
}

/// Why a well-formed state is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// Two dice on one square.
    #[error("there is more than one die on {square}")]
    SquareTaken {
        /// The square.
        square: Square,
        /// Where the text names it again, in characters from 0.
        at: usize,
    },
    /// Pur is played with seven dice each.
    #[error("{} has {count} dice, and plays with exactly seven", Colour(*.player))]
    NotSevenDice {
        /// Whose dice they are.
        player: Player,
        /// How many there are.
        count: u32,
    },
    /// Contra and Ecke are played with up to seven dice each.
    #[error("{} has {count} dice, and never has more than seven", Colour(*.player))]
    TooManyDice {
        /// Whose dice they are.
        player: Player,
        /// How many there are.
        count: u32,
    },
    /// In Contra the first die on a far rank ends the game.
    #[error("both players have a die on their far rank, but the game ends with the first")]
    BothOnFarRank,
    /// In Ecke a player who has won ends the game.
    #[error(
        "both players have won, each by holding both corners or because the other has fewer than two dice"
    )]
    BothWon,
    /// The game would have ended before the second player finished.
    #[error("both players have seven dice on the far rank, but the game ends as soon as one has")]
    BothFinished,
}

impl Coded for Invalid {
    fn code(&self) -> &'static str {
        match self {
            Self::SquareTaken { .. } => "square-taken",
            Self::NotSevenDice { .. } => "not-seven-dice",
            Self::TooManyDice { .. } => "too-many-dice",
            Self::BothOnFarRank => "both-on-far-rank",
            Self::BothWon => "both-won",
            Self::BothFinished => "both-finished",
        }
    }

    fn at(&self) -> Option<usize> {
        match *self {
            Self::SquareTaken { at, .. } => Some(at),
            Self::NotSevenDice { .. }
            | Self::TooManyDice { .. }
            | Self::BothOnFarRank
            | Self::BothWon
            | Self::BothFinished => None,
        }
    }
}
