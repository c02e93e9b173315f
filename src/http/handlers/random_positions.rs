//! Positions of games that are drawn.

use actix_web::{HttpRequest, HttpResponse, web::Data};
use futures_util::{Stream, StreamExt as _, TryStreamExt as _, stream};
use serde_json::json;

use super::{Code, Contract, GameParameter, Problem, Shown, json_text, limits, problem_line, searched};
use crate::{
    game::Notation,
    http::{
        cache_control::no_store,
        context::RequestContext,
        extract::{GameOfPath, Json, ListFormat},
        list_body,
        many::{SearchOfMany, collect},
        searching::Search,
        state::AppState,
    },
    pool::Demand,
    search::{Control, Options, Playable, SearchLimits, Tablebases, TranspositionTable},
    service::{
        limits::PRICES,
        paths,
        random_positions::{
            Drawing, DrawnBy, GOOD_LEVEL, Plan, PlayStyle, RandomPosition, RandomPositions,
            RandomPositionsLine, RandomPositionsQuestion, UnplayedGame,
        },
        to_json,
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::drawing(
    &[
        Code::InvalidParameter,
        Code::UnknownGame,
        Code::MalformedJson,
        Code::RequestTimeout,
        Code::PayloadTooLarge,
        Code::UnsupportedMediaType,
        Code::Busy,
        Code::TooMuchWork,
    ],
    |game, example| {
        let start = with_game!(game, G => G::default().to_string());
        let body = || json!({"count": 3, "seed": 7, "plies": {"from": 2, "to": 6}, "play": "good"});
        (example.state == start).then(body)
    },
)
.showing(|game, asked| {
    let question: RandomPositionsQuestion = asked.question();
    let plan = Plan::of(&question, limits().max_positions, limits().max_moves).ok()?;
    Some(with_game!(game, G => shown_positions::<G>(&plan)))
});

/// Draw random positions
///
/// Plays games and returns distinct positions in progress, each with its moves. The same seed gives the
/// same answer on every machine.
///
/// If 200 games in a row bring no new position, the answer is shorter than `count`. The first NDJSON line
/// is `{"seed": …}`; each position follows as a line as soon as it is known. More work than the service
/// allows is `too-much-work`.
#[utoipa::path(
    post,
    path = paths::RANDOM_POSITIONS,
    operation_id = "drawPositions",
    tag = "many",
    params(GameParameter),
    request_body = RandomPositionsQuestion,
    responses((
        status = 200,
        description = "The positions.",
        content((RandomPositions = "application/json"), (RandomPositionsLine = "application/x-ndjson")),
    )),
)]
pub async fn answer(
    request: HttpRequest,
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    format: ListFormat,
    Json(question): Json<RandomPositionsQuestion>,
) -> Result<HttpResponse, Problem> {
    let plan = Plan::of(&question, state.limits.max_positions, state.limits.max_moves)?;
    with_game!(game, G => draw::<G>(&request, state, format, &plan).await)
}

async fn draw<G: Playable + Notation>(
    request: &HttpRequest,
    state: Data<AppState>,
    format: ListFormat,
    plan: &Plan,
) -> Result<HttpResponse, Problem> {
    /// What a position that has been drawn takes, and a ply of a game that waits to be told, in bytes.
    const DRAWN: usize = 192;
    const PLY: usize = 64;

    let (demand, most_plies) = (demand::<G>(plan), *plan.plies.end());
    state.access.charge(request, PRICES.of(plan.count, plan.count * most_plies))?;
    let context = RequestContext::of(request);
    let search = SearchOfMany::begin(context, state.clone(), &[(demand, plan.count)], 1)?;
    let window = search.batch.window();
    let mut held = state.in_flight.share();
    held.set(plan.count * DRAWN + window * most_plies * PLY)?;
    let play_one = move |game| {
        let _ = &held;
        play_game::<G>(search.clone(), demand, game)
    };
    let games = stream::iter(plan.games()).map(play_one);
    let positions = different(Drawing::new(plan), games.buffered(window));
    if format == ListFormat::Lines {
        let seed = to_json(&DrawnBy { seed: plan.seed }).into_bytes();
        let lines = stream::once(async { seed }).chain(positions.map(line));
        return Ok(list_body::respond_with(format, list_body::NO_FRAME, lines));
    }
    let positions = positions.map_ok(|position| to_json(&position).into_bytes());
    let positions = collect(&state, positions).await?;
    let text = format!(r#"{{"seed":{},"positions":[{positions}]}}"#, plan.seed);
    Ok(no_store(json_text(text.into_bytes())))
}

/// Positions drawn, as an example.
fn shown_positions<G: Playable + Notation>(plan: &Plan) -> Shown {
    let (tablebases, mut drawing) = (Tablebases::built_in(), Drawing::new(plan));
    let mut games = plan.games();
    let mut positions = Vec::new();
    while !drawing.is_over() {
        let game = games.next().expect("there are games without end");
        let played = searched(|control, _| game.play::<G>(&tablebases, control));
        positions.extend(drawing.take(played.position));
    }
    Shown::json(&RandomPositions { seed: plan.seed, positions })
}

/// What it takes to play one of the games: a search for each ply.
fn demand<G: Playable>(plan: &Plan) -> Demand {
    let depth = match plan.play {
        PlayStyle::Random => Some(0),
        PlayStyle::Good => G::LEVELS[usize::from(GOOD_LEVEL) - 1].depth(),
    };
    let limits = SearchLimits { depth, ..SearchLimits::default() };
    Demand::of::<G>(&Options::new(limits), *plan.plies.end())
}

async fn play_game<G: Playable + Notation>(
    SearchOfMany { context, state, batch, .. }: SearchOfMany,
    demand: Demand,
    game: UnplayedGame,
) -> Result<Option<RandomPosition>, Problem> {
    let tablebases = state.pool.tablebases().clone();
    let play = move |control: &Control, _: &mut TranspositionTable| game.play::<G>(&tablebases, control);
    Ok(Search::begin(context, state, &batch, demand, play).await?.answer().await?.position)
}

/// The positions that are drawn from games, up to the first problem.
fn different(
    drawing: Drawing,
    games: impl Stream<Item = Result<Option<RandomPosition>, Problem>>,
) -> impl Stream<Item = Result<RandomPosition, Problem>> {
    stream::unfold((drawing, Some(Box::pin(games))), async |(mut drawing, games)| {
        let mut games = games?;
        while !drawing.is_over() {
            match games.next().await? {
                Ok(position) => {
                    if let Some(new) = drawing.take(position) {
                        return Some((Ok(new), (drawing, Some(games))));
                    }
                }
                Err(problem) => return Some((Err(problem), (drawing, None))),
            }
        }
        None
    })
}

fn line(position: Result<RandomPosition, Problem>) -> Vec<u8> {
    match position {
        Ok(position) => to_json(&position).into_bytes(),
        Err(problem) => problem_line(&problem),
    }
}
