//! What is known exactly, without looking ahead.
//!
//! [`wari`] knows what each player gets of the last marbles, [`bear_off`] how long a player takes to bear off in Mahbusa.

mod answer;
pub mod bear_off;
mod numbering;
mod prove;
pub mod wari;

use std::{fmt, path::Path, sync::Arc};

pub(super) use self::answer::{Answer, answer};
use self::wari::{DatabaseError, Endgames};
use super::{Evaluate, GameResult, Score};

/// What is known exactly about positions of the games; clones share it.
///
/// Searches without a level ask it about every position they come to (see
/// [`Evaluate::known`]).
#[derive(Clone, Debug, Default)]
pub struct Knowledge(Option<Arc<Endgames>>);

/// What is known about a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// The result if both play their best, whatever was played before.
    Certain {
        /// For the side to move.
        result: GameResult,
        /// In how many plies the game is over at the latest, if the winner hurries and the loser does not; `None` if nobody has
        /// counted them.
        plies: Option<u32>,
    },
    /// The expected result, -1 to 1, so nearly that looking ahead would not improve it. It proves nothing.
    Expected(f64),
}

impl Knowledge {
    /// Nothing but the rules.
    #[must_use]
    pub const fn none() -> Self {
        Self(None)
    }

    /// What comes with the program: how long it takes to bear off in Mahbusa, and the endgames of Wari with up to
    /// [`Endgames::BUILT_IN`] marbles.
    #[must_use]
    pub fn built_in() -> Self {
        Endgames::built_in().into()
    }

    /// With the endgames of Wari from a file, which must not be changed from then on.
    ///
    /// # Errors
    /// The file is not what it should be.
    pub fn with_wari_database(path: &Path) -> Result<Self, DatabaseError> {
        Ok(Endgames::open(path)?.into())
    }

    /// Whether there is nothing but the rules.
    #[inline]
    pub(super) const fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// The endgames of Wari.
    #[inline]
    pub fn wari(&self) -> Option<&Endgames> {
        self.0.as_deref()
    }

    /// The most marbles of the endgames of Wari that are known; 0 without any.
    #[must_use]
    pub fn marbles(&self) -> u8 {
        self.0.as_ref().map_or(0, |endgames| endgames.marbles())
    }
}

/// With endgames of Wari that have been worked out.
impl From<Endgames> for Knowledge {
    fn from(endgames: Endgames) -> Self {
        Self(Some(Arc::new(endgames)))
    }
}

/// What tells one knowledge from another: with the same, the same search gives the same answer.
impl fmt::Display for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.marbles().fmt(f)
    }
}

impl Known {
    /// What is certain without a count of plies.
    pub(super) const fn certain(result: GameResult) -> Self {
        Self::Certain { result, plies: None }
    }

    /// The score as seen from so many plies before.
    pub(super) fn score<G: Evaluate>(self, before: u32) -> Score {
        match self {
            Self::Certain { result: GameResult::Draw, .. } => Score::DRAW,
            Self::Certain { result, plies } => {
                let win = plies.map_or(Score::known_win(before), |plies| Score::over(1, before + plies));
                if result == GameResult::Win { win } else { -win }
            }
            Self::Expected(expected) => Score::of_expected::<G>(expected),
        }
    }

    /// The same, for the other player.
    fn for_opponent(self) -> Self {
        match self {
            Self::Certain { result, plies } => Self::Certain { result: !result, plies },
            Self::Expected(expected) => Self::Expected(-expected),
        }
    }

    /// The result, if it follows from the rules.
    pub(super) const fn result(self) -> Option<GameResult> {
        match self {
            Self::Certain { result, .. } => Some(result),
            Self::Expected(_) => None,
        }
    }
}
