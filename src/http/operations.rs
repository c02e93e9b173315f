//! Handlers of the operations: a question about one state by GET, the same about many positions by POST or
//! QUERY, and questions about a game.

use std::{pin::pin, rc::Rc};

use actix_web::{
    HttpRequest, HttpResponse,
    http::{Method, uri::PathAndQuery},
    web::Data,
};
use futures_util::{
    Stream, StreamExt as _,
    stream::{self, LocalBoxStream},
};

use super::{
    answer::{self, Frame, List, NO_FRAME, Turn, json, one_piece, problem_line, streamed, text},
    extract::{ListFormat, Question},
    headers::{Tag, no_store},
    permits::Pool,
    problem::Problem,
    searching::{Search, TIMING_HEADER, check_work},
    state::AppState,
};
use crate::{
    api::{
        self, AboutGame, AboutState, Asked, Bounds, Entry, Failure, Gather, JSON, Many, Pieces, Played,
        PositionQuestion, Series, Streamed, Work,
        limits::{LIGHT_LINES, LIGHT_MOVES, LIGHT_PLIES, MAX_MOVES, PRICES, SearchAllowance},
        replay, to_json,
    },
    game::{Notation, Stage},
    games::GameId,
    queue::Class,
    with_game,
};

/// Answers a question about one state.
pub async fn get<O: AboutState>(
    request: HttpRequest,
    state: Data<AppState>,
    game: Data<GameId>,
    Question(question): Question<O::Question>,
) -> Result<HttpResponse, Problem> {
    let (game, version) = (**game, state.bounds.tablebases.version());
    let position = PositionQuestion { state: O::state(&question).to_owned(), ..PositionQuestion::default() };
    let turn = Turn::begin();
    let work = with_game!(game, G => {
        // The limits are checked before the state.
        O::effort::<G>(&question, &state.bounds, false)?;
        asked::<O, G>(position, &question, &state.bounds, &turn).await
    })?;
    let is_timed = matches!(&work, Work::Search(search) if search.effort.options.limits.time.is_some());
    let coding = answer::chosen(&request).filter(|_| O::IS_COMPRESSED);
    let tag = (!is_timed).then(|| tag(&request, O::USES_ENGINE.then_some(&state.bounds)).in_coding(coding));
    if let Some(response) = tag.and_then(|tag| tag.not_modified(&request)) {
        return Ok(response);
    }
    let price = O::price(&question);
    if price > 1 {
        state.access.charge(&request, price)?;
    }
    let response = match work {
        Work::AtOnce(text) => answer::at_once(&request, (O::MEDIA, coding), text, &turn, price > 1).await?,
        // HEAD: the length of the body is unknown before the search, and the body is not wanted.
        Work::Search(_) if request.method() == Method::HEAD => {
            streamed(JSON, Vec::new(), Box::new(|_| false))
        }
        Work::Search(search) => {
            if search.effort.options.lines > LIGHT_LINES {
                state.permits.take(&request, Pool::Short).await?;
            }
            // Boxed: it is most of the memory of this future, and requests without a search do not need it.
            let mut search = Box::pin(Search::begin(request, Class::Interactive, game, search)).await?;
            let mut response = json(&search.answer().await?);
            response.headers_mut().insert(TIMING_HEADER, search.timing());
            response
        }
    };
    // A search that finds its tablebase damaged continues without it, but the tag would still name it.
    Ok(match tag.filter(|_| state.bounds.tablebases.version() == version) {
        Some(tag) => tag.attach(response),
        None => no_store(response),
    })
}

/// The ETag of the answer to a URL that does not depend on time. It includes everything else that the answer
/// depends on if it uses the engine.
fn tag(request: &HttpRequest, bounds: Option<&Bounds>) -> Tag {
    let url = request.uri().path_and_query().map_or("", PathAndQuery::as_str);
    let basis =
        bounds.map(|Bounds { search: SearchAllowance { depth, nodes, .. }, table_bytes, tablebases }| {
            let numbers = [u64::from(*depth), *nodes, *table_bytes as u64, tablebases.version().into()];
            numbers.map(u64::to_le_bytes)
        });
    Tag::of(url, basis.unwrap_or_default().as_flattened())
}

/// How to answer a question about a position. Yields to other requests on the same thread while the moves are
/// played.
///
/// # Errors
/// The question has no answer.
pub async fn asked<O: AboutState, G: Played>(
    position: PositionQuestion,
    question: &O::Question,
    bounds: &Bounds,
    turn: &Turn,
) -> Result<Work<O>, Failure> {
    let start = match api::read::<G>(&position.state) {
        Ok(start) => start,
        Err(failure) => return O::about_no_state::<G>(&position.state).ok_or(failure),
    };
    let mut record = position.record(start);
    for ply in replay(&mut record, &position.moves)? {
        ply?;
        turn.pass().await;
    }
    O::ask(Asked { text: &position.state, record, question, bounds })
}

/// The JSON around the items of [`Results`](api::Results), and around an [`Answered`](api::Answered).
const FRAME: Frame = [r#"{"results":["#, "]}"];
const ANSWERED: Frame = [r#"{"answer":"#, "}"];

/// Answers the same question about each of many positions. A position without an answer gets a problem.
pub async fn post_many<O: AboutState>(
    request: HttpRequest,
    state: Data<AppState>,
    game: Data<GameId>,
    Question(Many { positions, question }): Question<Many<O::Question>>,
) -> Result<HttpResponse, Problem> {
    let (game, format) = (**game, ListFormat::wanted(&request));
    let effort = |before_roll| with_game!(game, G => O::effort::<G>(&question, &state.bounds, before_roll));
    let efforts = effort(false)?.zip(effort(true)?);
    let count = positions.len();
    let [mut readable, mut moves, mut rolls] = [0; 3];
    for position in positions.iter().filter_map(|entry| entry.get().ok()) {
        readable += 1;
        moves += position.moves.len();
        rolls += usize::from(with_game!(game, G => is_before_roll::<G>(&position)));
    }
    let mut window = 1;
    let is_long = efforts.is_some_and(|(effort, _)| effort.options.lines > LIGHT_LINES);
    if let Some((after_move, before_roll)) = efforts {
        check_work(&state, game, &[(after_move, count - rolls), (before_roll, rolls)])?;
        // Results that have been found wait for their turn to be sent.
        window = if is_long { 2 } else { state.queue.window() };
    }
    let malformed = u32::try_from(count - readable).unwrap_or(u32::MAX);
    let price = PRICES.of(readable, moves).saturating_mul(O::price(&question)).saturating_add(malformed);
    state.access.charge(&request, price)?;
    let class = if count > 1 { Class::Background } else { Class::Interactive };
    if count > 1 {
        state.permits.take(&request, Pool::Long).await?;
    } else if is_long || moves > LIGHT_MOVES || O::price(&question) > 1 {
        state.permits.take(&request, Pool::Short).await?;
    }
    // Without searches, the answers are computed one after the other, while they are sent.
    let shared = Rc::new((request, question));
    let results = stream::iter(positions).map(move |entry| {
        let shared = shared.clone();
        async move {
            let (request, question) = &*shared;
            result::<O>(entry, request, game, class, question).await
        }
    });
    Ok(answer::respond(format, FRAME, async move |list: &mut List| {
        let mut results = pin!(results.buffered(window));
        while let Some(result) = results.next().await {
            match result {
                Ok(pieces) => list.add(ANSWERED, pieces).await,
                Err(problem) => list.add_text(problem_line(&problem)).await,
            }
        }
    }))
}

/// The answer about one of many positions.
async fn result<O: AboutState>(
    entry: Entry,
    request: &HttpRequest,
    game: GameId,
    class: Class,
    question: &O::Question,
) -> Result<Pieces, Problem> {
    let (position, turn) = (entry.get()?, Turn::begin());
    let bounds = &AppState::of(request).bounds;
    match with_game!(game, G => asked::<O, G>(position, question, bounds, &turn).await)? {
        Work::AtOnce(pieces) => Ok(pieces),
        Work::Search(search) => {
            let found = Search::begin(request.clone(), class, game, search).await?.answer().await?;
            Ok(one_piece(to_json(&found)))
        }
    }
}

/// Whether the dice are to be rolled in a position; false if the position is invalid.
fn is_before_roll<G: Notation>(PositionQuestion { state, moves, .. }: &PositionQuestion) -> bool {
    match moves.last() {
        _ if G::ROLLS.is_empty() => false,
        Some(text) => text.parse::<G::Roll>().is_err(),
        None => G::read(state).is_ok_and(|position| position.stage() == Stage::Roll),
    }
}

/// Answers a question about a game at once.
pub async fn at_once<O: AboutGame>(
    request: HttpRequest,
    state: Data<AppState>,
    game: Data<GameId>,
    Question(question): Question<O::Question>,
) -> Result<HttpResponse, Problem> {
    let game = **game;
    let moves = O::moves(&question).min(MAX_MOVES);
    state.access.charge(&request, PRICES.of(1, moves))?;
    if O::plies(&question) > LIGHT_PLIES {
        state.permits.take(&request, Pool::Short).await?;
    }
    let pieces = with_game!(game, G => O::answer::<G>(&question))?;
    let tag = (O::METHOD == api::Method::Get).then(|| tag(&request, None));
    if let Some(response) = tag.and_then(|tag| tag.not_modified(&request)) {
        return Ok(response);
    }
    let coding = answer::chosen(&request).filter(|_| O::IS_COMPRESSED);
    let response = answer::at_once(&request, (O::MEDIA, coding), pieces, &Turn::begin(), false).await?;
    Ok(match (tag, O::METHOD) {
        (Some(tag), _) => tag.attach(response),
        (None, api::Method::PostOrQuery) => response,
        (None, _) => no_store(response),
    })
}

/// Answers with the results of many searches: each in a line of its own as soon as it is known, or all in one
/// JSON value.
pub async fn stream<O: Streamed>(
    request: HttpRequest,
    state: Data<AppState>,
    game: Data<GameId>,
    Question(question): Question<O::Question>,
) -> Result<HttpResponse, Problem> {
    let (game, format) = (**game, ListFormat::wanted(&request));
    state.permits.take(&request, Pool::Long).await?;
    let series = with_game!(game, G => O::series::<G>(&question, &state.bounds))?;
    let (found, mut answer) = found(&request, game, series)?;
    if format == ListFormat::Lines {
        return Ok(answer::respond(format, NO_FRAME, async move |list: &mut List| {
            if let Some(line) = answer.first_line() {
                list.add_text(line).await;
            }
            let add = async |line: String| {
                list.add_text(line).await;
                Ok(())
            };
            let last = match gather(&mut *answer, found, add).await {
                Ok(()) => answer.last_line(),
                Err(problem) => Some(problem_line(&problem)),
            };
            if let Some(line) = last {
                list.add_text(line).await;
            }
        }));
    }
    // As JSON text, the results take a fraction of the memory.
    let mut added = String::new();
    let add = async |value: String| {
        if !added.is_empty() {
            added.push(',');
        }
        added += &value;
        Ok(())
    };
    gather(&mut *answer, found, add).await?;
    Ok(no_store(text(JSON, answer.whole(&added))))
}

/// A stream of results or problems of searches, and the builder of the answer.
pub type Findings<T> = (LocalBoxStream<'static, Result<T, Problem>>, Box<dyn Gather<T>>);

/// The results of a series of searches, in their order. Only a window of searches waits or runs at a time.
/// The request has a permit.
///
/// # Errors
/// The rate limit or the limit on work is exceeded.
pub fn found<T: Send + 'static>(
    request: &HttpRequest,
    game: GameId,
    series: Series<T>,
) -> Result<Findings<T>, Problem> {
    let Series { searches, efforts, price: (positions, moves), answer } = series;
    let state = AppState::of(request);
    state.access.charge(request, PRICES.of(positions, moves))?;
    check_work(state, game, &efforts)?;
    let (window, request) = (state.queue.window(), request.clone());
    let find = move |search| {
        let request = request.clone();
        async move { Search::begin(request, Class::Background, game, search).await?.answer().await }
    };
    Ok((stream::iter(searches).map(find).buffered(window).boxed_local(), answer))
}

/// Adds the results of searches to an answer, until it is complete.
///
/// # Errors
/// A search has failed, or its result cannot be added.
async fn gather<T>(
    answer: &mut dyn Gather<T>,
    found: impl Stream<Item = Result<T, Problem>>,
    mut add: impl AsyncFnMut(String) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut found = pin!(found);
    while !answer.is_complete() {
        let Some(found) = found.next().await else { break };
        if let Some(added) = answer.add(found?) {
            add(added).await?;
        }
    }
    Ok(())
}
