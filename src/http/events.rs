//! A suggestion that is told while it is worked out, as server-sent events.

use actix_web::{
    Error, HttpRequest, HttpResponse,
    http::{Method, header},
    web::{Bytes, Data},
};
use futures_util::stream;
use tokio::{
    select,
    sync::broadcast::{self, error::RecvError},
    time::{Instant, Interval, interval_at},
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
const EVENTS_KEPT: usize = 32;

/// A line that readers of events pass over.
pub const COMMENT: Bytes = Bytes::from_static(b": still searching\n\n");

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
    let mut response = HttpResponse::Ok();
    response
        .content_type(EVENTS)
        .insert_header((header::CACHE_CONTROL, NO_STORE))
        // Reverse proxies would collect events, and compression would too.
        .insert_header(("X-Accel-Buffering", "no"));
    response.extensions_mut().insert(Uncoded);
    if request.method() == Method::HEAD {
        return Ok(response.streaming(stream::empty::<Result<Bytes, Error>>()));
    }
    let (context, silence) = (RequestContext::of(&request), state.limits.heartbeat);
    let caller = state.access.id(&context.caller);
    let search = Search::begin(context, state, caller, game, search).await?;
    response.insert_header((TIMING_HEADER, search.timing()));
    let heartbeat = interval_at(Instant::now() + silence, silence);
    let events = EventStream { progress, heartbeat, search: Some(search) };
    let events =
        stream::unfold(events, async |mut events| Some((Ok::<_, Error>(events.next().await?), events)));
    Ok(response.streaming(Box::pin(events)))
}

/// A search on its way to the caller. Dropping it stops the search.
struct EventStream {
    /// The events of the depths; closed when the search is over.
    progress: broadcast::Receiver<Bytes>,
    heartbeat: Interval,
    /// Nothing when all has been sent.
    search: Option<Search<Suggestion>>,
}

impl EventStream {
    /// What to send next; nothing after the end.
    async fn next(&mut self) -> Option<Bytes> {
        let search = self.search.as_mut()?;
        loop {
            select! {
                biased;
                received = self.progress.recv() => match received {
                    Ok(event) => {
                        self.heartbeat.reset();
                        return Some(event);
                    }
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => break,
                },
                _ = self.heartbeat.tick() => return Some(COMMENT),
            }
        }
        let found = search.answer().await;
        self.search = None;
        Some(match found {
            Ok(data) => bytes(&SuggestionEvent::done(data)),
            Err(problem) => bytes(&SuggestionEvent::Problem { data: problem.body() }),
        })
    }
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
