//! Whether a text is a state, and if not, why not; and what is odd about a valid one.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Answer, Bounds, Fault, Operation, Plan, Planned, Played, StageName};
use cublino_rules::{
    game::{Notation, Player, Record, Stage, Standing, StateError},
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
    /// game. Codes never change; new ones may be added.
    #[schema(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", example = "unreachable")]
    pub code: Cow<'static, str>,
    /// The same, for people.
    pub message: String,
}

/// Whether a text is a valid state of a game, and if not, why not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Validation {
    /// The text as you sent it.
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
    /// Anything odd about a valid state, which may be a mistake; usually empty.
    #[serde(default)]
    #[schema(required)]
    pub notes: Vec<Note>,
}

impl Operation for Validation {
    const NAME: &'static str = "validation";
    const HAS_MANY: bool = true;

    type Question = TextQuestion;
    type Item = ();

    fn state(question: &TextQuestion) -> Option<&str> {
        Some(&question.state)
    }

    fn plan<G: Played>(_: &TextQuestion, _: &Bounds, _: Stage) -> Planned<G, Self> {
        Ok(Plan::AtOnce(|asked| Ok(Answer::Value(Self::of(asked.text, &asked.record)))))
    }

    fn about_no_state<G: Played>(text: &str) -> Option<Self> {
        let (well_formed, faults) = match G::read(text).err()? {
            StateError::Malformed(faults) => (false, faults),
            StateError::Invalid(faults) => (true, faults),
        };
        let problems = faults.into_iter().map(Fault::from).collect();
        Some(Self { state: text.to_owned(), well_formed, problems, ..Self::default() })
    }
}

impl Validation {
    /// The answer about a valid state.
    fn of<G: Notation>(text: &str, record: &Record<G>) -> Self {
        let position = record.position();
        let unreachable = |message| Note { code: "unreachable".into(), message };
        Self {
            state: text.to_owned(),
            well_formed: true,
            valid: true,
            problems: Vec::new(),
            canonical: Some(position.to_string()),
            turn: Some(position.turn()),
            stage: Some(record.stage().into()),
            outcome: Some(record.standing()),
            position: Some(position.describe()),
            notes: position.unreachable().map(unreachable).into_iter().collect(),
        }
    }
}
