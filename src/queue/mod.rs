//! Search threads, and who gets them when.
//!
//! - Searches on their own are *interactive*, those of batches run in the *background*. Each class has a
//!   queue and threads of its own; the kernel gives background threads what all others leave.
//! - Callers take turns in each queue. An interactive search waits only for so long, and long searches leave
//!   a thread to the others.
//! - No thread of low priority ever holds a lock that others wait for: see `worker.rs`.

mod lane;
mod worker;

use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{
    sync::oneshot,
    time::{Instant as Timer, timeout_at},
};

use self::{
    lane::{Job, Ticket},
    worker::{Shared, Task, Threads},
};
use crate::{
    search::{Control, Options, Playable, StoppedBy, TranspositionTable, limits_of},
    service::{Found, limits::ServiceLimits},
};

/// Somebody who shares the threads with everybody else, and gets no more of them than others do. What the
/// number means is the business of those who give it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallerId(pub u64);

/// For whom a search is made: for somebody who asks this and nothing else, or for a batch.
#[derive(Clone, Copy, Debug)]
pub struct SearchFor {
    /// Who asks.
    pub caller: CallerId,
    batch: Option<u64>,
}

impl SearchFor {
    /// The class of its searches.
    pub const fn class(self) -> Class {
        if self.batch.is_some() { Class::Background } else { Class::Interactive }
    }
}

impl From<CallerId> for SearchFor {
    fn from(caller: CallerId) -> Self {
        Self { caller, batch: None }
    }
}

/// What a search is for, which decides about its thread. As a text it is its name for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Class {
    /// A question on its own: somebody waits for its answer.
    Interactive,
    /// One of many in a request. It has what everything else on the machine leaves.
    Background,
}

impl Class {
    /// Both classes.
    pub const ALL: [Self; 2] = [Self::Interactive, Self::Background];
}

/// How a search has ended. As a text it is its name for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
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
    pub const fn ended(&self, ended: Ended) -> u64 {
        self.ended[ended as usize]
    }
}

/// Search threads with bounded queues; clones share them. The last clone to go stops and joins the threads.
#[derive(Clone, derive_more::Debug)]
#[debug("Queue")]
pub struct Queue(Arc<Threads>);

impl Queue {
    /// Starts the threads, each with a table of so many bytes. Without a limit on time, answers depend on it.
    ///
    /// # Errors
    /// The system refuses to start a thread.
    pub fn new(limits: ServiceLimits, table_bytes: usize) -> io::Result<Self> {
        Ok(Self(Arc::new(Threads::start(limits, table_bytes)?)))
    }

    /// What limits its searches.
    pub fn limits(&self) -> &ServiceLimits {
        &self.shared().limits
    }

    /// How long an interactive search without a limit on time may take; it is not answered if it is not over
    /// by then.
    pub fn longest(&self) -> Duration {
        Duration::from_millis(self.limits().search.full_answer_ms)
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
    pub fn window(&self) -> usize {
        const FOR_EACH_THREAD: usize = 4;
        FOR_EACH_THREAD * self.limits().searches.at_a_time
    }

    /// Of how many batches a search runs or waits.
    pub fn active_batches(&self) -> usize {
        self.shared().lane(Class::Background).batches().len()
    }

    /// How busy the threads of a class are.
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
        let is_interactive = class == Class::Interactive;
        // Its nodes end one of a batch, however little of a processor that gets.
        let longest = (is_interactive && !demand.is_timed).then(|| self.longest());
        let task: Task = Box::new(move |control, table| {
            if let Some(longest) = longest {
                control.stop_after(longest);
            }
            let found = work(control, table);
            let nodes = found.nodes;
            let is_answer = found.stopped_by != StoppedBy::Time || demand.is_timed && nodes > 0;
            let (ended, answer) = match longest {
                _ if sender.is_closed() => (Ended::Cancelled, Ok(found)),
                _ if is_answer => (Ended::Answered, Ok(found)),
                Some(longest) if control.elapsed() >= longest => (Ended::Overdue, Err(Unanswered::Overdue)),
                _ => (Ended::Refused, Err(Unanswered::Closing)),
            };
            // The caller may have gone away, and then nobody minds.
            Delivery { ended, nodes, hand_over: Box::new(move || drop(sender.send(answer))) }
        });
        let is_long = is_interactive && demand.is_long();
        let mut running = Running { answer, control: control.clone(), waited: Duration::ZERO };
        let (begun, mut turn) = oneshot::channel();
        let waiting = {
            let mut lane = shared.lane(class);
            let id = lane.new_id();
            let ticket = Ticket { id, whom, is_long, control };
            lane.push(Job { ticket, accepted, begun, task }, &shared.limits)?;
            Waiting { shared, class, id }
        };
        shared.wake(class);
        let waited = if is_interactive {
            let expire = || {
                // What the search holds is dropped without the lock.
                let job = shared.lane(class).expire(waiting.id);
                job.is_some()
            };
            let max_wait = Duration::from_millis(shared.limits.searches.wait_ms);
            let mut until = Timer::from_std(accepted) + max_wait;
            loop {
                match timeout_at(until, &mut turn).await {
                    Ok(waited) => break waited,
                    Err(_) if expire() => return Err(Unanswered::Expired),
                    Err(_) => until = Timer::now() + WAKES_UP,
                }
            }
        } else {
            turn.await
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

/// Why a search is not made or not answered, or a batch not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// There is no room for it.
    #[error("too many searches are waiting for a thread")]
    Queue,
    /// The caller has too many.
    #[error("you have too many searches running or waiting")]
    Share,
    /// There are too many batches.
    #[error("too many requests about many positions are being answered")]
    Batches,
    /// The caller has too many batches.
    #[error("you have too many requests about many positions at the same time")]
    BatchShare,
    /// Its turn has not come.
    #[error("the search waited too long for a thread")]
    Expired,
    /// It cannot be answered in part, and not in full in the time that there is.
    #[error("the machine is too busy to finish the search in time")]
    Overdue,
    /// The queue is closed.
    #[error("the service is shutting down")]
    Closing,
    /// It has failed.
    #[error("the search has failed")]
    Failed,
}

/// An answer to come. Dropping it stops the search.
#[derive(Debug)]
pub struct Running<T> {
    answer: oneshot::Receiver<Result<Found<T>, Unanswered>>,
    control: Control,
    /// How long the search has waited for its turn.
    pub waited: Duration,
}

impl<T> Running<T> {
    /// Waits for the answer.
    ///
    /// # Errors
    /// There is none.
    pub async fn answer(&mut self) -> Result<Found<T>, Unanswered> {
        (&mut self.answer).await.unwrap_or(Err(Unanswered::Failed))
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.control.stop();
    }
}

/// A search that may wait. Dropping it takes the search out of the queue.
struct Waiting<'a> {
    pub shared: &'a Arc<Shared>,
    pub class: Class,
    pub id: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let job = self.shared.lane(self.class).remove(self.id, Ended::Cancelled);
        drop(job);
    }
}

/// What has been found, to be handed over when the thread counts as free again.
struct Delivery {
    pub ended: Ended,
    pub nodes: u64,
    /// Gives it to the caller, or says why not.
    pub hand_over: Box<dyn FnOnce() + Send>,
}

/// Nodes that count as a millisecond of searching. A search takes half as long on a core of its own; at this
/// speed the usual limits on nodes and on time mean the same.
pub const NODES_PER_MS: u64 = 2_000;
/// Nodes for a depth of 0. Each ply multiplies them by [`Playable::GROWTH`].
pub const NODES_AT_DEPTH_0: u32 = 50;
/// How many times as many nodes count for a depth where several lines are told apart: what all of them took
/// in positions of games.
pub const SEVERAL_LINES: u64 = 6;

/// A search that counts for more is long: such searches leave a thread to the others.
const LONG: Duration = Duration::from_secs(1);

/// What is asked of a search. It depends on the question and the settings alone, not on how fast other
/// searches were.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// What it counts for: its time, or less if its nodes are visited sooner.
    pub work: Duration,
    /// It thinks for a time, so any answer will do; otherwise it is answered in full or not at all.
    is_timed: bool,
}

impl Demand {
    /// So many searches, one after the other, each to the depth that is asked for. They share the time and
    /// the nodes. Without a limit on time they take no longer than `longest`.
    pub fn of<G: Playable>(options: &Options, searches: usize, longest: Duration) -> Self {
        const NANOS_PER_NODE: u64 = 1_000_000 / NODES_PER_MS;
        let limits = limits_of::<G>(options);
        let times = searches as u64 * if options.lines > 1 { SEVERAL_LINES } else { 1 };
        let by_depth = limits.depth.map_or(u64::MAX, nodes_to_depth::<G>).saturating_mul(times);
        let nodes = limits.nodes.unwrap_or(u64::MAX).min(by_depth);
        let by_nodes = Duration::from_nanos(nodes.saturating_mul(NANOS_PER_NODE));
        Self { work: by_nodes.min(limits.time.unwrap_or(longest)), is_timed: limits.time.is_some() }
    }

    fn is_long(&self) -> bool {
        self.work > LONG
    }
}

/// How many nodes a search to a depth counts for.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is positive; too large is the most"
)]
fn nodes_to_depth<G: Playable>(depth: u32) -> u64 {
    (f64::from(NODES_AT_DEPTH_0) * G::GROWTH.powi(depth.cast_signed())).ceil() as u64
}

#[cfg(test)]
mod tests;
