//! Who has won, why, and what counts.

use serde::{Deserialize, Serialize};

use cublino_rules::{
    game::{Record, Standing},
    games::described::{Counted, Described},
};

/// How a game stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Score {
    /// The state in canonical form.
    pub state: String,
    /// Whether the game is over, who has won and why, and the points.
    pub outcome: Standing,
    /// What counts, also while the game still runs.
    pub counted: CountedForEach,
}

/// What counts for each player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CountedForEach {
    /// What counts for player one.
    pub one: Vec<Counted>,
    /// What counts for player two.
    pub two: Vec<Counted>,
}

/// The score of a game as far as it has been played.
#[must_use]
pub fn answer<G: Described>(record: &Record<G>) -> Score {
    let position = record.position();
    let [one, two] = position
        .counted(record.stage().outcome().is_some())
        .map(|counted| counted.into_iter().map(Into::into).collect());
    let counted = CountedForEach { one, two };
    Score { state: position.to_string(), outcome: record.standing(), counted }
}
