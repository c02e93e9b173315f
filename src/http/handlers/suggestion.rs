//! What to play?

use actix_web::{
    Error, HttpRequest, HttpResponse,
    http::{Method, header::ContentType},
    web::{Bytes, Data},
};
use futures_util::stream;

use super::{Code, Contract, GameParameter, Problem, json, state_problems};
use crate::{
    game::{Game, Notation},
    http::{
        cache::Tag,
        cache_control::no_store,
        extract::{GameOfPath, Query},
        searching::{Search, TIMING_HEADER},
        state::AppState,
    },
    search::{Level, Options, Playable, SearchLimits},
    service::{
        self, paths,
        suggestion::{self, Plan, Suggestion, SuggestionQuestion, check_stage},
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, state_problems![GameOver, RollFirst, Busy]);

/// Suggest what to play
///
/// The best moves with their values, and the lines that are expected to follow. The first limit that is
/// reached ends the search. With `depth`, `nodes` or `level`, and without `time_ms`, the answer is the same
/// on every machine, or the problem `busy`; otherwise it depends on how fast the machine is.
///
/// Time is time to think: it runs from the start of the search. A search that would wait for longer than the
/// service allows (a second unless it is set up otherwise), or has, is `busy`. Where searches for more than a
/// second hold all threads and somebody else waits, one of them that is limited by time may end early, after
/// half a second at least; `time_ms` in the answer tells.
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
        headers(("Server-Timing" = String, description = "How long the search has waited for a thread (wait), \
            and how long it took (search), in milliseconds.")),
    )),
)]
pub async fn answer(
    request: HttpRequest,
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    Query(question): Query<SuggestionQuestion>,
) -> Result<HttpResponse, Problem> {
    let plan = Plan::of(&question, &state.limits.search)?;
    with_game!(game, G => suggest::<G>(&request, &state, service::read(&question.state)?, plan).await)
}

async fn suggest<G: Playable + Notation>(
    request: &HttpRequest,
    state: &Data<AppState>,
    position: G,
    plan: Plan,
) -> Result<HttpResponse, Problem> {
    check_stage(&position)?;
    let tag = plan.is_reproducible.then(|| tag(&position, &plan.options, state));
    if let Some(response) = tag.and_then(|tag| tag.not_modified(request)) {
        return Ok(response);
    }
    let cacheable = |response| match tag {
        Some(tag) => tag.attach(response),
        None => no_store(response),
    };
    if request.method() == Method::HEAD {
        return Ok(cacheable(head(ContentType::json())));
    }
    let mut search = Search::begin(request, state, position, plan.options, |_| {}).await?;
    let analysis = search.answer().await?;
    let mut response = json(&suggestion::answer(&position, &analysis, plan.is_reproducible));
    response.headers_mut().insert(TIMING_HEADER, search.timing());
    Ok(cacheable(response))
}

/// The tag of an answer that does not depend on the time.
fn tag(position: &impl Game, options: &Options, state: &AppState) -> Tag {
    let &Options { limits: SearchLimits { depth, nodes, .. }, lines, level, seed } = options;
    let (depth, nodes, level) = (depth.unwrap_or(0), nodes.unwrap_or(0), level.map_or(0, Level::get));
    let (table, tablebases) = (state.limits.table_bytes, state.pool.tablebases());
    Tag::of("suggestion", &[position, &depth, &nodes, &lines, &level, &seed, &table, tablebases])
}

/// The head of an answer whose body has an unknown length and is not wanted.
fn head(content_type: ContentType) -> HttpResponse {
    HttpResponse::Ok().content_type(content_type).streaming(stream::empty::<Result<Bytes, Error>>())
}
