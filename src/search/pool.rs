//! Search threads.

use std::{
    any::Any,
    collections::VecDeque,
    fmt, io,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use super::{Analysis, Control, Evaluate, Options, Table, search};

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

/// What the threads and the callers share.
struct Shared {
    config: PoolConfig,
    state: Mutex<State>,
    /// Something is in the queue, or the pool is closed.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    /// What each thread works on.
    running: Vec<Option<Ticket>>,
    closed: bool,
    finished: u64,
    failed: u64,
}

/// What a search thread is to do with its table.
type Work = Box<dyn FnOnce(&mut Table) + Send>;

/// A search that waits.
struct Job {
    ticket: Ticket,
    run: Work,
}

/// What is known of a search from outside.
#[derive(Clone, Debug)]
struct Ticket {
    control: Control,
    /// When it ends at the latest, if its time is limited.
    deadline: Option<Instant>,
}

/// How busy a pool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolStats {
    /// Search threads.
    pub threads: usize,
    /// Searches that run.
    pub running: usize,
    /// Searches that wait for a thread.
    pub waiting: usize,
    /// Searches that came to their end since the start, stopped ones included.
    pub finished: u64,
    /// Searches that failed since the start.
    pub failed: u64,
}

/// All threads are busy for longer than a search would wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("all search threads are busy; try again in {} ms", .retry_after.as_millis())]
pub struct Busy {
    /// When a thread is expected to be free.
    pub retry_after: Duration,
}

/// A search ended without an answer: it failed, or the pool was shut down before its turn came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search ended without an answer")]
pub struct SearchFailed;

/// An answer to come. Dropping it stops the search.
#[derive(Debug)]
pub struct Running<T> {
    answer: oneshot::Receiver<T>,
    control: Control,
}

impl<T> Running<T> {
    /// Ends the search as soon as it next looks up; what it has found is its answer.
    pub fn stop(&self) {
        self.control.stop();
    }
}

impl<T> Future for Running<T> {
    type Output = Result<T, SearchFailed>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.answer).poll(context).map_err(|_| SearchFailed)
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.control.stop();
    }
}

impl Pool {
    /// Starts the threads.
    ///
    /// # Errors
    /// The system refuses to start a thread.
    pub fn new(config: PoolConfig) -> io::Result<Self> {
        let config = PoolConfig { threads: config.threads.max(1), ..config };
        let state = State { running: vec![None; config.threads], ..State::default() };
        let shared = Arc::new(Shared { config, state: Mutex::new(state), changed: Condvar::new() });
        let pool = Self(Arc::new(Threads { shared: Arc::clone(&shared), handles: Mutex::default() }));
        for number in 0..config.threads {
            let shared = Arc::clone(&shared);
            let builder = thread::Builder::new().name(format!("search-{number}"));
            let handle = builder.spawn(move || shared.work(number))?;
            pool.0.handles().push(handle);
        }
        Ok(pool)
    }

    /// Starts a search, or puts it into the queue. Its time runs from now on.
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
        self.submit(&options, move |control, table| {
            search(&position, &options, control, table, &mut on_depth)
        })
    }

    /// Queues some work within the limits of a search.
    fn submit<T: Send + 'static>(
        &self,
        options: &Options,
        work: impl FnOnce(&Control, &mut Table) -> T + Send + 'static,
    ) -> Result<Running<T>, Busy> {
        let control = Control::new();
        let deadline = options.limits.time.and_then(|time| control.accepted().checked_add(time));
        let (sender, answer) = oneshot::channel();
        let run = {
            let control = control.clone();
            Box::new(move |table: &mut Table| {
                // The caller may have gone away, and then nobody minds.
                drop(sender.send(work(&control, table)));
            })
        };
        let ticket = Ticket { control: control.clone(), deadline };
        self.0.shared.accept(Job { ticket, run }, options.limits.time)?;
        Ok(Running { answer, control })
    }

    /// How busy the pool is.
    #[must_use]
    pub fn stats(&self) -> PoolStats {
        let state = self.0.shared.state();
        PoolStats {
            threads: self.0.shared.config.threads,
            running: state.running.iter().flatten().count(),
            waiting: state.waiting.len(),
            finished: state.finished,
            failed: state.failed,
        }
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

impl Shared {
    /// No code that holds the lock can leave the state half changed, so a panic does no harm to it.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a job into the queue.
    fn accept(&self, job: Job, time: Option<Duration>) -> Result<(), Busy> {
        let mut state = self.state();
        state.waiting.retain(|job| !job.ticket.control.is_stopped());
        let wait = state.expected_wait();
        let idle = state.running.iter().filter(|running| running.is_none()).count();
        let full = state.waiting.len() >= self.config.queue + idle;
        let too_late = time.is_some_and(|time| !wait.is_zero() && wait >= time);
        if full || too_late || state.closed {
            return Err(Busy { retry_after: wait });
        }
        state.waiting.push_back(job);
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.waiting.clear();
        for ticket in state.running.iter().flatten() {
            ticket.control.stop();
        }
        drop(state);
        self.changed.notify_all();
    }

    /// What a search thread does: one job after the other.
    fn work(&self, number: usize) {
        lower_priority();
        let mut table = Table::new(self.config.table_bytes);
        while let Some(run) = self.next_job(number) {
            let result = catch_unwind(AssertUnwindSafe(|| run(&mut table)));
            let mut state = self.state();
            state.running[number] = None;
            match result {
                Ok(()) => state.finished += 1,
                Err(panic) => {
                    state.failed += 1;
                    drop(state);
                    log::error!("a search failed: {}", message(&*panic));
                    // The panic may have left it half written.
                    table = Table::new(self.config.table_bytes);
                }
            }
        }
    }

    /// Waits for a job that is still wanted; `None` when the pool is closed.
    fn next_job(&self, number: usize) -> Option<Work> {
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            match state.waiting.pop_front() {
                Some(Job { ticket, .. }) if ticket.control.is_stopped() => {}
                Some(Job { ticket, run }) => {
                    state.running[number] = Some(ticket);
                    return Some(run);
                }
                None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

impl State {
    /// How long a search that is accepted now would wait for a thread, if those before it use up their time.
    fn expected_wait(&self) -> Duration {
        let now = Instant::now();
        let left = |ticket: &Ticket| {
            if ticket.control.is_stopped() {
                return Duration::ZERO;
            }
            ticket.deadline.map_or(UNLIMITED, |deadline| deadline.saturating_duration_since(now))
        };
        let mut free_in: Vec<_> =
            self.running.iter().map(|running| running.as_ref().map_or(Duration::ZERO, left)).collect();
        for job in &self.waiting {
            let first = free_in.iter_mut().min().expect("a pool has threads");
            *first = (*first).max(left(&job.ticket));
        }
        free_in.into_iter().min().expect("a pool has threads")
    }
}

/// What a search without a limit on time is taken to last: as long as one with the time that callers get who do not
/// ask for any.
const UNLIMITED: Duration = Duration::from_millis(500);

/// Lets everything else on the machine go first. On Linux this is a matter of the thread.
fn lower_priority() {
    /// The lowest there is.
    const NICE: i32 = 19;
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        log::debug!("the priority of a search thread stays as it is: {error}");
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
