//! Search threads, and who gets them when.

mod admission;
mod batch;
mod batches;
mod busy;
mod caller;
mod class;
mod config;
mod demand;
mod forecast;
mod job;
mod lane;
mod processors;
mod ring;
mod running;
mod scheduler;
mod stats;
#[cfg(test)]
mod tests;
mod worker;

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::Instant,
};

use tokio::sync::oneshot;

pub use self::{
    batch::{Batch, SearchFor},
    busy::{Busy, BusyCause, NotBegun, TooMuchWork, Unanswered},
    caller::CallerId,
    class::Class,
    config::PoolConfig,
    demand::{Demand, NODES_AT_DEPTH_0, NODES_PER_MS, SEVERAL_LINES},
    job::Summary,
    running::{Running, Waiting},
    stats::{Ended, EndedCounts, PoolStats},
};
use self::{
    demand::after,
    job::{Delivery, Job, Ticket, Work},
    running::Place,
    worker::Shared,
};
use crate::search::{Control, Tablebases, TranspositionTable};

/// Search threads with a bounded queue; clones share them.
///
/// They run with a low priority, those for batches with the lowest, and make way often. There are two kinds
/// of them, one for each [`Class`], and no more searches think at a time than there are threads for
/// interactive ones. The last clone to go stops and joins them.
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
        let config = config.checked();
        let shared = Arc::new(Shared::new(config, tablebases));
        let pool = Self(Arc::new(Threads { shared: Arc::clone(&shared), handles: Mutex::default() }));
        let interactive = (0..config.threads).map(|number| ("search", Class::Interactive, number));
        let background =
            (0..config.background_threads).map(|number| ("background", Class::Background, number));
        for (name, class, number) in interactive.chain(background) {
            let shared = Arc::clone(&shared);
            let builder = thread::Builder::new().name(format!("{name}-{number}"));
            let handle = builder.spawn(move || shared.work(class, number))?;
            pool.0.handles().push(handle);
        }
        Ok(pool)
    }

    /// How large it is.
    #[must_use]
    pub fn config(&self) -> &PoolConfig {
        &self.0.shared.config
    }

    /// Begins a batch of so many searches of each kind, before any of them is queued.
    ///
    /// # Errors
    /// The searches count for too much together, or there are too many batches of which a search runs or
    /// waits, of all callers or of this one.
    pub fn begin_batch(&self, caller: CallerId, searches: &[(Demand, usize)]) -> Result<Batch, NotBegun> {
        let shared = &self.0.shared;
        let (id, open) = shared.scheduler().begin_batch(caller, searches, Instant::now())?;
        Ok(Batch { shared: Arc::clone(shared), caller, id, _open: open })
    }

    /// Puts a search, or any work that checks the limits of a [`Control`], into the queue of its class, where
    /// it waits for its turn. Its time runs from its start, without its pauses. Without a limit on time it is
    /// answered in full or not at all; otherwise an interactive one may be told to end early when others wait
    /// (see [`Ended::CutShort`]).
    ///
    /// `summary` is asked what has come of it. What ends because its control stops it says that it was
    /// [stopped by time](crate::search::StoppedBy::Time).
    ///
    /// # Errors
    /// The search would wait too long, or there is no room for it or for one more of its caller; or its batch
    /// has had its share.
    pub fn submit<'a, T: Send + 'static>(
        &self,
        whom: impl Into<SearchFor<'a>>,
        demand: Demand,
        work: impl FnOnce(&Control, &mut TranspositionTable) -> T + Send + 'static,
        summary: impl FnOnce(&T) -> Summary + Send + 'static,
    ) -> Result<Waiting<T>, Busy> {
        let shared = &self.0.shared;
        let whom = whom.into();
        let (caller, batch) = match whom {
            SearchFor::Caller(caller) => (caller, None),
            SearchFor::Batch(batch) => (batch.caller, Some(batch.clone())),
        };
        let (control, accepted) = (Control::making_way(), Instant::now());
        let (sender, answer) = oneshot::channel();
        let run: Work = Box::new(move |control, table| {
            let found = work(control, table);
            Delivery {
                abandoned: sender.is_closed(),
                summary: summary(&found),
                // The caller may have gone away, and then nobody minds.
                hand_over: Box::new(move |busy| drop(sender.send(busy.map_or(Ok(found), Err)))),
            }
        });
        let id = shared.scheduler().new_id();
        let ticket = Ticket {
            id,
            caller,
            batch: batch.as_ref().map(|batch| batch.id),
            work: demand.work(&shared.config),
            is_timed: demand.is_timed(),
            control: control.clone(),
            accepted,
        };
        let class = ticket.class();
        let (sender, turn) = oneshot::channel();
        shared.accept(Job { ticket, turn: sender, run })?;
        let until = (class == Class::Interactive).then(|| after(accepted, shared.config.max_wait));
        let place = Place { shared: Arc::clone(shared), class, caller, id, until };
        Ok(Waiting { turn, running: Running::new(answer, control, batch), place })
    }

    /// The tablebases of its searches.
    #[must_use]
    pub fn tablebases(&self) -> &Tablebases {
        &self.0.shared.tablebases
    }

    /// How busy the threads of a class are.
    #[must_use]
    pub fn stats(&self, class: Class) -> PoolStats {
        self.0.shared.scheduler().stats(class)
    }

    /// Of how many batches a search runs or waits.
    #[must_use]
    pub fn active_batches(&self) -> usize {
        self.0.shared.scheduler().active_batches().len()
    }

    /// Lets what runs answer with what it has found, drops what waits, and ends the batches that are open.
    pub fn hurry(&self) {
        self.0.shared.scheduler().hurry();
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
