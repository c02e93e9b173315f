//! Why a question has no answer.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Serialize};
use serde_path_to_error::Segment;
use utoipa::ToSchema;

use super::code::Code;
use cublino_rules::{
    game::{self, About, Refusal, ResignedTooLate, StateError},
    games::{GameId, UnknownGame},
};

/// One of the faults of a state or move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ProblemReason)]
pub struct Fault {
    /// The reason for programs: a name that never changes.
    #[schema(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", example = "not-a-rank")]
    pub code: Cow<'static, str>,
    /// The reason for people.
    #[schema(example = "'9' is not a rank: 1 to 7")]
    pub message: String,
    /// The index of the offending character, counted from 0: in the state, or where a move is wrong in the
    /// text of the move. Null if it is not at one place.
    #[schema(required, value_type = Option<u64>, example = 3)]
    pub at: Option<usize>,
}

impl From<game::Fault> for Fault {
    fn from(game::Fault { code, message, at }: game::Fault) -> Self {
        Self { code: code.into(), message, at }
    }
}

/// Why a question has no answer: a code, a sentence, and where the fault is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of the failure, for programs.
    pub code: Code,
    /// What is wrong with this question, in one sentence.
    pub detail: String,
    /// Where: the index of a character in the state or the JSON body, or that of an entry in a list such as
    /// that of the moves, as the code says; `None` if it is not at one place.
    pub at: Option<usize>,
    /// Of [`Code::InvalidParameter`]: the name of the parameter or member, if the question has got so far.
    pub parameter: Option<String>,
    /// All faults, where there can be more than one or where there is a finer one.
    pub faults: Vec<Fault>,
}

impl Failure {
    /// A failure that is not at one place.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), at: None, parameter: None, faults: Vec::new() }
    }

    /// The parameter or member with this name is wrong.
    pub fn invalid_parameter(name: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { parameter: Some(name.into()), ..Self::new(Code::InvalidParameter, detail) }
    }

    /// A question cannot be read: its parts are parameters or members, and the path leads to the wrong one.
    ///
    /// ```
    /// let json = &mut serde_json::Deserializer::from_str(r#"{"moves":["e1e2",7]}"#);
    /// let question = serde_path_to_error::deserialize::<_, cublino_api::PositionQuestion>(json);
    /// let failure = cublino_api::Failure::unreadable("body", "member", &question.unwrap_err());
    /// assert_eq!((failure.parameter.as_deref(), failure.at), (Some("moves"), Some(1)));
    /// assert!(failure.detail.starts_with("the member 'moves[1]' is wrong: invalid type: integer `7`"));
    /// ```
    pub fn unreadable<E: fmt::Display>(
        whole: &str,
        part: &str,
        error: &serde_path_to_error::Error<E>,
    ) -> Self {
        let message = error.inner().to_string();
        // The line and the column, which JSON has, are those of a part that the path names.
        let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
        let mut steps = error.path().iter();
        let name = match steps.next() {
            Some(Segment::Map { key }) => Some(key.as_str()),
            _ => field(message),
        };
        let Some(name) = name else {
            return Self::new(Code::InvalidParameter, format!("the {whole} is wrong: {}", shown(message)));
        };
        let place = if error.path().iter().len() == 0 { name.to_owned() } else { error.path().to_string() };
        let detail = format!("the {part} '{}' is wrong: {}", shown(&place), shown(message));
        let failure = Self::invalid_parameter(shown(name), detail);
        match steps.next() {
            Some(&Segment::Seq { index }) => failure.at(index),
            _ => failure,
        }
    }

    /// The same failure at a place.
    #[must_use]
    pub fn at(self, at: usize) -> Self {
        Self { at: Some(at), ..self }
    }

    /// The text that was given for a state is not one of the game, or not of a position of it.
    pub(super) fn of_state(about: &About, text: &str, error: StateError) -> Self {
        let detail = error.to_string();
        let (code, faults) = match error {
            StateError::Malformed(faults) => (Code::MalformedState, faults),
            StateError::Invalid(faults) => (Code::InvalidState, faults),
        };
        if code == Code::MalformedState
            && let Some(other) = game_of(text).filter(|id| id.about().letter != about.letter)
        {
            let detail = format!("the state is one of {other}, and the request is for {}", about.id);
            return Self::new(Code::WrongGame, detail).at(0);
        }
        let faults: Vec<_> = faults.into_iter().map(Fault::from).collect();
        Self { at: faults[0].at, faults, ..Self::new(code, detail) }
    }
}

/// The field that one of serde's messages is about, where the path does not lead to it.
fn field(message: &str) -> Option<&str> {
    let kinds = ["missing field `", "duplicate field `", "unknown field `"];
    let rest = kinds.iter().find_map(|kind| message.strip_prefix(kind))?;
    Some(rest.split_once('`')?.0)
}

/// The beginning of a text that a caller may have sent: it may be as long as a body.
fn shown(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The game whose letter a text begins with.
fn game_of(text: &str) -> Option<GameId> {
    let letter = text.chars().next()?.to_ascii_uppercase();
    GameId::ALL.iter().find(|id| id.about().letter == letter).copied()
}

impl From<UnknownGame> for Failure {
    fn from(unknown: UnknownGame) -> Self {
        Self::new(Code::UnknownGame, unknown.to_string())
    }
}

/// A move cannot be played.
impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let detail = refusal.to_string();
        let (code, faults) = match refusal {
            Refusal::GameOver(_) => (Code::GameOver, Vec::new()),
            Refusal::RollFirst(fault) => (Code::RollFirst, vec![fault.into()]),
            Refusal::Malformed(fault) => (Code::MalformedMove, vec![fault.into()]),
            Refusal::Illegal(fault) => (Code::IllegalMove, vec![fault.into()]),
        };
        Self { faults, ..Self::new(code, detail) }
    }
}

impl From<ResignedTooLate> for Failure {
    fn from(late: ResignedTooLate) -> Self {
        Self::new(Code::GameOver, late.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.detail)
    }
}

impl std::error::Error for Failure {}
