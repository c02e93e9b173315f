//! Failures as callers see them: RFC 9457 problems. This is the only place that turns a failure into a status.

use std::{fmt, time::Duration};

use actix_web::{
    HttpResponse, ResponseError,
    body::BoxBody,
    http::{StatusCode, header},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{access, cache::NO_STORE};
use crate::{
    game::{About, Coded, Faults, Notation, Refusal},
    games::{GameId, UnknownGame},
    search::pool::Busy,
};

/// The media type of every failure.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// Where the pages that explain problems are; a code follows.
pub const TYPE_PREFIX: &str = "/problems/";

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident, $code:literal, $status:ident, $title:literal, $explanation:literal;)+) => {
        /// The kind of a problem, for programs: a name that never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
        #[serde(rename_all = "kebab-case")]
        #[schema(as = ProblemCode)]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Code {
            /// All codes, in the order in which they are documented.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name for programs: kebab-case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $code),+ }
            }

            /// The status of the answer.
            #[must_use]
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status),+ }
            }

            /// A few words for people, the same for every problem with this code.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title),+ }
            }

            /// What it means and what to do about it.
            #[must_use]
            pub const fn explanation(self) -> &'static str {
                match self { $(Self::$variant => $explanation),+ }
            }
        }
    };
}

codes! {
    /// The state cannot be read.
    MalformedState, "malformed-state", UNPROCESSABLE_ENTITY, "The state cannot be read",
        "The text is not written as the notation of the game demands. `problems` lists everything that is wrong, each with \
         the index of the character where it is; `at` is that of the first. The notation is described with each game \
         under /v1/games/{game}, and the operation `validation` checks a text without failing.";
    /// The state can be read, but the rules do not allow it.
    InvalidState, "invalid-state", UNPROCESSABLE_ENTITY, "The rules do not allow the state",
        "The text is well-formed, but it describes a position that the game does not have: too many pieces, for example, or \
         two on one square. `problems` lists everything that is wrong.";
    /// The state is one of another game.
    WrongGame, "wrong-game", UNPROCESSABLE_ENTITY, "The state belongs to another game",
        "The first letter of a state names its game, and it is not the one in the path. `detail` says which game it is; send \
         the request to that game's path.";
    /// A move cannot be read.
    MalformedMove, "malformed-move", UNPROCESSABLE_ENTITY, "The move cannot be read",
        "An entry of the list is not written as the notation of the game demands. `at` is its index in the list, counted from \
         0. Nothing has been played.";
    /// A move is not legal.
    IllegalMove, "illegal-move", UNPROCESSABLE_ENTITY, "The move is not legal",
        "An entry of the list can be read but not be played. `at` is its index in the list, counted from 0, `detail` says why \
         in words, and `problems` gives the reason a code of its own. Nothing has been played, not even the entries before it. \
         The operation `legal-moves` lists what can be played.";
    /// The game is over.
    GameOver, "game-over", UNPROCESSABLE_ENTITY, "The game is over",
        "A finished game has no moves, rolls or suggestions. In a list of moves, `at` is the index of the first entry after the \
         end. The operation `score` tells who has won.";
    /// The dice are to be rolled first.
    RollFirst, "roll-first", UNPROCESSABLE_ENTITY, "The dice are to be rolled first",
        "The player to move has not rolled yet, so the only thing that can happen is a roll. The operation `roll` draws one; \
         in a list of moves, a roll such as 63 stands where the dice are rolled.";
    /// The game is played without dice.
    NoDice, "no-dice", UNPROCESSABLE_ENTITY, "The game has no dice to roll",
        "Nothing is left to chance in this game, so there is nothing to roll. The list under /v1/games tells which games are \
         played with dice.";
    /// The body is not JSON.
    MalformedJson, "malformed-json", BAD_REQUEST, "The body is not JSON",
        "The body of the request cannot be read as one JSON value in UTF-8. `at` is the index of the character where reading \
         stopped, counted from 0.";
    /// A parameter is missing, unknown or out of range.
    InvalidParameter, "invalid-parameter", BAD_REQUEST, "A parameter is wrong",
        "A parameter in the query, or a member of the JSON body, is missing, unknown, given twice, of the wrong type or out \
         of its range; or the query is not properly percent-encoded UTF-8. `detail` names it.";
    /// The request lacks valid credentials.
    Unauthorized, "unauthorized", UNAUTHORIZED, "Credentials are needed",
        "The service has been set up to answer only to callers with a key, and the request had none that it knows.";
    /// There is no such game.
    UnknownGame, "unknown-game", NOT_FOUND, "There is no such game",
        "The path names a game that the service does not know. The list of games is under /v1/games.";
    /// There is nothing under this path.
    NotFound, "not-found", NOT_FOUND, "There is nothing here",
        "No operation has this path. Paths are case-sensitive and do not end with a slash; all of them are listed in the \
         OpenAPI document at /openapi.json and shown at /docs/.";
    /// The path does not know the method.
    MethodNotAllowed, "method-not-allowed", METHOD_NOT_ALLOWED, "The method is not allowed here",
        "The path exists, but not for this method. The header `Allow` lists those that it knows.";
    /// The body is too large.
    PayloadTooLarge, "payload-too-large", PAYLOAD_TOO_LARGE, "The body is too large",
        "The body of the request, decompressed, is larger than the service reads. A long game can be played in several requests: \
         send the state that the last one answered.";
    /// The path and query are too long.
    UriTooLong, "uri-too-long", URI_TOO_LONG, "The URI is too long",
        "Path and query together are longer than the service reads. No state or set of parameters that it would accept is that \
         long.";
    /// The body is not announced as JSON.
    UnsupportedMediaType, "unsupported-media-type", UNSUPPORTED_MEDIA_TYPE, "The body must be JSON",
        "Bodies are read only with `Content-Type: application/json`, in UTF-8, and with no `Content-Encoding` other than gzip, \
         deflate or br.";
    /// The caller asks too often.
    TooManyRequests, "too-many-requests", TOO_MANY_REQUESTS, "Too many requests",
        "The caller has sent more requests than its share. The header `Retry-After` tells after how many seconds it may try \
         again.";
    /// The service has too much to do.
    Busy, "busy", SERVICE_UNAVAILABLE, "The service is busy",
        "Too many searches are running or waiting for the answer to come in time, or the service is shutting down. The \
         header `Retry-After` tells after how many seconds to try again.";
    /// The service has failed.
    Internal, "internal", INTERNAL_SERVER_ERROR, "The service has failed",
        "This is a fault of the service and not of the request. The header `X-Request-Id` of the answer names the request in \
         the service's log; please report it.";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no problem with this code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCode;

impl std::str::FromStr for Code {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        Self::ALL.iter().find(|code| code.name() == text).copied().ok_or(UnknownCode)
    }
}

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

/// A problem as it is written: RFC 9457, with three members of our own.
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
    /// Where: the index of a character in the state or the JSON body, or that of a move in the list; null if it is not at one place.
    #[schema(required, value_type = Option<u64>, example = 3)]
    pub at: Option<usize>,
    /// All reasons, where there can be more than one or where there is a finer one.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false, value_type = Vec<Reason>)]
    pub problems: &'a [Reason],
}

impl Problem {
    /// A problem that is not at one place.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), at: None, reasons: Vec::new(), hint: None }
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

impl From<Busy> for Problem {
    fn from(busy: Busy) -> Self {
        Self::busy(busy.to_string(), busy.retry_after)
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
        }
        .body(body)
    }
}
