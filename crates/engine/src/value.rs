//! What a position is worth, as it is told to people.

use std::{
    cmp::Ordering,
    ops::{Neg, Not, RangeInclusive},
};

use serde::{Deserialize, Serialize};

use crate::{Chances, Score, calibration::Meaning};

/// A result for one of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Proven {
    /// The result for the side to move.
    pub result: GameResult,
    /// In exactly how many plies the game is over if the winner hurries and the loser holds out, with the
    /// worst dice for the winner; null in a draw, and where nobody has counted them.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub plies: Option<u32>,
}

impl Proven {
    /// Nobody wins.
    pub(super) const DRAW: Self = Self { result: GameResult::Draw, plies: None };
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Value {
    /// The expected result: 1 a win, 0 a draw, -1 a loss. It is the chance of a win less that of a loss, in
    /// whole ten-thousandths.
    #[cfg_attr(feature = "openapi", schema(minimum = -1, maximum = 1, example = 0.12))]
    pub expected: f64,
    /// How likely each result is, as it was in games between equal players; in whole ten-thousandths, which
    /// together are 1.
    pub chances: Chances,
    /// The result, if it is certain.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub proven: Option<Proven>,
}

impl Value {
    /// What a score means. A win or a loss is told with its plies if they are known exactly; of what another
    /// expected result leaves room for, as much is a draw as became of positions where an evaluator tells
    /// this share.
    pub(super) fn of(score: Score, meaning: &Meaning, draw_share: f64, plies: Option<u32>) -> Self {
        if score.is_win() {
            Self::proven(Proven { result: GameResult::Win, plies })
        } else if score.is_loss() {
            Self::proven(Proven { result: GameResult::Loss, plies })
        } else {
            let expected = meaning.expected(score);
            Self::heuristic(expected, meaning.curves.draw_share(draw_share) * (1.0 - expected.abs()))
        }
    }

    /// An expected result that is not certain, and how likely a draw is: as likely as that, or as the
    /// expected result leaves room for.
    pub(super) fn heuristic(expected: f64, draw: f64) -> Self {
        // Both in five-thousandths, so that half of their sum is whole ten-thousandths.
        let [expected, draw] = [expected, draw].map(|part| (part * 5_000.0).round());
        let draw = draw.clamp(0.0, 5_000.0 - expected.abs());
        let [win, loss] = [expected, -expected].map(|balance| (5_000.0 - draw + balance) / 10_000.0);
        let (expected, draw) = (in_ten_thousandths(expected / 5_000.0), draw / 5_000.0);
        Self { expected, chances: Chances { win, draw, loss }, proven: None }
    }

    /// The same, as far as the results are possible between the worst and the best of some; proven if only
    /// one is. The plies to it nobody has counted.
    pub(super) fn within(self, possible: &RangeInclusive<i8>) -> Self {
        let [worst, best] = [*possible.start(), *possible.end()];
        if self.proven.is_some() || (worst, best) == (-1, 1) {
            self
        } else if worst == best {
            Self::proven(Proven { result: GameResult::of(best), plies: None })
        } else {
            Self::heuristic(self.expected.clamp(worst.into(), best.into()), 1.0)
        }
    }

    /// What a certain result is worth.
    pub(super) const fn proven(proven: Proven) -> Self {
        let (expected, win, draw, loss) = match proven.result {
            GameResult::Win => (1.0, 1.0, 0.0, 0.0),
            GameResult::Draw => (0.0, 0.0, 1.0, 0.0),
            GameResult::Loss => (-1.0, 0.0, 0.0, 1.0),
        };
        Self { expected, chances: Chances { win, draw, loss }, proven: Some(proven) }
    }

    /// The mean of values that are not all the same proven result, by their probabilities.
    pub(super) fn mean(values: impl Iterator<Item = (f64, Self)>) -> Self {
        let add = |(expected, draw), (probability, value): (f64, Self)| {
            (expected + probability * value.expected, draw + probability * value.chances.draw)
        };
        let (expected, draw) = values.fold((0.0, 0.0), add);
        Self::heuristic(expected, draw)
    }

    /// By how much more is expected with this value than with another, in whole ten-thousandths as well.
    #[must_use]
    pub fn more_than(&self, other: &Self) -> f64 {
        in_ten_thousandths(self.expected - other.expected)
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
        let Chances { win, draw, loss } = self.chances;
        let chances = Chances { win: loss, draw, loss: win };
        // Not `-self.expected`: nothing is expected of a draw, and zero has no sign.
        Self { expected: 0.0 - self.expected, chances, proven }
    }
}

/// A number in whole ten-thousandths, zero without a sign: finer than anybody knows a result.
pub fn in_ten_thousandths(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Curves, Scale};

    const MEANING: Meaning = Meaning {
        scale: Scale::new(200.0),
        curves: Curves::new(
            [
                [0.0, 0.07, 0.15, 0.29, 0.41, 0.52, 0.61, 0.7, 0.83, 0.91, 0.99],
                [0.0, 0.01, 0.02, 0.05, 0.09, 0.14, 0.2, 0.31, 0.43, 0.55, 0.7],
            ],
            Curves::LINE,
        ),
        draw_share: 0.2,
    };

    #[test]
    fn chances_are_whole_ten_thousandths_of_one_and_their_difference_is_expected() {
        let whole = |number: f64| (number * 10_000.0 - (number * 10_000.0).round()).abs() < 1e-7;
        for units in -20_000..=20_000 {
            let value = Value::of(Score::new(units), &MEANING, 0.333, None);
            let Value { expected, chances: Chances { win, draw, loss }, .. } = value;
            assert!([expected, win, draw, loss].into_iter().all(whole), "{units}: {value:?}");
            assert!(
                [win, draw, loss].iter().all(|chance| (0.0..=1.0).contains(chance)),
                "{units}: {value:?}"
            );
            assert!((win + draw + loss - 1.0).abs() < 1e-9, "{units}: {value:?}");
            assert!((win - loss - expected).abs() < 1e-9, "{units}: {value:?}");
            assert_eq!(Value::of(Score::new(-units), &MEANING, 0.333, None), -value, "{units}");
        }
    }

    #[test]
    fn draws_are_no_likelier_than_the_expected_result_leaves_room_for() {
        let chances = |expected, draw| Value::heuristic(expected, draw).chances;
        assert_eq!(chances(0.5, 0.25), Chances { win: 0.625, draw: 0.25, loss: 0.125 });
        assert_eq!(chances(-0.75, 0.5), Chances { win: 0.0, draw: 0.25, loss: 0.75 });
        assert_eq!(chances(1.0, 0.5), Chances { win: 1.0, draw: 0.0, loss: 0.0 });
    }

    #[test]
    fn a_difference_is_rounded_as_values_are() {
        let [more, less] = [0.3, 0.1].map(|expected| Value::heuristic(expected, 0.0));
        assert_eq!(more.more_than(&less).to_string(), "0.2");
    }
}
