//! Where was a game lost, and why?

use actix_web::{HttpRequest, HttpResponse, web::Data};
use futures_util::{Stream, StreamExt as _, TryStreamExt as _, stream};
use serde_json::json;

use super::{
    Code, Contract, GameParameter, Problem, Shown, body_problems, evaluation::demand, json_text, limits,
    problem_line, searched, state_problems,
};
use crate::{
    games::described::Described,
    http::{
        cache_control::no_store,
        context::RequestContext,
        extract::{GameOfPath, Json, ListFormat},
        list_body,
        many::{REPLAYED, SearchOfMany, collect},
        searching::Search,
        state::AppState,
    },
    pool::Demand,
    search::{Control, Options, Playable, Tablebases, TranspositionTable},
    service::{
        SearchPlan,
        analysis::{
            self, AnalysedPly, Analysis, AnalysisEnd, AnalysisLine, AnalysisQuestion, Tally, UnjudgedPly,
        },
        limits::PRICES,
        paths, to_json,
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::pure(
    body_problems![MalformedMove, IllegalMove, GameOver, RollFirst, Busy, TooMuchWork],
    |_, example| {
        let body = || json!({"state": example.state, "moves": example.moves, "nodes": 200});
        (!example.moves.is_empty()).then(body)
    },
)
.showing(|game, asked| {
    let question: AnalysisQuestion = asked.question();
    let plan = analysis::plan(&question, &limits().search).ok()?;
    with_game!(game, G => {
        let game = analysis::Game::<G>::read(&question, limits().max_moves).ok()?;
        Some(shown_analysis(game, plan))
    })
});

/// Analyse a game
///
/// Judges each move beside the best move from the same search, with the reasons, and each roll by its
/// luck. As NDJSON, each ply is a line as soon as it is judged.
///
/// `loss` is never negative: of the last two depths, the one with the smaller loss counts. The last
/// NDJSON line has the players, or a problem if a ply could not be judged. More searching than the
/// service allows is `too-much-work`. The searches stop when you close the connection.
#[utoipa::path(
    post,
    path = paths::ANALYSIS,
    operation_id = "analyseGame",
    tag = "many",
    params(GameParameter),
    request_body = AnalysisQuestion,
    responses((
        status = 200,
        description = "The game, judged.",
        content((Analysis = "application/json"), (AnalysisLine = "application/x-ndjson")),
    )),
)]
pub async fn answer(
    request: HttpRequest,
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    format: ListFormat,
    Json(question): Json<AnalysisQuestion>,
) -> Result<HttpResponse, Problem> {
    let plan = analysis::plan(&question, &state.limits.search)?;
    with_game!(game, G => {
        let game = analysis::Game::<G>::read(&question, state.limits.max_moves)?;
        let count = question.moves.len();
        state.access.charge(&request, PRICES.of(count, count))?;
        judge(RequestContext::of(&request), state, format, game, plan).await
    })
}

/// Lines that are held of each ply: the best, the one that was played, and what is said about them.
const LINES: usize = 16;

async fn judge<G: Described + Playable>(
    context: RequestContext,
    state: Data<AppState>,
    format: ListFormat,
    game: analysis::Game<G>,
    plan: SearchPlan,
) -> Result<HttpResponse, Problem> {
    let searches =
        [(compare_demand::<G>(&plan), game.move_count), (demand::<G>(&plan, true), game.roll_count)];
    let search = SearchOfMany::begin(context, state.clone(), &searches, LINES)?;
    let (last_state, outcome) = (game.state.clone(), game.outcome);
    let window = search.batch.window();
    let mut held = state.in_flight.share();
    held.set((game.move_count + game.roll_count) * REPLAYED * (1 + window / 4))?;
    let judge = move |ply| {
        let _ = &held;
        judge_ply(search.clone(), ply, plan)
    };
    let judged = stream::iter(game).map(judge).buffered(window);
    if format == ListFormat::Lines {
        let end = move |tally: &Tally| AnalysisEnd { players: tally.players(), outcome };
        let lines = lines(Tally::new(!G::ROLLS.is_empty()), judged, end);
        return Ok(list_body::respond_with(format, list_body::NO_FRAME, lines));
    }
    let mut tally = Tally::new(!G::ROLLS.is_empty());
    let add = |ply: AnalysedPly| {
        tally.add(&ply);
        to_json(&ply).into_bytes()
    };
    let plies = collect(&state, judged.map_ok(add)).await?;
    let empty = Analysis { state: last_state, outcome, plies: Vec::new(), players: tally.players() };
    Ok(no_store(json_text(to_json(&empty).replacen("[]", &format!("[{plies}]"), 1).into_bytes())))
}

/// What it takes to compare a move with the best one: several lines are told apart.
fn compare_demand<G: Playable>(plan: &SearchPlan) -> Demand {
    Demand::of::<G>(&Options { lines: 2, ..Options::new(plan.limits) }, 1)
}

async fn judge_ply<G: Described + Playable>(
    search: SearchOfMany,
    ply: UnjudgedPly<G>,
    plan: SearchPlan,
) -> Result<AnalysedPly, Problem> {
    let SearchOfMany { context, state, batch, .. } = search;
    let demand = if ply.is_roll() { demand::<G>(&plan, true) } else { compare_demand::<G>(&plan) };
    let tablebases = state.pool.tablebases().clone();
    let work = move |control: &Control, table: &mut TranspositionTable| {
        ply.judge(&plan, &tablebases, control, table)
    };
    Ok(Search::begin(context, state, &batch, demand, work).await?.answer().await?.ply)
}

/// A game judged, as an example.
fn shown_analysis<G: Described + Playable>(game: analysis::Game<G>, plan: SearchPlan) -> Shown {
    let tablebases = Tablebases::built_in();
    let analysis =
        game.judge(|ply| searched(|control, table| ply.judge(&plan, &tablebases, control, table)).ply);
    Shown::json(&analysis)
}

/// A line for each ply, up to the first that cannot be judged, and if all can be a line about the players.
fn lines(
    tally: Tally,
    judged: impl Stream<Item = Result<AnalysedPly, Problem>>,
    end: impl Fn(&Tally) -> AnalysisEnd,
) -> impl Stream<Item = Vec<u8>> {
    let rest = (tally, Some(Box::pin(judged)), end);
    stream::unfold(rest, async |(mut tally, rest, end)| {
        let mut judged = rest?;
        let (line, rest) = match judged.next().await {
            Some(Ok(ply)) => {
                tally.add(&ply);
                (to_json(&ply).into_bytes(), Some(judged))
            }
            Some(Err(problem)) => (problem_line(&problem), None),
            None => (to_json(&end(&tally)).into_bytes(), None),
        };
        Some((line, (tally, rest, end)))
    })
}
