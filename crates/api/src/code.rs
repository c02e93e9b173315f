//! The kinds of failures: their names and explanations.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident, $title:literal, $explanation:literal;)+) => {
        /// The kind of a problem, for programs: a name that never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        #[derive(strum::Display, strum::IntoStaticStr, strum::VariantArray)]
        #[serde(rename_all = "kebab-case")]
        #[strum(serialize_all = "kebab-case")]
        #[schema(as = ProblemCode)]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Code {
            /// All codes, in the order in which they are documented.
            pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

            /// The name for programs: kebab-case.
            #[must_use]
            pub fn name(self) -> &'static str {
                self.into()
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
    MalformedState, "The state cannot be read",
        "The text does not follow the notation of the game. `problems` lists every fault with the index \
         of its character; `at` is the first. See /v1/games/{game} for the notation, or ask `validation`, \
         which accepts any text.";
    /// The state can be read, but the rules do not allow it.
    InvalidState, "The rules do not allow the state",
        "The text can be read, but no such position exists: for example, there are too many pieces, or \
         two on one square. Correct what `problems` lists.";
    /// The state is one of another game.
    WrongGame, "The state belongs to another game",
        "The first letter of a state names its game, and the path names a different one. Send the request \
         to the path of the game in `detail`.";
    /// A move cannot be read.
    MalformedMove, "The move cannot be read",
        "An entry of the list does not follow the notation. `at` is its index, counted from 0. Nothing \
         was played. Correct the entry and send the list again.";
    /// A move is not legal.
    IllegalMove, "The move is not legal",
        "An entry of the list cannot be played. `at` is its index, counted from 0, and `detail` says why. \
         Nothing was played, not even the moves before it. Ask `legal-moves` what can be played.";
    /// The game is over.
    GameOver, "The game is over",
        "A finished game has no moves, rolls or suggestions, and nobody can resign. In a list of moves, \
         `at` is the index of the first entry after the end. Ask `score` who has won.";
    /// The dice are to be rolled first.
    RollFirst, "Roll the dice first",
        "The player to move has not rolled yet. Ask `roll` for a roll, or put one such as 63 into the \
         list of moves.";
    /// The game is played without dice.
    NoDice, "The game has no dice",
        "There is nothing to roll in this game. /v1/games says which games have dice.";
    /// The searches of the request would take too long together.
    TooMuchWork, "The request asks for too much searching",
        "The searches of one request may count for only so much work. The sum depends on the request and the \
         settings alone; /v1/limits says how to add it up, and `detail` has the sum and the limit. Ask about \
         fewer positions at a time, or search each less deeply. If the searches turn out to visit more than \
         four times as many positions as they count for, the remaining positions get this problem.";
    /// The body is not JSON.
    MalformedJson, "The body is not JSON",
        "The body is not one JSON value in UTF-8. `at` is the index of the character where reading \
         stopped, counted from 0. Correct the body and send it again.";
    /// A parameter is missing, unknown or out of range.
    InvalidParameter, "A parameter is wrong",
        "A parameter in the query, or a member of the body, is missing, unknown, duplicated, of the wrong \
         type or out of range. `parameter` names it; in a list, `at` is the index of the wrong entry. A \
         body must be a JSON object, and a query must be percent-encoded UTF-8.";
    /// The request lacks valid credentials.
    Unauthorized, "An API key is needed",
        "This service answers only callers with an API key. Send a known key as `Authorization: Bearer \
         KEY`.";
    /// There is no such game.
    UnknownGame, "There is no such game",
        "The path names a game that the service does not have. /v1/games lists the games.";
    /// There is nothing under this path.
    NotFound, "There is nothing here",
        "No operation has this path. Paths are case-sensitive and do not end with a slash. /docs/ and \
         /openapi.json list all of them.";
    /// The path does not know the method.
    MethodNotAllowed, "The method is not allowed here",
        "The path exists, but not for this method. The `Allow` header lists the methods that it has.";
    /// The body has not arrived in time.
    RequestTimeout, "The body did not arrive in time",
        "The service waited for the body, gave up, and closes the connection. Send a long game in several \
         requests: start from the state in the last answer.";
    /// The body is too large.
    PayloadTooLarge, "The body is too large",
        "The body, decompressed, is larger than the service reads; /v1/limits has the limit. Send a long \
         game in several requests: start from the state in the last answer.";
    /// The path and query are too long.
    UriTooLong, "The URI is too long",
        "Path and query together are longer than the service reads. No valid state is that long; check \
         how you build the URI.";
    /// The body is not announced as JSON.
    UnsupportedMediaType, "The body must be JSON",
        "Send the body with `Content-Type: application/json`, in UTF-8, and with no `Content-Encoding` \
         other than gzip, deflate or br.";
    /// The caller asks too often.
    TooManyRequests, "Too many requests",
        "The caller has sent more requests than its share, has more searches running and waiting, or more \
         requests about many positions, than one caller may have, or has had searches think for longer than \
         its share. The header `Retry-After` tells after how many seconds it may try again.";
    /// The service has too much to do.
    Busy, "The service is busy",
        "The search would have to wait for too long until those before it are done, or has waited for too \
         long; or as many requests about many positions are answered as the service answers at a time; or \
         it is to be answered in full, and could not be in the time that there was; or there is no memory \
         for one more body or answer while others are sent and read; or the service is shutting down. An \
         answer with status 200 has always been searched. The header `Retry-After` tells after how many \
         seconds to try again.";
    /// The service has failed.
    Internal, "The service has failed",
        "This is a fault of the service, not of your request. Please report it with the `X-Request-Id` of \
         the answer, which is also in the log.";
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
            assert_eq!(code.name().parse(), Ok(*code));
        }
    }
}
