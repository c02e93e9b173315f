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
/// The curve is straight between [`Calibration::POINTS`] points, at equal distances of the result that
/// [`Scale`] makes of a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// The mean result, where the scale makes 0.1, 0.2, … and 1 of a score. It is 0 for 0.
    expected: [f64; Self::POINTS],
}

impl Calibration {
    /// How many points of the curve are known.
    pub const POINTS: usize = 10;

    /// No games are known: the mean result is what the scale makes of a score.
    pub const NONE: Self = Self { expected: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0] };

    /// A curve: the mean results where the scale makes 0.1, 0.2, … and 1 of a score, which must not fall.
    #[must_use]
    pub const fn new(expected: [f64; Self::POINTS]) -> Self {
        Self { expected }
    }

    /// The points of the curve.
    #[must_use]
    pub const fn points(&self) -> &[f64; Self::POINTS] {
        &self.expected
    }

    /// Where on the curve the result is that a scale makes of a score: the number of the point before it, and
    /// how much of the way to the next one has been gone.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "there are few points"
    )]
    pub fn place(scaled: f64) -> (usize, f64) {
        let place = scaled.abs().min(1.0) * Self::POINTS as f64;
        let before = (place as usize).min(Self::POINTS - 1);
        (before, place - before as f64)
    }

    /// The mean result where a scale makes this of a score.
    #[must_use]
    pub fn expected(&self, scaled: f64) -> f64 {
        let (before, part) = Self::place(scaled);
        let from = before.checked_sub(1).map_or(0.0, |before| self.expected[before]);
        (from + part * (self.expected[before] - from)).copysign(scaled)
    }
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::GameId,
        search::{Learned, Playable},
        with_game,
    };

    const CURVE: Calibration = Calibration::new([0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95]);

    #[test]
    fn between_the_points_the_curve_is_straight() {
        for (scaled, expected) in
            [(0.0, 0.0), (0.05, 0.1), (0.1, 0.2), (-0.15, -0.25), (0.95, 0.925), (1.0, 0.95)]
        {
            let found = CURVE.expected(scaled);
            assert!((found - expected).abs() < 1e-9, "{scaled}: {found}");
        }
    }

    #[test]
    fn without_games_the_scale_tells_the_result() {
        for scaled in [-1.0, -0.33, 0.0, 0.05, 0.72, 1.0] {
            assert!((Calibration::NONE.expected(scaled) - scaled).abs() < 1e-9, "{scaled}");
        }
    }

    fn its_curve_rises<G: Playable>() {
        let calibration = Learned::built_in::<G>().network().calibration();
        let points = calibration.points();
        assert!(points.is_sorted(), "a higher score is worth less: {points:?}");
        assert!(points.iter().all(|point| (0.0..=1.0).contains(point)), "{points:?}");
    }

    #[test]
    fn the_curve_of_every_game_rises() {
        for &game in GameId::ALL {
            with_game!(game, G => its_curve_rises::<G>());
        }
    }
}
