//! What to play?

use std::time::Duration;

use actix_web::{
    Error, HttpRequest, HttpResponse,
    http::{Method, header::ContentType},
    web::{Bytes, Data},
};
use futures_util::stream;

use super::{Code, Contract, GameParameter, Problem, json_bytes, read_state, state_problems};
use crate::{
    game::{Game, Stage},
    games::{GameId, described::Described},
    http::{
        Limits, State,
        api::{
            Depth, LineCount, Nodes, SearchReport, Seed, SuggestedLine, Suggestion, SuggestionQuery, Text,
            TimeMs,
        },
        cache::{Tag, unkept},
        extract::{Path, Query},
        searching::{Search, TIMING_HEADER},
    },
    search::{self, Analysis, Evaluate, Level, Options},
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, state_problems![GameOver, RollFirst, Busy]);

/// How long the service thinks if it is told no limit and no level.
const DEFAULT_TIME: Duration = Duration::from_millis(500);

/// Suggest what to play
///
/// The best moves with their values, and the lines that are expected to follow. The first limit that is reached ends the search. With `depth`,
/// `nodes` or `level`, and without `time_ms`, the answer is the same on every machine, or the problem `busy`; otherwise it depends on how fast the
/// machine is.
///
/// Time is time to think: it runs from the start of the search. A search that would wait for longer than the service allows (a second unless it
/// is set up otherwise), or has, is `busy`. Where searches for more than a second hold all threads and somebody else waits, one of them that is
/// limited by time may end early, after half a second at least; `time_ms` in the answer tells.
#[utoipa::path(
    get,
    path = "/v1/games/{game}/suggestion",
    operation_id = "suggestMove",
    tag = "play",
    params(GameParameter, SuggestionQuery),
    responses((
        status = 200,
        description = "What to play.",
        body = Suggestion,
        headers(("Server-Timing" = String, description = "How long the search has waited for a thread (wait), and how long it took \
            (search), in milliseconds.")),
    )),
)]
pub async fn answer(
    request: HttpRequest,
    state: Data<State>,
    Path(game): Path<GameId>,
    Query(query): Query<SuggestionQuery>,
) -> Result<HttpResponse, Problem> {
    let plan = Plan::of(&query, &state.limits)?;
    with_game!(game, G => suggest::<G>(&request, &state, read_state(&query.state)?, plan).await)
}

/// What is asked of the search, and whether its answer depends on nothing else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) options: Options,
    reproducible: bool,
}

impl Plan {
    /// What a query asks for, within the limits of the service.
    pub(super) fn of(query: &SuggestionQuery, limits: &Limits) -> Result<Self, Problem> {
        let time = query.time_ms.map(TimeMs::get);
        let depth = query.depth.map(Depth::get);
        let nodes = query.nodes.map(Nodes::get);
        let lines = query.lines.map(LineCount::get);
        check("time_ms", time, limits.max_time.as_millis() as u64)?;
        check("depth", depth, limits.max_depth.into())?;
        check("nodes", nodes, limits.max_nodes)?;
        check("lines", lines, limits.max_lines)?;

        let reproducible = time.is_none() && (depth.is_some() || nodes.is_some() || query.level.is_some());
        let default_time = (!reproducible).then_some(DEFAULT_TIME.min(limits.max_time));
        let limits = search::Limits {
            time: time.map(Duration::from_millis).or(default_time),
            depth: Some(depth.map_or(limits.max_depth, |depth| depth as u32)),
            nodes: Some(nodes.unwrap_or(limits.max_nodes)),
        };
        let options = Options {
            limits,
            lines: lines.map_or(1, |lines| lines as usize),
            level: query.level.map(|level| Level::try_from(level.get() as u8).expect("levels are 1 to 8")),
            seed: query.seed.map_or(0, Seed::get),
        };
        Ok(Self { options, reproducible })
    }

    /// The tag of the answer; none if it depends on the time.
    fn tag(&self, position: &impl Game, state: &State) -> Option<Tag> {
        let Options { limits: search::Limits { depth, nodes, .. }, lines, level, seed } = self.options;
        let level = level.map_or(0, Level::get);
        let tag = || {
            let (depth, nodes) = (depth.unwrap_or(0), nodes.unwrap_or(0));
            let (table, knowledge) = (state.limits.table_bytes, state.pool.knowledge());
            Tag::of("suggestion", &[position, &depth, &nodes, &lines, &level, &seed, &table, knowledge])
        };
        self.reproducible.then(tag)
    }
}

/// A limit must not be above that of the service.
fn check(name: &str, asked: Option<u64>, max: u64) -> Result<(), Problem> {
    match asked {
        Some(asked) if asked > max => {
            let detail = format!(
                "the parameter '{name}' is wrong: {asked} is more than {max}, the limit of this service"
            );
            Err(Problem::invalid_parameter(name, detail))
        }
        _ => Ok(()),
    }
}

async fn suggest<G: Described + Evaluate>(
    request: &HttpRequest,
    state: &Data<State>,
    position: G,
    plan: Plan,
) -> Result<HttpResponse, Problem> {
    check_stage(&position)?;
    let tag = plan.tag(&position, state);
    if let Some(response) = tag.and_then(|tag| tag.not_modified(request)) {
        return Ok(response);
    }
    let cacheable = |response| match tag {
        Some(tag) => tag.attach(response),
        None => unkept(response),
    };
    if request.method() == Method::HEAD {
        return Ok(cacheable(head(ContentType::json())));
    }
    let mut search = Search::begin(request, state, position, plan.options, |_| {}).await?;
    let analysis = search.answer().await?;
    let mut response = json_bytes(suggestion(&position, &analysis, tag.is_some()));
    response.headers_mut().insert(TIMING_HEADER, search.timing());
    Ok(cacheable(response))
}

/// The head of an answer whose body has an unknown length and is not wanted.
pub(super) fn head(content_type: ContentType) -> HttpResponse {
    HttpResponse::Ok().content_type(content_type).streaming(stream::empty::<Result<Bytes, Error>>())
}

/// There is something to suggest only where the player to move has a choice of moves.
pub(super) fn check_stage(position: &impl Game) -> Result<(), Problem> {
    match position.stage() {
        Stage::Move => Ok(()),
        Stage::Roll => {
            let detail = "the dice are to be rolled before there is a move to suggest";
            Err(Problem::new(Code::RollFirst, detail))
        }
        Stage::Over(_) => {
            Err(Problem::new(Code::GameOver, "the game is over, so there is no move to suggest"))
        }
    }
}

/// What a search has found, in JSON. A `reproducible` answer does not tell how long it took.
pub(super) fn suggestion<G: Described + Evaluate>(
    position: &G,
    analysis: &Analysis<G::Move>,
    reproducible: bool,
) -> Vec<u8> {
    let spelled: Vec<Vec<String>> = analysis.lines.iter().map(|line| spell(*position, &line.pv)).collect();
    let lines: Vec<_> = spelled
        .iter()
        .zip(&analysis.lines)
        .map(|(pv, line)| SuggestedLine { first: &pv[0], pv, value: line.value })
        .collect();
    let body = Suggestion {
        state: Text(position),
        turn: position.turn(),
        best: lines[0].first,
        lines,
        search: SearchReport {
            depth: analysis.depth,
            complete: analysis.complete,
            nodes: analysis.nodes,
            time_ms: (!reproducible).then_some(analysis.time.as_millis() as u64),
            stopped_by: analysis.stopped_by,
        },
    };
    serde_json::to_vec(&body).expect("answers have no maps with odd keys")
}

/// The moves of a line as they are written.
fn spell<G: Described>(mut position: G, line: &[G::Move]) -> Vec<String> {
    line.iter()
        .map(|&m| {
            let text = position.spell(m).to_string();
            position.play_unchecked(m);
            text
        })
        .collect()
}
