//! A search for a caller: within its share, in its turn, and with a note of how long that took.

use std::{
    fmt::Write,
    time::{Duration, Instant},
};

use actix_web::{
    HttpRequest,
    http::header::{HeaderName, HeaderValue},
    web::Data,
};

use super::{
    context::{RequestContext, watched},
    problem::Problem,
    state::AppState,
};
use crate::search::{
    Analysis, Options, Playable,
    pool::{Running, Unanswered},
};

/// The header that tells how long a search has waited, and how long it took.
pub const TIMING_HEADER: HeaderName = HeaderName::from_static("server-timing");

/// A search that runs for a caller. Dropping it stops the search. What it thinks counts against the caller's
/// share.
#[derive(Debug)]
pub struct Search<M> {
    state: Data<AppState>,
    context: RequestContext,
    running: Running<Analysis<M>>,
    began: Instant,
    /// How long it has thought, once that is known.
    thought: Option<Duration>,
}

impl<M: Copy + Send + 'static> Search<M> {
    /// Waits for the turn of a search. `on_depth` is called on its thread with what is known after each
    /// finished depth.
    ///
    /// # Errors
    /// The caller has had its share, or the search would wait for too long or has.
    pub async fn begin<G: Playable<Move = M>>(
        request: &HttpRequest,
        state: &Data<AppState>,
        position: G,
        options: Options,
        on_depth: impl FnMut(&Analysis<M>) + Send + 'static,
    ) -> Result<Self, Problem> {
        let context = RequestContext::of(request);
        let caller = context.caller;
        if let Some(Err(wait)) = state.access.thinking.as_ref().map(|limiter| limiter.check(&caller)) {
            let detail = "your searches have thought for longer than the service lets those of one caller";
            return Err(Problem::over_share(detail, wait));
        }
        let queued = Instant::now();
        let on_depth = watched(context.clone(), on_depth);
        let waiting = state.pool.start(state.access.id(&caller), position, options, on_depth);
        let turn = waiting.map_err(|busy| state.busy(busy))?.turn().await;
        state.count_wait(queued.elapsed());
        let running = turn.map_err(|busy| state.busy(busy))?;
        Ok(Self { state: state.clone(), context, running, began: Instant::now(), thought: None })
    }

    /// Waits for the answer.
    ///
    /// # Errors
    /// There is none: the search has failed, or could not be answered in full.
    pub async fn answer(&mut self) -> Result<Analysis<M>, Problem> {
        let answer: Result<Analysis<M>, Unanswered> = (&mut self.running).await;
        self.thought = Some(answer.as_ref().map_or_else(|_| self.began.elapsed(), |analysis| analysis.time));
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

impl<M> Drop for Search<M> {
    fn drop(&mut self) {
        if let Some(limiter) = &self.state.access.thinking {
            limiter.charge(&self.context.caller, self.thought.unwrap_or_else(|| self.began.elapsed()));
        }
    }
}
