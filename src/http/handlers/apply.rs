//! Playing a list of moves.

use actix_web::{HttpRequest, HttpResponse, web::Data};

use super::{Code, Contract, GameParameter, Problem, Shown, body_problems, gathered, limits, state_problems};
use crate::{
    http::{
        extract::{GameOfPath, Json},
        state::AppState,
    },
    service::{
        apply::{self, Applied, Apply},
        limits::PRICES,
        paths,
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::pure(body_problems![MalformedMove, IllegalMove, GameOver, RollFirst], |_, example| {
        let body = || serde_json::json!({"state": example.state, "moves": example.moves});
        (!example.moves.is_empty()).then(body)
    })
    .showing(|game, asked| {
        let question: Apply = asked.question();
        let applied = with_game!(game, G => apply::answer::<G>(&question, limits().max_moves));
        Some(Shown::json(&applied.ok()?))
    });

/// Play moves
///
/// Plays the moves in order and lists what happened as events. If one move is illegal, nothing is played,
/// and the problem says why in `at` and `detail`.
///
/// A board needs one request a turn: `plies_from` leaves out the plies it has seen, and `legal_moves`
/// adds the next moves.
#[utoipa::path(
    post,
    path = paths::APPLY,
    operation_id = "applyMoves",
    tag = "play",
    params(GameParameter),
    request_body = Apply,
    responses((status = 200, description = "What became of the moves.", body = Applied)),
)]
pub async fn answer(
    request: HttpRequest,
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    Json(question): Json<Apply>,
) -> Result<HttpResponse, Problem> {
    let max_moves = state.limits.max_moves;
    state.access.charge(&request, PRICES.of(1, question.moves.len().min(max_moves)))?;
    with_game!(game, G => gathered(&state, apply::pieces::<G>(&question, max_moves)?).await)
}
