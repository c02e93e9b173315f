//! Is it a state, and if not, why not?

use actix_web::{HttpRequest, HttpResponse};

use super::{Code, Contract, GameParameter, Problem, Shown, json};
use crate::{
    http::{
        cache::{Tag, with_etag},
        extract::{GameOfPath, Query},
    },
    service::{
        paths,
        validation::{self, TextQuestion, Validation},
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::get(true, &[Code::InvalidParameter, Code::UnknownGame]).showing(|game, asked| {
        Some(Shown::json(&with_game!(game, G => validation::answer::<G>(asked.question()))))
    });

/// Validate a state
///
/// Checks any string and always answers 200. Lists every problem with its place, or returns the parsed
/// position.
#[utoipa::path(
    get,
    path = paths::VALIDATION,
    operation_id = "validateState",
    tag = "states",
    params(GameParameter, TextQuestion),
    responses((status = 200, description = "What is right or wrong with the text.", body = Validation)),
)]
pub async fn answer(
    request: HttpRequest,
    GameOfPath(game): GameOfPath,
    Query(question): Query<TextQuestion>,
) -> Result<HttpResponse, Problem> {
    with_etag(&request, Tag::of("validation", &[&game, &question.state]), || {
        Ok(json(&with_game!(game, G => validation::answer::<G>(question))))
    })
}
