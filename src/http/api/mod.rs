//! The bodies of requests and answers, apart from the model.
//!
//! Answers are written straight from the model: a state or move becomes text where it stands in the answer.

mod games;
mod json;
mod number;
mod operation;
mod play;
mod states;
mod suggestion;

use std::fmt::{self, Display};

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

pub use self::{
    games::{GameBody, GameDetails, Games, Links},
    number::{Depth, LevelNumber, LineCount, MAX_SAFE_INTEGER, Nodes, RepetitionLimit, Seed, TimeMs},
    operation::{Health, ProblemPage},
    play::{Applied, Apply, PlyBody, Roll, Rolled},
    states::{CountedBody, LegalMoves, MoveBody, RollBody, Score, Validation},
    suggestion::{SearchReport, SuggestedLine, Suggestion, SuggestionQuery},
};
use crate::game;

/// Something that is written as its `Display` says, without a detour over a `String`.
pub struct Text<'a>(pub &'a dyn Display);

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({})", self.0)
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

/// Who acts next, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The player to move picks one of the legal moves.
    Move,
    /// The dice are to be rolled for the player to move.
    Roll,
    /// The game has ended.
    Over,
}

impl From<game::Stage> for Stage {
    fn from(stage: game::Stage) -> Self {
        match stage {
            game::Stage::Move => Self::Move,
            game::Stage::Roll => Self::Roll,
            game::Stage::Over(_) => Self::Over,
        }
    }
}
