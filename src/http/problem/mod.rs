//! Failures as callers see them: RFC 9457 problems. This is the only place that turns a failure into a status.

mod code;

use std::{fmt, time::Duration};

use actix_web::{
    HttpResponse, ResponseError,
    body::BoxBody,
    http::{StatusCode, header},
};
use serde::Serialize;
use utoipa::ToSchema;

pub use self::code::{Code, UnknownCode};
use super::{access, cache::NO_STORE};
use crate::{
    game::{About, Coded, Faults, Notation, Refusal, ResignedTooLate},
    games::{GameId, UnknownGame},
    search::pool::{Busy, BusyCause},
};

/// The media type of every failure.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// Where the pages that explain problems are; a code follows.
pub const TYPE_PREFIX: &str = "/problems/";

/// One of the reasons of a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ProblemReason)]
pub struct Reason {
    /// The reason for programs: a name that never changes.
    #[schema(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", example = "not-a-rank")]
    pub code: &'static str,
    /// The reason for people.
    #[schema(example = "'9' is not a rank: 1 to 7")]
    pub message: String,
    /// The index of the offending character in the state or move, counted from 0; null if it is not at one place.
    #[schema(required, value_type = Option<u64>, example = 3)]
    pub at: Option<usize>,
}

impl Reason {
    /// The reasons that make up a failure.
    pub fn all<E: Coded>(faults: &Faults<E>) -> Vec<Self> {
        faults.iter().map(Self::from).collect()
    }
}

impl<E: Coded> From<&E> for Reason {
    fn from(fault: &E) -> Self {
        Self { code: fault.code(), message: fault.to_string(), at: fault.at() }
    }
}

/// Something that keeps a request from being answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    code: Code,
    detail: String,
    at: Option<usize>,
    parameter: Option<String>,
    reasons: Vec<Reason>,
    hint: Option<Hint>,
}

/// What a header of the answer says about another try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hint {
    /// The methods that the path knows.
    Allow(&'static str),
    /// After how many seconds.
    RetryAfter(u64),
    /// With a key, shown in this scheme.
    Authenticate(&'static str),
}

impl Hint {
    fn retry_after(time: Duration) -> Self {
        // Whole seconds are all that the header knows.
        Self::RetryAfter(time.as_millis().div_ceil(1000).max(1) as u64)
    }
}

/// A problem as it is written: RFC 9457, with four members of our own.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody<'a> {
    /// The page that explains this kind of problem.
    #[serde(rename = "type")]
    #[schema(value_type = String, format = "uri-reference", example = "/problems/malformed-state")]
    pub kind: String,
    /// A few words that are the same for all problems of this kind.
    #[schema(example = "The state cannot be read")]
    pub title: &'a str,
    /// The status of the answer.
    #[schema(minimum = 400, maximum = 599, example = 422)]
    pub status: u16,
    /// What is wrong with this request, in one sentence.
    #[schema(example = "'9' is not a rank: 1 to 7")]
    pub detail: &'a str,
    /// The kind of the problem, for programs.
    #[schema(example = "malformed-state")]
    pub code: Code,
    /// Where: the index of a character in the state or the JSON body, or that of an entry in a list such as that of the moves; null if it is not
    /// at one place.
    #[schema(required, value_type = Option<u64>, example = 3)]
    pub at: Option<usize>,
    /// Of `invalid-parameter`: the name of the parameter in the query or of the member of the body, if the request has got so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, example = "depth")]
    pub parameter: Option<&'a str>,
    /// All reasons, where there can be more than one or where there is a finer one.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false, value_type = Vec<Reason>)]
    pub problems: &'a [Reason],
}

impl Problem {
    /// A problem that is not at one place.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), at: None, parameter: None, reasons: Vec::new(), hint: None }
    }

    /// The parameter with this name, in the query or in the body, is wrong.
    pub fn invalid_parameter(name: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { parameter: Some(name.into()), ..Self::new(Code::InvalidParameter, detail) }
    }

    /// The kind of the problem.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The same problem with a place.
    #[must_use]
    pub fn at(self, at: usize) -> Self {
        Self { at: Some(at), ..self }
    }

    /// The text that was given for a state is not one of the game.
    pub fn malformed_state<E: Coded>(about: &About, text: &str, faults: &Faults<E>) -> Self {
        if let Some(other) = game_of(text).filter(|id| id.about().letter != about.letter) {
            let detail = format!("the state is one of {other}, and the request is for {}", about.id);
            return Self::new(Code::WrongGame, detail).at(0);
        }
        Self::of_state(Code::MalformedState, faults)
    }

    /// The text that was given for a state can be read, but is not a position of the game.
    pub fn invalid_state<E: Coded>(faults: &Faults<E>) -> Self {
        Self::of_state(Code::InvalidState, faults)
    }

    fn of_state<E: Coded>(code: Code, faults: &Faults<E>) -> Self {
        let at = faults.first().at();
        Self { at, reasons: Reason::all(faults), ..Self::new(code, faults.to_string()) }
    }

    /// The entry with this index in a list of moves cannot be played.
    pub fn refused<G: Notation>(index: usize, refusal: &Refusal<G>) -> Self {
        Self::from(refusal).at(index)
    }

    /// The path does not know the method, only those listed in `allow`.
    pub fn method_not_allowed(method: &str, allow: &'static str) -> Self {
        let detail = format!("{method} is not allowed here, only {allow}");
        Self { hint: Some(Hint::Allow(allow)), ..Self::new(Code::MethodNotAllowed, detail) }
    }

    /// The service has too much to do, and may have time after a while.
    pub fn busy(detail: impl Into<String>, retry_after: Duration) -> Self {
        Self { hint: Some(Hint::retry_after(retry_after)), ..Self::new(Code::Busy, detail) }
    }

    /// The caller has sent more than its share, and may send more after a while.
    pub fn too_many_requests(retry_after: Duration) -> Self {
        let hint = Hint::retry_after(retry_after);
        let detail = "you have sent more requests than the service answers a caller";
        Self { hint: Some(hint), ..Self::new(Code::TooManyRequests, detail) }
    }

    /// The caller has or wants more than its share of the search threads, and may have more after a while.
    pub fn over_share(detail: impl Into<String>, retry_after: Duration) -> Self {
        Self { hint: Some(Hint::retry_after(retry_after)), ..Self::new(Code::TooManyRequests, detail) }
    }

    /// The caller has not shown a key that opens the service.
    pub fn unauthorized(detail: impl Into<String>) -> Self {
        Self { hint: Some(Hint::Authenticate(access::SCHEME)), ..Self::new(Code::Unauthorized, detail) }
    }

    /// The service has failed; why is nothing for the caller, but for the log.
    pub fn internal() -> Self {
        Self::new(
            Code::Internal,
            "the service has failed; the fault is in its log under the X-Request-Id of this answer",
        )
    }

    /// The problem as it is written.
    #[must_use]
    pub fn body(&self) -> ProblemBody<'_> {
        ProblemBody {
            kind: format!("{TYPE_PREFIX}{}", self.code),
            title: self.code.title(),
            status: self.code.status().as_u16(),
            detail: &self.detail,
            code: self.code,
            at: self.at,
            parameter: self.parameter.as_deref(),
            problems: &self.reasons,
        }
    }
}

/// The game whose letter a text begins with.
fn game_of(text: &str) -> Option<GameId> {
    let letter = text.chars().next()?.to_ascii_uppercase();
    GameId::ALL.iter().find(|id| id.about().letter == letter).copied()
}

impl From<UnknownGame> for Problem {
    fn from(unknown: UnknownGame) -> Self {
        Self::new(Code::UnknownGame, unknown.to_string())
    }
}

/// A move cannot be played.
impl<G: Notation> From<&Refusal<G>> for Problem {
    fn from(refusal: &Refusal<G>) -> Self {
        let (code, reasons) = match refusal {
            Refusal::GameOver(_) => (Code::GameOver, Vec::new()),
            Refusal::RollFirst(fault) => (Code::RollFirst, vec![fault.into()]),
            Refusal::Malformed(fault) => (Code::MalformedMove, vec![fault.into()]),
            Refusal::Illegal(fault) => (Code::IllegalMove, vec![fault.into()]),
        };
        Self { reasons, ..Self::new(code, refusal.to_string()) }
    }
}

impl From<ResignedTooLate> for Problem {
    fn from(late: ResignedTooLate) -> Self {
        Self::new(Code::GameOver, late.to_string())
    }
}

/// A search is not made now. Who has too many already is told so, and everybody else that the service has too much to do.
impl From<Busy> for Problem {
    fn from(Busy { cause, retry_after }: Busy) -> Self {
        match cause {
            BusyCause::Share => Self::over_share(cause.to_string(), retry_after),
            _ => Self::busy(cause.to_string(), retry_after),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.detail)
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.code.status()
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        let body = serde_json::to_vec(&self.body()).expect("a problem has only texts and numbers");
        let mut response = HttpResponse::build(self.code.status());
        response.content_type(MEDIA_TYPE).insert_header((header::CACHE_CONTROL, NO_STORE));
        match self.hint {
            None => &mut response,
            Some(Hint::Allow(methods)) => response.insert_header((header::ALLOW, methods)),
            Some(Hint::RetryAfter(seconds)) => response.insert_header((header::RETRY_AFTER, seconds)),
            Some(Hint::Authenticate(scheme)) => response.insert_header((header::WWW_AUTHENTICATE, scheme)),
        };
        if self.code == Code::RequestTimeout {
            // The rest of the body may still come, and nobody wants it.
            response.force_close();
        }
        response.body(body)
    }
}
