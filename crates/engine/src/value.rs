//! Values of positions, for people: expected results and probabilities. The probabilities are calibrated with
//! games: how often they were won, drawn and lost after a search had found a score.

use std::{
    array,
    cmp::Ordering,
    ops::{Neg, Not, RangeInclusive},
};

use serde::{Deserialize, Serialize};

use crate::Score;

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
///
/// ```
/// use cublino_engine::GameResult;
///
/// assert_eq!(!GameResult::Win, GameResult::Loss);
/// assert_eq!(!GameResult::Draw, GameResult::Draw);
/// ```
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
    /// The exact number of plies to the end with best play and the worst dice for the winner; null in a draw,
    /// or if unknown.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub plies: Option<u32>,
}

/// The value of a position for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Value {
    /// The expected result, from -1 (loss) to 1 (win): the probability of a win minus that of a loss, with at
    /// most four decimals.
    #[cfg_attr(feature = "openapi", schema(minimum = -1, maximum = 1, example = 0.12))]
    pub expected: f64,
    /// The probability of each result between equal players. They add up to 1 and have at most four decimals.
    pub chances: Chances,
    /// The result, if it is certain.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub proven: Option<Proven>,
}

impl Value {
    /// The value of a score. A win or a loss has its plies if they are known exactly. Otherwise a calibrated
    /// share of the probability that the expected result leaves open is a draw.
    pub(super) fn of(score: Score, meaning: &Meaning, draw_share: f64, plies: Option<u32>) -> Self {
        if score.is_win() {
            Self::exact(GameResult::Win, plies)
        } else if score.is_loss() {
            Self::exact(GameResult::Loss, plies)
        } else {
            let expected = meaning.expected(score);
            Self::heuristic(expected, meaning.curves.draw_share(draw_share) * (1.0 - expected.abs()))
        }
    }

    /// A value that is not proven, by its expected result and the probability of a draw, which is cut to what
    /// the expected result leaves open.
    pub(super) fn heuristic(expected: f64, draw: f64) -> Self {
        // Both in five-thousandths, so that half of their sum is whole ten-thousandths.
        let [expected, draw] = [expected, draw].map(|part| (part * 5_000.0).round());
        let draw = draw.clamp(0.0, 5_000.0 - expected.abs());
        let [win, loss] = [expected, -expected].map(|balance| (5_000.0 - draw + balance) / 10_000.0);
        let expected = in_ten_thousandths(expected / 5_000.0);
        let draw = draw / 5_000.0;
        Self { expected, chances: Chances { win, draw, loss }, proven: None }
    }

    /// The same, limited to the range of possible results; proven if only one is possible, with unknown
    /// plies.
    pub(super) fn within(self, possible: &RangeInclusive<i8>) -> Self {
        let [worst, best] = [*possible.start(), *possible.end()];
        if self.proven.is_some() || (worst, best) == (-1, 1) {
            self
        } else if worst == best {
            Self::exact(GameResult::of(best), None)
        } else {
            Self::heuristic(self.expected.clamp(worst.into(), best.into()), 1.0)
        }
    }

    /// The value of a proven result, with its plies if they are known. Those of a draw mean nothing and are
    /// dropped.
    pub(super) fn exact(result: GameResult, plies: Option<u32>) -> Self {
        let (expected, win, draw, loss) = match result {
            GameResult::Win => (1.0, 1.0, 0.0, 0.0),
            GameResult::Draw => (0.0, 0.0, 1.0, 0.0),
            GameResult::Loss => (-1.0, 0.0, 0.0, 1.0),
        };
        let plies = plies.filter(|_| result != GameResult::Draw);
        Self { expected, chances: Chances { win, draw, loss }, proven: Some(Proven { result, plies }) }
    }

    /// The expected result minus that of another value, in whole ten-thousandths as well.
    ///
    /// ```
    /// use cublino_engine::{Chances, Value};
    ///
    /// let chances = Chances { win: 0.51, draw: 0.1, loss: 0.39 };
    /// let value = Value { expected: 0.12, chances, proven: None };
    /// assert_eq!((-value).chances, Chances { win: 0.39, draw: 0.1, loss: 0.51 });
    /// assert_eq!(value.more_than(&-value), 0.24);
    /// ```
    pub fn more_than(&self, other: &Self) -> f64 {
        in_ten_thousandths(self.expected - other.expected)
    }

    /// Compares two values by the expected result. Among equal ones a proven win ranks highest, the sooner
    /// the higher, and a proven loss lowest, the later the higher.
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
        // Not `-self.expected`: for a draw that would be -0.0.
        Self { expected: 0.0 - self.expected, chances, proven }
    }
}

/// A number rounded to ten-thousandths, never -0.0: no result is known more exactly.
///
/// ```
/// assert_eq!(cublino_engine::in_ten_thousandths(2.0 / 3.0), 0.6667);
/// ```
pub fn in_ten_thousandths(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0 + 0.0
}

/// The probability of each result for one player. They add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Chances {
    /// This player wins.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1, example = 0.51))]
    pub win: f64,
    /// Nobody wins.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1, example = 0.1))]
    pub draw: f64,
    /// The opponent wins.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1, example = 0.39))]
    pub loss: f64,
}

/// The calibration of an evaluator: the results of games in which searches found its scores.
///
/// The further both players see, the more often the one who is behind saves a draw, so there are curves for
/// few nodes a move and for many. A search with a number of nodes between them interpolates the curves; one
/// with fewer or more nodes uses the nearer ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration(
    /// The curves of games with few and with many nodes a move.
    pub [Curves; 2],
);

impl Calibration {
    /// The nodes of the searches for a move: few, and many.
    pub const NODES: [u64; 2] = [5_000, 20_000];

    /// No calibration: the evaluator's numbers are taken as they are.
    pub const NONE: Self = Self([Curves::LINES; 2]);

    /// The curves for a search that has visited so many nodes.
    ///
    /// It interpolates by the square root of the number of nodes, which every machine rounds alike.
    pub(crate) fn after(&self, nodes: u64) -> Curves {
        let [few, many] = &self.0;
        let [few_nodes, many_nodes] = Self::NODES;
        if nodes <= few_nodes {
            return *few;
        }
        if nodes >= many_nodes {
            return *many;
        }
        #[expect(clippy::cast_precision_loss, reason = "there are not that many")]
        let [from, to, at] = [few_nodes, many_nodes, nodes].map(|nodes| (nodes as f64).sqrt());
        let part = (at - from) / (to - from);
        Curves(array::from_fn(|curve| between(&few.0[curve], &many.0[curve], part)))
    }
}

/// The calibration curves of an evaluator for searches of about as many nodes.
///
/// A good score means little where an evaluator expects a draw, so there are two curves of results: for an
/// uncalibrated draw share of 0, and of 1. Other draw shares interpolate between them. All curves are
/// straight between points at equal distances: of [`Score::expected`], and of the uncalibrated draw share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curves(
    /// The mean result for a draw share of 0, where [`Score::expected`] is 0, 0.1, 0.2, … and 1; it is 0 for
    /// 0. The same for a draw share of 1. The true draw share, where the uncalibrated one is 0, 0.1, … and 1.
    /// None of the curves may fall.
    pub [Curve; 3],
);

/// The points of a curve.
pub type Curve = [f64; Curves::POINTS];

impl Curves {
    /// How many points a curve has.
    pub const POINTS: usize = 11;

    /// Curves that change nothing.
    pub(super) const LINES: Self = Self([Self::LINE; 3]);

    /// A curve that changes nothing.
    pub const LINE: Curve = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

    /// The place of a number from 0 to 1 on a curve: the point before it, and the fraction of the way to the
    /// next.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "there are few points"
    )]
    pub fn place(number: f64) -> (usize, f64) {
        let steps = Self::POINTS - 1;
        let place = number.clamp(0.0, 1.0) * steps as f64;
        let before = (place as usize).min(steps - 1);
        (before, place - before as f64)
    }

    /// The mean result for a score with the expected result `scaled`, and the uncalibrated draw share `raw`.
    pub fn expected(&self, scaled: f64, raw: f64) -> f64 {
        on_curve(&self.results(raw), scaled.abs()).copysign(scaled)
    }

    /// The inverse of [`Self::expected`]: the `scaled` number with this mean result. A result that no score
    /// reaches maps to the nearest end of the curve.
    pub(crate) fn scaled(&self, expected: f64, raw: f64) -> f64 {
        let curve = self.results(raw);
        let before = curve[1..Self::POINTS - 1].partition_point(|&point| point < expected.abs());
        let (low, high) = (curve[before], curve[before + 1]);
        let part = if high > low { ((expected.abs() - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
        #[expect(clippy::cast_precision_loss, reason = "there are few points")]
        let place = (before as f64 + part) / (Self::POINTS - 1) as f64;
        place.copysign(expected)
    }

    /// The calibrated draw share for the uncalibrated draw share `raw`.
    pub fn draw_share(&self, raw: f64) -> f64 {
        on_curve(&self.0[2], raw)
    }

    /// The curve of the mean results for the uncalibrated draw share `raw`.
    fn results(&self, raw: f64) -> Curve {
        between(&self.0[0], &self.0[1], raw)
    }
}

fn on_curve(curve: &Curve, number: f64) -> f64 {
    let (before, part) = Curves::place(number);
    curve[before] + part * (curve[before + 1] - curve[before])
}

/// The curve between two others, at a fraction of the way.
fn between(one: &Curve, other: &Curve, part: f64) -> Curve {
    array::from_fn(|point| one[point] + part * (other[point] - one[point]))
}

/// The meaning of an evaluator's scores in a search. It is the same for all moves, so a higher score never
/// means less.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub curves: Curves,
    /// The uncalibrated draw share at the root of the search.
    pub draw_share: f64,
}

impl Meaning {
    /// The expected result with a heuristic score.
    pub fn expected(&self, score: Score) -> f64 {
        self.curves.expected(score.expected(), self.draw_share)
    }

    /// The heuristic score with this expected result: the inverse of [`expected`](Self::expected).
    pub fn score(&self, expected: f64) -> Score {
        Score::expecting(self.curves.scaled(expected, self.draw_share))
    }
}

#[cfg(test)]
mod tests {
    use cublino_rules::{games::GameId, with_game};

    use super::*;
    use crate::{Curves, Learned, Playable};

    const MEANING: Meaning = Meaning {
        curves: Curves([
            [0.0, 0.07, 0.15, 0.29, 0.41, 0.52, 0.61, 0.7, 0.83, 0.91, 0.99],
            [0.0, 0.01, 0.02, 0.05, 0.09, 0.14, 0.2, 0.31, 0.43, 0.55, 0.7],
            Curves::LINE,
        ]),
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

    const CURVES: Curves = Curves([
        [0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95],
        [0.0, 0.04, 0.08, 0.12, 0.16, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7],
        [0.1, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95],
    ]);

    #[test]
    fn between_the_points_a_curve_is_straight() {
        for (scaled, raw, expected) in [
            (0.0, 0.0, 0.0),
            (0.05, 0.0, 0.1),
            (0.1, 0.0, 0.2),
            (-0.15, 0.0, -0.25),
            (0.95, 0.0, 0.925),
            (1.0, 0.0, 0.95),
            (-0.15, 1.0, -0.06),
            (1.0, 1.0, 0.7),
            (0.2, 0.5, 0.19),
            (0.55, 0.2, 0.57),
        ] {
            let found = CURVES.expected(scaled, raw);
            assert!((found - expected).abs() < 1e-9, "{scaled} {raw}: {found}");
        }
        for (raw, share) in [(0.0, 0.1), (0.05, 0.3), (0.1, 0.5), (0.75, 0.825), (1.0, 0.95)] {
            let found = CURVES.draw_share(raw);
            assert!((found - share).abs() < 1e-9, "{raw}: {found}");
        }
    }

    #[test]
    fn the_score_for_an_expected_result_has_that_result() {
        for hundredths in -69..70 {
            let expected = f64::from(hundredths) / 100.0;
            for curves in [CURVES, Curves::LINES] {
                for draws in [0.0, 0.3, 1.0] {
                    let found = curves.expected(curves.scaled(expected, draws), draws);
                    assert!((found - expected).abs() < 1e-9, "{expected} {draws}: {found}");
                }
            }
        }
        assert_eq!((CURVES.scaled(0.96, 0.0), CURVES.scaled(-1.0, 1.0)), (1.0, -1.0));
    }

    #[test]
    fn without_games_an_evaluator_is_right() {
        for number in [-1.0, -0.33, 0.0, 0.05, 0.72, 1.0] {
            for draws in [0.0, 0.4, 1.0] {
                assert!((Curves::LINES.expected(number, draws) - number).abs() < 1e-9, "{number}");
            }
            assert!((Curves::LINES.draw_share(number) - number.max(0.0)).abs() < 1e-9, "{number}");
        }
    }

    #[test]
    fn between_few_and_many_positions_a_score_means_what_lies_between() {
        let calibration = Calibration([CURVES, Curves::LINES]);
        for (nodes, part) in [(0, 0.0), (5_000, 0.0), (11_250, 0.5), (20_000, 1.0), (u64::MAX, 1.0)] {
            let curves = calibration.after(nodes);
            let expected = 0.4 + part * (0.3 - 0.4);
            assert!((curves.expected(0.3, 0.0) - expected).abs() < 1e-9, "{nodes}");
            let drawn = 0.6 + part * (0.3 - 0.6);
            assert!((curves.draw_share(0.3) - drawn).abs() < 1e-9, "{nodes}");
        }
    }

    fn its_curves_rise<G: Playable>() {
        for curves in Learned::built_in::<G>().network.calibration.0 {
            for curve in &curves.0 {
                assert!(curve.is_sorted(), "the curve falls: {curve:?}");
                assert!(curve.iter().all(|point| (0.0..=1.0).contains(point)), "{curve:?}");
            }
            assert!(curves.expected(0.0, 0.0) == 0.0 && curves.expected(0.0, 1.0) == 0.0);
        }
    }

    #[test]
    fn the_curves_of_every_game_rise() {
        for &game in GameId::ALL {
            with_game!(game, G => its_curves_rise::<G>());
        }
    }
}
