//! Search threads, and who gets them when.

mod busy;
mod caller;
mod config;
mod cost;
mod forecast;
mod job;
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
    busy::{Busy, BusyCause, Unanswered},
    caller::CallerId,
    config::PoolConfig,
    running::{Running, Waiting},
    stats::{Ended, EndedCounts, PoolStats},
};
use self::{
    cost::{Demand, after},
    job::{Delivery, Job, Summary, Ticket, Work},
    running::Place,
    worker::Shared,
};
use super::{
    analysis::Analysis, control::Control, level::limits_of, options::Options, playable::Playable,
    root::search, tablebase::Tablebases, transposition_table::TranspositionTable,
};

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

    /// Puts a search into the queue, where it waits for its turn. Its time runs from its start. Without a
    /// limit on time it is answered in full or not at all; otherwise it may be told to end early when others
    /// wait (see [`Ended::CutShort`]).
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
        let demand = Demand::new(G::ABOUT.id, options.level, limits_of::<G>(&options));
        let work = move |control: &Control, table: &mut TranspositionTable| {
            search(&position, &options, &tablebases, control, table, &mut on_depth)
        };
        self.submit(caller, demand, work, |analysis| Summary {
            nodes: analysis.nodes,
            stopped_by: analysis.stopped_by,
        })
    }

    /// Queues some work, of which it can be told what has come of it.
    fn submit<T: Send + 'static>(
        &self,
        caller: CallerId,
        demand: Demand,
        work: impl FnOnce(&Control, &mut TranspositionTable) -> T + Send + 'static,
        summary: impl FnOnce(&T) -> Summary + Send + 'static,
    ) -> Result<Waiting<T>, Busy> {
        let shared = &self.0.shared;
        let (control, accepted) = (Control::new(), Instant::now());
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
        let (id, cost) = shared.scheduler().register(&demand, accepted);
        let ticket = Ticket { id, caller, demand, control: control.clone(), cost, accepted };
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
        self.0.shared.scheduler().stats()
    }

    /// Lets what runs answer with what it has found, and drops what waits.
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
