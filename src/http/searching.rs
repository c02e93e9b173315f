//! A search for a caller: within its quota, in its turn, and with a report on its timing; and a suggestion as
//! a stream of server-sent events.

use std::time::{Duration, Instant};

use actix_web::{
    Error, HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{
        Method,
        header::{self, HeaderName, HeaderValue},
    },
    web::{Bytes, Data},
};
use futures_util::stream::{self, Stream};
use tokio::{select, sync::watch, time::sleep};

use super::{
    answer::AT_ONCE,
    context::RequestContext,
    extract::Question,
    headers::{NO_STORE, no_store},
    permits::Pool,
    problem::Problem,
    state::AppState,
};
use crate::{
    api::{
        self, AboutState as _, Code, EVENTS, Effort,
        suggestion::{self, DONE, Suggestion, SuggestionEvent, SuggestionQuestion},
        to_json,
    },
    games::GameId,
    queue::{Class, Demand, QueueError, Running},
    with_game,
};

/// The header with the time that a search has waited, and the time that it took.
pub const TIMING_HEADER: HeaderName = HeaderName::from_static("server-timing");

/// A search that runs for a caller. Dropping it stops the search. Its time is charged to the caller's quota.
#[derive(Debug)]
pub struct Search<T> {
    request: HttpRequest,
    running: Running<T>,
    waited: Duration,
    began: Instant,
    /// The most time that is charged: a search of a batch may wait for a processor while it runs.
    most: Duration,
    /// How long the search took, once that is known.
    thought: Option<Duration>,
}

impl<T: Send + 'static> Search<T> {
    /// Queues a search for the caller of a request, on its own or as one of a batch, and waits until it has a
    /// thread.
    ///
    /// # Errors
    /// The caller's quota is used up, the search waited too long, or the queue refuses it.
    pub async fn begin(
        request: HttpRequest,
        class: Class,
        game: GameId,
        search: api::Search<T>,
    ) -> Result<Self, Problem> {
        let state = AppState::of(&request);
        let caller = RequestContext::of(&request).caller;
        let queued = Instant::now();
        state.access.check_thinking(&caller)?;
        let demand = demand(game, &search.effort, state);
        let search = |control: &_, table: &mut _| search.run(control, table);
        let running = state.queue.begin(caller, class, demand, search).await;
        let (began, waited) = (Instant::now(), queued.elapsed());
        if matches!(running, Ok(_) | Err(QueueError::Expired)) {
            state.metrics.count_wait(class, waited);
        }
        let most = if class == Class::Background { demand.work } else { Duration::MAX };
        let running = running?;
        Ok(Self { request, running, waited, began, most, thought: None })
    }

    /// Waits for the answer.
    ///
    /// # Errors
    /// The search has failed, or could not be answered in full.
    pub async fn answer(&mut self) -> Result<T, Problem> {
        let found = self.running.answer().await;
        self.thought = Some(found.as_ref().map_or_else(|_| self.began.elapsed(), |found| found.time));
        if let Err(QueueError::Failed(message)) = &found {
            RequestContext::of(&self.request)
                .error(format_args!("the search of a request failed: {message}"));
        }
        Ok(found?.answer)
    }

    /// The value of [`TIMING_HEADER`]. It includes the time of the search once that has been answered.
    pub fn timing(&self) -> HeaderValue {
        let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
        let search = self.thought.map(|thought| format!(", search;dur={:.3}", ms(thought)));
        let timing = format!("wait;dur={:.3}{}", ms(self.waited), search.unwrap_or_default());
        HeaderValue::try_from(timing).expect("words and numbers are a header value")
    }
}

impl<T> Drop for Search<T> {
    fn drop(&mut self) {
        let thought = self.thought.unwrap_or_else(|| self.began.elapsed());
        let caller = RequestContext::of(&self.request).caller;
        AppState::of(&self.request).access.count_thinking(&caller, thought.min(self.most));
    }
}

/// The work that a search of a game asks for.
fn demand(game: GameId, effort: &Effort, state: &AppState) -> Demand {
    with_game!(game, G => Demand::of::<G>(&effort.options, effort.searches, state.queue.longest()))
}

/// Checks that searches are not too much work for one request; `efforts` has the number of searches of each
/// kind.
///
/// # Errors
/// They are.
pub fn check_work(state: &AppState, game: GameId, efforts: &[(Effort, usize)]) -> Result<(), Problem> {
    let each = efforts.iter().map(|(effort, count)| {
        let count = u32::try_from(*count).unwrap_or(u32::MAX);
        demand(game, effort, state).work.saturating_mul(count)
    });
    let (work, limit) = (each.fold(Duration::ZERO, Duration::saturating_add), state.config.max_work_ms);
    if work <= Duration::from_millis(limit) {
        return Ok(());
    }
    let work = work.as_secs_f64() * 1_000.0;
    let detail = format!(
        "the searches of the request count for {work} ms together, and the limit of this service is {limit} \
         ms"
    );
    Err(Problem::new(Code::TooMuchWork, detail))
}

/// The heartbeat: a comment, which readers of events ignore.
const COMMENT: Bytes = Bytes::from_static(b": still searching\n\n");

/// The header in which a browser names the last event that it has seen.
pub const LAST_EVENT_ID: &str = "Last-Event-ID";

/// Streams a suggestion: an event for each finished depth, and one for the end.
pub async fn stream_suggestion(
    request: HttpRequest,
    state: Data<AppState>,
    game: Data<GameId>,
    Question(question): Question<SuggestionQuestion>,
) -> Result<HttpResponse, Problem> {
    let game = **game;
    let (depths, progress) = watch::channel(None);
    let on_depth = move |data| {
        depths.send_replace(Some(suggestion_event(&SuggestionEvent::Progress { data })));
    };
    let search = with_game!(game, G => {
        // The limits are checked before the state.
        Suggestion::effort::<G>(&question, &state.bounds, false)?;
        let record = api::read::<G>(&question.state)?.into();
        suggestion::searching(&record, &question, &state.bounds, Some(Box::new(on_depth)))
    })?;
    if request.headers().get(LAST_EVENT_ID).is_some_and(|id| id.as_bytes() == DONE.as_bytes()) {
        return Ok(no_store(HttpResponse::NoContent().finish()));
    }
    let mut response = event_stream();
    if request.method() == Method::HEAD {
        return Ok(response.streaming(stream::empty::<Result<Bytes, Error>>()));
    }
    state.permits.take(&request, Pool::Long).await?;
    let mut search = Search::begin(request, Class::Interactive, game, search).await?;
    response.insert_header((TIMING_HEADER, search.timing()));
    let answer = async move {
        match search.answer().await {
            Ok(data) => suggestion_event(&SuggestionEvent::Done { id: DONE.into(), data }),
            Err(problem) => suggestion_event(&SuggestionEvent::Problem { data: problem.body() }),
        }
    };
    Ok(response.streaming(Box::pin(events(
        progress,
        answer,
        Duration::from_millis(state.config.heartbeat_ms),
    ))))
}

/// The head of a response with server-sent events.
pub fn event_stream() -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response.content_type(EVENTS).insert_header((header::CACHE_CONTROL, NO_STORE)).insert_header(AT_ONCE);
    response
}

/// The latest progress, as an event.
pub type LatestEvent = watch::Receiver<Option<Bytes>>;

/// Progress events, a comment after each `silence`, and at the end the answer. Only the latest progress is
/// kept: a slow reader misses some, but never the end. Dropping it drops the answer.
pub fn events(
    progress: LatestEvent,
    answer: impl Future<Output = Bytes>,
    silence: Duration,
) -> impl Stream<Item = Result<Bytes, Error>> {
    stream::unfold((progress, Some(Box::pin(answer))), move |(mut progress, mut answer)| async move {
        let waiting = answer.as_mut()?;
        let event = select! {
            biased;
            Ok(()) = progress.changed() => progress.borrow_and_update().clone().unwrap_or_default(),
            last = waiting => {
                answer = None;
                // Progress that was made meanwhile comes first.
                let latest = progress.borrow_and_update();
                let made = if latest.has_changed() { latest.clone() } else { None };
                [made.unwrap_or_default(), last].concat().into()
            }
            () = sleep(silence) => COMMENT,
        };
        Some((Ok(event), (progress, answer)))
    })
}

/// An event of a suggestion as it is sent.
pub fn suggestion_event(event: &SuggestionEvent<'_>) -> Bytes {
    match event {
        SuggestionEvent::Progress { data } => json_event("progress", None, &to_json(data)),
        SuggestionEvent::Done { id, data } => json_event("done", Some(id), &to_json(data)),
        SuggestionEvent::Problem { data } => json_event("problem", None, &to_json(data)),
    }
}

/// An event as it is sent. JSON has no line breaks.
pub fn json_event(name: &str, id: Option<&str>, json: &str) -> Bytes {
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    format!("event: {name}\n{id}data: {json}\n\n").into()
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt as _;

    use super::*;

    #[actix_web::test]
    async fn progress_that_is_made_while_the_answer_is_comes_before_it() {
        let (sender, progress) = watch::channel(None);
        let answer = async move {
            for event in ["1", "2", "3"] {
                sender.send_replace(Some(event.into()));
            }
            "answer".into()
        };
        let events: Vec<_> = events(progress, answer, Duration::MAX).collect().await;
        assert_eq!(events.into_iter().map(Result::unwrap).collect::<Vec<_>>().concat(), b"3answer");
    }
}
