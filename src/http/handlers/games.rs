//! The list of games.

use actix_web::{HttpRequest, HttpResponse};

use super::{Code, Contract, Problem, Shown, json};
use crate::{
    http::{
        cache::{Tag, with_etag},
        extract::{NoParameters, Query},
    },
    service::{
        games::{self, Games},
        paths,
    },
};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::get(true, &[Code::InvalidParameter]).showing_one(|_| Shown::json(&games::answer()));

/// List games
///
/// Returns all games, each with its start state, goal, notation and links.
#[utoipa::path(
    get,
    path = paths::GAMES,
    operation_id = "listGames",
    tag = "games",
    responses((status = 200, description = "The games.", body = Games)),
)]
pub async fn answer(request: HttpRequest, _: Query<NoParameters>) -> Result<HttpResponse, Problem> {
    with_etag(&request, Tag::of("games", &[]), || Ok(json(&games::answer())))
}
