//! Whether a text is a state, and if not, why not.

use serde::{Deserialize, Serialize};

use super::{Failure, Fault, PositionQuestion, StageName};
use cublino_rules::{
    game::{Player, Record, Standing, StateError},
    games::described::{Described, Position},
};

/// A question about any text: unlike a state, it may be as long as a request may.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct TextQuestion {
    /// The text that may be a state, in the notation of the game.
    pub state: String,
}

/// Whether a text is a state of a game, and if not, why not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Validation {
    /// The text as it was given.
    pub state: String,
    /// Whether it can be read.
    pub well_formed: bool,
    /// Whether it can be read and the rules allow it.
    pub valid: bool,
    /// Everything that is wrong with it, in the order of the text; empty if it is valid.
    pub problems: Vec<Fault>,
    /// The state as the service writes it; null unless it is valid.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub canonical: Option<String>,
    /// The player to move, or to roll; null unless the state is valid.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub turn: Option<Player>,
    /// Who acts next, and how; null unless the state is valid.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub stage: Option<StageName>,
    /// Whether the game is over, and how it stands; null unless the state is valid.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub outcome: Option<Standing>,
    /// The position taken apart; null unless the state is valid.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub position: Option<Position>,
}

/// Checks a text.
#[must_use]
pub fn answer<G: Described>(TextQuestion { state }: TextQuestion) -> Validation {
    match read::<G>(&state) {
        Ok(position) => valid(state, &position.into()),
        Err(invalid) => invalid,
    }
}

/// Checks the state of a position, and if it is valid plays the moves since, of which there may be
/// `max_moves`; then the answer is about the position after them.
///
/// # Errors
/// The state is valid, and the failure names the first move that cannot be played.
pub fn answer_after_moves<G: Described>(
    question: &PositionQuestion,
    max_moves: usize,
) -> Result<Validation, Failure> {
    match read(&question.state) {
        Ok(start) => Ok(valid(question.state.clone(), &question.replay::<G>(start, max_moves)?.finish()?)),
        Err(invalid) => Ok(invalid),
    }
}

/// Reads a text, which if it is no state is the answer.
fn read<G: Described>(state: &str) -> Result<G, Validation> {
    let no_state = |well_formed, problems| Validation {
        state: state.to_owned(),
        well_formed,
        valid: false,
        problems,
        canonical: None,
        turn: None,
        stage: None,
        outcome: None,
        position: None,
    };
    G::read(state).map_err(|error| match error {
        StateError::Malformed(faults) => no_state(false, Fault::all(&faults)),
        StateError::Invalid(faults) => no_state(true, Fault::all(&faults)),
    })
}

fn valid<G: Described>(state: String, record: &Record<G>) -> Validation {
    let position = record.position();
    Validation {
        state,
        well_formed: true,
        valid: true,
        problems: Vec::new(),
        canonical: Some(position.to_string()),
        turn: Some(position.turn()),
        stage: Some(record.stage().into()),
        outcome: Some(record.standing()),
        position: Some(position.describe().into()),
    }
}
