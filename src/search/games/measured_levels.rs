//! What a match of each level against the one below told, what its moves lose by a search of 50,000 positions
//! (30,000 in Pur and Ecke), and how long it thinks, as `examples/measure_levels` does, on a machine that
//! other programs used as well: levels 2 to 7 played 1,000 games and the eighth 100, but 50 in Mahbusa.

use crate::search::MeasuredLevel;

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
    level(0.735, 0.008, 41.715),
];

/// Cublino Contra.
pub const CONTRA: [MeasuredLevel; 8] = [
    lowest(0.244, 0.011),
    level(0.891, 0.119, 0.012),
    level(0.852, 0.083, 0.023),
    level(0.874, 0.082, 0.054),
    level(0.902, 0.031, 0.166),
    level(0.865, 0.018, 0.349),
    level(0.897, 0.002, 8.753),
    level(0.795, 0.005, 75.585),
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
    level(0.715, 0.001, 52.257),
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
    level(0.660, 0.002, 48.182),
];

/// Wari.
pub const WARI: [MeasuredLevel; 8] = [
    lowest(0.073, 0.003),
    level(0.866, 0.065, 0.003),
    level(0.899, 0.050, 0.006),
    level(0.862, 0.033, 0.010),
    level(0.859, 0.042, 0.018),
    level(0.901, 0.025, 0.064),
    level(0.912, 0.006, 1.177),
    level(0.845, 0.008, 65.575),
];
