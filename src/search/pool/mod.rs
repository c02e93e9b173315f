//! Search threads, and who gets them when.

mod busy;
mod caller;
mod cost;
mod forecast;
mod job;
mod ring;
mod running;
mod state;
mod stats;
#[cfg(test)]
mod tests;
mod worker;

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

pub use self::{
    busy::{Busy, BusyCause, Unanswered},
    caller::CallerId,
    running::{Running, Waiting},
    stats::{Ended, EndedCounts, PoolStats},
};
use self::{
    cost::{Question, after},
    job::{Delivery, Job, Report, Ticket, Work},
    running::Place,
    worker::Shared,
};
use super::{
    analysis::Analysis, control::Control, level::limits_of, options::Options, playable::Playable,
    root::search, tablebase::Tablebases, transposition_table::TranspositionTable,
};

/// How many threads search, with what, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolConfig {
    /// Search threads, at least 1.
    pub threads: usize,
    /// Searches that may wait for a thread. Before there are so many, mostly [`PoolConfig::max_wait`] refuses more.
    pub queue: usize,
    /// Searches of one caller that may run or wait.
    pub per_caller: usize,
    /// How long a search may wait for a thread. What is expected to wait longer is refused at once.
    pub max_wait: Duration,
    /// How long a search without a limit on time may take; it is not answered if it is not over by then.
    pub longest: Duration,
    /// The size of each thread's table in bytes. Without a limit on time, answers depend on it.
    pub table_bytes: usize,
}

impl PoolConfig {
    /// How long a search really waits at the most: what finds an idle thread is not refused because the thread has to wake up.
    fn patience(&self) -> Duration {
        const WAKING_UP: Duration = Duration::from_millis(100);
        self.max_wait.max(WAKING_UP)
    }
}

impl Default for PoolConfig {
    /// As many threads as the machine, or its share of it, runs at once.
    fn default() -> Self {
        Self {
            threads: thread::available_parallelism().map_or(1, usize::from),
            queue: QUEUE,
            per_caller: PER_CALLER,
            max_wait: MAX_WAIT,
            longest: LONGEST,
            table_bytes: TABLE_BYTES,
        }
    }
}

/// Waiting searches by default. What they wait for is bounded by time; this bounds the memory that they take.
const QUEUE: usize = 1_024;
/// Searches of one caller by default: an eighth of the queue.
const PER_CALLER: usize = 128;
/// How long a search waits by default.
const MAX_WAIT: Duration = Duration::from_secs(1);
/// How long a search takes that has no limit on time, by default.
const LONGEST: Duration = Duration::from_secs(30);
/// A table by default: room for a million positions, which is about what half a second visits.
const TABLE_BYTES: usize = 16 << 20;

/// Search threads with a bounded queue; clones share them.
///
/// They run with the lowest priority, and make way often. The last clone to go stops and joins them.
#[derive(Clone, Debug)]
pub struct Pool(Arc<Threads>);

#[derive(Debug)]
struct Threads {
    shared: Arc<Shared>,
    handles: Mutex<Vec<JoinHandle<()>>>,
}

impl Pool {
    /// Starts the threads, whose searches share some tablebases.
    ///
    /// # Errors
    /// The system refuses to start a thread.
    pub fn new(config: PoolConfig, tablebases: Tablebases) -> io::Result<Self> {
        let config = PoolConfig { threads: config.threads.max(1), ..config };
        let shared = Arc::new(Shared::new(config, tablebases));
        let pool = Self(Arc::new(Threads { shared: Arc::clone(&shared), handles: Mutex::default() }));
        for number in 0..config.threads {
            let shared = Arc::clone(&shared);
            let builder = thread::Builder::new().name(format!("search-{number}"));
            let handle = builder.spawn(move || shared.work(number))?;
            pool.0.handles().push(handle);
        }
        Ok(pool)
    }

    /// Puts a search into the queue, where it waits for its turn. Its time runs from its start. Without a limit on time it is
    /// answered in full or not at all; otherwise it may be told to end early when others wait (see [`Ended::CutShort`]).
    ///
    /// `on_depth` is called on the search thread with what is known after each finished depth.
    ///
    /// # Errors
    /// The search would wait too long, or there is no room for it or for one more of its caller.
    pub fn start<G: Playable>(
        &self,
        caller: CallerId,
        position: G,
        options: Options,
        mut on_depth: impl FnMut(&Analysis<G::Move>) + Send + 'static,
    ) -> Result<Waiting<Analysis<G::Move>>, Busy> {
        let tablebases = self.0.shared.tablebases.clone();
        let question = Question::new(G::ABOUT.id, options.level, limits_of::<G>(&options));
        let work = move |control: &Control, table: &mut TranspositionTable| {
            search(&position, &options, &tablebases, control, table, &mut on_depth)
        };
        self.submit_reporting(caller, question, work, |analysis| Report {
            nodes: analysis.nodes,
            stopped_by: analysis.stopped_by,
        })
    }

    /// Queues some work, of which it can be told what has come of it.
    fn submit_reporting<T: Send + 'static>(
        &self,
        caller: CallerId,
        question: Question,
        work: impl FnOnce(&Control, &mut TranspositionTable) -> T + Send + 'static,
        report: impl FnOnce(&T) -> Report + Send + 'static,
    ) -> Result<Waiting<T>, Busy> {
        let shared = &self.0.shared;
        let (control, accepted) = (Control::new(), Instant::now());
        let (sender, answer) = oneshot::channel();
        let run: Work = Box::new(move |control, table| {
            let found = work(control, table);
            Delivery {
                abandoned: sender.is_closed(),
                report: report(&found),
                // The caller may have gone away, and then nobody minds.
                hand_over: Box::new(move |busy| drop(sender.send(busy.map_or(Ok(found), Err)))),
            }
        });
        let (id, cost) = shared.state().register(&question, accepted);
        let ticket = Ticket { id, caller, question, control: control.clone(), cost, accepted };
        let (sender, turn) = oneshot::channel();
        shared.accept(Job { ticket, turn: sender, run })?;
        let until = after(accepted, shared.config.patience());
        let place = Place { shared: Arc::clone(shared), caller, id, until };
        Ok(Waiting { turn, running: Running::new(answer, control), place })
    }

    /// The tablebases of its searches.
    #[must_use]
    pub fn tablebases(&self) -> &Tablebases {
        &self.0.shared.tablebases
    }

    /// How busy the pool is.
    #[must_use]
    pub fn stats(&self) -> PoolStats {
        self.0.shared.state().stats()
    }

    /// Lets what runs answer with what it has found, and drops what waits.
    pub fn hurry(&self) {
        self.0.shared.state().hurry();
    }

    /// Stops what runs, drops what waits, takes no more, and joins the threads.
    pub fn shut_down(&self) {
        self.0.shut_down();
    }
}

impl Threads {
    fn handles(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shut_down(&self) {
        self.shared.close();
        for handle in self.handles().drain(..) {
            if handle.join().is_err() {
                log::error!("a search thread panicked outside of a search");
            }
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.shut_down();
    }
}
