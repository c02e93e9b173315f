//! What a match of each level against the one below told, what its moves lose by a search of 30,000 positions, and how long it
//! thinks. Levels 2 to 6 played 100 games (Pur 60), the seventh 32 (Ecke and Pur 12), the eighth 10 (Pur 12):
//! `examples/measure_levels` plays more, and takes hours. The times are those of a machine that is not idle.

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
    lowest(0.133, 0.030),
    level(0.800, 0.092, 0.024),
    level(0.700, 0.050, 0.047),
    level(0.775, 0.059, 0.139),
    level(0.650, 0.024, 0.198),
    level(0.675, 0.010, 0.494),
    level(0.750, 0.011, 21.421),
    level(0.542, 0.014, 160.792),
];

/// Cublino Contra.
pub const CONTRA: [MeasuredLevel; 8] = [
    lowest(0.200, 0.017),
    level(0.770, 0.271, 0.029),
    level(0.870, 0.144, 0.052),
    level(0.840, 0.074, 0.107),
    level(0.850, 0.050, 0.272),
    level(0.830, 0.025, 0.423),
    level(0.906, 0.022, 8.900),
    level(0.750, 0.019, 167.723),
];

/// Cublino Ecke.
pub const ECKE: [MeasuredLevel; 8] = [
    lowest(0.126, 0.027),
    level(0.835, 0.100, 0.028),
    level(0.875, 0.042, 0.070),
    level(0.750, 0.018, 0.117),
    level(0.670, 0.013, 0.417),
    level(0.700, 0.003, 0.511),
    level(0.708, 0.002, 21.408),
    level(0.700, 0.002, 69.477),
];

/// Mahbusa.
pub const MAHBUSA: [MeasuredLevel; 8] = [
    lowest(0.095, 0.016),
    level(0.820, 0.058, 0.018),
    level(0.620, 0.047, 0.020),
    level(0.610, 0.045, 0.019),
    level(0.660, 0.032, 0.019),
    level(0.730, 0.006, 0.022),
    level(0.781, 0.000, 0.023),
    level(0.700, 0.001, 100.953),
];

/// Wari.
pub const WARI: [MeasuredLevel; 8] = [
    lowest(0.119, 0.014),
    level(0.885, 0.106, 0.018),
    level(0.875, 0.084, 0.018),
    level(0.810, 0.057, 0.021),
    level(0.840, 0.046, 0.033),
    level(0.875, 0.036, 0.052),
    level(0.953, 0.017, 0.103),
    level(1.000, 0.003, 52.434),
];
