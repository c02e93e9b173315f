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
/// Both curves are straight between [`Calibration::POINTS`] points, at equal distances of the result that
/// [`Scale`] makes of a score. `examples/calibrate` finds them out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// The mean result, where the scale makes 0.1, 0.2, … and 1 of a score. It is 0 for 0.
    expected: [f64; Self::POINTS],
    /// The part of the games that was drawn, for 0, 0.1, … and 0.9. It is 0 for 1.
    draw: [f64; Self::POINTS],
}

impl Calibration {
    /// How many points of each curve are known.
    pub const POINTS: usize = 10;

    /// No games are known: the mean result is what the scale makes of a score, and none was drawn.
    pub const NONE: Self =
        Self { expected: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0], draw: [0.0; Self::POINTS] };

    /// Two curves: the mean results where the scale makes 0.1, 0.2, … and 1 of a score, which must not fall,
    /// and the parts of the games that were drawn for 0, 0.1, … and 0.9.
    #[must_use]
    pub const fn new(expected: [f64; Self::POINTS], draw: [f64; Self::POINTS]) -> Self {
        Self { expected, draw }
    }

    /// Where on the curves the result is that a scale makes of a score: the number of the point before it, and
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

    /// The part of the games that was drawn where a scale makes this of a score.
    #[must_use]
    pub fn draw(&self, scaled: f64) -> f64 {
        let (before, part) = Self::place(scaled);
        let to = self.draw.get(before + 1).copied().unwrap_or(0.0);
        self.draw[before] + part * (to - self.draw[before])
    }
}

/// What the scores of an evaluator mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub scale: Scale,
    pub calibration: Calibration,
}

impl Meaning {
    /// The expected result with a heuristic score, and how likely a draw is.
    pub fn of(&self, score: Score) -> (f64, f64) {
        let scaled = self.scale.expected(score);
        (self.calibration.expected(scaled), self.calibration.draw(scaled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::GameId,
        search::{Evaluator, Playable},
        with_game,
    };

    const CURVES: Calibration = Calibration::new(
        [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95],
        [0.5, 0.4, 0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
    );

    #[test]
    fn between_the_points_the_curves_are_straight() {
        for (scaled, expected, draw) in [
            (0.0, 0.0, 0.5),
            (0.05, 0.1, 0.45),
            (0.1, 0.2, 0.4),
            (-0.15, -0.25, 0.35),
            (0.95, 0.925, 0.05),
            (1.0, 0.95, 0.0),
        ] {
            let found = (CURVES.expected(scaled), CURVES.draw(scaled));
            assert!((found.0 - expected).abs() < 1e-9, "{scaled}: {found:?}");
            assert!((found.1 - draw).abs() < 1e-9, "{scaled}: {found:?}");
        }
    }

    #[test]
    fn without_games_the_scale_tells_the_result() {
        for scaled in [-1.0, -0.33, 0.0, 0.05, 0.72, 1.0] {
            assert!((Calibration::NONE.expected(scaled) - scaled).abs() < 1e-9, "{scaled}");
        }
    }

    fn its_curves_are_chances<G: Playable>() {
        let Calibration { expected, draw } = G::Evaluator::default().calibration();
        assert!(expected.is_sorted(), "a higher score is worth less: {expected:?}");
        assert!(expected.iter().chain(&draw).all(|part| (0.0..=1.0).contains(part)), "{expected:?} {draw:?}");
    }

    #[test]
    fn the_curves_of_every_game_rise_and_are_chances() {
        for &game in GameId::ALL {
            with_game!(game, G => its_curves_are_chances::<G>());
        }
    }
}
