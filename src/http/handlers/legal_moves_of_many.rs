//! What can be played in each of these?

use actix_web::{HttpResponse, web::Data};

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
        legal_moves::{self, LegalMoves, Spellings},
        many::{PositionResult, Results},
        paths,
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::pure(body_problems![], positions_example).showing(|game, asked| {
    let PositionsQuestion { positions } = asked.question();
    Some(with_game!(game, G => Shown::results(&positions, |position| {
        let record = position.record::<G>(limits().max_moves)?;
        Ok(legal_moves::answer(&record, Spellings::Usual))
    })))
});

/// List legal moves of many positions
///
/// Answers for up to 1,000 positions, each a state with the moves played since. An invalid position gets
/// a problem in its slot.
#[utoipa::path(
    post,
    path = paths::LEGAL_MOVES,
    operation_id = "listLegalMovesOfMany",
    tag = "many",
    params(GameParameter),
    request_body = PositionsQuestion,
    responses((
        status = 200,
        description = "The legal moves of each.",
        content(
            (Results<LegalMoves> = "application/json"),
            (PositionResult<LegalMoves> = "application/x-ndjson"),
        ),
    )),
)]
pub async fn answer(
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    format: ListFormat,
    Json(PositionsQuestion { positions }): Json<PositionsQuestion>,
) -> Result<HttpResponse, Problem> {
    let max_moves = state.limits.max_moves;
    with_game!(game, G => {
        answer_each(&state, format, positions, move |position, text| {
            legal_moves::append(&position.record::<G>(max_moves)?, text);
            Ok(())
        })
    })
}
