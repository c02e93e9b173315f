//! What a match of each level against the one below told, what its moves lose by a search of 50,000 positions (30,000 in Pur, Ecke and
//! Mahbusa), and how long it thinks. In Contra and Wari levels 2 to 7 played 200 games and the eighth 25, as `examples/measure_levels` does.
//! In Ecke, Pur and Mahbusa levels 2 to 6 played 100 (Pur 60, Mahbusa 240), the seventh 12 (Mahbusa 80), the eighth 10 (Pur 12, Mahbusa
//! 24). The times are those of a processor of which the program has nearly all.

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
    lowest(0.149, 0.008),
    level(0.805, 0.149, 0.008),
    level(0.838, 0.113, 0.021),
    level(0.900, 0.065, 0.057),
    level(0.840, 0.053, 0.148),
    level(0.812, 0.043, 0.337),
    level(0.892, 0.017, 6.208),
    level(0.700, 0.023, 36.979),
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
    lowest(0.109, 0.016),
    level(0.740, 0.079, 0.017),
    level(0.660, 0.060, 0.014),
    level(0.679, 0.044, 0.018),
    level(0.704, 0.036, 0.019),
    level(0.762, 0.014, 0.022),
    level(0.725, 0.000, 0.020),
    level(0.792, 0.000, 63.926),
];

/// Wari.
pub const WARI: [MeasuredLevel; 8] = [
    lowest(0.124, 0.003),
    level(0.838, 0.081, 0.003),
    level(0.880, 0.053, 0.005),
    level(0.828, 0.054, 0.009),
    level(0.870, 0.021, 0.016),
    level(0.818, 0.022, 0.018),
    level(0.848, 0.021, 0.087),
    level(0.940, 0.010, 25.148),
];
