//! What can be asked about the games, as values: one module for each operation, with its question, its answer
//! and the function from the one to the other.
//!
//! Nothing here knows about HTTP. A question is read and an answer written by serde, and both are described
//! in the OpenAPI document by the same types; a question without an answer has a [`Failure`].
//!
//! ```
//! use cublino_rules::games::Pur;
//! use cublino_api::legal_moves::{self, Spellings};
//!
//! let position: Pur = cublino_api::read("PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7")?;
//! assert_eq!(legal_moves::answer(&position.into(), Spellings::Usual).count, 7);
//! # Ok::<(), cublino_api::Failure>(())
//! ```

pub mod analysis;
pub mod apply;
mod code;
pub mod evaluation;
mod failure;
pub mod games;
pub mod health;
mod json;
pub mod legal_moves;
pub mod limits;
mod many;
mod move_list;
mod number;
mod operation;
pub mod paths;
pub mod picture;
mod position;
mod problem;
pub mod random_positions;
pub mod roll;
pub mod score;
mod searching;
mod stage;
pub mod suggestion;
pub mod validation;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use self::{
    code::{Code, UnknownCode},
    failure::{Failure, Fault},
    json::{Object, append_json, to_json},
    many::{Answered, Many, PositionResult, Results, Unanswered, names},
    move_list::MoveList,
    number::{MAX_SAFE_INTEGER, OutOfRange, Ranged, Seed},
    operation::{
        AboutGame, AboutMany, AboutState, Asked, Bounds, EVENTS, Effort, Found, Gather, JSON, Method, NDJSON,
        Operation, Pieces, Played, Search, Series, Streamed, Visitor, Work, visit, whole,
    },
    position::{Entry, PositionQuestion, REPLAYED, RepetitionLimit, Replay},
    problem::{AtIn, ProblemBody, ProblemPage},
    searching::{Depth, Nodes, SearchBounds, SearchPlan, SearchReport, TimeMs},
    stage::StageName,
};
use cublino_rules::game::Game;

/// A question about one state.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StateQuestion {
    /// The state, in the notation of the game.
    #[schema(max_length = 512)]
    pub state: String,
}

/// Reads a state and checks it.
///
/// # Errors
/// The text is not a state of the game, or the rules do not allow the position.
pub fn read<G: Game>(state: &str) -> Result<G, Failure> {
    G::read(state).map_err(|error| Failure::of_state(&G::ABOUT, state, error))
}
