//! What can be played?

use actix_web::{HttpRequest, HttpResponse};

use super::{Code, Contract, GameParameter, Problem, json_text, state_problems};
use crate::{
    http::{
        cache::{Tag, with_etag},
        extract::{GameOfPath, Query},
    },
    service::{
        self, StateQuestion,
        legal_moves::{self, LegalMoves},
        paths,
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, state_problems![]);

/// List the legal moves
///
/// Every legal move, each with its steps and the state after it. Where the dice are to be rolled there are no
/// moves, but the distinct rolls with their probabilities.
#[utoipa::path(
    get,
    path = paths::LEGAL_MOVES,
    operation_id = "listLegalMoves",
    tag = "states",
    params(GameParameter, StateQuestion),
    responses((status = 200, description = "The legal moves.", body = LegalMoves)),
)]
pub async fn answer(
    request: HttpRequest,
    GameOfPath(game): GameOfPath,
    Query(StateQuestion { state }): Query<StateQuestion>,
) -> Result<HttpResponse, Problem> {
    with_game!(game, G => {
        let position: G = service::read(&state)?;
        let tag = Tag::of("legal-moves", &[&position]);
        with_etag(&request, tag, || Ok(json_text(legal_moves::json(&position))))
    })
}
