//! What a position is worth, as it is told to people.

use std::{
    cmp::Ordering,
    ops::{Neg, Not},
};

use serde::Serialize;

use super::score::{Scale, Score};

/// A result for one of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum GameResult {
    /// This player wins.
    Win,
    /// Nobody wins.
    Draw,
    /// The opponent wins.
    Loss,
}

impl GameResult {
    /// The result that a number stands for: 1 a win, 0 a draw, -1 a loss.
    pub(super) const fn of(number: i8) -> Self {
        match number {
            1.. => Self::Win,
            0 => Self::Draw,
            _ => Self::Loss,
        }
    }
}

/// The same for the other player.
impl Not for GameResult {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }
}

/// A result that follows from the rules, whatever the opponent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Proven {
    /// The result for the side to move.
    pub result: GameResult,
    /// In exactly how many plies the game is over if the winner hurries and the loser holds out, with the worst dice for the winner;
    /// null in a draw, and where nobody has counted them.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub plies: Option<u32>,
}

impl Proven {
    /// Nobody wins.
    pub const DRAW: Self = Self { result: GameResult::Draw, plies: None };
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Value {
    /// The expected result: 1 a win, 0 a draw, -1 a loss.
    #[cfg_attr(feature = "openapi", schema(minimum = -1, maximum = 1, example = 0.12))]
    pub expected: f64,
    /// The result, if it is certain.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub proven: Option<Proven>,
}

impl Value {
    /// What a score means. A win or a loss is told with its plies if they are known exactly.
    pub(super) fn of(score: Score, scale: Scale, plies: Option<u32>) -> Self {
        if score.is_win() {
            Self::proven(Proven { result: GameResult::Win, plies })
        } else if score.is_loss() {
            Self::proven(Proven { result: GameResult::Loss, plies })
        } else {
            Self { expected: scale.expected(score), proven: None }
        }
    }

    /// What a certain result is worth.
    pub(super) const fn proven(proven: Proven) -> Self {
        let expected = match proven.result {
            GameResult::Win => 1.0,
            GameResult::Draw => 0.0,
            GameResult::Loss => -1.0,
        };
        Self { expected, proven: Some(proven) }
    }

    /// The mean of values that are not all the same proven result, by their probabilities.
    pub(super) fn mean(values: impl Iterator<Item = (f64, Self)>) -> Self {
        Self { expected: values.map(|(probability, value)| probability * value.expected).sum(), proven: None }
    }

    /// Which of two values is better: by the expected result; of equal ones a proven win stands first, the
    /// shortest before all, and a proven loss last, the latest before others.
    pub(super) fn total_cmp(&self, other: &Self) -> Ordering {
        let certainty = |value: &Self| match value.proven {
            Some(Proven { result: GameResult::Win, plies }) => {
                (1, plies.map_or(i64::MIN, |plies| -i64::from(plies)))
            }
            Some(Proven { result: GameResult::Loss, plies }) => (-1, plies.map_or(i64::MAX, i64::from)),
            Some(Proven { result: GameResult::Draw, .. }) | None => (0, 0),
        };
        self.expected.total_cmp(&other.expected).then_with(|| certainty(self).cmp(&certainty(other)))
    }
}

/// The same for the other player.
impl Neg for Value {
    type Output = Self;

    fn neg(self) -> Self {
        let proven = self.proven.map(|Proven { result, plies }| Proven { result: !result, plies });
        // Not `-self.expected`: nothing is expected of a draw, and zero has no sign.
        Self { expected: 0.0 - self.expected, proven }
    }
}
