//! Search threads, and how they are shared.
//!
//! - A single search is *interactive*, a search of a batch runs in the *background*. Each class has its own
//!   queue and threads; the kernel gives background threads only idle processor time.
//! - Callers take turns in each queue (round robin). An interactive search waits for a limited time, and long
//!   searches leave a thread to the others.
//! - No search thread shares a lock with the event loop (priority inversion): see `threads`.

mod lane;
mod threads;

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use strum::VariantArray as _;
use tokio::{sync::oneshot, time::timeout};

use self::lane::{Job, SharedLane, Task, Ticket};
use crate::{
    api::{Found, limits::ServiceLimits},
    caller::Caller,
    engine::{Control, StoppedBy, TranspositionTable},
    words::of_panic,
};

/// The scheduling class of a search. Its text is the label in metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Class {
    /// A single question, whose caller waits for the answer.
    Interactive,
    /// A search of a batch. It gets only idle processor time.
    Background,
}

impl Class {
    /// Both classes.
    pub const ALL: [Self; 2] = [Self::Interactive, Self::Background];
}

/// How a search ended. Its text is the label in metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Ended {
    /// It has been answered.
    Answered,
    /// Its caller has disconnected.
    Cancelled,
    /// It was not accepted, or the queue was closed before its end.
    Refused,
    /// It waited too long for a thread.
    Expired,
    /// It needed a full answer, and could not be finished in time.
    Overdue,
    /// It has panicked.
    Failed,
}

/// The load of the threads of a class, and counts of its searches since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Search threads.
    pub threads: usize,
    /// Searches that have a thread.
    pub running: usize,
    /// Searches that wait for a thread.
    pub waiting: usize,
    /// Bytes allocated for transposition tables.
    pub table_bytes: usize,
    /// Nodes (positions) visited.
    pub nodes: u64,
    /// Searches that have ended, indexed by [`Ended`].
    pub ended: [u64; Ended::VARIANTS.len()],
}

/// What a search asks for.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// The work that it counts for.
    pub work: Duration,
    /// Whether it has a time limit, so that a partial answer counts; otherwise it needs a full answer.
    pub is_timed: bool,
}

/// Searches that count for more work are long: they leave a thread to the others.
const LONG: Duration = Duration::from_secs(1);

/// Search threads with bounded queues. Dropping it stops them.
#[derive(derive_more::Debug)]
#[debug("Queue")]
pub struct Queue {
    /// The limits of the service.
    pub limits: ServiceLimits,
    lanes: [Arc<SharedLane>; Class::ALL.len()],
}

impl Queue {
    /// Starts the threads, each with a table of `table_bytes`, on which answers without a time limit
    /// depend. Called in a runtime, which receives the results of background searches.
    ///
    /// # Errors
    /// The system refuses to start a thread.
    pub fn new(limits: ServiceLimits, table_bytes: usize) -> io::Result<Self> {
        let queue = Self { limits, lanes: Default::default() };
        for (class, lane) in Class::ALL.into_iter().zip(&queue.lanes) {
            for number in 0..queue.limits.searches.at_a_time {
                threads::start(class, number, lane, table_bytes)?;
            }
        }
        Ok(queue)
    }

    /// The longest time of an interactive search without a time limit. A search that takes longer is overdue.
    pub fn longest(&self) -> Duration {
        Duration::from_millis(self.limits.search.full_answer_ms)
    }

    /// How many searches of a batch may wait or run at a time: enough that threads stay busy even behind a
    /// slow search. More would only take memory.
    pub fn window(&self) -> usize {
        const FOR_EACH_THREAD: usize = 4;
        FOR_EACH_THREAD * self.limits.searches.at_a_time
    }

    /// The load of the threads of a class.
    pub fn stats(&self, class: Class) -> Stats {
        self.lanes[class as usize].lock().stats()
    }

    /// Queues a search, or any work that checks the limits of a [`Control`], and waits until it has a thread.
    /// Its time limit starts then. Without a time limit it is answered in full or not at all.
    ///
    /// Work that its control stops must report that it was [stopped by time](crate::engine::StoppedBy::Time).
    ///
    /// # Errors
    /// An interactive search waits too long, the queue is full, or the caller has too many searches; or the
    /// queue is closed.
    pub async fn begin<T: Send + 'static>(
        &self,
        caller: Caller,
        class: Class,
        Demand { work, is_timed }: Demand,
        search: impl FnOnce(&Control, &mut TranspositionTable) -> Found<T> + Send + 'static,
    ) -> Result<Running<T>, QueueError> {
        /// The longest wait of a search of a batch: years.
        const FOREVER: Duration = Duration::from_secs(1 << 30);
        let is_interactive = class == Class::Interactive;
        let (sender, answer) = oneshot::channel();
        let (begun, turn) = oneshot::channel();
        let control = Control::making_way();
        let waiting = control.clone();
        // A search of a batch ends by its nodes, however little processor time it gets.
        let longest = (is_interactive && !is_timed).then(|| self.longest());
        let task: Task = Box::new(move |table| {
            let control = waiting.restarted();
            if let Some(longest) = longest {
                control.stop_after(longest);
            }
            let table_bytes = table.allocated_bytes();
            // A panic leaves no entry of the table half written.
            let found = catch_unwind(AssertUnwindSafe(|| search(&control, table)));
            let table_bytes = table.allocated_bytes() - table_bytes;
            let nodes = found.as_ref().map_or(0, |found| found.nodes);
            let is_answer = |found: &Found<T>| found.stopped_by != StoppedBy::Time || is_timed && nodes > 0;
            let (ended, answer) = match (found, longest) {
                (Err(panic), _) => (Ended::Failed, Err(QueueError::Failed(of_panic(&*panic).to_owned()))),
                (Ok(found), _) if sender.is_closed() => (Ended::Cancelled, Ok(found)),
                (Ok(found), _) if is_answer(&found) => (Ended::Answered, Ok(found)),
                (Ok(_), Some(longest)) if control.elapsed() >= longest => {
                    (Ended::Overdue, Err(QueueError::Overdue(longest)))
                }
                (Ok(_), _) => (Ended::Refused, Err(QueueError::Closing)),
            };
            // Sending fails if the caller has left, which is fine.
            Delivery { ended, nodes, table_bytes, hand_over: Box::new(move || drop(sender.send(answer))) }
        });
        let is_long = is_interactive && work > LONG;
        let ticket = Ticket { id: 0, caller, is_long, control: control.clone() };
        let lane = Arc::clone(&self.lanes[class as usize]);
        let id =
            lane.lock().push(Job { ticket, begun, task }, is_interactive.then_some(&self.limits.searches))?;
        let running = Running { answer, control, lane, id };
        let wait = Duration::from_millis(self.limits.searches.wait_ms);
        let Ok(begun) = timeout(if is_interactive { wait } else { FOREVER }, turn).await else {
            running.remove(Ended::Expired);
            return Err(QueueError::Expired);
        };
        // The sender is dropped only when the queue closes.
        begun.map(|()| running).map_err(|_| QueueError::Closing)
    }

    /// Closes the queue: drops waiting searches, and stops running ones, which answer with what they have
    /// found, unless they need a full answer. The threads end.
    pub fn close(&self) {
        for lane in &self.lanes {
            // What waits is dropped after the lock is released.
            let dropped = lane.lock().close();
            drop(dropped);
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.close();
    }
}

/// Why a search is refused or not answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// The queue is full.
    #[error("too many searches are waiting for a thread")]
    Queue,
    /// The caller has too many searches.
    #[error("you have too many searches running or waiting")]
    Share,
    /// The search waited too long for a thread.
    #[error("the search waited too long for a thread")]
    Expired,
    /// The search needs a full answer, and could not be finished in time.
    #[error("the machine is too busy to finish the search in time")]
    Overdue(Duration),
    /// The queue is closed.
    #[error("the service is shutting down")]
    Closing,
    /// The search has panicked, with this message for the log.
    #[error("the search has failed")]
    Failed(String),
}

/// A queued or running search. Dropping it cancels the search.
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
    /// The search has failed, could not be answered in full, or was dropped because the queue closed.
    pub async fn answer(&mut self) -> Result<Found<T>, QueueError> {
        (&mut self.answer).await.unwrap_or(Err(QueueError::Closing))
    }

    /// Takes the search out of the queue, if it still waits.
    fn remove(&self, ended: Ended) {
        // It is dropped after the lock is released.
        let job = self.lane.lock().remove(self.id, ended);
        drop(job);
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.control.stop();
        self.remove(Ended::Cancelled);
    }
}

/// The result of a task, to be delivered when the thread counts as free again.
struct Delivery {
    ended: Ended,
    nodes: u64,
    /// How much the transposition table has grown, in bytes.
    table_bytes: usize,
    /// Sends the result, or the reason why there is none, to the caller.
    hand_over: Box<dyn FnOnce() + Send>,
}

#[cfg(test)]
mod tests;
