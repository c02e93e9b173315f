//! Whether a text is a state, and if not, why not; and what is odd about a valid one.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{AboutState, Asked, Failure, Fault, Operation, Played, StageName, Work, whole};
use cublino_rules::{
    game::{Player, Standing, StateError},
    games::described::Position,
};

/// A question about any text: unlike a state, it may be as long as a request may.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TextQuestion {
    /// Any text, to check against the notation of the game.
    pub state: String,
}

/// Something odd about a valid state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Note {
    /// What is odd, for programs: `unreachable` if the position provably cannot arise from the start of the
    /// game. A name never changes, and there may be others.
    #[schema(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", example = "unreachable")]
    pub code: Cow<'static, str>,
    /// The same for people.
    pub message: String,
}

/// Whether a text is a valid state of a game, and if not, why not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Validation {
    /// The text as it was given.
    pub state: String,
    /// Whether it can be read.
    pub well_formed: bool,
    /// Whether it can be read and the rules allow it.
    pub valid: bool,
    /// Everything that is wrong with it; empty if it is valid.
    pub problems: Vec<Fault>,
    /// The state as the service writes it; null unless it is valid.
    #[schema(required)]
    pub canonical: Option<String>,
    /// The player to move, or to roll; null unless the state is valid.
    #[schema(required)]
    pub turn: Option<Player>,
    /// What happens next; null unless the state is valid.
    #[schema(required)]
    pub stage: Option<StageName>,
    /// Whether the game is over, and the score; null unless the state is valid.
    #[schema(required)]
    pub outcome: Option<Standing>,
    /// The parsed position; null unless the state is valid.
    #[schema(required)]
    pub position: Option<Position>,
    /// What is odd about a valid state, which somebody may have written by mistake; usually empty.
    #[serde(default)]
    #[schema(required)]
    pub notes: Vec<Note>,
}

impl Operation for Validation {
    const NAME: &'static str = "validation";

    type Question = TextQuestion;
}

impl AboutState for Validation {
    fn state(question: &TextQuestion) -> &str {
        &question.state
    }

    fn ask<G: Played>(asked: Asked<'_, G, TextQuestion>) -> Result<Work<Self>, Failure> {
        let (state, record) = (asked.text.to_owned(), asked.record);
        let unreachable = |message| Note { code: "unreachable".into(), message };
        Ok(Work::AtOnce(whole(move || Self {
            state,
            well_formed: true,
            valid: true,
            problems: Vec::new(),
            canonical: Some(record.position().to_string()),
            turn: Some(record.position().turn()),
            stage: Some(record.stage().into()),
            outcome: Some(record.standing()),
            position: Some(record.position().describe()),
            notes: record.position().unreachable().map(unreachable).into_iter().collect(),
        })))
    }

    fn about_no_state<G: Played>(text: &str) -> Option<Work<Self>> {
        let (well_formed, faults) = match G::read(text).err()? {
            StateError::Malformed(faults) => (false, faults),
            StateError::Invalid(faults) => (true, faults),
        };
        let problems = faults.into_iter().map(Fault::from).collect();
        let invalid = Self { state: text.to_owned(), well_formed, problems, ..Self::default() };
        Some(Work::AtOnce(whole(|| invalid)))
    }
}
