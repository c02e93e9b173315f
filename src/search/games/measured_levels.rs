//! What a match of each level against the one below told, what its moves lose by a search of 50,000 positions (30,000 in Pur and Ecke), and how
//! long it thinks: levels 2 to 7 played 200 games and the eighth 25, as `examples/measure_levels` does, on a machine that other programs used as well.

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
    lowest(0.075, 0.009),
    level(0.730, 0.047, 0.009),
    level(0.708, 0.023, 0.018),
    level(0.708, 0.032, 0.066),
    level(0.625, 0.011, 0.060),
    level(0.647, 0.012, 0.160),
    level(0.637, 0.002, 2.931),
    level(0.800, 0.006, 43.012),
];

/// Cublino Contra.
pub const CONTRA: [MeasuredLevel; 8] = [
    lowest(0.249, 0.023),
    level(0.805, 0.161, 0.023),
    level(0.875, 0.098, 0.034),
    level(0.840, 0.106, 0.084),
    level(0.873, 0.059, 0.170),
    level(0.830, 0.029, 0.365),
    level(0.873, 0.015, 16.210),
    level(0.640, 0.014, 60.741),
];

/// Cublino Ecke.
pub const ECKE: [MeasuredLevel; 8] = [
    lowest(0.102, 0.010),
    level(0.838, 0.079, 0.010),
    level(0.818, 0.047, 0.033),
    level(0.875, 0.033, 0.076),
    level(0.762, 0.020, 0.242),
    level(0.755, 0.008, 0.379),
    level(0.752, 0.004, 8.159),
    level(0.600, 0.005, 78.841),
];

/// Mahbusa.
pub const MAHBUSA: [MeasuredLevel; 8] = [
    lowest(0.089, 0.006),
    level(0.782, 0.074, 0.006),
    level(0.630, 0.060, 0.006),
    level(0.670, 0.044, 0.006),
    level(0.682, 0.027, 0.006),
    level(0.720, 0.018, 0.006),
    level(0.695, 0.005, 0.006),
    level(0.720, 0.002, 38.917),
];

/// Wari.
pub const WARI: [MeasuredLevel; 8] = [
    lowest(0.071, 0.003),
    level(0.845, 0.063, 0.003),
    level(0.892, 0.047, 0.006),
    level(0.853, 0.033, 0.009),
    level(0.880, 0.039, 0.017),
    level(0.912, 0.023, 0.065),
    level(0.892, 0.006, 0.993),
    level(0.820, 0.008, 33.885),
];
