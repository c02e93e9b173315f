//! The API of the games as values: one module for each operation, with its question, its answer, and the
//! function that gets the answer.
//!
//! Nothing here knows about HTTP. Serde reads questions and writes answers, and the same types describe both
//! in the OpenAPI document; a question without an answer gets a [`Failure`].
//!
//! ```
//! use cublino_rules::games::Pur;
//!
//! let position: Pur = cublino_api::read("PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7")?;
//! assert_eq!(cublino_api::score::answer(&position.into()).counted.one.len(), 0);
//! # Ok::<(), cublino_api::Failure>(())
//! ```

pub mod analysis;
pub mod apply;
pub mod evaluation;
mod failure;
pub mod games;
pub mod health;
mod json;
pub mod legal_moves;
pub mod limits;
mod operation;
pub mod paths;
pub mod picture;
mod position;
pub mod puzzles;
pub mod random_positions;
pub mod roll;
pub mod score;
mod searching;
pub mod suggestion;
pub mod validation;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use self::{
    failure::{AtIn, Code, Failure, Fault, ProblemBody},
    json::{MoveList, Object, OutOfRange, Ranged, Seed, moves_in, to_json},
    operation::{
        Answer, AnswerAtOnce, Asked, Bounds, EVENTS, Effort, Found, JSON, Method, NDJSON, OnProgress,
        Operation, Plan, Planned, Played, Search, Series, Visitor, visit,
    },
    position::{
        Answered, Entry, Many, PositionQuestion, PositionResult, RepetitionLimit, Results, StageName,
        Unanswered, replay,
    },
    searching::{
        Depth, NODES_AT_DEPTH_0, NODES_PER_MS, Nodes, SEVERAL_LINES, SearchLimit, SearchReport, TimeMs,
    },
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
/// ```
/// use cublino_api::{Code, read};
/// use cublino_rules::games::Wari;
///
/// let failure = read::<Wari>("M-o22O").unwrap_err();
/// assert_eq!((failure.code, failure.at), (Code::WrongGame, Some(0)));
/// ```
///
/// # Errors
/// The text is not a state of the game, or the rules do not allow the position.
pub fn read<G: Game>(state: &str) -> Result<G, Failure> {
    let failure = |error| Failure::wrong_game(&G::ABOUT, state).unwrap_or_else(|| Failure::of_state(error));
    G::read(state).map_err(failure)
}
