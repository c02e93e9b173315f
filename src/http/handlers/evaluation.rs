//! What is a position worth?

use actix_web::{HttpRequest, HttpResponse, web::Data};

use super::{Code, Contract, GameParameter, Problem, Shown, json, limits, searched, state_problems};
use crate::{
    game::{Game, Notation, Record, Stage},
    http::{
        cache::{Tag, with_etag},
        context::RequestContext,
        extract::{GameOfPath, Query},
        searching::{Search, answer_by_search},
        state::AppState,
    },
    pool::{Demand, SearchFor},
    search::{
        Control, Evaluated, Options, Playable, RootPosition, SearchLimits, Tablebases, TranspositionTable,
        evaluate,
    },
    service::{
        self, SearchPlan,
        evaluation::{self, Evaluation, EvaluationQuestion},
        paths,
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::get(true, state_problems![Busy]).asking("nodes=300").showing(|game, asked| {
        let (text, wish) = asked.question::<EvaluationQuestion>().split();
        let plan = evaluation::plan(&wish, &limits().search).ok()?;
        with_game!(game, G => {
            let record = Record::from(service::read::<G>(&text).ok()?);
            let found = searched(work(RootPosition::from(&record), plan.limits, Tablebases::built_in()));
            Some(Shown::json(&evaluation::answer(&record, &found, plan.is_reproducible)))
        })
    });

/// Evaluate a position
///
/// Returns the value for the player to move, in every stage. Before a roll it is the mean over all rolls;
/// after the end it is the result.
///
/// The first limit reached ends the search, and `depth=0` is the static evaluation. With `depth` or
/// `nodes` and no `time_ms` the answer is the same on every machine, or `busy`.
#[utoipa::path(
    get,
    path = paths::EVALUATION,
    operation_id = "evaluatePosition",
    tag = "play",
    params(GameParameter, EvaluationQuestion),
    responses((
        status = 200,
        description = "What the position is worth.",
        body = Evaluation,
        headers(("Server-Timing" = String, description = "How long the search has waited for a thread \
            (wait), and how long it took (search), in milliseconds; only if something was searched.")),
    )),
)]
pub async fn answer(
    request: HttpRequest,
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    Query(question): Query<EvaluationQuestion>,
) -> Result<HttpResponse, Problem> {
    let (text, wish) = question.split();
    let plan = evaluation::plan(&wish, &state.limits.search)?;
    with_game!(game, G => value::<G>(&request, &state, service::read(&text)?, plan).await)
}

async fn value<G: Playable + Notation>(
    request: &HttpRequest,
    state: &Data<AppState>,
    position: G,
    plan: SearchPlan,
) -> Result<HttpResponse, Problem> {
    let record = Record::from(position);
    if needs_no_search(&record, &plan) {
        let tag = tag(&position, &plan, state);
        return with_etag(request, tag, || Ok(json(&at_once(&record, &plan, state))));
    }
    let tag = plan.is_reproducible.then(|| tag(&position, &plan, state));
    let search = async {
        let context = RequestContext::of(request);
        let caller = state.access.id(&context.caller);
        begin(context, state.clone(), caller, &record, &plan).await
    };
    answer_by_search(request, tag, search, |found| {
        json(&evaluation::answer(&record, found, plan.is_reproducible))
    })
    .await
}

/// Whether the answer is known without a search.
pub(super) fn needs_no_search<G: Notation>(record: &Record<G>, plan: &SearchPlan) -> bool {
    plan.limits.depth == Some(0) || matches!(record.stage(), Stage::Over(_))
}

/// The answer that is known without a search.
pub(super) fn at_once<G: Playable + Notation>(
    record: &Record<G>,
    plan: &SearchPlan,
    state: &AppState,
) -> Evaluation {
    // Nothing is looked up in the table, so it is as small as can be.
    let mut table = TranspositionTable::new(0);
    let found = evaluate(record, &plan.limits, state.pool.tablebases(), &Control::new(), &mut table);
    evaluation::answer(record, &found, true)
}

/// Waits for the turn of a search for the value of a position.
///
/// # Errors
/// See [`Search::begin`].
pub(super) async fn begin<G: Playable + Notation>(
    context: RequestContext,
    state: Data<AppState>,
    whom: impl Into<SearchFor<'_>>,
    record: &Record<G>,
    plan: &SearchPlan,
) -> Result<Search<Evaluated<G::Roll>>, Problem> {
    let demand = demand::<G>(plan, record.stage() == Stage::Roll);
    let search = work(RootPosition::from(record), plan.limits, state.pool.tablebases().clone());
    Search::begin(context, state, whom, demand, search).await
}

/// A search for the value of a position.
pub(super) fn work<G: Playable>(
    root: RootPosition<G>,
    limits: SearchLimits,
    tablebases: Tablebases,
) -> impl FnOnce(&Control, &mut TranspositionTable) -> Evaluated<G::Roll> + Send + 'static {
    move |control, table| evaluate(root, &limits, &tablebases, control, table)
}

/// What it takes to evaluate a position: before a roll a search for each.
pub(super) fn demand<G: Playable>(plan: &SearchPlan, is_before_roll: bool) -> Demand {
    let searches = if is_before_roll { G::ROLLS.len() } else { 1 };
    Demand::of::<G>(&Options::new(plan.limits), searches)
}

/// The tag of an answer that does not depend on the time.
fn tag(position: &impl Game, plan: &SearchPlan, state: &AppState) -> Tag {
    let SearchLimits { depth, nodes, .. } = plan.limits;
    let (depth, nodes) = (depth.unwrap_or(0), nodes.unwrap_or(0));
    Tag::of("evaluation", &[position, &depth, &nodes, &state.limits.table_bytes, state.pool.tablebases()])
}
