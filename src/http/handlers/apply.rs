//! Playing a list of moves.

use actix_web::{HttpResponse, web::Data};

use super::{Code, Contract, GameParameter, Problem, Shown, body_problems, json, limits, state_problems};
use crate::{
    http::{
        extract::{GameOfPath, Json},
        state::AppState,
    },
    service::{
        apply::{self, Applied, Apply},
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

/// Play a list of moves
///
/// Plays the moves in order and tells what happened, for a user interface to show. All moves are legal, or
/// nothing is played: the problem then names the index of the first that is not, and says why. After the
/// moves a player may resign. With `plies_from` and `legal_moves` a board that shows a game needs one request
/// a turn: it sends all moves, and gets what is new and what can be played.
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
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    Json(question): Json<Apply>,
) -> Result<HttpResponse, Problem> {
    let applied = with_game!(game, G => apply::answer::<G>(&question, state.limits.max_moves))?;
    Ok(json(&applied))
}
