//! Handlers of the operations: a question about one state by GET, the same about many positions by POST or
//! QUERY, and questions about a game.

use std::{pin::pin, rc::Rc};

use actix_web::{
    HttpRequest, HttpResponse,
    http::{Method, uri::PathAndQuery},
    web::Data,
};
use cublino_guard::Share;
use futures_util::{
    Stream, StreamExt as _,
    stream::{self, LocalBoxStream},
};

use super::{
    answer::{
        self, Frame, List, NO_FRAME, Turn, UNCOUNTED, gathered, json, one_piece, pieces, problem_line, text,
    },
    extract::{ListFormat, Question},
    headers::{Tag, no_store},
    problem::Problem,
    searching::{Search, SearchOfMany, TIMING_HEADER},
    state::AppState,
};
use crate::{
    api::{
        self, AboutGame, AboutState, Asked, Bounds, Entry, Failure, Gather, JSON, Many, Pieces, Played,
        PositionQuestion, REPLAYED, Series, Streamed, Work, check_count,
        limits::{MAX_MOVES, MAX_POSITIONS, PRICES, SearchAllowance},
        replay, to_json,
    },
    game::{Notation, Stage},
    games::GameId,
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
    let tag = (!is_timed).then(|| tag(&request, &state.bounds));
    if let Some(response) = tag.and_then(|tag| tag.not_modified(&request)) {
        return Ok(response);
    }
    let response = match work {
        Work::AtOnce(text) if O::price(&question) > 1 => {
            state.access.charge(&request, O::price(&question))?;
            pieces(O::MEDIA, text)
        }
        Work::AtOnce(text) => gathered(&state, O::MEDIA, text, &turn).await?,
        // HEAD: the length of the body is unknown before the search, and the body is not wanted.
        Work::Search(_) if request.method() == Method::HEAD => pieces(JSON, Box::new(|_| false)),
        Work::Search(search) => {
            // Boxed: it is most of the memory of this future, and requests without a search do not need it.
            let mut search = Box::pin(Search::begin(request, None, game, search)).await?;
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

/// The ETag of the answer to a URL that does not depend on time. It includes everything else that searches
/// and static evaluations depend on.
fn tag(request: &HttpRequest, bounds: &Bounds) -> Tag {
    let url = request.uri().path_and_query().map_or("", PathAndQuery::as_str);
    let Bounds { search: SearchAllowance { depth, nodes, .. }, table_bytes, tablebases, .. } = bounds;
    let basis = [u64::from(*depth), *nodes, *table_bytes as u64, tablebases.version().into()];
    Tag::of(url, basis.map(u64::to_le_bytes).as_flattened())
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
    check_count("positions", count, MAX_POSITIONS)?;
    let moves = positions.iter().map(Entry::moves).sum();
    let price = PRICES.of(count, moves).saturating_mul(O::price(&question));
    state.access.charge(&request, price)?;
    let batch = match efforts {
        Some((after_move, before_roll)) => {
            let is_before_roll = |entry: &&Entry| with_game!(game, G => is_before_roll::<G>(entry));
            let rolls = positions.iter().filter(is_before_roll).count();
            let efforts = [(after_move, count - rolls), (before_roll, rolls)];
            Some(SearchOfMany::begin(&request, game, &efforts)?)
        }
        None => None,
    };
    // Without searches, the answers are computed one after the other, while they are sent.
    let window = if batch.is_some() { state.queue.window() } else { 1 };
    // The request holds the question's share of the bytes in flight until the answer is complete.
    let shared = Rc::new((request, batch, question));
    let results = stream::iter(positions).map(move |entry| {
        let shared = shared.clone();
        async move {
            let (request, batch, question) = &*shared;
            result::<O>(entry, AppState::of(request), game, batch.as_ref(), question).await
        }
    });
    Ok(answer::respond(format, FRAME, async move |list: &mut List| {
        let mut results = pin!(results.buffered(window));
        while let Some(result) = results.next().await {
            match result {
                Ok((pieces, _share)) => list.add(ANSWERED, pieces).await,
                Err(problem) => list.add_text(problem_line(&problem)).await,
            }
        }
    }))
}

/// The answer about one of many positions, and its share of the bytes in flight, held until it has been sent.
async fn result<O: AboutState>(
    entry: Entry,
    state: &AppState,
    game: GameId,
    batch: Option<&SearchOfMany>,
    question: &O::Question,
) -> Result<(Pieces, Share), Problem> {
    let mut share = state.in_flight.share();
    let (position, turn) = (entry.get()?, Turn::begin());
    if batch.is_some() {
        share.set(position.moves.len() * REPLAYED)?;
    }
    let work = with_game!(game, G => asked::<O, G>(position, question, &state.bounds, &turn).await)?;
    match (work, batch) {
        (Work::AtOnce(pieces), _) => {
            share.set(0)?;
            Ok((pieces, share))
        }
        (Work::Search(search), Some(batch)) => {
            let text = to_json(&batch.find(search).await?);
            share.set(text.len().saturating_sub(UNCOUNTED))?;
            Ok((one_piece(text), share))
        }
        (Work::Search(_), None) => unreachable!("what has no effort is not searched"),
    }
}

/// Whether the dice are to be rolled in a position; false if the position is invalid.
fn is_before_roll<G: Notation>(entry: &Entry) -> bool {
    let Some(PositionQuestion { state, moves, .. }) = entry.get().ok().filter(|_| !G::ROLLS.is_empty())
    else {
        return false;
    };
    match moves.last() {
        Some(text) => text.parse::<G::Roll>().is_err(),
        None => G::read(&state).is_ok_and(|position| position.stage() == Stage::Roll),
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
    let pieces = with_game!(game, G => O::answer::<G>(&question))?;
    let tag = (O::METHOD == api::Method::Get).then(|| tag(&request, &state.bounds));
    if let Some(response) = tag.and_then(|tag| tag.not_modified(&request)) {
        return Ok(response);
    }
    let response = gathered(&state, O::MEDIA, pieces, &Turn::begin()).await?;
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
    let (mut added, mut share) = (String::new(), state.in_flight.share());
    let add = async |value: String| {
        if !added.is_empty() {
            added.push(',');
        }
        added += &value;
        Ok(share.set(added.len())?)
    };
    gather(&mut *answer, found, add).await?;
    Ok(no_store(text(JSON, answer.whole(&added).into_bytes())))
}

/// A stream of results or problems of searches, and the builder of the answer.
pub type Findings<T> = (LocalBoxStream<'static, Result<T, Problem>>, Box<dyn Gather<T>>);

/// The results of a series of searches, in their order. Only a window of searches waits or runs at a time.
///
/// # Errors
/// The rate limit, the limit on work or batches, or the limit on bytes in flight is exceeded.
pub fn found<T: Send + 'static>(
    request: &HttpRequest,
    game: GameId,
    series: Series<T>,
) -> Result<Findings<T>, Problem> {
    let Series { searches, efforts, price: (positions, moves), held, answer } = series;
    let state = AppState::of(request);
    state.access.charge(request, PRICES.of(positions, moves))?;
    let batch = SearchOfMany::begin(request, game, &efforts)?;
    let window = state.queue.window();
    let mut share = state.in_flight.share();
    share.set(held(window))?;
    let find = move |search| {
        let (_, batch) = (&share, batch.clone());
        async move { batch.find(search).await }
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
