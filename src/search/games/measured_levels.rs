//! What a match of each level against the one below told, what its moves lose by a search of 30,000 positions, and how long it
//! thinks. Levels 2 to 6 played 100 games (Pur 60, Wari 200, Mahbusa 240), the seventh 32 (Ecke and Pur 12, Wari 66, Mahbusa 80), the
//! eighth 10 (Pur 12, Wari 20, Mahbusa 24): `examples/measure_levels` plays more, and takes hours. The times are those of a machine
//! that is not idle.

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
    lowest(0.146, 0.011),
    level(0.838, 0.082, 0.005),
    level(0.880, 0.052, 0.011),
    level(0.828, 0.054, 0.019),
    level(0.870, 0.018, 0.038),
    level(0.818, 0.022, 0.055),
    level(0.856, 0.020, 0.194),
    level(0.975, 0.027, 55.466),
];
