//! The kinds of failures: their names and explanations.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident, $code:literal, $title:literal, $explanation:literal;)+) => {
        /// The kind of a problem, for programs: a name that never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ProblemCode))]
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
    MalformedState, "malformed-state", "The state cannot be read",
        "The text is not written as the notation of the game demands. `problems` lists everything that is \
         wrong, each with the index of the character where it is; `at` is that of the first. The notation is \
         described with each game under /v1/games/{game}, and the operation `validation` checks a text \
         without failing.";
    /// The state can be read, but the rules do not allow it.
    InvalidState, "invalid-state", "The rules do not allow the state",
        "The text is well-formed, but it describes a position that the game does not have: too many pieces, \
         for example, or two on one square. `problems` lists everything that is wrong.";
    /// The state is one of another game.
    WrongGame, "wrong-game", "The state belongs to another game",
        "The first letter of a state names its game, and it is not the one in the path. `detail` says which \
         game it is; send the request to that game's path.";
    /// A move cannot be read.
    MalformedMove, "malformed-move", "The move cannot be read",
        "An entry of the list is not written as the notation of the game demands. `at` is its index in the \
         list, counted from 0. Nothing has been played.";
    /// A move is not legal.
    IllegalMove, "illegal-move", "The move is not legal",
        "An entry of the list can be read but not be played. `at` is its index in the list, counted from 0, \
         `detail` says why in words, and `problems` gives the reason a code of its own. Nothing has been \
         played, not even the entries before it. The operation `legal-moves` lists what can be played.";
    /// The game is over.
    GameOver, "game-over", "The game is over",
        "A finished game has no moves, rolls or suggestions, and nobody can resign it. In a list of moves, \
         `at` is the index of the first entry after the end. The operation `score` tells who has won.";
    /// The dice are to be rolled first.
    RollFirst, "roll-first", "The dice are to be rolled first",
        "The player to move has not rolled yet, so the only thing that can happen is a roll. The operation \
         `roll` draws one; in a list of moves, a roll such as 63 stands where the dice are rolled.";
    /// The game is played without dice.
    NoDice, "no-dice", "The game has no dice to roll",
        "Nothing is left to chance in this game, so there is nothing to roll. The list under /v1/games tells \
         which games are played with dice.";
    /// The searches of the request would take too long together.
    TooMuchWork, "too-much-work", "The request asks for too much searching",
        "A request about many positions, or about a game, may have only so much searching, counted for all \
         of its searches together. What they would take is estimated before anything is searched; `detail` \
         tells the estimate and the limit. Ask about fewer positions at a time, or less about each. Where \
         the searches turn out to take more than twice the limit, the positions that are left have this \
         problem.";
    /// The body is not JSON.
    MalformedJson, "malformed-json", "The body is not JSON",
        "The body of the request cannot be read as one JSON value in UTF-8. `at` is the index of the \
         character where reading stopped, counted from 0.";
    /// A parameter is missing, unknown or out of range.
    InvalidParameter, "invalid-parameter", "A parameter is wrong",
        "A parameter in the query, or a member of the JSON body, is missing, unknown, given twice, of the \
         wrong type or out of its range; or the body is not an object, or the query is not properly \
         percent-encoded UTF-8. `parameter` names it, and where it is a list, `at` is the index of the entry \
         that is wrong, counted from 0.";
    /// The request lacks valid credentials.
    Unauthorized, "unauthorized", "Credentials are needed",
        "The service has been set up to answer only to callers with a key, and the request had none that it \
         knows.";
    /// There is no such game.
    UnknownGame, "unknown-game", "There is no such game",
        "The path names a game that the service does not know. The list of games is under /v1/games.";
    /// There is nothing under this path.
    NotFound, "not-found", "There is nothing here",
        "No operation has this path. Paths are case-sensitive and do not end with a slash; all of them are \
         listed in the OpenAPI document at /openapi.json and shown at /docs/.";
    /// The path does not know the method.
    MethodNotAllowed, "method-not-allowed", "The method is not allowed here",
        "The path exists, but not for this method. The header `Allow` lists those that it knows.";
    /// The body has not arrived in time.
    RequestTimeout, "request-timeout", "The body has not arrived in time",
        "The service waits only so long for the body of a request, and then closes the connection. A caller \
         on a slow line can send a long game in several requests: start from the state that the last one \
         answered.";
    /// The body is too large.
    PayloadTooLarge, "payload-too-large", "The body is too large",
        "The body of the request, decompressed, is larger than the service reads. A long game can be played \
         in several requests: send the state that the last one answered.";
    /// The path and query are too long.
    UriTooLong, "uri-too-long", "The URI is too long",
        "Path and query together are longer than the service reads. No state or set of parameters that it \
         would accept is that long.";
    /// The body is not announced as JSON.
    UnsupportedMediaType, "unsupported-media-type", "The body must be JSON",
        "Bodies are read only with `Content-Type: application/json`, in UTF-8, and with no \
         `Content-Encoding` other than gzip, deflate or br.";
    /// The caller asks too often.
    TooManyRequests, "too-many-requests", "Too many requests",
        "The caller has sent more requests than its share, has more searches running and waiting, or more \
         requests about many positions, than one caller may have, or has had searches think for longer than \
         its share. The header `Retry-After` tells after how many seconds it may try again.";
    /// The service has too much to do.
    Busy, "busy", "The service is busy",
        "The search would have to wait for too long until those before it are done, or has waited for too \
         long; or as many requests about many positions are answered as the service answers at a time; or \
         it is to be answered in full, and could not be in the time that there was; or there is no memory \
         for one more body or answer while others are sent and read; or the service is shutting down. An \
         answer with status 200 has always been searched. The header `Retry-After` tells after how many \
         seconds to try again.";
    /// The service has failed.
    Internal, "internal", "The service has failed",
        "This is a fault of the service and not of the request. The header `X-Request-Id` of the answer \
         names the request in the service's log; please report it.";
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
