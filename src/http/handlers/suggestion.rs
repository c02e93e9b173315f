//! What to play?

use actix_web::{HttpRequest, HttpResponse, web::Data};

use super::{Code, Contract, GameParameter, Problem, Shown, json, limits, searched, state_problems};
use crate::{
    game::{Game, Notation},
    http::{
        cache::Tag,
        context::RequestContext,
        extract::{GameOfPath, Query},
        searching::{Search, answer_by_search},
        state::AppState,
    },
    pool::Demand,
    search::{
        Analysis, Control, Level, Options, Playable, RootPosition, SearchLimits, Tablebases,
        TranspositionTable, search,
    },
    service::{
        self, MoveList, paths,
        suggestion::{self, Plan, Suggestion, SuggestionQuestion},
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::get(true, state_problems![MalformedMove, IllegalMove, GameOver, RollFirst, Busy])
        .asking("nodes=300")
        .showing(|game, asked| {
            let (text, wish) = asked.question::<SuggestionQuestion>().split();
            let plan = Plan::of(&wish, &limits().search).ok()?;
            with_game!(game, G => {
                let position: G = service::read(&text).ok()?;
                let root = suggestion::root(&position.into(), wish.moves.as_ref()).ok()?;
                let found = searched(work(root, plan.options, Tablebases::built_in(), |_| {}));
                Some(Shown::json(&suggestion::answer(&position, &found, plan.is_reproducible)))
            })
        });

/// Suggest moves
///
/// Returns the best moves with their values and expected lines. With `depth`, `nodes` or `level` and no
/// `time_ms` the answer is the same on every machine, or `busy`.
///
/// The first limit reached ends the search. `time_ms` counts from the start of the search. A search that
/// waits too long for a thread is `busy`.
#[utoipa::path(
    get,
    path = paths::SUGGESTION,
    operation_id = "suggestMove",
    tag = "play",
    params(GameParameter, SuggestionQuestion),
    responses((
        status = 200,
        description = "What to play.",
        body = Suggestion,
        headers(("Server-Timing" = String, description = "How long the search has waited for a thread \
            (wait), and how long it took (search), in milliseconds.")),
    )),
)]
pub async fn answer(
    request: HttpRequest,
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    Query(question): Query<SuggestionQuestion>,
) -> Result<HttpResponse, Problem> {
    let (text, wish) = question.split();
    let plan = Plan::of(&wish, &state.limits.search)?;
    with_game!(game, G => {
        suggest::<G>(&request, &state, service::read(&text)?, plan, wish.moves.as_ref()).await
    })
}

async fn suggest<G: Playable + Notation>(
    request: &HttpRequest,
    state: &Data<AppState>,
    position: G,
    plan: Plan,
    moves: Option<&MoveList>,
) -> Result<HttpResponse, Problem> {
    let root = suggestion::root(&position.into(), moves)?;
    let tag = plan.is_reproducible.then(|| tag(&position, &plan.options, moves, state));
    let search = async { begin(RequestContext::of(request), state.clone(), root, &plan, |_| {}).await };
    answer_by_search(request, tag, search, |analysis| {
        json(&suggestion::answer(&position, analysis, plan.is_reproducible))
    })
    .await
}

/// Waits for the turn of a search for good moves. `on_depth` is called on its thread with what is known after
/// each finished depth.
///
/// # Errors
/// See [`Search::begin`].
pub(super) async fn begin<G: Playable + Notation>(
    context: RequestContext,
    state: Data<AppState>,
    root: RootPosition<G>,
    plan: &Plan,
    on_depth: impl FnMut(&Analysis<G::Move>) + Send + 'static,
) -> Result<Search<Analysis<G::Move>>, Problem> {
    let caller = state.access.id(&context.caller);
    let search = work(root, plan.options, state.pool.tablebases().clone(), on_depth);
    Search::begin(context, state, caller, demand::<G>(plan), search).await
}

/// What it takes to search for good moves.
pub(super) fn demand<G: Playable>(plan: &Plan) -> Demand {
    Demand::of::<G>(&plan.options, 1)
}

/// A search for good moves.
pub(super) fn work<G: Playable>(
    root: RootPosition<G>,
    options: Options,
    tablebases: Tablebases,
    mut on_depth: impl FnMut(&Analysis<G::Move>) + Send + 'static,
) -> impl FnOnce(&Control, &mut TranspositionTable) -> Analysis<G::Move> + Send + 'static {
    move |control, table| search(root, &options, &tablebases, control, table, &mut on_depth)
}

/// The tag of an answer that does not depend on the time.
fn tag(position: &impl Game, options: &Options, moves: Option<&MoveList>, state: &AppState) -> Tag {
    let &Options { limits: SearchLimits { depth, nodes, .. }, lines, level, seed } = options;
    let (depth, nodes, level) = (depth.unwrap_or(0), nodes.unwrap_or(0), level.map_or(0, Level::get));
    let (table, tablebases) = (state.limits.table_bytes, state.pool.tablebases());
    let moves = moves.map(|moves| moves.texts().join(",")).unwrap_or_default();
    Tag::of("suggestion", &[position, &depth, &nodes, &lines, &moves, &level, &seed, &table, tablebases])
}
