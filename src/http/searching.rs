//! A search for a caller: within its share, in its turn, and with a note of how long that took.

use std::{
    fmt::Write,
    time::{Duration, Instant},
};

use actix_web::{
    Error, HttpRequest, HttpResponse,
    http::{
        Method,
        header::{ContentType, HeaderName, HeaderValue},
    },
    web::{Bytes, Data},
};
use futures_util::stream;

use super::{
    cache::Tag,
    cache_control::no_store,
    context::{RequestContext, watched},
    problem::Problem,
    state::AppState,
};
use crate::{
    pool::{Demand, Running, SearchFor, Summary, Unanswered},
    search::{Analysis, Control, Evaluated, StoppedBy, TranspositionTable},
    service::{analysis::JudgedPly, random_positions::PlayedGame},
};

/// The header that tells how long a search has waited, and how long it took.
pub const TIMING_HEADER: HeaderName = HeaderName::from_static("server-timing");

/// What has become of a search.
pub trait Searched: Send + 'static {
    /// How many positions were visited, and what ended it.
    fn summary(&self) -> Summary;

    /// How long it took.
    fn time(&self) -> Duration;
}

/// Tells of some types what has become of their search by the members that they share.
macro_rules! searched {
    ($(impl$(<$parameter:ident>)? for $type:ty;)+) => {
        $(impl$(<$parameter: Send + 'static>)? Searched for $type {
            fn summary(&self) -> Summary {
                let (nodes, stopped_by): (u64, StoppedBy) = (self.nodes, self.stopped_by);
                Summary { nodes, stopped_by }
            }

            fn time(&self) -> Duration {
                self.time
            }
        })+
    };
}

searched! {
    impl<M> for Analysis<M>;
    impl<R> for Evaluated<R>;
    impl for JudgedPly;
    impl for PlayedGame;
}

/// Answers a question by a search, unless the caller has the answer already: one that is the same whenever it
/// is worked out has a tag.
///
/// # Errors
/// Those of the search.
pub async fn answer_by_search<T: Searched>(
    request: &HttpRequest,
    tag: Option<Tag>,
    search: impl Future<Output = Result<Search<T>, Problem>>,
    answer: impl FnOnce(&T) -> HttpResponse,
) -> Result<HttpResponse, Problem> {
    if let Some(response) = tag.and_then(|tag| tag.not_modified(request)) {
        return Ok(response);
    }
    let response = if request.method() == Method::HEAD {
        // Its body has an unknown length and is not wanted.
        HttpResponse::Ok()
            .content_type(ContentType::json())
            .streaming(stream::empty::<Result<Bytes, Error>>())
    } else {
        let mut search = search.await?;
        let found = search.answer().await?;
        let mut response = answer(&found);
        response.headers_mut().insert(TIMING_HEADER, search.timing());
        response
    };
    Ok(match tag {
        Some(tag) => tag.attach(response),
        None => no_store(response),
    })
}

/// A search that runs for a caller. Dropping it stops the search. What it thinks counts against the caller's
/// share.
#[derive(Debug)]
pub struct Search<T> {
    state: Data<AppState>,
    context: RequestContext,
    running: Running<T>,
    began: Instant,
    /// How long it has thought, once that is known.
    thought: Option<Duration>,
}

impl<T: Searched> Search<T> {
    /// Waits for the turn of a search, for a caller who asks this and nothing else or for a batch.
    ///
    /// # Errors
    /// The caller has had its share, or the search would wait for too long or has.
    pub async fn begin(
        context: RequestContext,
        state: Data<AppState>,
        whom: impl Into<SearchFor<'_>>,
        demand: Demand,
        search: impl FnOnce(&Control, &mut TranspositionTable) -> T + Send + 'static,
    ) -> Result<Self, Problem> {
        let caller = context.caller;
        if let Some(Err(wait)) = state.access.thinking.as_ref().map(|limiter| limiter.check(&caller)) {
            let detail = "your searches have thought for longer than the service lets those of one caller";
            return Err(Problem::over_share(detail, wait));
        }
        let queued = Instant::now();
        let search = watched(context.clone(), search);
        let waiting = state.pool.submit(whom, demand, search, T::summary);
        let waiting = waiting.map_err(|busy| state.busy(busy))?;
        let class = waiting.class();
        let turn = waiting.turn().await;
        state.metrics.count_wait(class, queued.elapsed());
        let running = turn.map_err(|busy| state.busy(busy))?;
        Ok(Self { state, context, running, began: Instant::now(), thought: None })
    }

    /// Waits for the answer.
    ///
    /// # Errors
    /// There is none: the search has failed, or could not be answered in full.
    pub async fn answer(&mut self) -> Result<T, Problem> {
        let answer: Result<T, Unanswered> = (&mut self.running).await;
        self.thought = Some(answer.as_ref().map_or_else(|_| self.began.elapsed(), Searched::time));
        answer.map_err(|unanswered| self.state.unanswered(unanswered, &self.context))
    }

    /// How long it has waited, and how long it took if it has been answered, as a header tells it.
    pub fn timing(&self) -> HeaderValue {
        let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
        let mut timing = format!("wait;dur={:.3}", ms(self.running.waited()));
        if let Some(thought) = self.thought {
            write!(timing, ", search;dur={:.3}", ms(thought)).expect("writing to a String cannot fail");
        }
        HeaderValue::try_from(timing).expect("words and numbers are a header value")
    }
}

impl<T> Drop for Search<T> {
    fn drop(&mut self) {
        if let Some(limiter) = &self.state.access.thinking {
            limiter.charge(&self.context.caller, self.thought.unwrap_or_else(|| self.began.elapsed()));
        }
    }
}
