//! How many rolls a player needs whose checkers are not all at home, estimated by pips.

use super::table::{BEAR_OFF, HOME};
use crate::tablebase::numbering::number;
use cublino_rules::games::mahbusa::Side;

/// A roll of the dice moves this many pips on average: eight and a sixth.
const PIPS_A_ROLL: f64 = 49.0 / 6.0;
/// The variance of the pips of a roll: 18.47.
const VARIANCE_OF_A_ROLL: f64 = 665.0 / 36.0;

/// Mean and variance of the rolls that a player needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rolls {
    pub(super) mean: f64,
    variance: f64,
}

impl Rolls {
    /// As if every roll brought the player as many pips as it shows until all are at home, those from outside
    /// on the highest point there.
    #[expect(clippy::cast_precision_loss, reason = "there are a few hundred pips at most")]
    pub(super) fn of(side: &Side) -> Self {
        let mut home = [0; HOME];
        let mut pips_outside = 0;
        for point in side.free.occupied() {
            let count = side.free.on(point);
            let outside = (point.index() + 1).saturating_sub(HOME);
            pips_outside += outside * usize::from(count);
            home[point.index() - outside] += count;
        }
        let Self { mean, variance } = Self::of_chances(BEAR_OFF.chances(number(home)));
        let before = pips_outside as f64 / PIPS_A_ROLL;
        Self {
            mean: before + mean,
            variance: before * VARIANCE_OF_A_ROLL / (PIPS_A_ROLL * PIPS_A_ROLL) + variance,
        }
    }

    /// By the chances of numbers of rolls.
    pub(super) fn of_chances(chances: impl Iterator<Item = (u32, f64)>) -> Self {
        let (mut mean, mut mean_square) = (0.0, 0.0);
        for (rolls, chance) in chances {
            let rolls = f64::from(rolls);
            mean += rolls * chance;
            mean_square += rolls * rolls * chance;
        }
        Self { mean, variance: mean_square - mean * mean }
    }
}

/// The chance that a player who rolls first needs no more rolls than the other, as if the numbers of rolls
/// were normally distributed.
pub(super) fn chance_by_estimate(own: Rolls, other: Rolls) -> f64 {
    // Equal numbers are a win for who rolls first, which the half roll stands for.
    let lead = other.mean - own.mean + 0.5;
    normal(lead / (own.variance + other.variance).sqrt())
}

/// The normal distribution, correct to 0.0005 (Abramowitz and Stegun, 7.1.27). Unlike the exact one it takes
/// nothing but what every machine rounds alike: the powers are written out, since the standard library
/// promises no precision for `powi`.
fn normal(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 4] = [0.278_393, 0.230_389, 0.000_972, 0.078_108];
    let z = x.abs() / std::f64::consts::SQRT_2;
    let sum = 1.0 + COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| z * (coefficient + sum));
    let square = sum * sum;
    let beyond = 0.5 / (square * square);
    if x < 0.0 { beyond } else { 1.0 - beyond }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_is_close() {
        for (x, expected) in [(0.0, 0.5), (1.0, 0.8413), (-1.0, 0.1587), (2.0, 0.9772), (-3.0, 0.0013)] {
            assert!((normal(x) - expected).abs() < 5e-4, "{x}");
        }
    }
}
