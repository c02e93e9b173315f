//! Who has won each of these, why, and what counts?

use actix_web::{HttpRequest, HttpResponse, web::Data};

use super::{
    Code, Contract, GameParameter, Problem, Shown, body_problems, limits, positions_example, state_problems,
};
use crate::{
    http::{
        extract::{GameOfPath, Json, ListFormat},
        many::{answer_each, record},
        state::AppState,
    },
    service::{
        PositionsQuestion,
        many::{PositionResult, Results},
        paths,
        score::{self, Score},
        to_json,
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::pure(body_problems![], positions_example).showing(|game, asked| {
    let PositionsQuestion { positions } = asked.question();
    Some(with_game!(game, G => Shown::results(&positions, |position| {
        Ok(score::answer(&position.record::<G>(limits().max_moves)?))
    })))
});

/// Get the scores of many positions
///
/// Answers for up to 1,000 positions, each a state with the moves played since; earlier repetitions
/// count. An invalid position gets a problem in its slot.
#[utoipa::path(
    post,
    path = paths::SCORE,
    operation_id = "getScores",
    tag = "many",
    params(GameParameter),
    request_body = PositionsQuestion,
    responses((
        status = 200,
        description = "The score of each.",
        content(
            (Results<Score> = "application/json"),
            (PositionResult<Score> = "application/x-ndjson"),
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
        answer_each(&request, &state, format, positions, 1, async move |position, turn| {
            let record = record::<G>(&position, max_moves, turn).await?;
            Ok([to_json(&score::answer(&record)).into_bytes()])
        })
    })
}
