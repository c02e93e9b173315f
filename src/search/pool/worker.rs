//! What search threads do: one job after the other.

use std::{
    any::Any,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use super::{
    busy::Busy,
    config::PoolConfig,
    job::{Delivery, Job, Work},
    scheduler::Scheduler,
};
use crate::search::{Control, Tablebases, TranspositionTable};

/// What the threads and the callers share.
pub(super) struct Shared {
    pub tablebases: Tablebases,
    pub config: PoolConfig,
    scheduler: Mutex<Scheduler>,
    /// Something is in the queue, or the pool is closed.
    changed: Condvar,
}

impl Shared {
    pub fn new(config: PoolConfig, tablebases: Tablebases) -> Self {
        Self { tablebases, config, scheduler: Mutex::new(Scheduler::new(config)), changed: Condvar::new() }
    }

    /// No code that holds the lock can leave the state half changed, so a panic does no harm to it.
    pub fn scheduler(&self) -> MutexGuard<'_, Scheduler> {
        self.scheduler.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a job into the queue.
    pub fn accept(&self, job: Job) -> Result<(), Busy> {
        self.scheduler().admit(job, Instant::now())?;
        self.changed.notify_one();
        Ok(())
    }

    pub fn close(&self) {
        self.scheduler().close();
        self.changed.notify_all();
    }

    /// What a search thread does: one job after the other.
    pub fn work(&self, number: usize) {
        lower_priority();
        let mut table = TranspositionTable::new(self.config.table_bytes);
        while let Some((control, run)) = self.next_job(number) {
            match catch_unwind(AssertUnwindSafe(|| run(&control, &mut table))) {
                Ok(Delivery { abandoned, summary, hand_over }) => {
                    let busy = self.scheduler().finish(number, summary, abandoned, Instant::now());
                    hand_over(busy);
                }
                Err(panic) => {
                    self.scheduler().fail(number);
                    log::error!("a search failed: {}", message(&*panic));
                    // The panic may have left it half written.
                    table = TranspositionTable::new(self.config.table_bytes);
                }
            }
        }
    }

    /// Waits for a job that is still wanted; `None` when the pool is closed. Its time runs from now on.
    fn next_job(&self, number: usize) -> Option<(Control, Work)> {
        let mut scheduler = self.scheduler();
        loop {
            if scheduler.is_closed() {
                return None;
            }
            if let Some(next) = scheduler.take(number, Instant::now()) {
                return Some(next);
            }
            scheduler = self.changed.wait(scheduler).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Lets everything else on the machine go first. On Linux this is a matter of the thread.
fn lower_priority() {
    /// The lowest there is.
    const NICE: i32 = 19;
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        log::debug!("the priority of a thread stays as it is: {error}");
    }
}

/// What a panic says.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("config", &self.config).finish_non_exhaustive()
    }
}
