//! What a match of each level against the one below told, what its moves lose by a search of 50,000 positions (30,000 in Pur and Ecke), and how
//! long it thinks. In Contra, Mahbusa and Wari levels 2 to 7 played 200 games and the eighth 25, as `examples/measure_levels` does, on a machine that
//! other programs used as well. In Pur and Ecke, with the search before it left anything out near the horizon (and Ecke with an earlier network), levels 2 to 6
//! played 100 (Pur 60), the seventh 12, the eighth 10 (Pur 12); there the times are those of a processor of which the program has nearly all.

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
