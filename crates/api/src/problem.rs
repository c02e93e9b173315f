//! A failure as it is told over HTTP: RFC 9457.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{code::Code, failure::Fault};

/// What the place of a problem is an index in: `state`, a character of the state; `body`, a character of the
/// JSON body; `moves`, an entry of the list of moves; `parameter`, an entry of the list that `parameter`
/// names.
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
    /// What the places of the problems with a code are indices in; nothing if none has a place.
    #[must_use]
    pub const fn of(code: Code) -> Option<Self> {
        match code {
            Code::MalformedState | Code::InvalidState | Code::WrongGame => Some(Self::State),
            Code::MalformedJson => Some(Self::Body),
            Code::MalformedMove | Code::IllegalMove | Code::GameOver | Code::RollFirst => Some(Self::Moves),
            Code::InvalidParameter => Some(Self::Parameter),
            Code::NoDice
            | Code::TooMuchWork
            | Code::Unauthorized
            | Code::UnknownGame
            | Code::NotFound
            | Code::MethodNotAllowed
            | Code::RequestTimeout
            | Code::PayloadTooLarge
            | Code::UriTooLong
            | Code::UnsupportedMediaType
            | Code::TooManyRequests
            | Code::Busy
            | Code::Internal => None,
        }
    }
}

/// A problem as it is written: RFC 9457, with five members of our own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody<'a> {
    /// The page that explains this kind of problem.
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
    /// Where: the index of a character or of an entry, counted from 0; `at_in` says of what. Null if it is
    /// not at one place.
    #[schema(required, value_type = Option<u64>, example = 3)]
    pub at: Option<usize>,
    /// What `at` is an index in; it follows from `code`, and is there wherever `at` is not null.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub at_in: Option<AtIn>,
    /// Of `invalid-parameter`: the name of the parameter in the query or of the member of the body, if the
    /// request has got so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, example = "depth")]
    pub parameter: Option<Cow<'a, str>>,
    /// All reasons, where there can be more than one or where there is a finer one.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false, value_type = Vec<Fault>)]
    pub problems: Cow<'a, [Fault]>,
}

/// What a problem means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProblemPage {
    /// The code of the problem.
    pub code: Code,
    /// A few words that are the same for all problems of this kind.
    #[schema(example = "The move is not legal")]
    pub title: Cow<'static, str>,
    /// The status of the answer.
    #[schema(minimum = 400, maximum = 599, example = 422)]
    pub status: u16,
    /// What it means, and what to do about it.
    pub explanation: Cow<'static, str>,
}
