//! A search for a caller: within its share, in its turn, and with a note of how long that took.

use std::{
    fmt::Write,
    rc::Rc,
    time::{Duration, Instant},
};

use actix_web::{
    http::header::{HeaderName, HeaderValue},
    web::Data,
};
use cublino_guard::Share;

use super::{
    context::{RequestContext, watched},
    problem::Problem,
    state::AppState,
};
use crate::{
    games::GameId,
    queue::{Class, Demand, Running, SearchFor, Unanswered},
    service::{self, Effort},
    with_game,
};

/// The header that tells how long a search has waited, and how long it took.
pub const TIMING_HEADER: HeaderName = HeaderName::from_static("server-timing");

/// A search that runs for a caller. Dropping it stops the search. What it thinks counts against the caller's
/// share.
#[derive(Debug)]
pub struct Search<T> {
    state: Data<AppState>,
    context: RequestContext,
    running: Running<T>,
    began: Instant,
    /// What it is charged at the most: one of a batch may have to wait for a processor within.
    most: Duration,
    /// How long it has thought, once that is known.
    thought: Option<Duration>,
}

impl<T: Send + 'static> Search<T> {
    /// Waits for the turn of a search, for a caller who asks this and nothing else or for a batch.
    ///
    /// # Errors
    /// The caller has had its share, or the search has waited too long, or there is no room for it.
    pub async fn begin(
        context: RequestContext,
        state: Data<AppState>,
        whom: impl Into<SearchFor>,
        game: GameId,
        search: service::Search<T>,
    ) -> Result<Self, Problem> {
        let caller = context.caller;
        if let Some(Err(wait)) = state.access.thinking.as_ref().map(|limiter| limiter.check(&caller)) {
            let detail = "your searches took more time per minute than the service allows";
            return Err(Problem::over_share(detail, wait));
        }
        let (whom, queued) = (whom.into(), Instant::now());
        let demand = demand(game, &search.effort, &state);
        let search = watched(context.clone(), |control, table| search.run(control, table));
        let begun = state.queue.begin(whom, demand, search).await;
        if matches!(begun, Ok(_) | Err(Unanswered::Expired)) {
            state.metrics.count_wait(whom.class(), queued.elapsed());
        }
        let running = begun.map_err(|unanswered| state.unanswered(unanswered))?;
        let most = if whom.class() == Class::Background { demand.work } else { Duration::MAX };
        Ok(Self { state, context, running, began: Instant::now(), most, thought: None })
    }

    /// Waits for the answer.
    ///
    /// # Errors
    /// There is none: the search has failed, or could not be answered in full.
    pub async fn answer(&mut self) -> Result<T, Problem> {
        let found = (&mut self.running).await;
        self.thought = Some(found.as_ref().map_or_else(|_| self.began.elapsed(), |found| found.time));
        if found.as_ref().is_err_and(|unanswered| *unanswered == Unanswered::Failed) {
            self.context.error(format_args!("{}", Unanswered::Failed));
        }
        Ok(found.map_err(|unanswered| self.state.unanswered(unanswered))?.answer)
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
            let thought = self.thought.unwrap_or_else(|| self.began.elapsed());
            limiter.charge(&self.context.caller, thought.min(self.most));
        }
    }
}

/// What is asked of a search in a game.
fn demand(game: GameId, effort: &Effort, state: &AppState) -> Demand {
    let longest = state.queue.limits().longest;
    with_game!(game, G => Demand::of::<G>(&effort.options, effort.searches, longest))
}

/// What the searches of one request share.
#[derive(Clone, Debug)]
pub struct SearchOfMany {
    /// The application.
    pub state: Data<AppState>,
    /// The game.
    pub game: GameId,
    context: RequestContext,
    batch: SearchFor,
    /// What may be found and not be read yet: the reader may be slow.
    _found: Rc<Share>,
}

impl SearchOfMany {
    /// Leave to make so many searches of each kind.
    ///
    /// # Errors
    /// They count for too much together, too many requests have many searches, or there is no memory for what
    /// they find.
    pub fn begin(
        context: RequestContext,
        state: Data<AppState>,
        game: GameId,
        efforts: &[(Effort, usize)],
    ) -> Result<Self, Problem> {
        /// Bytes of a line with its value, as a search finds it.
        const LINE: usize = 128;
        /// No position has more: a double in Mahbusa shares four steps among fifteen checkers.
        const MOST_LINES: usize = 3_060;
        let each = efforts.iter().map(|(effort, count)| {
            let count = u32::try_from(*count).unwrap_or(u32::MAX);
            demand(game, effort, &state).work.saturating_mul(count)
        });
        let (work, limit) = (each.fold(Duration::ZERO, Duration::saturating_add), state.limits.work);
        if work > limit {
            return Err(Problem::too_much_work(work, limit));
        }
        let begun = state.queue.begin_batch(state.access.id(&context.caller));
        let batch = begun.map_err(|unanswered| state.unanswered(unanswered))?;
        let lines = efforts.iter().map(|(effort, _)| effort.lines).max().unwrap_or(0);
        let mut found = state.in_flight.share();
        found.set(state.queue.window().saturating_mul(lines.min(MOST_LINES) * LINE))?;
        Ok(Self { state, game, context, batch, _found: Rc::new(found) })
    }

    /// How many searches are asked for at a time.
    pub fn window(&self) -> usize {
        self.state.queue.window()
    }

    /// What one of them finds.
    ///
    /// # Errors
    /// See [`Search::begin`] and [`Search::answer`].
    pub async fn find<T: Send + 'static>(&self, search: service::Search<T>) -> Result<T, Problem> {
        let (context, state) = (self.context.clone(), self.state.clone());
        Search::begin(context, state, self.batch, self.game, search).await?.answer().await
    }
}
