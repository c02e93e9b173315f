//! From scores to chances: how often games are won, drawn and lost in which a search has found a score.

use std::array;

use serde::{Deserialize, Serialize};

use crate::{Scale, Score};

/// How likely each result is for one of the players; together they are 1.
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

/// What became of games in which searches found scores of an evaluator.
///
/// The further both players see, the more often the one who is behind saves a draw, so there are curves of
/// games with few positions a move and of games with many. Between them a score means what lies between, by
/// how many positions the search has visited. For searches of fewer or more the nearer curves are told: of
/// players who see even further nothing is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    of_few: Curves,
    of_many: Curves,
}

impl Calibration {
    /// How many positions the searches visited for a move: few, and many.
    pub const NODES: [u64; 2] = [5_000, 20_000];

    /// No games are known: an evaluator is right.
    pub const NONE: Self = Self::new([Curves::LINES; 2]);

    /// With the curves of games with few and with many positions a move.
    #[must_use]
    pub const fn new([of_few, of_many]: [Curves; 2]) -> Self {
        Self { of_few, of_many }
    }

    /// The curves of games with few and with many positions a move.
    #[must_use]
    pub const fn curves(&self) -> [&Curves; 2] {
        [&self.of_few, &self.of_many]
    }

    /// The curves for a search that has visited so many positions.
    ///
    /// The way from few to many goes by the square root of their number, which every machine rounds alike.
    #[must_use]
    pub fn after(&self, nodes: u64) -> Curves {
        let (few, many) = (&self.of_few, &self.of_many);
        let [few_nodes, many_nodes] = Self::NODES;
        if nodes <= few_nodes {
            return *few;
        }
        if nodes >= many_nodes {
            return *many;
        }
        #[expect(clippy::cast_precision_loss, reason = "there are not that many")]
        let [from, to, at] = [few_nodes, many_nodes, nodes].map(|nodes| (nodes as f64).sqrt());
        let between = |few: &Curve, many: &Curve| between(few, many, (at - from) / (to - from));
        Curves {
            decisive: between(&few.decisive, &many.decisive),
            drawish: between(&few.drawish, &many.drawish),
            draw_share: between(&few.draw_share, &many.draw_share),
        }
    }
}

/// The results of games in which searches of about as many positions found scores of an evaluator.
///
/// A good score means little where an evaluator expects a draw, so there are two curves of results: one for
/// positions where it takes draws to be impossible, and one for those where it takes them to be certain. In
/// others a score means what lies between, by how likely a draw is. All curves are straight between points at
/// equal distances: of the result that [`Scale`] makes of a score, and of the part that an evaluator takes
/// for a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curves {
    /// The mean result without draws, where the scale makes 0, 0.1, 0.2, … and 1 of a score. It is 0 for 0.
    decisive: Curve,
    /// The same where a draw is taken to be certain.
    drawish: Curve,
    /// How much of what the mean result leaves room for was a draw, where an evaluator tells 0, 0.1, … and 1.
    draw_share: Curve,
}

/// The points of a curve.
pub type Curve = [f64; Curves::POINTS];

impl Curves {
    /// How many points a curve has.
    pub const POINTS: usize = 11;

    /// Curves that change nothing.
    pub const LINES: Self = Self::new([Self::LINE; 2], Self::LINE);

    /// A curve that changes nothing.
    pub const LINE: Curve = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

    /// With the curves of the mean results, without draws and where they are certain, and the curve of draws.
    /// None of them may fall; those of results begin at 0.
    #[must_use]
    pub const fn new([decisive, drawish]: [Curve; 2], draw_share: Curve) -> Self {
        Self { decisive, drawish, draw_share }
    }

    /// The curves of the mean results, without draws and where they are certain, and the curve of draws.
    #[must_use]
    pub const fn each(&self) -> [&Curve; 3] {
        [&self.decisive, &self.drawish, &self.draw_share]
    }

    /// Where a number from 0 to 1 is on a curve: the point before it, and how much of the way to the next one
    /// has been gone.
    #[must_use]
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

    /// The mean result where a scale makes this of a score, and an evaluator tells so much of a draw.
    #[must_use]
    pub fn expected(&self, scaled: f64, told: f64) -> f64 {
        on_curve(&self.results(told), scaled.abs()).copysign(scaled)
    }

    /// What a scale makes of a score where this is the mean result: the inverse of [`Self::expected`]. What
    /// no score is known to come to is at the nearest end of the curve.
    #[must_use]
    pub fn scaled(&self, expected: f64, told: f64) -> f64 {
        let curve = self.results(told);
        let before = curve[1..Self::POINTS - 1].partition_point(|&point| point < expected.abs());
        let (low, high) = (curve[before], curve[before + 1]);
        let part = if high > low { ((expected.abs() - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
        #[expect(clippy::cast_precision_loss, reason = "there are few points")]
        let place = (before as f64 + part) / (Self::POINTS - 1) as f64;
        place.copysign(expected)
    }

    /// How much of what the mean result leaves room for was a draw, where an evaluator tells this.
    #[must_use]
    pub fn draw_share(&self, told: f64) -> f64 {
        on_curve(&self.draw_share, told)
    }

    /// The curve of the mean results where an evaluator tells so much of a draw.
    fn results(&self, told: f64) -> Curve {
        between(&self.decisive, &self.drawish, told)
    }
}

fn on_curve(curve: &Curve, number: f64) -> f64 {
    let (before, part) = Curves::place(number);
    curve[before] + part * (curve[before + 1] - curve[before])
}

/// The curve that lies so much of the way from one to another.
fn between(one: &Curve, other: &Curve, part: f64) -> Curve {
    array::from_fn(|point| one[point] + part * (other[point] - one[point]))
}

/// What the scores of an evaluator mean in a search: as much is told of all its moves, so that what has the
/// higher score is told as more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub scale: Scale,
    pub curves: Curves,
    /// What the evaluator tells of a draw where the search starts.
    pub draw_share: f64,
}

impl Meaning {
    /// The expected result with a heuristic score.
    pub fn expected(&self, score: Score) -> f64 {
        self.curves.expected(self.scale.expected(score), self.draw_share)
    }

    /// The heuristic score with this expected result: the inverse of [`expected`](Self::expected).
    pub fn score(&self, expected: f64) -> Score {
        self.scale.score(self.curves.scaled(expected, self.draw_share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Learned, Playable};
    use cublino_rules::{games::GameId, with_game};

    const CURVES: Curves = Curves::new(
        [
            [0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95],
            [0.0, 0.04, 0.08, 0.12, 0.16, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7],
        ],
        [0.1, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95],
    );

    #[test]
    fn between_the_points_a_curve_is_straight() {
        for (scaled, told, expected) in [
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
            let found = CURVES.expected(scaled, told);
            assert!((found - expected).abs() < 1e-9, "{scaled} {told}: {found}");
        }
        for (told, share) in [(0.0, 0.1), (0.05, 0.3), (0.1, 0.5), (0.75, 0.825), (1.0, 0.95)] {
            let found = CURVES.draw_share(told);
            assert!((found - share).abs() < 1e-9, "{told}: {found}");
        }
    }

    #[test]
    fn what_is_known_to_be_expected_is_told() {
        for hundredths in -69..70 {
            let expected = f64::from(hundredths) / 100.0;
            for curves in [CURVES, Curves::LINES] {
                for draws in [0.0, 0.3, 1.0] {
                    let told = curves.expected(curves.scaled(expected, draws), draws);
                    assert!((told - expected).abs() < 1e-9, "{expected} {draws}: {told}");
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
        let calibration = Calibration::new([CURVES, Curves::LINES]);
        for (nodes, part) in [(0, 0.0), (5_000, 0.0), (11_250, 0.5), (20_000, 1.0), (u64::MAX, 1.0)] {
            let curves = calibration.after(nodes);
            let expected = 0.4 + part * (0.3 - 0.4);
            assert!((curves.expected(0.3, 0.0) - expected).abs() < 1e-9, "{nodes}");
            let drawn = 0.6 + part * (0.3 - 0.6);
            assert!((curves.draw_share(0.3) - drawn).abs() < 1e-9, "{nodes}");
        }
    }

    fn its_curves_rise<G: Playable>() {
        for curves in Learned::built_in::<G>().network().calibration().curves() {
            for curve in curves.each() {
                assert!(curve.is_sorted(), "what is told as more is less: {curve:?}");
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
