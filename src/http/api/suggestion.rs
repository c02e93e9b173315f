//! What to play.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Depth, LevelNumber, LineCount, Nodes, Seed, Text, TimeMs};
use crate::{
    game::Player,
    // utoipa takes whatever is called `Value` for any JSON.
    search::{StoppedBy, Value as MoveValue},
};

/// A question about what to play, and how hard to think about it.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SuggestionQuery {
    /// The state, in the notation of the game.
    #[param(max_length = 512)]
    pub state: String,
    /// How long to think, in milliseconds, at most as long as the service allows (10,000 unless it is set up otherwise), from the start of the
    /// search. Without any limit and without a level, 500.
    #[param(inline, nullable = false)]
    pub time_ms: Option<TimeMs>,
    /// How many plies to look ahead, at most as many as the service allows (64 unless it is set up otherwise), which is the default.
    #[param(inline, nullable = false)]
    pub depth: Option<Depth>,
    /// How many positions to visit, at most as many as the service allows (20,000,000 unless it is set up otherwise), which is the default.
    #[param(inline, nullable = false)]
    pub nodes: Option<Nodes>,
    /// How many of the best moves are wanted; 1 by default.
    #[param(inline, nullable = false)]
    pub lines: Option<LineCount>,
    /// How well to play against people: 1, a beginner, to 8, nearly full strength. Full strength by default. A level has limits of its own on depth
    /// and positions, and none on time.
    #[param(inline, nullable = false)]
    pub level: Option<LevelNumber>,
    /// What a level draws its errors from: with another seed it may play another move. 0 by default.
    #[param(inline, nullable = false)]
    pub seed: Option<Seed>,
}

/// What to play.
#[derive(Debug, Serialize, ToSchema)]
pub struct Suggestion<'a> {
    /// The state in canonical form.
    #[schema(value_type = String)]
    pub state: Text<'a>,
    /// The player to move.
    pub turn: Player,
    /// The move to play: the first of the first line.
    #[serde(rename = "move")]
    #[schema(example = "d1d2")]
    pub best: &'a str,
    /// The best moves, best first: as many as were asked for, if there are as many.
    #[schema(min_items = 1, max_items = 10)]
    pub lines: Vec<SuggestedLine<'a>>,
    /// How the service came to it.
    pub search: SearchReport,
}

/// A move, and what follows if both sides play their best.
#[derive(Debug, Serialize, ToSchema)]
pub struct SuggestedLine<'a> {
    /// The move.
    #[serde(rename = "move")]
    #[schema(example = "d1d2")]
    pub first: &'a str,
    /// The moves that are expected, this one included. With dice the line ends where they are rolled.
    #[schema(min_items = 1, example = json!(["d1d2", "d7d6"]))]
    pub pv: &'a [String],
    /// What the move is worth to the player to move.
    pub value: MoveValue,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct SearchReport {
    /// The depth to which the lines were searched, in plies; 0 if they are those of the static evaluation, or were looked up.
    #[schema(example = 11)]
    pub depth: u32,
    /// Whether all moves were searched to that depth. If a limit ended the search before, the line is the best of those that were.
    #[schema(example = true)]
    pub complete: bool,
    /// How many positions were visited.
    #[schema(example = 1_830_211)]
    pub nodes: u64,
    /// How long it took, in milliseconds; null in an answer that is the same whenever and wherever it is worked out.
    #[schema(required, example = 498)]
    pub time_ms: Option<u64>,
    /// What ended it.
    pub stopped_by: StoppedBy,
}
