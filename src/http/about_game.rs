//! Operations with a question in the body: those that are answered at once, and those that take many
//! searches.

use std::pin::pin;

use actix_web::{HttpRequest, HttpResponse, web::Data};
use futures_util::{
    Stream, StreamExt as _,
    stream::{self, LocalBoxStream},
};

use super::{
    answer::{self, List, NO_FRAME, gathered, problem_line, text},
    cache::no_store,
    context::RequestContext,
    extract::{GameOfPath, Json, ListFormat},
    problem::Problem,
    searching::SearchOfMany,
    state::AppState,
};
use crate::{
    games::GameId,
    service::{AboutGame, Gather, JSON, Series, Streamed, limits::PRICES},
    with_game,
};

/// Answers at once.
pub async fn post<O: AboutGame>(
    request: HttpRequest,
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    Json(question): Json<O::Question>,
) -> Result<HttpResponse, Problem> {
    let moves = O::moves(&question).min(state.bounds.max_moves);
    state.access.charge(&request, PRICES.of(1, moves))?;
    let pieces = with_game!(game, G => O::answer::<G>(&question, &state.bounds))?;
    let response = gathered(&state, JSON, pieces).await?;
    Ok(if O::IS_PURE { response } else { no_store(response) })
}

/// Answers from many searches, as many at a time as there are threads for: each in a line of its own as soon
/// as it is known, or all in one value.
pub async fn stream<O: Streamed>(
    request: HttpRequest,
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    format: ListFormat,
    Json(question): Json<O::Question>,
) -> Result<HttpResponse, Problem> {
    let series = with_game!(game, G => O::series::<G>(&question, &state.bounds))?;
    let (found, mut answer) = found(&request, &state, game, series)?;
    if format == ListFormat::Lines {
        return Ok(answer::respond(format, NO_FRAME, async move |list: &mut List| {
            if let Some(line) = answer.first_line() {
                list.add([line]).await;
            }
            let add = async |line: String| {
                list.add([line]).await;
                Ok(())
            };
            let last = match gather(&mut *answer, found, add).await {
                Ok(()) => answer.last_line(),
                Err(problem) => Some(problem_line(&problem)),
            };
            if let Some(line) = last {
                list.add([line]).await;
            }
        }));
    }
    // As text, what was found takes a fraction of the memory.
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

/// What searches find, or why one finds nothing, and what makes an answer of it.
pub type Found<T> = (LocalBoxStream<'static, Result<T, Problem>>, Box<dyn Gather<T>>);

/// What some searches find, in their order, as many at a time as there are threads for.
///
/// # Errors
/// The caller has had its share, or there is no room for so many searches.
pub fn found<T: Send + 'static>(
    request: &HttpRequest,
    state: &Data<AppState>,
    game: GameId,
    series: Series<T>,
) -> Result<Found<T>, Problem> {
    let Series { searches, efforts, price: (positions, moves), held, answer } = series;
    state.access.charge(request, PRICES.of(positions, moves))?;
    let batch = SearchOfMany::begin(RequestContext::of(request), state.clone(), game, &efforts)?;
    let window = batch.window();
    let mut share = state.in_flight.share();
    share.set(held(window))?;
    let find = move |search| {
        let (_, batch) = (&share, batch.clone());
        async move { batch.find(search).await }
    };
    Ok((stream::iter(searches).map(find).buffered(window).boxed_local(), answer))
}

/// Adds to an answer what searches find, until nothing more is wanted.
///
/// # Errors
/// A search has found nothing, or what it adds cannot be taken.
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
