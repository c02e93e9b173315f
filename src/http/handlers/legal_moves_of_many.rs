//! What can be played in each of these?

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
        legal_moves::{self, LegalMoves, LegalMovesOfManyQuestion},
        many::{PositionResult, Results},
        paths,
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::pure(body_problems![], positions_example).showing(|game, asked| {
    let LegalMovesOfManyQuestion { positions, spellings } = asked.question();
    Some(with_game!(game, G => Shown::results(&positions, |position| {
        let record = position.record::<G>(limits().max_moves)?;
        Ok(legal_moves::answer(&record, spellings.unwrap_or_default()))
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
    request_body = LegalMovesOfManyQuestion,
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
    request: HttpRequest,
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    format: ListFormat,
    Json(LegalMovesOfManyQuestion { positions, spellings }): Json<LegalMovesOfManyQuestion>,
) -> Result<HttpResponse, Problem> {
    let (max_moves, spellings) = (state.limits.max_moves, spellings.unwrap_or_default());
    with_game!(game, G => {
        answer_each(&request, &state, format, positions, 1, async move |position, turn| {
            let record = record::<G>(&position, max_moves, turn).await?;
            Ok(legal_moves::pieces(record, spellings))
        })
    })
}
