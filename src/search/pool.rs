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

/// What the threads and the callers share.
struct Shared {
    config: PoolConfig,
    knowledge: Knowledge,
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
    abandoned: u64,
    refused: u64,
    nodes: u64,
}

/// What a search thread is to do with its table, and then, when it counts as free again, to hand over.
type Work = Box<dyn FnOnce(&mut Table) -> Delivery + Send>;

/// What has been found, ready to be handed over.
struct Delivery {
    /// Nobody waits for it any more.
    abandoned: bool,
    /// How many positions were visited.
    nodes: u64,
    hand_over: Box<dyn FnOnce()>,
}

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Searches whose caller left before their end since the start, while they ran or waited.
    pub abandoned: u64,
    /// Searches that were not accepted since the start, because all threads were busy.
    pub refused: u64,
    /// Positions that have been visited since the start, by the searches that came to their end.
    pub nodes: u64,
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
    /// Starts the threads, whose searches share some knowledge.
    ///
    /// # Errors
    /// The system refuses to start a thread.
    pub fn new(config: PoolConfig, knowledge: Knowledge) -> io::Result<Self> {
        let config = PoolConfig { threads: config.threads.max(1), ..config };
        let state = State { running: vec![None; config.threads], ..State::default() };
        let shared =
            Arc::new(Shared { config, knowledge, state: Mutex::new(state), changed: Condvar::new() });
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
        let deadline = options.limits.time.and_then(|time| control.accepted().checked_add(time));
        let (sender, answer) = oneshot::channel::<T>();
        let run: Work = {
            let control = control.clone();
            Box::new(move |table| {
                let found = work(&control, table);
                Delivery {
                    abandoned: sender.is_closed(),
                    nodes: nodes(&found),
                    // The caller may have gone away, and then nobody minds.
                    hand_over: Box::new(move || drop(sender.send(found))),
                }
            })
        };
        let ticket = Ticket { control: control.clone(), deadline };
        self.0.shared.accept(Job { ticket, run }, options.limits.time)?;
        Ok(Running { answer, control })
    }

    /// What its searches know.
    #[must_use]
    pub fn knowledge(&self) -> &Knowledge {
        &self.0.shared.knowledge
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
            abandoned: state.abandoned,
            refused: state.refused,
            nodes: state.nodes,
        }
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

impl Shared {
    /// No code that holds the lock can leave the state half changed, so a panic does no harm to it.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a job into the queue.
    fn accept(&self, job: Job, time: Option<Duration>) -> Result<(), Busy> {
        let mut state = self.state();
        let waiting = state.waiting.len();
        state.waiting.retain(|job| !job.ticket.control.is_stopped());
        state.abandoned += (waiting - state.waiting.len()) as u64;
        let wait = state.expected_wait();
        let idle = state.running.iter().filter(|running| running.is_none()).count();
        let full = state.waiting.len() >= self.config.queue + idle;
        let too_late = time.is_some_and(|time| !wait.is_zero() && wait >= time);
        if full || too_late || state.closed {
            state.refused += 1;
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
        state.hurry();
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
                Ok(delivery) => {
                    state.finished += 1;
                    state.abandoned += u64::from(delivery.abandoned);
                    state.nodes += delivery.nodes;
                    drop(state);
                    (delivery.hand_over)();
                }
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
                Some(Job { ticket, .. }) if ticket.control.is_stopped() => state.abandoned += 1,
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
    /// Drops what waits, and ends what runs.
    fn hurry(&mut self) {
        self.waiting.clear();
        for ticket in self.running.iter().flatten() {
            ticket.control.stop();
        }
    }

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
pub(super) fn lower_priority() {
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver, Sender};

    use actix_web::rt::System;

    use super::*;
    use crate::{games::Pur, search::Limits};

    fn pool(threads: usize, queue: usize) -> Pool {
        Pool::new(PoolConfig { threads, queue, table_bytes: 1 << 16 }, Knowledge::none()).unwrap()
    }

    impl Pool {
        /// Queues some work within the limits of a search.
        fn submit<T: Send + 'static>(
            &self,
            options: &Options,
            work: impl FnOnce(&Control, &mut Table) -> T + Send + 'static,
        ) -> Result<Running<T>, Busy> {
            self.submit_counted(options, work, |_| 0)
        }
    }

    fn options(time: Option<Duration>) -> Options {
        Options::new(Limits { time, ..Limits::default() })
    }

    fn answer<T>(running: Running<T>) -> Result<T, SearchFailed> {
        System::new().block_on(running)
    }

    /// A job that keeps its thread until something is sent, or the sender is dropped.
    fn block(pool: &Pool, time: Option<Duration>) -> (Running<()>, Sender<()>) {
        let (started, has_started) = mpsc::channel();
        let (release, released): (_, Receiver<()>) = mpsc::channel();
        let work = move |_: &Control, _: &mut Table| {
            started.send(()).unwrap();
            released.recv().unwrap_or_default();
        };
        let running = pool.submit(&options(time), work).unwrap();
        has_started.recv().unwrap();
        (running, release)
    }

    #[test]
    fn a_search_is_answered() {
        let pool = pool(2, 4);
        let (sender, reports) = mpsc::channel();
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let report = move |analysis: &Analysis<_>| sender.send(analysis.depth).unwrap();
        let running = pool.start(Pur::default(), Options::new(limits), report).unwrap();
        assert_eq!(answer(running).unwrap().depth, 3);
        assert_eq!(reports.into_iter().collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn a_thread_is_free_as_soon_as_its_answer_is_there() {
        let pool = pool(1, 0);
        for number in 0..100 {
            assert_eq!(answer(pool.submit(&options(None), move |_, _| number).unwrap()), Ok(number));
        }
        let idle = PoolStats { threads: 1, finished: 100, ..PoolStats::default() };
        assert_eq!(pool.stats(), idle);
    }

    #[test]
    fn a_full_queue_is_busy_at_once() {
        let pool = pool(1, 1);
        let (_first, release) = block(&pool, None);
        let second = pool.submit(&options(None), |_, _| 2).unwrap();
        assert!(pool.submit(&options(None), |_, _| 3).is_err());
        assert_eq!((pool.stats().running, pool.stats().waiting), (1, 1));
        drop(release);
        assert_eq!(answer(second), Ok(2));
    }

    #[test]
    fn a_wait_that_outlasts_the_time_is_busy_at_once() {
        const LONG: Duration = Duration::from_secs(3600);
        let pool = pool(1, 10);
        let (_first, release) = block(&pool, Some(LONG));
        let busy = pool.submit(&options(Some(Duration::from_secs(1))), |_, _| ()).unwrap_err();
        assert!(busy.retry_after > LONG / 2);
        // What has more time, or any amount of it, waits.
        let longer = pool.submit(&options(Some(2 * LONG)), |_, _| 1).unwrap();
        let unlimited = pool.submit(&options(None), |_, _| 2).unwrap();
        drop(release);
        assert_eq!((answer(longer), answer(unlimited)), (Ok(1), Ok(2)));
    }

    #[test]
    fn a_panic_fails_its_search_and_nothing_else() {
        let pool = pool(1, 4);
        let failing = pool.submit(&options(None), |_, _| panic!("as a test")).unwrap();
        let next = pool.submit(&options(None), |_, _| 2).unwrap();
        assert_eq!(answer::<()>(failing), Err(SearchFailed));
        assert_eq!(answer(next), Ok(2));
        assert_eq!(pool.stats().failed, 1);
    }

    #[test]
    fn dropping_the_answer_stops_the_search() {
        let pool = pool(1, 4);
        let (first_depth, reported) = mpsc::channel();
        let endless = pool
            .start(Pur::default(), options(None), move |_| first_depth.send(()).unwrap_or_default())
            .unwrap();
        reported.recv().unwrap();
        drop(endless);
        // The thread is free again for another.
        assert_eq!(answer(pool.submit(&options(None), |_, _| 2).unwrap()), Ok(2));
        assert_eq!(pool.stats().abandoned, 1);
        assert!(pool.stats().nodes > 0);
    }

    #[test]
    fn in_a_hurry_searches_answer_with_what_they_have() {
        let pool = pool(1, 4);
        let (first_depth, reported) = mpsc::channel();
        let endless = pool
            .start(Pur::default(), options(None), move |_| first_depth.send(()).unwrap_or_default())
            .unwrap();
        let waiting = pool.submit(&options(None), |_, _| 2).unwrap();
        reported.recv().unwrap();
        pool.hurry();
        assert!(answer(endless).unwrap().depth >= 1);
        assert_eq!(answer(waiting), Err(SearchFailed));
        // Those who come later are served as ever.
        assert_eq!(answer(pool.submit(&options(None), |_, _| 3).unwrap()), Ok(3));
        assert_eq!(pool.stats().abandoned, 0);
    }

    #[test]
    fn a_search_nobody_waits_for_any_more_is_skipped() {
        let pool = pool(1, 4);
        let (_first, release) = block(&pool, None);
        let (ran, has_run) = mpsc::channel::<()>();
        drop(pool.submit(&options(None), move |_, _| ran.send(()).unwrap()).unwrap());
        let last = pool.submit(&options(None), |_, _| 3).unwrap();
        drop(release);
        assert_eq!(answer(last), Ok(3));
        assert!(has_run.recv().is_err(), "it was dropped without being run");
        assert_eq!((pool.stats().abandoned, pool.stats().finished), (1, 2));
    }

    #[test]
    fn shutting_down_stops_what_runs_and_fails_what_waits() {
        let pool = pool(1, 4);
        let (first_depth, reported) = mpsc::channel();
        let endless = pool
            .start(Pur::default(), options(None), move |_| first_depth.send(()).unwrap_or_default())
            .unwrap();
        reported.recv().unwrap();
        let waiting = pool.submit(&options(None), |_, _| ()).unwrap();
        pool.shut_down();
        assert!(answer(endless).unwrap().depth >= 1);
        assert_eq!(answer(waiting), Err(SearchFailed));
        assert!(pool.submit(&options(None), |_, _| ()).is_err());
    }
}
