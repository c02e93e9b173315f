//! A suggestion that is told while it is worked out, as server-sent events.

use std::time::Duration;

use actix_web::{
    Error, HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{Method, header},
    web::{Bytes, Data},
};
use futures_util::stream::{self, Stream};
use tokio::{
    select,
    sync::broadcast::{self, error::RecvError},
    time::{Instant, interval_at},
};

use super::{
    cache::{NO_STORE, no_store},
    compression::Uncoded,
    context::RequestContext,
    extract::{GameOfPath, Query},
    problem::Problem,
    searching::{Search, TIMING_HEADER},
    state::AppState,
};
use crate::{
    service::{
        self, AboutState as _, EVENTS,
        suggestion::{self, DONE, Suggestion, SuggestionEvent, SuggestionQuestion},
        to_json,
    },
    with_game,
};

/// How many events wait for a slow reader; then each new one takes the place of the oldest.
pub const EVENTS_KEPT: usize = 32;

/// A line that readers of events pass over.
const COMMENT: Bytes = Bytes::from_static(b": still searching\n\n");

/// The header in which a browser names the last event that it has seen.
pub const LAST_EVENT_ID: &str = "Last-Event-ID";

/// Streams a suggestion: an event for each finished depth, and one for the end.
pub async fn get(
    request: HttpRequest,
    state: Data<AppState>,
    GameOfPath(game): GameOfPath,
    Query(question): Query<SuggestionQuestion>,
) -> Result<HttpResponse, Problem> {
    let (depths, progress) = broadcast::channel(EVENTS_KEPT);
    let on_depth = move |data| {
        // The caller may have gone away, and then the search is about to be stopped.
        drop(depths.send(bytes(&SuggestionEvent::Progress { data })));
    };
    let search = with_game!(game, G => {
        // The limits are checked before the state.
        Suggestion::effort::<G>(&question, &state.bounds, false)?;
        let record = service::read::<G>(&question.state)?.into();
        suggestion::searching(&record, &question, &state.bounds, Some(Box::new(on_depth)))
    })?;
    if request.headers().get(LAST_EVENT_ID).is_some_and(|id| id.as_bytes() == DONE.as_bytes()) {
        return Ok(no_store(HttpResponse::NoContent().finish()));
    }
    let mut response = response();
    if request.method() == Method::HEAD {
        return Ok(response.streaming(stream::empty::<Result<Bytes, Error>>()));
    }
    let (context, silence) = (RequestContext::of(&request), state.limits.heartbeat);
    let caller = state.access.id(&context.caller);
    let mut search = Search::begin(context, state, caller, game, search).await?;
    response.insert_header((TIMING_HEADER, search.timing()));
    let answer = async move {
        match search.answer().await {
            Ok(data) => bytes(&SuggestionEvent::done(data)),
            Err(problem) => bytes(&SuggestionEvent::Problem { data: problem.body() }),
        }
    };
    Ok(response.streaming(Box::pin(told(progress, answer, silence))))
}

/// The head of a stream of events.
pub fn response() -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .content_type(EVENTS)
        .insert_header((header::CACHE_CONTROL, NO_STORE))
        // Reverse proxies would collect events, and compression would too.
        .insert_header(("X-Accel-Buffering", "no"));
    response.extensions_mut().insert(Uncoded);
    response
}

/// Events as they come about, and in the end the answer. Dropping it drops the answer.
pub fn told(
    progress: broadcast::Receiver<Bytes>,
    answer: impl Future<Output = Bytes>,
    silence: Duration,
) -> impl Stream<Item = Result<Bytes, Error>> {
    let heartbeat = interval_at(Instant::now() + silence, silence);
    let parts = (progress, heartbeat, Some(Box::pin(answer)));
    stream::unfold(parts, async |(mut progress, mut heartbeat, mut answer)| {
        let waiting = answer.as_mut()?;
        let event = loop {
            select! {
                biased;
                received = progress.recv() => match received {
                    Ok(event) => {
                        heartbeat.reset();
                        break event;
                    }
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => {
                        let last = waiting.await;
                        answer = None;
                        break last;
                    }
                },
                last = &mut *waiting => {
                    answer = None;
                    break last;
                }
                _ = heartbeat.tick() => break COMMENT,
            }
        };
        Some((Ok(event), (progress, heartbeat, answer)))
    })
}

/// An event as it is sent. JSON has no line breaks.
pub fn bytes(event: &SuggestionEvent<'_>) -> Bytes {
    let (name, id, data) = match event {
        SuggestionEvent::Progress { data } => ("progress", None, to_json(data)),
        SuggestionEvent::Done { id, data } => ("done", Some(id), to_json(data)),
        SuggestionEvent::Problem { data } => ("problem", None, to_json(data)),
    };
    let id = id.as_ref().map(|id| format!("id: {id}\n")).unwrap_or_default();
    format!("event: {name}\n{id}data: {data}\n\n").into()
}
