//! Who acts next, as answers tell it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use cublino_rules::game::Stage;

/// Who acts next, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Stage)]
pub enum StageName {
    /// The player to move picks one of the legal moves.
    Move,
    /// The dice are to be rolled for the player to move.
    Roll,
    /// The game has ended.
    Over,
}

impl From<Stage> for StageName {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::Move => Self::Move,
            Stage::Roll => Self::Roll,
            Stage::Over(_) => Self::Over,
        }
    }
}
