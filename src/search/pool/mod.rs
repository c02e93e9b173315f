//! Search threads.

mod queue;
mod running;
#[cfg(test)]
mod tests;
mod worker;

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
};

use tokio::sync::oneshot;

pub use self::{
    queue::{Busy, PoolStats},
    running::{Running, SearchFailed},
};
use self::{
    queue::{Delivery, Job, Ticket, Work},
    worker::Shared,
};
use super::{Analysis, Control, Evaluate, Knowledge, Options, Table, search};

/// How many threads search, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolConfig {
    /// Search threads, at least 1.
    pub threads: usize,
    /// Searches that may wait for a thread.
    pub queue: usize,
    /// The size of each thread's table in bytes. Without a limit on time, answers depend on it.
    pub table_bytes: usize,
}

impl Default for PoolConfig {
    /// As many threads as the machine, or its share of it, runs at once.
    fn default() -> Self {
        Self {
            threads: thread::available_parallelism().map_or(1, usize::from),
            queue: QUEUE,
            table_bytes: TABLE_BYTES,
        }
    }
}

/// Waiting searches by default: at half a second each, a thread works through them in seconds.
const QUEUE: usize = 32;
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
    /// Starts the threads, whose searches share some knowledge.
    ///
    /// # Errors
    /// The system refuses to start a thread.
    pub fn new(config: PoolConfig, knowledge: Knowledge) -> io::Result<Self> {
        let config = PoolConfig { threads: config.threads.max(1), ..config };
        let shared = Arc::new(Shared::new(config, knowledge));
        let pool = Self(Arc::new(Threads { shared: Arc::clone(&shared), handles: Mutex::default() }));
        for number in 0..config.threads {
            let shared = Arc::clone(&shared);
            let builder = thread::Builder::new().name(format!("search-{number}"));
            let handle = builder.spawn(move || shared.work(number))?;
            pool.0.handles().push(handle);
        }
        Ok(pool)
    }

    /// Starts a search, or puts it into the queue. Its time runs from its start.
    ///
    /// `on_depth` is called on the search thread with what is known after each finished depth.
    ///
    /// # Errors
    /// The queue is full, or the time of the search is expected to be over before a thread is free.
    pub fn start<G: Evaluate>(
        &self,
        position: G,
        options: Options,
        mut on_depth: impl FnMut(&Analysis<G::Move>) + Send + 'static,
    ) -> Result<Running<Analysis<G::Move>>, Busy> {
        let knowledge = self.0.shared.knowledge.clone();
        let work = move |control: &Control, table: &mut Table| {
            search(&position, &options, &knowledge, control, table, &mut on_depth)
        };
        self.submit_counted(&options, work, |analysis| analysis.nodes)
    }

    /// Queues some work within the limits of a search, of which it is known how many positions it has visited.
    fn submit_counted<T: Send + 'static>(
        &self,
        options: &Options,
        work: impl FnOnce(&Control, &mut Table) -> T + Send + 'static,
        nodes: impl FnOnce(&T) -> u64 + Send + 'static,
    ) -> Result<Running<T>, Busy> {
        let control = Control::new();
        let (sender, answer) = oneshot::channel::<T>();
        let run: Work = Box::new(move |control, table| {
            let found = work(control, table);
            Delivery {
                abandoned: sender.is_closed(),
                nodes: nodes(&found),
                // The caller may have gone away, and then nobody minds.
                hand_over: Box::new(move || drop(sender.send(found))),
            }
        });
        let ticket = Ticket { control: control.clone(), time: options.limits.time };
        self.0.shared.accept(Job { ticket, run }, options.limits.time)?;
        Ok(Running::new(answer, control))
    }

    /// What its searches know.
    #[must_use]
    pub fn knowledge(&self) -> &Knowledge {
        &self.0.shared.knowledge
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
