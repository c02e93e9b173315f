//! Are these states, and if not, why not?

use actix_web::{HttpRequest, HttpResponse, web::Data};

use super::{
    Code, Contract, GameParameter, Problem, Shown, body_problems, limits, positions_example, state_problems,
};
use crate::{
    http::{
        extract::{GameOfPath, Json, ListFormat},
        many::answer_each,
        state::AppState,
    },
    service::{
        PositionsQuestion,
        many::{PositionResult, Results},
        paths, to_json,
        validation::{self, Validation},
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::pure(body_problems![], positions_example).showing(|game, asked| {
    let PositionsQuestion { positions } = asked.question();
    Some(with_game!(game, G => Shown::results(&positions, |position| {
        validation::answer_after_moves::<G>(position, limits().max_moves)
    })))
});

/// Validate many states
///
/// Checks up to 1,000 states, each with the moves played since.
#[utoipa::path(
    post,
    path = paths::VALIDATION,
    operation_id = "validateStates",
    tag = "many",
    params(GameParameter),
    request_body = PositionsQuestion,
    responses((
        status = 200,
        description = "What is right or wrong with each.",
        content(
            (Results<Validation> = "application/json"),
            (PositionResult<Validation> = "application/x-ndjson"),
        ),
    )),
)]
pub async fn answer(
    request: HttpRequest,
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    format: ListFormat,
    Json(PositionsQuestion { positions }): Json<PositionsQuestion>,
) -> Result<HttpResponse, Problem> {
    let max_moves = state.limits.max_moves;
    with_game!(game, G => {
        answer_each(&request, &state, format, positions, 1, async move |position, _| {
            Ok([to_json(&validation::answer_after_moves::<G>(&position, max_moves)?).into_bytes()])
        })
    })
}
