//! What search threads do: one job after the other.

use std::{
    any::Any,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use super::{
    busy::Busy,
    class::Class,
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
    /// An interactive search is in the queue, or the pool is closed.
    wake_interactive: Condvar,
    /// A background search is in the queue and there is a processor for it, or the pool is closed.
    wake_background: Arc<Condvar>,
}

/// What a search thread does next.
enum Next {
    Search(Control, Work),
    /// Nothing: no search has come for as long as a thread keeps its memory.
    Rest,
    /// Nothing any more.
    End,
}

impl Shared {
    pub fn new(config: PoolConfig, tablebases: Tablebases) -> Self {
        let wake_background = Arc::new(Condvar::new());
        let scheduler = Mutex::new(Scheduler::new(config, Arc::clone(&wake_background)));
        Self { tablebases, config, scheduler, wake_interactive: Condvar::new(), wake_background }
    }

    /// No code that holds the lock can leave the state half changed, so a panic does no harm to it.
    pub fn scheduler(&self) -> MutexGuard<'_, Scheduler> {
        self.scheduler.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a job into the queue.
    pub fn accept(&self, job: Job) -> Result<(), Busy> {
        let class = job.ticket.class();
        self.scheduler().admit(job, Instant::now())?;
        if class == Class::Interactive {
            self.wake_interactive.notify_one();
        }
        Ok(())
    }

    pub fn close(&self) {
        self.scheduler().close();
        self.wake_interactive.notify_all();
        self.wake_background.notify_all();
    }

    /// What a search thread does: one job after the other.
    pub fn work(&self, class: Class, number: usize) {
        lower_priority(class);
        let mut table = TranspositionTable::new(self.config.table_bytes);
        loop {
            match self.next(class, number, table.allocated_bytes() > 0) {
                Next::Search(control, run) => self.search(class, number, &control, run, &mut table),
                Next::Rest => {
                    table = TranspositionTable::new(self.config.table_bytes);
                    self.scheduler().set_table_bytes(class, number, 0);
                }
                Next::End => return,
            }
        }
    }

    fn search(
        &self,
        class: Class,
        number: usize,
        control: &Control,
        run: Work,
        table: &mut TranspositionTable,
    ) {
        match catch_unwind(AssertUnwindSafe(|| run(control, table))) {
            Ok(Delivery { abandoned, summary, hand_over }) => {
                let mut scheduler = self.scheduler();
                scheduler.set_table_bytes(class, number, table.allocated_bytes());
                let busy = scheduler.finish(class, number, summary, abandoned, Instant::now());
                drop(scheduler);
                hand_over(busy);
            }
            Err(panic) => {
                // The panic may have left it half written.
                *table = TranspositionTable::new(self.config.table_bytes);
                let mut scheduler = self.scheduler();
                scheduler.set_table_bytes(class, number, 0);
                scheduler.fail(class, number, Instant::now());
                drop(scheduler);
                log::error!("a search failed: {}", message(&*panic));
            }
        }
    }

    /// Waits for a job that is still wanted. Its time runs from now on.
    fn next(&self, class: Class, number: usize, has_table: bool) -> Next {
        let mut scheduler = self.scheduler();
        loop {
            if scheduler.is_closed() {
                return Next::End;
            }
            if let Some((control, run)) = scheduler.take(class, number, Instant::now()) {
                return Next::Search(control, run);
            }
            scheduler = match class {
                Class::Interactive => {
                    self.wake_interactive.wait(scheduler).unwrap_or_else(PoisonError::into_inner)
                }
                Class::Background if has_table => {
                    let waited = self.wake_background.wait_timeout(scheduler, self.config.table_idle);
                    let (scheduler, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                    if timeout.timed_out() {
                        return Next::Rest;
                    }
                    scheduler
                }
                Class::Background => {
                    self.wake_background.wait(scheduler).unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
    }
}

/// Lets everything else on the machine go before background searches, and what must not wait before
/// interactive ones. On Linux this is a matter of the thread.
fn lower_priority(class: Class) {
    const NICE_INTERACTIVE: i32 = 5;
    /// The lowest priority there is.
    const NICE_BACKGROUND: i32 = 19;
    let nice = match class {
        Class::Interactive => NICE_INTERACTIVE,
        Class::Background => NICE_BACKGROUND,
    };
    if let Err(error) = rustix::process::setpriority_process(None, nice) {
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
