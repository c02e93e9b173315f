//! What to play, told while it is worked out.

use std::{sync::mpsc, time::Duration};

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
    Code, Contract, GameParameter, Problem, Shown, limits, searched, state_problems,
    suggestion::{begin, work},
};
use crate::{
    game::Notation,
    http::{
        cache_control::{NO_STORE, no_store},
        coding::Uncoded,
        context::RequestContext,
        extract::{GameOfPath, Query},
        searching::{Search, TIMING_HEADER},
        state::AppState,
        suggestion_events::{EVENTS, SuggestionEvents, bytes},
    },
    search::{Analysis, Playable, RootPosition, Tablebases},
    service::{
        self, paths,
        suggestion::{self, DONE, Plan, SuggestionEvent, SuggestionQuestion},
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::get(false, state_problems![MalformedMove, IllegalMove, GameOver, RollFirst, Busy])
        .asking("nodes=300")
        .showing(|game, asked| {
            let (text, wish) = asked.question::<SuggestionQuestion>().split();
            let plan = Plan::of(&wish, &limits().search).ok()?;
            with_game!(game, G => {
                let position: G = service::read(&text).ok()?;
                let root = suggestion::root(&position.into(), wish.moves.as_ref()).ok()?;
                Some(Shown(EVENTS, shown_events(&position, root, plan).into()))
            })
        });

/// How many events wait for a slow reader; then each new one takes the place of the oldest.
const EVENTS_KEPT: usize = 32;

/// A line that readers of events pass over.
const COMMENT: Bytes = Bytes::from_static(b": still searching\n\n");

/// The header in which a browser names the last event that it has seen.
const LAST_EVENT_ID: &str = "Last-Event-ID";

/// Stream a suggestion
///
/// Sends server-sent events: `progress` after each finished depth, then `done`. Both carry the body of a
/// suggestion; an error is the event `problem`.
///
/// The search stops when you close the connection. `done` has the id `done`: an `EventSource` that
/// reconnects with it gets 204 and does not search again.
#[utoipa::path(
    get,
    path = paths::SUGGESTION_STREAM,
    operation_id = "streamSuggestion",
    tag = "play",
    params(
        GameParameter,
        SuggestionQuestion,
        ("Last-Event-ID" = inline(Option<String>), Header, nullable = false, description = "The id of the \
            last event that the caller has seen; after `done` there is nothing more to tell."),
    ),
    responses(
        (
            status = 200,
            description = "What to play, again after each depth.",
            body = inline(SuggestionEvents),
            content_type = "text/event-stream",
            headers(("Server-Timing" = String, description = "How long the search has waited for a thread \
                (wait), in milliseconds. How long it took is in the event `done`.")),
        ),
        (status = 204, description = "The caller has seen the end: the header Last-Event-ID says `done`."),
    ),
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
        let position: G = service::read(&text)?;
        let root = suggestion::root(&position.into(), wish.moves.as_ref())?;
        stream_events::<G>(&request, state, root, plan).await
    })
}

async fn stream_events<G: Playable + Notation>(
    request: &HttpRequest,
    state: Data<AppState>,
    root: RootPosition<G>,
    plan: Plan,
) -> Result<HttpResponse, Problem> {
    let position = *root.position();
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
    let (depths, progress) = broadcast::channel(EVENTS_KEPT);
    let on_depth = move |analysis: &Analysis<G::Move>| {
        // The caller may have gone away, and then the search is about to be stopped.
        let data = suggestion::answer(&position, analysis, false);
        drop(depths.send(bytes(&SuggestionEvent::Progress { data })));
    };
    let search = begin(RequestContext::of(request), state.clone(), root, &plan, on_depth).await?;
    response.insert_header((TIMING_HEADER, search.timing()));
    let silence = state.limits.heartbeat;
    let heartbeat = interval_at(Instant::now() + silence, silence);
    let events = EventStream { position, progress, heartbeat, search: Some(search) };
    let events = stream::unfold(events, async |mut events| events.next().await.map(|event| (event, events)));
    Ok(response.streaming(Box::pin(stream::StreamExt::map(events, Ok::<_, Error>))))
}

/// A search on its way to the caller. Dropping it stops the search.
struct EventStream<G: Playable> {
    position: G,
    /// The events of the depths; closed when the search is over.
    progress: broadcast::Receiver<Bytes>,
    heartbeat: Interval,
    /// Nothing when all has been sent.
    search: Option<Search<Analysis<G::Move>>>,
}

impl<G: Playable + Notation> EventStream<G> {
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
            Ok(analysis) => {
                bytes(&SuggestionEvent::done(suggestion::answer(&self.position, &analysis, false)))
            }
            Err(problem) => bytes(&SuggestionEvent::Problem { data: problem.body() }),
        })
    }
}

/// The events of a search, as an example.
fn shown_events<G: Playable + Notation>(position: &G, root: RootPosition<G>, plan: Plan) -> String {
    /// Every search takes another time, and an example is to stay what it is.
    const TIME: Duration = Duration::from_millis(1);

    let (send, depths) = mpsc::channel();
    let on_depth = move |analysis: &Analysis<G::Move>| {
        send.send(analysis.clone()).expect("the receiver outlives the search");
    };
    let found = searched(work(root, plan.options, Tablebases::built_in(), on_depth));
    let body = |analysis| suggestion::answer(position, &Analysis { time: TIME, ..analysis }, false);
    let progress = |analysis| bytes(&SuggestionEvent::Progress { data: body(analysis) });
    let mut events: Vec<_> = depths.into_iter().map(progress).collect();
    events.push(bytes(&SuggestionEvent::done(body(found))));
    String::from_utf8(events.concat()).expect("JSON is UTF-8")
}
