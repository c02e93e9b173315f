//! Where the operations are: the paths that the server routes, the document lists and links lead to.

use cublino_rules::games::GameId;

/// What the service allows.
pub const LIMITS: &str = "/v1/limits";
/// The list of games.
pub const GAMES: &str = "/v1/games";
/// A game; what the paths of all its operations begin with.
pub const GAME: &str = "/v1/games/{game}";
/// Checks a state.
pub const VALIDATION: &str = "/v1/games/{game}/validation";
/// The legal moves.
pub const LEGAL_MOVES: &str = "/v1/games/{game}/legal-moves";
/// The score.
pub const SCORE: &str = "/v1/games/{game}/score";
/// What to play.
pub const SUGGESTION: &str = "/v1/games/{game}/suggestion";
/// What a position is worth.
pub const EVALUATION: &str = "/v1/games/{game}/evaluation";
/// Judges a whole game.
pub const ANALYSIS: &str = "/v1/games/{game}/analysis";
/// What to play, told while it is worked out.
pub const SUGGESTION_STREAM: &str = "/v1/games/{game}/suggestion/stream";
/// A picture.
pub const BOARD: &str = "/v1/games/{game}/board.svg";
/// Plays a list of moves.
pub const APPLY: &str = "/v1/games/{game}/apply";
/// Draws positions.
pub const RANDOM_POSITIONS: &str = "/v1/games/{game}/random-positions";
/// Rolls the dice.
pub const ROLL: &str = "/v1/games/{game}/roll";

/// What a problem means.
pub const PROBLEM: &str = "/problems/{code}";
/// Whether the service is alive.
pub const HEALTHZ: &str = "/healthz";
/// Whether it is ready.
pub const READYZ: &str = "/readyz";
/// What it counts.
pub const METRICS: &str = "/metrics";
/// The OpenAPI document.
pub const OPENAPI: &str = "/openapi.json";
/// The same for programs that know OpenAPI 3.0 and no newer.
pub const OPENAPI_3_0: &str = "/openapi-3.0.json";

/// The path of an operation for one game.
pub fn of_game(path: &str, id: GameId) -> String {
    path.replace("{game}", id.about().id)
}
