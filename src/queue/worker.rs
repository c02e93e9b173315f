//! What search threads do: one search after the other.
//!
//! A thread of the kernel's idle class may be stopped at any moment for a long time. If it held the lock of a
//! queue then, all who want to search would wait for it, and so would the event loop. So each background
//! thread is two: one of ordinary priority, which takes searches out of the queue and hands over what they
//! find, and one of the idle class, which does nothing but search.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use super::{
    Class, Delivery, Ended, Stats,
    lane::{Job, Lane},
};
use crate::{
    search::{Control, TranspositionTable},
    service::limits::ServiceLimits,
};

/// How long a background thread keeps its table when it has nothing to do.
const TABLE_IDLE: Duration = Duration::from_secs(30);

/// What a search thread is to do with its table.
pub(super) type Task = Box<dyn FnOnce(&Control, &mut TranspositionTable) -> Delivery + Send>;

/// The threads. They end when this is dropped.
pub(super) struct Threads {
    pub shared: Arc<Shared>,
    handles: Vec<JoinHandle<()>>,
}

impl Threads {
    pub fn start(limits: ServiceLimits, table_size: usize) -> io::Result<Self> {
        let count = limits.searches.at_a_time;
        let mut threads = Self { shared: Arc::new(Shared::new(limits, table_size)), handles: Vec::new() };
        for number in 0..count {
            threads.spawn(format!("search-{number}"), |shared| {
                // What must not wait goes before. On Linux this is a matter of the thread.
                set_nice(5);
                let mut searcher = Searcher::new(shared, Class::Interactive);
                shared.work(Class::Interactive, |control, task| searcher.search(&control, task));
            })?;
            let (tasks, to_do) = mpsc::channel();
            let (done, found) = mpsc::channel();
            threads.spawn(format!("batch-{number}"), move |shared| {
                lowest_priority();
                Searcher::new(shared, Class::Background).search_all(&to_do, &done);
            })?;
            threads.spawn(format!("hand-over-{number}"), move |shared| {
                shared.work(Class::Background, |control, task| {
                    tasks.send((control, task)).ok()?;
                    found.recv().ok()?
                });
            })?;
        }
        Ok(threads)
    }

    fn spawn(&mut self, name: String, work: impl FnOnce(&Shared) + Send + 'static) -> io::Result<()> {
        let shared = Arc::clone(&self.shared);
        self.handles.push(thread::Builder::new().name(name).spawn(move || work(&shared))?);
        Ok(())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.shared.close();
        for handle in self.handles.drain(..) {
            if handle.join().is_err() {
                log::error!("a search thread panicked outside of a search");
            }
        }
    }
}

/// What the threads and the callers share.
pub(super) struct Shared {
    pub limits: ServiceLimits,
    /// The size of each table in bytes.
    table_size: usize,
    lanes: [(Mutex<Lane>, Condvar); Class::ALL.len()],
    /// What the tables of a class hold.
    table_bytes: [AtomicUsize; Class::ALL.len()],
}

impl Shared {
    fn new(limits: ServiceLimits, table_size: usize) -> Self {
        let threads = limits.searches.at_a_time;
        let lanes = Class::ALL.map(|_| (Mutex::new(Lane::new(threads)), Condvar::new()));
        Self { limits, table_size, lanes, table_bytes: Default::default() }
    }

    /// No code that holds the lock can leave the state half changed, so a panic does no harm to it.
    pub fn lane(&self, class: Class) -> MutexGuard<'_, Lane> {
        self.lanes[class as usize].0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes a thread: there is something for it to do.
    pub fn wake(&self, class: Class) {
        self.lanes[class as usize].1.notify_one();
    }

    pub fn stats(&self, class: Class) -> Stats {
        self.lane(class).stats(self.table_bytes[class as usize].load(Ordering::Relaxed))
    }

    pub fn close(&self) {
        for class in Class::ALL {
            let dropped = self.lane(class).close();
            drop(dropped);
            self.lanes[class as usize].1.notify_all();
        }
    }

    /// What a thread does: one job after the other, until the queue is closed.
    fn work(&self, class: Class, mut search: impl FnMut(Control, Task) -> Option<Delivery>) {
        while let Some(Job { ticket, accepted, begun, task }) = self.next(class) {
            let control = ticket.control.restarted();
            // The caller may have left; its search then stops at once.
            let _is_there = begun.send(accepted.elapsed());
            let Some(Delivery { ended, nodes, hand_over }) = search(control, task) else {
                self.lane(class).end(ticket.id, Ended::Failed, 0);
                continue;
            };
            self.lane(class).end(ticket.id, ended, nodes);
            hand_over();
        }
    }

    /// Waits for a job; nothing if the queue is closed.
    fn next(&self, class: Class) -> Option<Job> {
        let mut lane = self.lane(class);
        loop {
            if lane.is_closed {
                return None;
            }
            if let Some(job) = lane.take() {
                return Some(job);
            }
            lane = self.lanes[class as usize].1.wait(lane).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A thread that searches, with its table.
struct Searcher<'a> {
    shared: &'a Shared,
    class: Class,
    table: TranspositionTable,
}

impl<'a> Searcher<'a> {
    fn new(shared: &'a Shared, class: Class) -> Self {
        Self { shared, class, table: TranspositionTable::new(shared.table_size) }
    }

    /// Does what comes, and gives the memory of the table back when nothing does for a while.
    fn search_all(&mut self, to_do: &Receiver<(Control, Task)>, done: &Sender<Option<Delivery>>) {
        loop {
            match to_do.recv_timeout(TABLE_IDLE) {
                Ok((control, task)) => {
                    if done.send(self.search(&control, task)).is_err() {
                        return;
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.renew_table(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Nothing if the search fails.
    fn search(&mut self, control: &Control, task: Task) -> Option<Delivery> {
        let before = self.table.allocated_bytes();
        let found = catch_unwind(AssertUnwindSafe(|| task(control, &mut self.table)));
        let table_bytes = &self.shared.table_bytes[self.class as usize];
        table_bytes.fetch_add(self.table.allocated_bytes() - before, Ordering::Relaxed);
        // The panic may have left it half written.
        found.inspect_err(|_| self.renew_table()).ok()
    }

    fn renew_table(&mut self) {
        let table_bytes = &self.shared.table_bytes[self.class as usize];
        table_bytes.fetch_sub(self.table.allocated_bytes(), Ordering::Relaxed);
        self.table = TranspositionTable::new(self.shared.table_size);
    }
}

/// Lets everything else on the machine go before background searches.
fn lowest_priority() {
    #[cfg(target_os = "linux")]
    {
        let parameters = libc::sched_param { sched_priority: 0 };
        #[expect(unsafe_code, reason = "nothing in safe Rust chooses the class, and it was measured")]
        // SAFETY: the function only reads the parameters, which live until it returns.
        let done = unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const parameters) };
        if done == 0 {
            return;
        }
    }
    set_nice(19);
}

fn set_nice(nice: i32) {
    if let Err(error) = rustix::process::setpriority_process(None, nice) {
        log::debug!("the priority of a thread stays as it is: {error}");
    }
}
