//! What is each of these positions worth?

use actix_web::{HttpRequest, HttpResponse, web::Data};

use super::{
    Code, Contract, GameParameter, Problem, Shown, body_problems,
    evaluation::{at_once, begin, demand, needs_no_search, work},
    limits, searched, searched_positions_example, state_problems,
};
use crate::{
    game::Record,
    http::{
        extract::{GameOfPath, Json, ListFormat},
        many::{SearchOfMany, answer_each, record, search_each},
        state::AppState,
    },
    search::{RootPosition, Tablebases},
    service::{
        evaluation::{self, Evaluation, EvaluationsQuestion},
        many::{PositionResult, Results},
        paths, to_json,
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::pure(body_problems![Busy, TooMuchWork], searched_positions_example)
    .showing(|game, asked| {
        let (positions, wish) = asked.question::<EvaluationsQuestion>().split();
        let plan = evaluation::plan(&wish, &limits().search).ok()?;
        Some(with_game!(game, G => Shown::results(&positions, |position| {
            let record = position.record::<G>(limits().max_moves)?;
            let found = searched(work(RootPosition::from(&record), plan.limits, Tablebases::built_in()));
            Ok(evaluation::answer(&record, &found, plan.is_reproducible))
        })))
    });

/// Values that are held of each position: before a roll one for each.
const LINES: usize = 32;

/// Evaluate many positions
///
/// Evaluates up to 1,000 positions, each a state with the moves played since; earlier repetitions count.
/// An invalid position gets a problem in its slot.
///
/// More searching than the service allows is `too-much-work`. The searches stop when you close the
/// connection.
#[utoipa::path(
    post,
    path = paths::EVALUATION,
    operation_id = "evaluatePositions",
    tag = "many",
    params(GameParameter),
    request_body = EvaluationsQuestion,
    responses((
        status = 200,
        description = "What each is worth.",
        content(
            (Results<Evaluation> = "application/json"),
            (PositionResult<Evaluation> = "application/x-ndjson"),
        ),
    )),
)]
pub async fn answer(
    request: HttpRequest,
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    format: ListFormat,
    Json(question): Json<EvaluationsQuestion>,
) -> Result<HttpResponse, Problem> {
    let (positions, wish) = question.split();
    let plan = evaluation::plan(&wish, &state.limits.search)?;
    with_game!(game, G => {
        let max_moves = state.limits.max_moves;
        if plan.limits.depth == Some(0) {
            let pool = state.clone();
            return answer_each(&request, &state, format, positions, 1, async move |position, turn| {
            let record = record::<G>(&position, max_moves, turn).await?;
                Ok([to_json(&at_once(&record, &plan, &pool)).into_bytes()])
            });
        }
        let demand = |is_before_roll| demand::<G>(&plan, is_before_roll);
        let evaluate = move |search: SearchOfMany, record: Record<G>| async move {
            if needs_no_search(&record, &plan) {
                return Ok(to_json(&at_once(&record, &plan, &search.state)));
            }
            let SearchOfMany { context, state, batch, .. } = search;
            let found = begin(context, state, &batch, &record, &plan).await?.answer().await?;
            Ok(to_json(&evaluation::answer(&record, &found, plan.is_reproducible)))
        };
        search_each(&request, &state, format, positions, demand, LINES, evaluate)
    })
}
