//! What to play, told while it is worked out.

use actix_web::{
    Error, HttpRequest, HttpResponse,
    http::{
        Method,
        header::{self, ContentEncoding},
    },
    web::{Bytes, Data},
};
use futures_util::stream;
use tokio::{
    select,
    sync::broadcast::{self, error::RecvError},
    time::{Instant, Interval, interval_at},
};

use super::{
    Code, Contract, GameParameter, Problem, read_state, state_problems,
    suggestion::{Plan, check_stage, suggestion},
};
use crate::{
    games::{GameId, described::Described},
    http::{
        State,
        api::SuggestionQuery,
        cache::NO_STORE,
        context::{RequestContext, watched},
        extract::{Path, Query},
    },
    search::{Analysis, Evaluate, pool::Running},
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(false, state_problems![GameOver, RollFirst, Busy]);

/// The media type of server-sent events.
const EVENTS: &str = "text/event-stream";

/// How many events wait for a slow reader; then each new one takes the place of the oldest.
const EVENTS_KEPT: usize = 32;

/// A line that readers of events pass over.
const COMMENT: Bytes = Bytes::from_static(b": still searching\n\n");

/// Suggest what to play, and tell how it comes about
///
/// Server-sent events: `progress` after each depth that is finished, with what is known by then, and at the end `done`; the data of both is the
/// body of a suggestion. A caller who reads slowly misses progress, but not the end. The search stops when the caller leaves. If it fails, the last event is
/// `problem`, with a problem as its data.
#[utoipa::path(
    get,
    path = "/v1/games/{game}/suggestion/stream",
    operation_id = "streamSuggestion",
    tag = "play",
    params(GameParameter, SuggestionQuery),
    responses((
        status = 200,
        description = "What to play, again after each depth.",
        body = String,
        content_type = "text/event-stream",
        example = "event: progress\ndata: {\"state\":\"P…\",…}\n\nevent: done\ndata: {\"state\":\"P…\",…}\n\n",
    )),
)]
pub async fn answer(
    request: HttpRequest,
    state: Data<State>,
    Path(game): Path<GameId>,
    Query(query): Query<SuggestionQuery>,
) -> Result<HttpResponse, Problem> {
    let plan = Plan::of(&query, &state.limits)?;
    with_game!(game, G => tell::<G>(&request, state, read_state(&query.state)?, plan))
}

fn tell<G: Described + Evaluate>(
    request: &HttpRequest,
    state: Data<State>,
    position: G,
    plan: Plan,
) -> Result<HttpResponse, Problem> {
    check_stage(&position)?;
    let mut response = HttpResponse::Ok();
    response
        .content_type(EVENTS)
        .insert_header((header::CACHE_CONTROL, NO_STORE))
        // Reverse proxies would collect events, and compression would too.
        .insert_header(("X-Accel-Buffering", "no"))
        .insert_header(ContentEncoding::Identity);
    if request.method() == Method::HEAD {
        return Ok(response.streaming(stream::empty::<Result<Bytes, Error>>()));
    }
    let (depths, progress) = broadcast::channel(EVENTS_KEPT);
    let context = RequestContext::of(request);
    let tell = move |analysis: &Analysis<G::Move>| {
        // The caller may have gone away, and then the search is about to be stopped.
        drop(depths.send(event("progress", &suggestion(&position, analysis, false))));
    };
    let running = state.pool.start(position, plan.options, watched(context.clone(), tell))?;
    let silence = state.limits.heartbeat;
    let story = Story {
        position,
        progress,
        heartbeat: interval_at(Instant::now() + silence, silence),
        running: Some(running),
        context,
        state,
    };
    let events = stream::unfold(story, async |mut story| story.next().await.map(|event| (event, story)));
    Ok(response.streaming(Box::pin(stream::StreamExt::map(events, Ok::<_, Error>))))
}

/// A search on its way to the caller. Dropping it stops the search.
struct Story<G: Evaluate> {
    position: G,
    /// The events of the depths; closed when the search is over.
    progress: broadcast::Receiver<Bytes>,
    heartbeat: Interval,
    /// Nothing when all is told.
    running: Option<Running<Analysis<G::Move>>>,
    context: RequestContext,
    state: Data<State>,
}

impl<G: Described + Evaluate> Story<G> {
    /// What to send next; nothing after the end.
    async fn next(&mut self) -> Option<Bytes> {
        let running = self.running.as_mut()?;
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
        let found = running.await;
        self.running = None;
        Some(match found {
            Ok(analysis) => event("done", &suggestion(&self.position, &analysis, false)),
            Err(failed) => {
                let problem = self.state.search_failed(failed, &self.context);
                let body = serde_json::to_vec(&problem.body()).expect("a problem has only texts and numbers");
                event("problem", &body)
            }
        })
    }
}

/// An event with JSON, which has no line breaks.
fn event(name: &str, data: &[u8]) -> Bytes {
    [b"event: ", name.as_bytes(), b"\ndata: ", data, b"\n\n"].concat().into()
}
