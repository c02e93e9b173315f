//! Where the operations are: the paths that the server routes, the document lists and links lead to.

use super::Operation;
use cublino_rules::games::GameId;

/// What the service allows.
pub const LIMITS: &str = "/v1/limits";
/// The list of games.
pub const GAMES: &str = "/v1/games";
/// A game; what the paths of all its operations begin with.
pub const GAME: &str = "/v1/games/{game}";
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

/// The tools for language models.
pub const MCP: &str = "/mcp";
/// What there is, for language models.
pub const LLMS: &str = "/llms.txt";
/// What there is, for programs.
pub const API_CATALOG: &str = "/.well-known/api-catalog";

/// The path of an operation on a game.
///
/// ```
/// use cublino_api::{legal_moves::LegalMoves, paths::of_operation};
/// use cublino_rules::games::GameId;
///
/// assert_eq!(of_operation::<LegalMoves>(GameId::Wari), "/v1/games/wari/legal-moves");
/// ```
pub fn of_operation<O: Operation>(id: GameId) -> String {
    format!("{}/{}", of_game(GAME, id), O::NAME)
}

/// The path of an operation for one game.
pub fn of_game(path: &str, id: GameId) -> String {
    path.replace("{game}", id.about().id)
}
