//! The paths of the operations, for routing, the OpenAPI document and links.

use super::Operation;
use cublino_rules::games::GameId;

/// The limits of the service.
pub const LIMITS: &str = "/v1/limits";
/// The list of games.
pub const GAMES: &str = "/v1/games";
/// A game; the paths of all its operations begin with it.
pub const GAME: &str = "/v1/games/{game}";
/// The explanation of a problem.
pub const PROBLEM: &str = "/problems/{code}";
/// The liveness probe.
pub const HEALTHZ: &str = "/healthz";
/// The readiness probe.
pub const READYZ: &str = "/readyz";
/// The metrics.
pub const METRICS: &str = "/metrics";
/// The OpenAPI document.
pub const OPENAPI: &str = "/openapi.json";

/// The tools for language models.
pub const MCP: &str = "/mcp";
/// The description of the service for language models.
pub const LLMS: &str = "/llms.txt";
/// The catalog of the service for programs.
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
