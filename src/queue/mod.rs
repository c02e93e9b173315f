//! Search threads, and who gets them when.
//!
//! - Searches on their own are *interactive*, those of batches run in the *background*. Each class has a
//!   queue and threads of its own; the kernel gives background threads what all others leave.
//! - Callers take turns in each queue. An interactive search waits only for so long, and long searches leave
//!   a thread to the others.
//! - No thread of low priority ever holds a lock that others wait for: see `worker.rs`.

mod answer;
mod demand;
mod lane;
#[cfg(test)]
mod tests;
mod worker;

use std::{
    fmt, io,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{
    sync::oneshot,
    time::{Instant as Timer, timeout_at},
};

use self::{
    answer::{Delivery, Waiting},
    lane::{Job, Ticket},
    worker::{Shared, Task, Threads},
};
pub use self::{
    answer::{Running, Unanswered},
    demand::{Demand, NODES_AT_DEPTH_0, NODES_PER_MS, SEVERAL_LINES},
};
use crate::{
    search::{Control, TranspositionTable},
    service::Found,
};

/// How many threads there are of each class, and what limits their searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Search threads of each class.
    pub threads: usize,
    /// Interactive searches that may wait for a thread.
    pub queue: usize,
    /// Interactive searches of one caller that may run or wait.
    pub per_caller: usize,
    /// How long an interactive search may wait for a thread.
    pub max_wait: Duration,
    /// How long an interactive search without a limit on time may take; it is not answered if it is not over
    /// by then.
    pub longest: Duration,
    /// The size of each thread's table in bytes. Without a limit on time, answers depend on it.
    pub table_bytes: usize,
    /// Batches of all callers of which a search may run or wait.
    pub batches: usize,
    /// The same for one caller.
    pub batches_per_caller: usize,
}

/// Somebody who shares the threads with everybody else, and gets no more of them than others do. What the
/// number means is the business of those who give it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallerId(pub u64);

/// For whom a search is made: for somebody who asks this and nothing else, or for a batch.
#[derive(Clone, Copy, Debug)]
pub struct SearchFor {
    caller: CallerId,
    batch: Option<u64>,
}

impl SearchFor {
    /// The class of its searches.
    #[must_use]
    pub const fn class(self) -> Class {
        if self.batch.is_some() { Class::Background } else { Class::Interactive }
    }
}

impl From<CallerId> for SearchFor {
    fn from(caller: CallerId) -> Self {
        Self { caller, batch: None }
    }
}

/// What a search is for, which decides about its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A question on its own: somebody waits for its answer.
    Interactive,
    /// One of many in a request. It has what everything else on the machine leaves.
    Background,
}

impl Class {
    /// Both classes.
    pub const ALL: [Self; 2] = [Self::Interactive, Self::Background];

    /// The name for programs: kebab-case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Background => "background",
        }
    }
}

/// How a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It has been answered.
    Answered,
    /// Its caller has left.
    Cancelled,
    /// It was not accepted, or the queue was closed before its end.
    Refused,
    /// It has waited too long.
    Expired,
    /// It could not be answered in full in the time that there was.
    Overdue,
    /// It has failed.
    Failed,
}

impl Ended {
    /// All ways to end.
    pub const ALL: [Self; 6] =
        [Self::Answered, Self::Cancelled, Self::Refused, Self::Expired, Self::Overdue, Self::Failed];

    /// The name for programs: kebab-case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Cancelled => "cancelled",
            Self::Refused => "refused",
            Self::Expired => "expired",
            Self::Overdue => "overdue",
            Self::Failed => "failed",
        }
    }
}

/// How busy the threads of a class are, and what has become of its searches since the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Search threads.
    pub threads: usize,
    /// Searches that have a thread.
    pub running: usize,
    /// Searches that wait for a thread.
    pub waiting: usize,
    /// Bytes that the threads hold for what they have seen.
    pub table_bytes: usize,
    /// Positions that were visited.
    pub nodes: u64,
    ended: [u64; Ended::ALL.len()],
}

impl Stats {
    /// How many searches have ended in one way.
    #[must_use]
    pub const fn ended(&self, ended: Ended) -> u64 {
        self.ended[ended as usize]
    }
}

/// Search threads with bounded queues; clones share them. The last clone to go stops and joins the threads.
#[derive(Clone)]
pub struct Queue(Arc<Threads>);

impl Queue {
    /// Starts the threads.
    ///
    /// # Errors
    /// The system refuses to start a thread.
    pub fn new(limits: Limits) -> io::Result<Self> {
        Ok(Self(Arc::new(Threads::start(limits)?)))
    }

    /// What limits its searches.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.shared().limits
    }

    /// Begins a batch: many searches for one request.
    ///
    /// # Errors
    /// There are too many of them, of all callers or of this one; or the queue is closed.
    pub fn begin_batch(&self, caller: CallerId) -> Result<SearchFor, Unanswered> {
        let shared = self.shared();
        let id = shared.lane(Class::Background).begin_batch(caller, &shared.limits)?;
        Ok(SearchFor { caller, batch: Some(id) })
    }

    /// How many searches of a batch should wait or run at a time: so many that no thread has to wait for the
    /// caller to bring the next one, and that one which takes long holds up few. More only take memory.
    #[must_use]
    pub fn window(&self) -> usize {
        const FOR_EACH_THREAD: usize = 4;
        FOR_EACH_THREAD * self.limits().threads
    }

    /// Of how many batches a search runs or waits.
    #[must_use]
    pub fn active_batches(&self) -> usize {
        self.shared().lane(Class::Background).batches().len()
    }

    /// How busy the threads of a class are.
    #[must_use]
    pub fn stats(&self, class: Class) -> Stats {
        self.shared().stats(class)
    }

    /// Waits until a search, or any work that checks the limits of a [`Control`], has a thread. Its time runs
    /// from then on. Without a limit on time it is answered in full or not at all.
    ///
    /// What ends because its control stops it says that it was
    /// [stopped by time](crate::search::StoppedBy::Time).
    ///
    /// # Errors
    /// An interactive search waits too long, or there is no room for it or for one more of its caller; or the
    /// queue is closed.
    pub async fn begin<T: Send + 'static>(
        &self,
        whom: impl Into<SearchFor>,
        demand: Demand,
        work: impl FnOnce(&Control, &mut TranspositionTable) -> Found<T> + Send + 'static,
    ) -> Result<Running<T>, Unanswered> {
        /// How often it is looked whether a thread has woken up, for a search that has waited long enough.
        const WAKES_UP: Duration = Duration::from_millis(50);
        let (shared, whom, accepted) = (self.shared(), whom.into(), Instant::now());
        let (control, class) = (Control::making_way(), whom.class());
        let (sender, answer) = oneshot::channel();
        let task: Task =
            Box::new(move |control, table| Delivery::of(work(control, table), demand.is_timed, sender));
        let is_long = class == Class::Interactive && demand.is_long();
        let mut running = Running::new(answer, control.clone());
        let (begun, mut turn) = oneshot::channel();
        let waiting = {
            let mut lane = shared.lane(class);
            let id = lane.new_id();
            let ticket = Ticket { id, whom, is_long, is_timed: demand.is_timed, control };
            lane.push(Job { ticket, accepted, begun, task }, &shared.limits)?;
            Waiting { shared, class, id }
        };
        shared.wake(class);
        let waited = if class == Class::Background {
            turn.await
        } else {
            let mut until = Timer::from_std(accepted) + shared.limits.max_wait;
            loop {
                match timeout_at(until, &mut turn).await {
                    Ok(waited) => break waited,
                    Err(_) if waiting.expire() => return Err(Unanswered::Expired),
                    Err(_) => until = Timer::now() + WAKES_UP,
                }
            }
        };
        // Who hears nothing has been dropped from the queue.
        running.waited = waited.map_err(|_| Unanswered::Closing)?;
        Ok(running)
    }

    /// Takes no more searches, drops what waits, and lets what runs answer with what it has found, unless it
    /// is to be answered in full. The threads end.
    pub fn close(&self) {
        self.shared().close();
    }

    fn shared(&self) -> &Arc<Shared> {
        &self.0.shared
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("limits", self.limits()).finish_non_exhaustive()
    }
}

/// What most tests need.
#[cfg(test)]
impl Default for Limits {
    fn default() -> Self {
        Self {
            threads: 2,
            queue: 1_024,
            per_caller: 128,
            max_wait: Duration::from_secs(3_600),
            longest: Duration::from_secs(7_200),
            table_bytes: 1 << 16,
            batches: 64,
            batches_per_caller: 4,
        }
    }
}
