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
        "The text does not follow the notation of the game. Correct each fault in `problems`; `at` is the \
         index of the first wrong character, counted from 0. /v1/games/{game} has the notation, and \
         `validation` checks any text.";
    /// The state can be read, but the rules do not allow it.
    InvalidState, "The rules do not allow the state",
        "The text can be read, but no such position exists: for example, it has too many pieces, or two on \
         one square. Correct what `problems` lists.";
    /// The state is one of another game.
    WrongGame, "The state belongs to another game",
        "The first letter of a state names its game, and the path names another one. Send the request to \
         the path of the game in `detail`.";
    /// A move cannot be read.
    MalformedMove, "The move cannot be read",
        "An entry of the list does not follow the notation, so nothing was played. Correct the entry at \
         index `at`, counted from 0, and send the list again.";
    /// A move is not legal.
    IllegalMove, "The move is not legal",
        "An entry of the list cannot be played, so nothing was played, not even the moves before it. \
         `detail` says why, and `at` is the index of the entry, counted from 0. Ask `legal-moves` for the \
         moves that can be played.";
    /// The game is over.
    GameOver, "The game is over",
        "A finished game has no more moves, rolls or suggestions, and nobody can resign. In a list of \
         moves, remove the entries from index `at` on. Ask `score` who has won.";
    /// The dice are to be rolled first.
    RollFirst, "Roll the dice first",
        "The player to move has not rolled the dice yet. Call `roll`, or add a roll such as 63 to the list \
         of moves.";
    /// The game is played without dice.
    NoDice, "The game has no dice",
        "The game is played without dice, so there is nothing to roll. /v1/games says which games have \
         dice.";
    /// The searches of the request would take too long together.
    TooMuchWork, "The request asks for too much searching",
        "The request asks for more searching than one request may. Ask about fewer positions, or search \
         each one less deeply. There are two causes:\n\
         - The work of all searches adds up to more than the limit. `detail` has both numbers, and \
         /v1/limits says how to add up the work. Nothing was searched.\n\
         - The searches turned out to be more than four times as expensive as computed. The remaining \
         positions of the request get this problem.";
    /// The body is not JSON.
    MalformedJson, "The body is not JSON",
        "The body is not one JSON value in UTF-8. Correct it at the character with index `at`, counted from \
         0, where reading stopped.";
    /// A parameter is missing, unknown or out of range.
    InvalidParameter, "A parameter is wrong",
        "A parameter in the query, or a member of the body, is missing, unknown, duplicated, of the wrong \
         type or out of range. Correct the one that `parameter` names; in a list, `at` is the index of the \
         wrong entry. A body must be a JSON object, and a query must be percent-encoded UTF-8.";
    /// The request lacks valid credentials.
    Unauthorized, "An API key is needed",
        "This service answers only callers with an API key. Send yours as `Authorization: Bearer KEY`. If \
         you have none, ask the operator of the service.";
    /// There is no such game.
    UnknownGame, "There is no such game",
        "The path names a game that the service does not have. Use one that /v1/games lists.";
    /// There is nothing under this path.
    NotFound, "There is nothing here",
        "No operation has this path. Look up the path in /docs/ or /openapi.json. Paths are case-sensitive \
         and do not end with a slash.";
    /// The path does not know the method.
    MethodNotAllowed, "The method is not allowed here",
        "The path exists, but not for this method. Use one of the methods in the `Allow` header.";
    /// The body has not arrived in time.
    RequestTimeout, "The body did not arrive in time",
        "The service waited for the body, gave up, and closes the connection. Send the request again. Split \
         a long game into several requests: start each one from the state in the last answer.";
    /// The body is too large.
    PayloadTooLarge, "The body is too large",
        "The body, decompressed, is larger than the limit in /v1/limits. Ask about fewer positions at a \
         time. Split a long game into several requests: start each one from the state in the last answer.";
    /// The path and query are too long.
    UriTooLong, "The URI is too long",
        "Path and query together are longer than the limit in /v1/limits. No valid state is that long: \
         check how you build the URI.";
    /// The body is not announced as JSON.
    UnsupportedMediaType, "The body must be JSON",
        "The service reads JSON only. Send the body with `Content-Type: application/json`, in UTF-8, and \
         with no `Content-Encoding` other than gzip, deflate or br.";
    /// The caller asks too often.
    TooManyRequests, "Too many requests",
        "You are over one of the limits for each caller. Wait for as many seconds as the header \
         `Retry-After` says, and try again. /v1/limits has the limits:\n\
         - requests per minute\n\
         - searches that run or wait at the same time\n\
         - requests about many positions at the same time\n\
         - milliseconds of searching per minute";
    /// The service has too much to do.
    Busy, "The service is busy",
        "The service has too much to do, or is shutting down. Wait for as many seconds as the header \
         `Retry-After` says, and try again. `detail` names the cause:\n\
         - Too many searches are waiting for a thread.\n\
         - The search waited too long for a thread.\n\
         - The search must be answered in full, and there was not enough time for that.\n\
         - Too many requests about many positions are being answered.\n\
         - There is no memory left for another body or answer.\n\
         - The service is shutting down.";
    /// The service has failed.
    Internal, "The service has failed",
        "This is a bug of the service, not of your request. Please report it with the `X-Request-Id` of the \
         answer, which is also in the log.";
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
