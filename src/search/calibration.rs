//! From scores to chances: how often games are won, drawn and lost in which a search has found a score.

use serde::{Deserialize, Serialize};

use super::score::{Scale, Score};

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

/// The results of the games in which a search found scores of an evaluator.
///
/// Both curves are straight between points at equal distances: of the result that [`Scale`] makes of a score,
/// and of the part that an evaluator takes for a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// The mean result, where the scale makes 0, 0.1, 0.2, … and 1 of a score. It is 0 for 0.
    expected: Curve,
    /// How much of what the mean result leaves room for was a draw, where an evaluator tells 0, 0.1, … and 1.
    draw_share: Curve,
}

/// The points of a curve.
pub type Curve = [f64; Calibration::POINTS];

impl Calibration {
    /// How many points a curve has.
    pub const POINTS: usize = 11;

    /// No games are known: an evaluator is right.
    pub const NONE: Self = Self { expected: Self::LINE, draw_share: Self::LINE };

    /// A curve that changes nothing.
    pub const LINE: Curve = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

    /// With a curve of the mean results and one of draws, neither of which may fall; the first begins at 0.
    #[must_use]
    pub const fn new(expected: Curve, draw_share: Curve) -> Self {
        Self { expected, draw_share }
    }

    /// The curve of the mean results, and that of draws.
    #[must_use]
    pub const fn curves(&self) -> [&Curve; 2] {
        [&self.expected, &self.draw_share]
    }

    /// Where a number from 0 to 1 is on a curve: the point before it, and how much of the way to the next one has
    /// been gone.
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

    /// The mean result where a scale makes this of a score.
    #[must_use]
    pub fn expected(&self, scaled: f64) -> f64 {
        on_curve(&self.expected, scaled.abs()).copysign(scaled)
    }

    /// What a scale makes of a score where this is the mean result: the inverse of [`Self::expected`]. What no score
    /// is known to come to is at the nearest end of the curve.
    #[must_use]
    pub fn scaled(&self, expected: f64) -> f64 {
        let curve = &self.expected;
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
}

fn on_curve(curve: &Curve, number: f64) -> f64 {
    let (before, part) = Calibration::place(number);
    curve[before] + part * (curve[before + 1] - curve[before])
}

/// What the scores of an evaluator mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub scale: Scale,
    pub calibration: Calibration,
}

impl Meaning {
    /// The expected result with a heuristic score.
    pub fn expected(&self, score: Score) -> f64 {
        self.calibration.expected(self.scale.expected(score))
    }

    /// The heuristic score with this expected result: the inverse of [`expected`](Self::expected).
    pub fn score(&self, expected: f64) -> Score {
        self.scale.score(self.calibration.scaled(expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::GameId,
        search::{Learned, Playable},
        with_game,
    };

    const CURVES: Calibration = Calibration::new(
        [0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95],
        [0.1, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95],
    );

    #[test]
    fn between_the_points_a_curve_is_straight() {
        for (scaled, expected) in
            [(0.0, 0.0), (0.05, 0.1), (0.1, 0.2), (-0.15, -0.25), (0.95, 0.925), (1.0, 0.95)]
        {
            let found = CURVES.expected(scaled);
            assert!((found - expected).abs() < 1e-9, "{scaled}: {found}");
        }
        for (told, share) in [(0.0, 0.1), (0.05, 0.3), (0.1, 0.5), (0.75, 0.825), (1.0, 0.95)] {
            let found = CURVES.draw_share(told);
            assert!((found - share).abs() < 1e-9, "{told}: {found}");
        }
    }

    #[test]
    fn what_is_known_to_be_expected_is_told() {
        for hundredths in -94..95 {
            let expected = f64::from(hundredths) / 100.0;
            for curves in [CURVES, Calibration::NONE] {
                let told = curves.expected(curves.scaled(expected));
                assert!((told - expected).abs() < 1e-9, "{expected}: {told}");
            }
        }
        assert_eq!((CURVES.scaled(0.99), CURVES.scaled(-1.0)), (1.0, -1.0));
    }

    #[test]
    fn without_games_an_evaluator_is_right() {
        for number in [-1.0, -0.33, 0.0, 0.05, 0.72, 1.0] {
            assert!((Calibration::NONE.expected(number) - number).abs() < 1e-9, "{number}");
            assert!((Calibration::NONE.draw_share(number) - number.max(0.0)).abs() < 1e-9, "{number}");
        }
    }

    fn its_curves_rise<G: Playable>() {
        let calibration = Learned::built_in::<G>().network().calibration();
        for curve in calibration.curves() {
            assert!(curve.is_sorted(), "what is told as more is less: {curve:?}");
            assert!(curve.iter().all(|point| (0.0..=1.0).contains(point)), "{curve:?}");
        }
        assert!(calibration.expected(0.0) == 0.0);
    }

    #[test]
    fn the_curves_of_every_game_rise() {
        for &game in GameId::ALL {
            with_game!(game, G => its_curves_rise::<G>());
        }
    }
}
