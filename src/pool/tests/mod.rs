//! Searches and other work in a pool.

mod background;
mod batches;
mod desk;
mod processors;
mod turns;

use std::{
    sync::mpsc::{self, Receiver, Sender},
    time::Duration,
};

use actix_web::rt::System;

use super::*;
use crate::{
    games::{Contra, Ecke, Pur, Wari},
    search::{Analysis, Options, Playable, SearchLimits, StoppedBy, search},
};

const CALLER: CallerId = CallerId(1);
const OTHER: CallerId = CallerId(2);
/// Longer than any test.
const LONG: Duration = Duration::from_secs(3_600);

/// A pool in which nothing waits too long.
fn pool(threads: usize, queue: usize) -> Pool {
    with(PoolConfig { threads, queue, max_wait: LONG, ..PoolConfig::default() })
}

fn with(config: PoolConfig) -> Pool {
    Pool::new(PoolConfig { table_bytes: 1 << 16, longest: 2 * LONG, ..config }, Tablebases::none()).unwrap()
}

impl Pool {
    /// Searches with the evaluation of the program.
    fn start<'a, G: Playable>(
        &self,
        whom: impl Into<SearchFor<'a>>,
        position: G,
        options: Options,
        mut on_depth: impl FnMut(&Analysis<G::Move>) + Send + 'static,
    ) -> Result<Waiting<Analysis<G::Move>>, Busy> {
        let tablebases = self.tablebases().clone();
        let work = move |control: &Control, table: &mut TranspositionTable| {
            search(&position, &options, &tablebases, control, table, &mut on_depth)
        };
        let summary = |found: &Analysis<_>| Summary { nodes: found.nodes, stopped_by: found.stopped_by };
        self.submit(whom, Demand::of::<G>(&options, 1), work, summary)
    }

    fn interactive(&self) -> PoolStats {
        self.stats(Class::Interactive)
    }

    /// Queues some work that asks for a time, or for nothing.
    fn queue<T: Send + 'static>(
        &self,
        time: Option<Duration>,
        work: impl FnOnce(&Control, &mut TranspositionTable) -> T + Send + 'static,
    ) -> Result<Waiting<T>, Busy> {
        self.queue_of(CALLER, time, work)
    }

    /// The same for a caller or a batch.
    fn queue_of<'a, T: Send + 'static>(
        &self,
        whom: impl Into<SearchFor<'a>>,
        time: Option<Duration>,
        work: impl FnOnce(&Control, &mut TranspositionTable) -> T + Send + 'static,
    ) -> Result<Waiting<T>, Busy> {
        let depth = time.is_none().then_some(1);
        let limits = SearchLimits { time, depth, ..SearchLimits::default() };
        let summary = |_: &T| Summary { nodes: 0, stopped_by: StoppedBy::Depth };
        self.submit(whom, desk::demand(limits), work, summary)
    }
}

/// Searches until it is stopped.
fn endless() -> Options {
    timed(LONG)
}

fn timed(time: Duration) -> Options {
    Options::new(SearchLimits { time: Some(time), ..SearchLimits::default() })
}

fn answer<T>(waiting: Waiting<T>) -> Result<T, Unanswered> {
    System::new().block_on(async { waiting.turn().await?.await })
}

/// Waits for the turn of a search.
fn begun<T>(waiting: Waiting<T>) -> Running<T> {
    System::new().block_on(waiting.turn()).unwrap()
}

/// A job that keeps its thread until something is sent, or the sender is dropped.
fn block(pool: &Pool, time: Option<Duration>) -> (Running<()>, Sender<()>) {
    block_for(pool, CALLER, time)
}

/// The same for a caller or a batch.
fn block_for<'a>(
    pool: &Pool,
    whom: impl Into<SearchFor<'a>>,
    time: Option<Duration>,
) -> (Running<()>, Sender<()>) {
    let (release, released): (_, Receiver<()>) = mpsc::channel();
    let work = move |_: &Control, _: &mut TranspositionTable| released.recv().unwrap_or_default();
    (begun(pool.queue_of(whom, time, work).unwrap()), release)
}

#[test]
fn a_search_is_answered() {
    let pool = pool(2, 4);
    let (sender, reports) = mpsc::channel();
    let limits = SearchLimits { depth: Some(3), ..SearchLimits::default() };
    let report = move |analysis: &Analysis<_>| sender.send(analysis.depth).unwrap();
    let running = pool.start(CALLER, Pur::default(), Options::new(limits), report).unwrap();
    assert_eq!(answer(running).unwrap().depth, 3);
    assert_eq!(reports.into_iter().collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn a_thread_is_free_as_soon_as_its_answer_is_there() {
    let pool = pool(1, 0);
    for number in 0..100 {
        assert_eq!(answer(pool.queue(None, move |_, _| number).unwrap()), Ok(number));
    }
    let PoolStats { running, waiting, finished, ended, .. } = pool.interactive();
    assert_eq!((running, waiting, finished), (0, 0, 100));
    assert_eq!(ended.of(Ended::Answered(StoppedBy::Depth)), 100);
}

#[test]
fn a_full_queue_is_busy_at_once() {
    let pool = pool(1, 1);
    let (_first, release) = block(&pool, None);
    let second = pool.queue(None, |_, _| 2).unwrap();
    assert!(pool.queue(None, |_, _| 3).is_err());
    assert_eq!((pool.interactive().running, pool.interactive().waiting), (1, 1));
    drop(release);
    assert_eq!(answer(second), Ok(2));
}

#[test]
fn a_wait_that_would_be_too_long_is_busy_at_once() {
    let pool = with(PoolConfig { threads: 1, max_wait: Duration::from_secs(1), ..PoolConfig::default() });
    let (_first, release) = block(&pool, Some(LONG));
    for time in [Some(Duration::from_millis(1)), Some(LONG), None] {
        let busy = pool.queue(time, |_, _| ()).unwrap_err();
        assert_eq!(busy.cause, BusyCause::Wait);
        assert!((LONG / 2..=LONG).contains(&busy.retry_after), "{busy:?}");
    }
    assert_eq!(pool.interactive().ended.of(Ended::Refused), 3);
    drop(release);
}

#[test]
fn who_has_waited_too_long_is_told_so_and_leaves_the_queue() {
    let pool = with(PoolConfig { threads: 1, max_wait: Duration::from_millis(20), ..PoolConfig::default() });
    // It is expected to be over at once, and is not.
    let (_first, release) = block(&pool, Some(Duration::ZERO));
    let waiting = pool.queue(Some(Duration::ZERO), |_, _| ()).unwrap();
    let Err(Unanswered::Busy(busy)) = answer(waiting) else { panic!("its turn has come") };
    assert_eq!(busy.cause, BusyCause::Expired);
    assert_eq!((pool.interactive().ended.of(Ended::Expired), pool.interactive().waiting), (1, 0));
    drop(release);
}

#[test]
fn the_time_of_a_search_runs_from_its_start() {
    let pool = pool(1, 4);
    let (_first, release) = block(&pool, None);
    let time = Duration::from_millis(200);
    let waiting = pool.queue(Some(time), |control, _| control.started()).unwrap();
    // Only after its whole time is over does its turn come.
    let before = Instant::now();
    while before.elapsed() < time {
        thread::yield_now();
    }
    drop(release);
    let (waited, started) = System::new().block_on(async {
        let running = waiting.turn().await.unwrap();
        (running.waited(), running.await.unwrap())
    });
    assert!(waited >= time && started >= before + time);
}

#[test]
fn without_a_limit_on_time_a_search_is_answered_in_full_or_not_at_all() {
    let config = PoolConfig { threads: 1, longest: Duration::from_millis(50), ..PoolConfig::default() };
    let pool = Pool::new(config, Tablebases::none()).unwrap();
    let endless = Options::new(SearchLimits::default());
    let Err(Unanswered::Busy(busy)) = answer(pool.start(CALLER, Pur::default(), endless, |_| {}).unwrap())
    else {
        panic!("it has been answered in part");
    };
    assert_eq!(busy.cause, BusyCause::Overdue);
    assert_eq!(pool.interactive().ended.of(Ended::Overdue), 1);
}

#[test]
fn however_little_time_it_gets_a_search_is_as_deep_as_2_000_nodes_reach() {
    fn check<G: Playable>(pool: &Pool) {
        let search = |options| answer(pool.start(CALLER, G::default(), options, |_| {}).unwrap()).unwrap();
        let nodes = Options::new(SearchLimits { nodes: Some(2_000), ..SearchLimits::default() });
        let (starved, modest) = (search(timed(Duration::ZERO)), search(nodes));
        assert_eq!(starved.stopped_by, StoppedBy::Time);
        assert!(starved.depth >= modest.depth, "{}: {starved:?}, {modest:?}", G::ABOUT.id);
    }
    let pool = pool(1, 0);
    check::<Pur>(&pool);
    check::<Contra>(&pool);
    check::<Ecke>(&pool);
    check::<Wari>(&pool);
}

#[test]
fn one_caller_has_only_so_many() {
    let pool = with(PoolConfig { threads: 1, per_caller: 2, max_wait: LONG, ..PoolConfig::default() });
    let (_first, release) = block(&pool, None);
    let second = pool.queue(None, |_, _| 2).unwrap();
    assert_eq!(pool.queue(None, |_, _| 3).unwrap_err().cause, BusyCause::Share);
    let other = pool.queue_of(OTHER, None, |_, _| 4).unwrap();
    drop(release);
    assert_eq!((answer(second), answer(other)), (Ok(2), Ok(4)));
}

#[test]
fn a_long_search_makes_way_for_somebody_else() {
    let pool = with(PoolConfig { threads: 2, max_wait: Duration::from_secs(1), ..PoolConfig::default() });
    let long =
        [CALLER, OTHER].map(|caller| begun(pool.start(caller, Pur::default(), endless(), |_| {}).unwrap()));
    let time = timed(Duration::from_millis(100));
    let short = || answer(pool.start(CallerId(3), Contra::default(), time, |_| {}).unwrap());
    // Where the machine does much else, the thread may come too late.
    let found = std::iter::repeat_with(short).find_map(Result::ok).unwrap();
    assert!(found.nodes > 0);
    assert_eq!((pool.interactive().running, pool.interactive().ended.of(Ended::CutShort)), (1, 1));
    drop(long);
}

#[test]
fn a_panic_fails_its_search_and_nothing_else() {
    let pool = pool(1, 4);
    let failing = pool.queue(None, |_, _| panic!("as a test")).unwrap();
    let next = pool.queue(None, |_, _| 2).unwrap();
    assert_eq!(answer::<()>(failing), Err(Unanswered::Failed));
    assert_eq!(answer(next), Ok(2));
    assert_eq!(pool.interactive().ended.of(Ended::Failed), 1);
}

#[test]
fn dropping_the_answer_stops_the_search() {
    let pool = pool(1, 4);
    let (first_depth, reported) = mpsc::channel();
    let endless = pool
        .start(CALLER, Pur::default(), endless(), move |_| first_depth.send(()).unwrap_or_default())
        .unwrap();
    reported.recv().unwrap();
    drop(endless);
    // The thread is free again for another.
    assert_eq!(answer(pool.queue(None, |_, _| 2).unwrap()), Ok(2));
    assert_eq!(pool.interactive().ended.of(Ended::Cancelled), 1);
    assert!(pool.interactive().nodes > 0);
}

#[test]
fn in_a_hurry_searches_answer_with_what_they_have() {
    let pool = pool(1, 4);
    let (first_depth, reported) = mpsc::channel();
    let endless = pool
        .start(CALLER, Pur::default(), endless(), move |_| first_depth.send(()).unwrap_or_default())
        .unwrap();
    let waiting = pool.queue(None, |_, _| 2).unwrap();
    reported.recv().unwrap();
    pool.hurry();
    assert!(answer(endless).unwrap().depth >= 1);
    assert_eq!(answer(waiting), Err(Busy::CLOSING.into()));
    // Those who come later are served as ever.
    assert_eq!(answer(pool.queue(None, |_, _| 3).unwrap()), Ok(3));
    assert_eq!(pool.interactive().ended.of(Ended::Cancelled), 0);
}

#[test]
fn a_search_nobody_waits_for_any_more_is_skipped() {
    let pool = pool(1, 4);
    let (_first, release) = block(&pool, None);
    let (ran, has_run) = mpsc::channel::<()>();
    drop(pool.queue(None, move |_, _| ran.send(()).unwrap()).unwrap());
    let last = pool.queue(None, |_, _| 3).unwrap();
    drop(release);
    assert_eq!(answer(last), Ok(3));
    assert!(has_run.recv().is_err(), "it was dropped without being run");
    assert_eq!((pool.interactive().ended.of(Ended::Cancelled), pool.interactive().finished), (1, 2));
}

#[test]
fn shutting_down_stops_what_runs_and_fails_what_waits() {
    let pool = pool(1, 4);
    let (first_depth, reported) = mpsc::channel();
    let endless = pool
        .start(CALLER, Pur::default(), endless(), move |_| first_depth.send(()).unwrap_or_default())
        .unwrap();
    reported.recv().unwrap();
    let waiting = pool.queue(None, |_, _| ()).unwrap();
    pool.shut_down();
    assert!(answer(endless).unwrap().depth >= 1);
    assert_eq!(answer(waiting), Err(Busy::CLOSING.into()));
    assert!(pool.queue(None, |_, _| ()).is_err());
}
