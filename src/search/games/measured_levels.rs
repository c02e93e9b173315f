//! What `examples/measure_levels` told about the levels of each game, with two programs building on the same two
//! processors: the times are those of a machine that is not idle.

use crate::search::MeasuredLevel;

/// A level by its score against the one below, what its moves lose on average, and the median of its thinking, in
/// milliseconds.
const fn level(score: f64, mean_loss: f64, median_ms: f64) -> MeasuredLevel {
    MeasuredLevel { score_against_below: Some(score), mean_loss, median_ms }
}

/// The lowest level.
const fn lowest(mean_loss: f64, median_ms: f64) -> MeasuredLevel {
    MeasuredLevel { score_against_below: None, mean_loss, median_ms }
}

/// Cublino Pur.
pub const PUR: [MeasuredLevel; 8] = [
    lowest(0.162, 0.025),
    level(0.677, 0.133, 0.025),
    level(0.755, 0.122, 0.052),
    level(0.805, 0.088, 0.171),
    level(0.738, 0.053, 0.328),
    level(0.800, 0.029, 2.267),
    level(0.795, 0.014, 13.872),
    level(0.760, 0.024, 80.211),
];

/// Cublino Contra.
pub const CONTRA: [MeasuredLevel; 8] = [
    lowest(0.349, 0.030),
    level(0.745, 0.186, 0.027),
    level(0.735, 0.172, 0.051),
    level(0.795, 0.115, 0.122),
    level(0.770, 0.066, 0.378),
    level(0.752, 0.056, 0.833),
    level(0.887, 0.013, 12.867),
    level(0.740, 0.028, 78.730),
];

/// Cublino Ecke.
pub const ECKE: [MeasuredLevel; 8] = [
    lowest(0.146, 0.027),
    level(0.750, 0.189, 0.029),
    level(0.807, 0.066, 0.071),
    level(0.710, 0.103, 0.188),
    level(0.765, 0.052, 0.798),
    level(0.787, 0.023, 1.572),
    level(0.780, 0.008, 13.468),
    level(0.640, 0.007, 72.386),
];

/// Mahbusa.
pub const MAHBUSA: [MeasuredLevel; 8] = [
    lowest(0.140, 0.020),
    level(0.682, 0.112, 0.016),
    level(0.657, 0.087, 0.016),
    level(0.627, 0.078, 0.020),
    level(0.700, 0.057, 0.020),
    level(0.715, 0.029, 0.022),
    level(0.655, 0.013, 0.023),
    level(0.720, 0.003, 56.926),
];

/// Wari.
pub const WARI: [MeasuredLevel; 8] = [
    lowest(0.103, 0.009),
    level(0.833, 0.097, 0.009),
    level(0.902, 0.087, 0.011),
    level(0.835, 0.059, 0.019),
    level(0.902, 0.045, 0.024),
    level(0.833, 0.035, 0.043),
    level(0.980, 0.009, 6.433),
    level(0.840, 0.015, 40.700),
];
