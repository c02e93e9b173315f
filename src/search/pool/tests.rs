//! Searches and other work in a pool.

use std::{
    sync::mpsc::{self, Receiver, Sender},
    time::Duration,
};

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
    let endless =
        pool.start(Pur::default(), options(None), move |_| first_depth.send(()).unwrap_or_default()).unwrap();
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
    let endless =
        pool.start(Pur::default(), options(None), move |_| first_depth.send(()).unwrap_or_default()).unwrap();
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
    let endless =
        pool.start(Pur::default(), options(None), move |_| first_depth.send(()).unwrap_or_default()).unwrap();
    reported.recv().unwrap();
    let waiting = pool.submit(&options(None), |_, _| ()).unwrap();
    pool.shut_down();
    assert!(answer(endless).unwrap().depth >= 1);
    assert_eq!(answer(waiting), Err(SearchFailed));
    assert!(pool.submit(&options(None), |_, _| ()).is_err());
}
