//! Who has won, why, and what counts?

use actix_web::{HttpRequest, HttpResponse};

use super::{Code, Contract, GameParameter, Problem, Shown, json, state_problems};
use crate::{
    http::{
        cache::{Tag, with_etag},
        extract::{GameOfPath, Query},
    },
    service::{
        self, StateQuestion, paths,
        score::{self, Score},
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, state_problems![]).showing(|game, asked| {
    let StateQuestion { state } = asked.question();
    with_game!(game, G => Some(Shown::json(&score::answer(&service::read::<G>(&state).ok()?.into()))))
});

/// Get the score
///
/// Returns whether the game is over, who has won and why, and the points, also while the game still runs.
#[utoipa::path(
    get,
    path = paths::SCORE,
    operation_id = "getScore",
    tag = "states",
    params(GameParameter, StateQuestion),
    responses((status = 200, description = "The score.", body = Score)),
)]
pub async fn answer(
    request: HttpRequest,
    GameOfPath(game): GameOfPath,
    Query(StateQuestion { state }): Query<StateQuestion>,
) -> Result<HttpResponse, Problem> {
    with_game!(game, G => {
        let position: G = service::read(&state)?;
        with_etag(&request, Tag::of("score", &[&position]), || Ok(json(&score::answer(&position.into()))))
    })
}
