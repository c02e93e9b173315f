//! Search threads, and who gets them when.
//!
//! - Searches on their own are *interactive*, those of batches run in the *background*. Each class has a
//!   queue and threads of its own; the kernel gives background threads what all others leave.
//! - Callers take turns in each queue. An interactive search waits only for so long, and long searches leave
//!   a thread to the others.
//! - No thread of low priority ever holds a lock that others wait for: see `lane::start`.

mod lane;

use std::{
    any::Any,
    fmt, io,
    net::IpAddr,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use tokio::{
    sync::oneshot,
    time::{Instant, timeout_at},
};

use self::lane::{Job, SharedLane, Task, Ticket};
use crate::{
    api::{Found, limits::ServiceLimits},
    engine::{Control, Options, Playable, StoppedBy, TranspositionTable, limits_of},
};

/// Somebody who takes turns with everybody else, and has limits of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// The owner of a key, counted from 1: keys of the settings come first, then those of the file.
    Key(u32),
    /// The user of an address. Of IPv6 only the network counts: a household has all addresses of one.
    Address(IpAddr),
}

/// The caller as the log names it. It contains no secret.
impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(number) => write!(f, "key {number}"),
            Self::Address(IpAddr::V4(address)) => write!(f, "{address}"),
            Self::Address(IpAddr::V6(network)) => write!(f, "{network}/{PREFIX_BITS}"),
        }
    }
}

/// How many bits of an IPv6 address name a network; the others name what is in it.
pub const PREFIX_BITS: u32 = 64;

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

    /// The class of a search on its own, or of one of the batch with a number.
    pub const fn of(batch: Option<u64>) -> Self {
        if batch.is_some() { Self::Background } else { Self::Interactive }
    }
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Searches that have ended, in each of the [ways](Ended) in which they do.
    pub ended: [u64; Ended::ALL.len()],
}

/// Search threads with bounded queues. Dropping it stops them.
#[derive(derive_more::Debug)]
#[debug("Queue")]
pub struct Queue {
    /// What limits its searches.
    pub limits: ServiceLimits,
    lanes: [Arc<SharedLane>; Class::ALL.len()],
}

impl Queue {
    /// Starts the threads, each with a table of so many bytes. Without a limit on time, answers depend on it.
    ///
    /// # Errors
    /// The system refuses to start a thread.
    pub fn new(limits: ServiceLimits, table_bytes: usize) -> io::Result<Self> {
        let threads = limits.searches.at_a_time;
        let queue = Self { limits, lanes: Class::ALL.map(|_| Arc::new(SharedLane::new(threads))) };
        lane::start(threads, table_bytes, &queue.lanes)?;
        Ok(queue)
    }

    /// How long an interactive search without a limit on time may take; it is not answered if it is not over
    /// by then.
    pub fn longest(&self) -> Duration {
        Duration::from_millis(self.limits.search.full_answer_ms)
    }

    /// Begins a batch, many searches for one request: its number.
    ///
    /// # Errors
    /// There are too many of them, of all callers or of this one; or the queue is closed.
    pub fn begin_batch(&self, caller: Caller) -> Result<u64, QueueError> {
        self.lane(Class::Background).lock().begin_batch(caller, &self.limits)
    }

    /// How many searches of a batch should wait or run at a time: so many that no thread has to wait for the
    /// caller to bring the next one, and that one which takes long holds up few. More only take memory.
    pub fn window(&self) -> usize {
        const FOR_EACH_THREAD: usize = 4;
        FOR_EACH_THREAD * self.limits.searches.at_a_time
    }

    /// Of how many batches a search runs or waits.
    pub fn active_batches(&self) -> usize {
        self.lane(Class::Background).lock().batches().len()
    }

    /// How busy the threads of a class are.
    pub fn stats(&self, class: Class) -> Stats {
        self.lane(class).lock().stats()
    }

    /// Waits until a search, or any work that checks the limits of a [`Control`], has a thread. Its time runs
    /// from then on. Without a limit on time it is answered in full or not at all.
    ///
    /// What ends because its control stops it says that it was
    /// [stopped by time](crate::engine::StoppedBy::Time).
    ///
    /// # Errors
    /// An interactive search waits too long, or there is no room for it or for one more of its caller; or the
    /// queue is closed.
    pub async fn begin<T: Send + 'static>(
        &self,
        caller: Caller,
        batch: Option<u64>,
        demand: Demand,
        work: impl FnOnce(&Control, &mut TranspositionTable) -> Found<T> + Send + 'static,
    ) -> Result<Running<T>, QueueError> {
        /// How long one of a batch waits at most: years.
        const FOREVER: Duration = Duration::from_secs(1 << 30);
        /// How often it is looked whether a thread has woken up, for a search that has waited long enough.
        const WAKES_UP: Duration = Duration::from_millis(50);
        let class = Class::of(batch);
        let is_interactive = class == Class::Interactive;
        let max_wait =
            if is_interactive { Duration::from_millis(self.limits.searches.wait_ms) } else { FOREVER };
        let mut until = Instant::now() + max_wait;
        let control = Control::making_way();
        let waiting = control.clone();
        let (sender, answer) = oneshot::channel();
        // Its nodes end one of a batch, however little of a processor that gets.
        let longest = (is_interactive && !demand.is_timed).then(|| self.longest());
        let task: Task = Box::new(move |table| {
            let control = waiting.restarted();
            if let Some(longest) = longest {
                control.stop_after(longest);
            }
            let table_bytes = table.allocated_bytes();
            // A panic leaves no entry of the table half written.
            let found = catch_unwind(AssertUnwindSafe(|| work(&control, table)));
            let table_bytes = table.allocated_bytes() - table_bytes;
            let nodes = found.as_ref().map_or(0, |found| found.nodes);
            let is_answer =
                |found: &Found<T>| found.stopped_by != StoppedBy::Time || demand.is_timed && nodes > 0;
            let (ended, answer) = match (found, longest) {
                (Err(panic), _) => (Ended::Failed, Err(QueueError::Failed(message(&*panic).to_owned()))),
                (Ok(found), _) if sender.is_closed() => (Ended::Cancelled, Ok(found)),
                (Ok(found), _) if is_answer(&found) => (Ended::Answered, Ok(found)),
                (Ok(_), Some(longest)) if control.elapsed() >= longest => {
                    (Ended::Overdue, Err(QueueError::Overdue))
                }
                (Ok(_), _) => (Ended::Refused, Err(QueueError::Closing)),
            };
            // The caller may have gone away, and then nobody minds.
            Delivery { ended, nodes, table_bytes, hand_over: Box::new(move || drop(sender.send(answer))) }
        });
        let (begun, mut turn) = oneshot::channel();
        let lane = Arc::clone(self.lane(class));
        let (id, is_long) = (lane.lock().new_id(), is_interactive && demand.work > LONG);
        let ticket = Ticket { id, caller, batch, is_long, control: control.clone() };
        lane.lock().push(Job { ticket, begun, task }, &self.limits)?;
        lane.wake.notify_one();
        let running = Running { answer, control, lane, id };
        loop {
            if let Ok(begun) = timeout_at(until, &mut turn).await {
                // Who hears nothing has been dropped from the queue.
                return begun.map(|()| running).map_err(|_| QueueError::Closing);
            }
            // What the search holds is dropped without the lock.
            let expired = running.lane.lock().expire(id);
            if expired.is_some() {
                return Err(QueueError::Expired);
            }
            until = Instant::now() + WAKES_UP;
        }
    }

    /// Takes no more searches, drops what waits, and lets what runs answer with what it has found, unless it
    /// is to be answered in full. The threads end.
    pub fn close(&self) {
        for lane in &self.lanes {
            let dropped = lane.lock().close();
            drop(dropped);
            lane.wake.notify_all();
        }
    }

    const fn lane(&self, class: Class) -> &Arc<SharedLane> {
        &self.lanes[class as usize]
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.close();
    }
}

/// What a panic says.
pub fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// Why a search is not made or not answered, or a batch not begun.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
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
    /// It has failed, with this message for the log.
    #[error("the search has failed")]
    Failed(String),
}

/// An answer to come. Dropping it stops the search, or takes it out of the queue.
#[derive(derive_more::Debug)]
#[debug("Running({id})")]
pub struct Running<T> {
    answer: oneshot::Receiver<Result<Found<T>, QueueError>>,
    control: Control,
    lane: Arc<SharedLane>,
    id: u64,
}

impl<T> Running<T> {
    /// Waits for the answer.
    ///
    /// # Errors
    /// There is none.
    pub async fn answer(&mut self) -> Result<Found<T>, QueueError> {
        (&mut self.answer).await.unwrap_or(Err(QueueError::Closing))
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.control.stop();
        // What the search holds is dropped without the lock.
        let job = self.lane.lock().remove(self.id, Ended::Cancelled);
        drop(job);
    }
}

/// What has been found, to be handed over when the thread counts as free again.
struct Delivery {
    pub ended: Ended,
    pub nodes: u64,
    /// How much the table has grown.
    pub table_bytes: usize,
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
