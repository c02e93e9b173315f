//! What the levels for people were measured to be worth.

use serde::{Deserialize, Serialize};

/// What a level was measured to be worth, by `tools levels`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MeasuredLevel {
    /// The part of the points that it takes from the level below in a match; null for the lowest.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 1, example = 0.79))]
    pub score_against_below: Option<f64>,
    /// What its moves lose of the expected result on average, where there is a choice, as `analysis` tells
    /// it.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 2, example = 0.05))]
    pub mean_loss: f64,
    /// How long it thinks about half of its moves at most, in milliseconds, on a core of a server that has
    /// nothing else to do.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, example = 0.8))]
    pub median_ms: f64,
}
