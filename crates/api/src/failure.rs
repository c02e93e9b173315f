//! Why a question has no answer: the kinds of failures, and the problem that the service returns for each
//! (RFC 9457).

use std::{borrow::Cow, fmt, sync::LazyLock};

use serde::{Deserialize, Serialize};
use serde_path_to_error::Segment;
use strum::{Display, IntoStaticStr, VariantArray};
use utoipa::ToSchema;

use cublino_rules::{
    game::{self, About, Refusal, ResignedTooLate, StateError},
    games::GameId,
};

/// One of the faults of a state or move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ProblemReason)]
pub struct Fault {
    /// The reason, for programs: a name that never changes.
    #[schema(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", example = "not-a-rank")]
    pub code: Cow<'static, str>,
    /// The reason, as a sentence for people.
    #[schema(example = "'9' is not a rank: 1 to 7")]
    pub message: String,
    /// The index of the offending character in the state or move, counted from 0. Null if there is no single
    /// place.
    #[schema(required, value_type = Option<u64>, example = 3)]
    pub at: Option<usize>,
}

impl From<game::Fault> for Fault {
    fn from(game::Fault { code, message, at }: game::Fault) -> Self {
        Self { code: code.into(), message, at }
    }
}

/// Why a question has no answer: a code, a sentence, and where the fault is.
///
/// ```
/// use cublino_api::{Code, Failure};
///
/// let failure = Failure::new(Code::IllegalMove, "cup 3 is empty").at(1);
/// assert_eq!(failure.to_string(), "illegal-move: cup 3 is empty");
/// assert_eq!((failure.code.title(), failure.at), ("The move is not legal", Some(1)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {detail}")]
pub struct Failure {
    /// The kind of the failure, for programs.
    pub code: Code,
    /// What is wrong with this question, in one sentence.
    pub detail: String,
    /// The index of a character in the state or the JSON body, or of an entry in a list such as that of the
    /// moves: see [`AtIn::of`]. `None` if there is no single place.
    pub at: Option<usize>,
    /// With [`Code::InvalidParameter`]: the name of the wrong parameter or member, if known.
    pub parameter: Option<String>,
    /// All faults, if there can be several or a more precise one.
    pub faults: Vec<Fault>,
}

impl Failure {
    /// A failure without a place.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), at: None, parameter: None, faults: Vec::new() }
    }

    /// The failure of the parameter or member with this name.
    pub fn invalid_parameter(name: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { parameter: Some(name.into()), ..Self::new(Code::InvalidParameter, detail) }
    }

    /// A question that cannot be read. Its parts are parameters or members; the path leads to the wrong one.
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
        // The line and the column in JSON errors are redundant: the path names the part.
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

    /// The failure of a text that is not a state of this game, but begins like one of another game.
    pub(super) fn wrong_game(about: &About, text: &str) -> Option<Self> {
        let letter = text.chars().next()?.to_ascii_uppercase();
        let other = GameId::ALL.iter().find(|id| id.about().letter == letter && letter != about.letter)?;
        let detail = format!("the state belongs to {other}, but the request is for {}", about.id);
        Some(Self::new(Code::WrongGame, detail).at(0))
    }

    /// The failure of a text that is not a state of the game.
    pub(super) fn of_state(error: StateError) -> Self {
        let detail = error.to_string();
        let (code, faults) = match error {
            StateError::Malformed(faults) => (Code::MalformedState, faults),
            StateError::Invalid(faults) => (Code::InvalidState, faults),
        };
        let at = faults.iter().filter_map(|fault| fault.at).min();
        Self { at, faults: faults.into_iter().map(Fault::from).collect(), ..Self::new(code, detail) }
    }
}

/// The field that one of serde's messages is about, where the path does not lead to it.
fn field(message: &str) -> Option<&str> {
    let kinds = ["missing field `", "duplicate field `", "unknown field `"];
    let rest = kinds.iter().find_map(|kind| message.strip_prefix(kind))?;
    Some(rest.split_once('`')?.0)
}

/// The beginning of a text from the caller, which may be as long as a body.
fn shown(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
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

/// The kind of a problem, for programs: a name that never changes.
// `problems.md` says in words what each means, in the same order.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Display, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[schema(as = ProblemCode)]
pub enum Code {
    /// The state cannot be read.
    MalformedState,
    /// The state can be read, but the rules do not allow it.
    InvalidState,
    /// The state belongs to another game.
    WrongGame,
    /// A move cannot be read.
    MalformedMove,
    /// A move is not legal.
    IllegalMove,
    /// The game is over.
    GameOver,
    /// The dice must be rolled first.
    RollFirst,
    /// The game is played without dice.
    NoDice,
    /// The searches of the request would take too long together.
    TooMuchWork,
    /// The body is not JSON.
    MalformedJson,
    /// A parameter is missing, unknown or out of range.
    InvalidParameter,
    /// The request lacks valid credentials.
    Unauthorized,
    /// There is no such game.
    UnknownGame,
    /// There is nothing under this path.
    NotFound,
    /// The path does not support the method.
    MethodNotAllowed,
    /// The body did not arrive in time.
    RequestTimeout,
    /// The body is too large.
    PayloadTooLarge,
    /// The path and query are too long.
    UriTooLong,
    /// The body is not declared as JSON.
    UnsupportedMediaType,
    /// The caller is over one of its limits.
    TooManyRequests,
    /// The service is at one of its limits.
    Busy,
    /// The service has failed.
    Internal,
}

impl Code {
    /// All codes, in the order in which they are documented.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The name for programs: kebab-case.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// A few words for people, the same for every problem with this code.
    pub fn title(self) -> &'static str {
        self.texts().0
    }

    /// What it means and what to do about it.
    pub fn explanation(self) -> &'static str {
        &self.texts().1
    }

    /// The title and the explanation, as `problems.md` has them. Only the entries of a list begin a line of
    /// their own.
    fn texts(self) -> &'static (&'static str, String) {
        static TEXTS: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
            let sections = include_str!("problems.md").split("\n## ").skip(1);
            let texts = sections.zip(Code::ALL).map(|(section, code)| {
                let (heading, text) = section.split_once("\n\n").expect("a text follows the heading");
                let title = heading.strip_prefix(code.name()).and_then(|rest| rest.strip_prefix(": "));
                let explanation = text.trim_end().replace('\n', " ").replace(" - ", "\n- ");
                (title.expect("the sections are in the order of the codes"), explanation)
            });
            texts.collect()
        });
        &TEXTS[self as usize]
    }
}

/// What `at` counts: characters of the state (`state`) or of the JSON body (`body`), or entries of the list
/// of moves (`moves`) or of the list that `parameter` names (`parameter`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AtIn {
    /// A character of the state.
    State,
    /// A character of the JSON body.
    Body,
    /// An entry of the list of moves.
    Moves,
    /// An entry of the list that `parameter` names.
    Parameter,
}

impl AtIn {
    /// What `at` counts in problems with a code; `None` if they have no place.
    ///
    /// ```
    /// use cublino_api::{AtIn, Code};
    ///
    /// assert_eq!(AtIn::of(Code::IllegalMove), Some(AtIn::Moves));
    /// assert_eq!(AtIn::of(Code::Busy), None);
    /// ```
    pub const fn of(code: Code) -> Option<Self> {
        match code {
            Code::MalformedState | Code::InvalidState | Code::WrongGame => Some(Self::State),
            Code::MalformedJson => Some(Self::Body),
            Code::MalformedMove | Code::IllegalMove | Code::GameOver | Code::RollFirst => Some(Self::Moves),
            Code::InvalidParameter => Some(Self::Parameter),
            _ => None,
        }
    }
}

/// A problem as in RFC 9457, with five more members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody<'a> {
    /// A link to the explanation of this kind of problem.
    #[serde(rename = "type")]
    #[schema(value_type = String, format = "uri-reference", example = "/problems/malformed-state")]
    pub kind: String,
    /// A few words that are the same for all problems of this kind.
    #[schema(example = "The state cannot be read")]
    pub title: Cow<'a, str>,
    /// The status of the answer.
    #[schema(minimum = 400, maximum = 599, example = 422)]
    pub status: u16,
    /// What is wrong with this request, in one sentence.
    #[schema(example = "'9' is not a rank: 1 to 7")]
    pub detail: Cow<'a, str>,
    /// The kind of the problem, for programs.
    #[schema(example = "malformed-state")]
    pub code: Code,
    /// The index of the wrong character or entry, counted from 0; `at_in` says which. Null if there is no
    /// single place.
    #[schema(required, value_type = Option<u64>, example = 3)]
    pub at: Option<usize>,
    /// What `at` counts. Present if `at` is not null.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub at_in: Option<AtIn>,
    /// With `invalid-parameter`: the name of the wrong parameter or member, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, example = "depth")]
    pub parameter: Option<Cow<'a, str>>,
    /// All faults, if there can be several, or the precise fault.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false, value_type = Vec<Fault>)]
    pub problems: Cow<'a, [Fault]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_never_renamed() {
        let names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        let known = [
            "malformed-state",
            "invalid-state",
            "wrong-game",
            "malformed-move",
            "illegal-move",
            "game-over",
            "roll-first",
            "no-dice",
            "too-much-work",
            "malformed-json",
            "invalid-parameter",
            "unauthorized",
            "unknown-game",
            "not-found",
            "method-not-allowed",
            "request-timeout",
            "payload-too-large",
            "uri-too-long",
            "unsupported-media-type",
            "too-many-requests",
            "busy",
            "internal",
        ];
        assert_eq!(names, known);
        for code in Code::ALL {
            assert_eq!(serde_json::to_string(code).unwrap(), format!("\"{code}\""));
        }
    }
}
