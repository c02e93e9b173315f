//! What a match of each level against the one below told, what its moves lose by a search of 50,000 positions
//! (30,000 in Pur and Ecke), and how long it thinks, as `tools levels` does, on a machine that
//! other programs used as well: levels 2 to 7 played 1,000 games, and the eighth 30 in Pur, 50 in Contra and
//! 40 in the others.

use crate::MeasuredLevel;

/// A level by its score against the one below, what its moves lose on average, and the median of its
/// thinking, in milliseconds.
const fn level(score: f64, mean_loss: f64, median_ms: f64) -> MeasuredLevel {
    MeasuredLevel { score_against_below: Some(score), mean_loss, median_ms }
}

/// The lowest level.
const fn lowest(mean_loss: f64, median_ms: f64) -> MeasuredLevel {
    MeasuredLevel { score_against_below: None, mean_loss, median_ms }
}

/// Cublino Pur.
pub const PUR: [MeasuredLevel; 8] = [
    lowest(0.077, 0.009),
    level(0.744, 0.059, 0.008),
    level(0.698, 0.030, 0.016),
    level(0.678, 0.043, 0.063),
    level(0.664, 0.016, 0.058),
    level(0.660, 0.016, 0.172),
    level(0.652, 0.003, 3.819),
    level(0.733, 0.006, 182.321),
];

/// Cublino Contra.
pub const CONTRA: [MeasuredLevel; 8] = [
    lowest(0.230, 0.013),
    level(0.883, 0.121, 0.013),
    level(0.876, 0.082, 0.029),
    level(0.882, 0.039, 0.072),
    level(0.880, 0.028, 0.211),
    level(0.847, 0.013, 0.348),
    level(0.888, 0.004, 9.512),
    level(0.800, 0.007, 201.846),
];

/// Cublino Ecke.
pub const ECKE: [MeasuredLevel; 8] = [
    lowest(0.099, 0.010),
    level(0.843, 0.052, 0.011),
    level(0.838, 0.042, 0.028),
    level(0.853, 0.024, 0.092),
    level(0.832, 0.009, 0.315),
    level(0.785, 0.003, 0.797),
    level(0.638, 0.001, 1.545),
    level(0.875, 0.001, 209.903),
];

/// Mahbusa.
pub const MAHBUSA: [MeasuredLevel; 8] = [
    lowest(0.084, 0.007),
    level(0.803, 0.064, 0.008),
    level(0.634, 0.052, 0.007),
    level(0.686, 0.034, 0.007),
    level(0.682, 0.025, 0.007),
    level(0.722, 0.011, 0.008),
    level(0.704, 0.005, 0.008),
    level(0.750, 0.002, 180.370),
];

/// Wari.
pub const WARI: [MeasuredLevel; 8] = [
    lowest(0.069, 0.005),
    level(0.848, 0.053, 0.004),
    level(0.891, 0.037, 0.008),
    level(0.832, 0.042, 0.011),
    level(0.889, 0.034, 0.035),
    level(0.868, 0.015, 0.143),
    level(0.867, 0.009, 0.800),
    level(0.875, 0.006, 124.498),
];
