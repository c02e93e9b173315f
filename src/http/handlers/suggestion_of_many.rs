//! What to play in each of these positions?

use actix_web::{HttpRequest, HttpResponse, web::Data};

use super::{
    Code, Contract, GameParameter, Problem, Shown, body_problems, limits, searched,
    searched_positions_example, state_problems,
    suggestion::{demand, work},
};
use crate::{
    game::Record,
    http::{
        extract::{GameOfPath, Json, ListFormat},
        many::{SearchOfMany, search_each},
        searching::Search,
        state::AppState,
    },
    search::Tablebases,
    service::{
        many::{PositionResult, Results},
        paths,
        suggestion::{self, Plan, Suggestion, SuggestionsQuestion},
        to_json,
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::pure(body_problems![Busy, TooMuchWork], searched_positions_example)
    .showing(|game, asked| {
        let (positions, wish) = asked.question::<SuggestionsQuestion>().split();
        let plan = Plan::of(&wish, &limits().search).ok()?;
        Some(with_game!(game, G => Shown::results(&positions, |position| {
            let record = position.record::<G>(limits().max_moves)?;
            let root = suggestion::root(&record, wish.moves.as_ref())?;
            let found = searched(work(root, plan.options, Tablebases::built_in(), |_| {}));
            Ok(suggestion::answer(record.position(), &found, plan.is_reproducible))
        })))
    });

/// Suggest moves in many positions
///
/// Answers for up to 1,000 positions, each a state with the moves played since; earlier repetitions
/// count. An invalid position gets a problem in its slot.
///
/// More searching than the service allows is `too-much-work`. The searches stop when you close the
/// connection.
#[utoipa::path(
    post,
    path = paths::SUGGESTION,
    operation_id = "suggestMoves",
    tag = "many",
    params(GameParameter),
    request_body = SuggestionsQuestion,
    responses((
        status = 200,
        description = "What to play in each.",
        content(
            (Results<Suggestion> = "application/json"),
            (PositionResult<Suggestion> = "application/x-ndjson"),
        ),
    )),
)]
pub async fn answer(
    request: HttpRequest,
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    format: ListFormat,
    Json(question): Json<SuggestionsQuestion>,
) -> Result<HttpResponse, Problem> {
    let (positions, wish) = question.split();
    let plan = Plan::of(&wish, &state.limits.search)?;
    let moves = wish.moves;
    with_game!(game, G => {
        let suggest = move |search: SearchOfMany, record: Record<G>| {
            let root = suggestion::root(&record, moves.as_ref());
            async move {
                let SearchOfMany { context, state, batch, .. } = search;
                let search = work(root?, plan.options, state.pool.tablebases().clone(), |_| {});
                let search = Search::begin(context, state, &batch, demand::<G>(&plan), search);
                let found = search.await?.answer().await?;
                Ok(to_json(&suggestion::answer(record.position(), &found, plan.is_reproducible)))
            }
        };
        search_each(&request, &state, format, positions, |_| demand::<G>(&plan), plan.options.lines, suggest)
    })
}
