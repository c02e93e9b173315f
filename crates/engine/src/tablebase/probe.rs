//! What a tablebase says about a position.

use crate::{
    calibration::Meaning,
    limits::{Interrupted, LimitChecker},
    score::Score,
    value::GameResult,
};
use cublino_rules::game::Game;

/// Exact knowledge about some positions of a game.
pub trait Tablebase<G: Game>: Send + Sync {
    /// What is known about a position. Only asked where the game goes on, to move or to roll.
    ///
    /// A tablebase that has to work something out counts that in positions visited, so that deadline and stop
    /// flag hold for it as well.
    ///
    /// # Errors
    /// Fails when a limit is reached before the answer is worked out.
    fn probe(
        &self,
        position: &G,
        limits: &mut LimitChecker<'_>,
    ) -> Result<Option<TablebaseValue>, Interrupted>;
}

/// What is known about a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TablebaseValue {
    /// The result if both play their best, whatever was played before.
    Exact {
        /// For the side to move.
        result: GameResult,
        /// In how many plies the game is over at the latest, if the winner hurries and the loser does not;
        /// `None` if nobody has counted them.
        plies: Option<u32>,
    },
    /// The expected result, -1 to 1, so nearly that looking ahead would not improve it. It proves nothing.
    Expected(f64),
}

impl TablebaseValue {
    /// An exact result without a count of plies.
    pub(super) const fn uncounted(result: GameResult) -> Self {
        Self::Exact { result, plies: None }
    }

    /// The score as seen from so many plies before.
    pub(crate) fn score(self, meaning: &Meaning, before: u32) -> Score {
        match self {
            Self::Exact { result: GameResult::Draw, .. } => Score::DRAW,
            Self::Exact { result, plies } => {
                let win = plies.map_or(Score::uncounted_win(before), |plies| Score::over(1, before + plies));
                if result == GameResult::Win { win } else { -win }
            }
            Self::Expected(expected) => meaning.score(expected),
        }
    }

    /// The same, for the other player.
    pub(super) fn for_opponent(self) -> Self {
        match self {
            Self::Exact { result, plies } => Self::Exact { result: !result, plies },
            Self::Expected(expected) => Self::Expected(-expected),
        }
    }

    /// The result, if it follows from the rules.
    pub(crate) const fn result(self) -> Option<GameResult> {
        match self {
            Self::Exact { result, .. } => Some(result),
            Self::Expected(_) => None,
        }
    }
}
