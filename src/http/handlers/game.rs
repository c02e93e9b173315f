//! One game, with its rules.

use actix_web::{HttpRequest, HttpResponse};

use super::{Code, Contract, GameParameter, Problem, Shown, json};
use crate::{
    http::{
        cache::{Tag, with_etag},
        extract::{GameOfPath, NoParameters, Query},
    },
    service::{
        games::{self, GameDetails},
        paths,
    },
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, &[Code::InvalidParameter, Code::UnknownGame])
    .showing(|game, _| Some(Shown::json(&games::details(game))));

/// Get a game
///
/// Returns the rules and the notation in Markdown, and the levels with their measured strength. For
/// Cublino, it includes the table of the 24 orientations.
#[utoipa::path(
    get,
    path = paths::GAME,
    operation_id = "describeGame",
    tag = "games",
    params(GameParameter),
    responses((status = 200, description = "The game.", body = GameDetails)),
)]
pub async fn answer(
    request: HttpRequest,
    GameOfPath(id): GameOfPath,
    _: Query<NoParameters>,
) -> Result<HttpResponse, Problem> {
    with_etag(&request, Tag::of("game", &[&id]), || Ok(json(&games::details(id))))
}
