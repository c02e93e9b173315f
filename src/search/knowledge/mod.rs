//! What is known exactly, without looking ahead.

mod answer;

use std::fmt;

pub(super) use self::answer::answer;
use super::{GameResult, Score};

/// What is known exactly about positions of the games; clones share it.
///
/// Searches without a level ask it about every position they come to (see
/// [`Evaluate::known`](super::Evaluate::known)).
#[derive(Clone, Debug, Default)]
pub struct Knowledge;

/// What is known about a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The result if both play their best, whatever was played before.
    Certain(GameResult),
    /// A judgement that looking ahead would not improve; it proves nothing.
    Judged(Score),
}

impl Knowledge {
    /// Nothing but the rules.
    #[must_use]
    pub const fn none() -> Self {
        Self
    }
}

/// What tells one knowledge from another: with the same, the same search gives the same answer.
impl fmt::Display for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("none")
    }
}

impl Known {
    /// The score as seen from so many plies before.
    pub(super) fn score(self, plies: u32) -> Score {
        match self {
            Self::Certain(GameResult::Win) => Score::known_win(plies),
            Self::Certain(GameResult::Draw) => Score::DRAW,
            Self::Certain(GameResult::Loss) => -Score::known_win(plies),
            Self::Judged(score) => score,
        }
    }

    /// Whether it follows from the rules.
    pub(super) const fn is_certain(self) -> bool {
        matches!(self, Self::Certain(_))
    }
}
