//! Background searches beside interactive ones, on real threads.

use super::*;
use crate::search::LimitChecker;

/// A pool in which nothing waits too long, however busy the machine is.
fn config(threads: usize) -> PoolConfig {
    PoolConfig { threads, max_wait: LONG, ..PoolConfig::default() }
}

impl Pool {
    fn background(&self) -> PoolStats {
        self.stats(Class::Background)
    }

    /// A batch whose size does not matter.
    fn batch(&self, caller: CallerId) -> Batch {
        self.begin_batch(caller, &[]).unwrap()
    }

    /// Waits until the background threads are as they should be.
    fn until(&self, reached: impl Fn(&PoolStats) -> bool) {
        while !reached(&self.background()) {
            thread::yield_now();
        }
    }
}

/// Visits positions until it is stopped, or the time is over.
fn visit(control: &Control, time: Option<Duration>) -> u64 {
    let limits = SearchLimits { time, ..SearchLimits::default() };
    let mut limits = LimitChecker::new(&limits, control);
    while limits.visit().is_ok() {}
    limits.nodes()
}

/// Keeps a background thread until it is stopped.
fn visiting(pool: &Pool, batch: &Batch) -> Running<u64> {
    begun(pool.queue_of(batch, Some(LONG), |control, _| visit(control, None)).unwrap())
}

#[test]
fn an_interactive_search_never_waits_for_a_background_one() {
    let pool = with(config(2));
    let batch = pool.batch(CALLER);
    // They do not even look at their limits.
    let _blocked = [(); 2].map(|()| block_for(&pool, &batch, Some(LONG)));
    let _waits = pool.queue_of(&batch, Some(LONG), |_, _| ()).unwrap();
    let held = [(); 2].map(|()| block(&pool, None));
    assert_eq!((pool.interactive().running, pool.interactive().ended.of(Ended::Refused)), (2, 0));
    drop(held);
    assert_eq!(answer(pool.queue(None, |_, _| 3).unwrap()), Ok(3));
    assert_eq!((pool.background().running, pool.background().waiting), (2, 1));
}

#[test]
fn a_background_search_pauses_within_and_goes_on_afterwards() {
    let pool = with(config(1));
    let work = |control: &Control, _: &mut TranspositionTable| {
        visit(control, Some(Duration::from_millis(200)));
        (control.started().elapsed(), control.paused())
    };
    // Where the machine does much else, it may be over before it has paused.
    let (took, paused) = loop {
        let batch = pool.batch(CALLER);
        let waiting = pool.queue_of(&batch, Some(LONG), work).unwrap();
        let mut running = begun(waiting);
        while pool.background().running == 1 {
            assert_eq!(answer(pool.queue(None, |_, _| 1).unwrap()), Ok(1));
        }
        let (took, paused) = System::new().block_on(&mut running).unwrap();
        if !paused.is_zero() {
            break (took, paused);
        }
    };
    assert!(took >= Duration::from_millis(200) + paused, "{took:?}, of which paused {paused:?}");
}

#[test]
fn a_search_that_has_paused_finds_what_one_finds_that_is_not_disturbed() {
    let pool = with(config(1));
    let batch = pool.batch(CALLER);
    let options = Options::new(SearchLimits { nodes: Some(100_000), ..SearchLimits::default() });
    let demand = Demand::of::<Pur>(&options, 1);
    let start = || {
        let work = move |control: &Control, table: &mut TranspositionTable| {
            let tablebases = Tablebases::none();
            let found = search(&Pur::default(), &options, &tablebases, control, table, &mut |_| {});
            (found, control.paused())
        };
        let summary = |(found, _): &(Analysis<_>, Duration)| Summary {
            nodes: found.nodes,
            stopped_by: found.stopped_by,
        };
        pool.submit(&batch, demand, work, summary).unwrap()
    };
    let (undisturbed, paused) = answer(start()).unwrap();
    assert!(paused.is_zero());
    loop {
        let mut running = begun(start());
        while pool.background().running == 1 {
            answer(pool.queue(None, |_, _| ()).unwrap()).unwrap();
        }
        let (found, paused) = System::new().block_on(&mut running).unwrap();
        assert_eq!(found.lines, undisturbed.lines);
        assert_eq!(
            (found.nodes, found.depth, found.stopped_by),
            (undisturbed.nodes, undisturbed.depth, undisturbed.stopped_by)
        );
        if !paused.is_zero() {
            break;
        }
    }
}

#[test]
fn who_leaves_a_batch_frees_its_threads_and_its_places_also_while_they_pause() {
    let pool = with(config(1));
    let (batch, other) = (pool.batch(CALLER), pool.batch(OTHER));
    assert_eq!(pool.active_batches(), 0, "nothing of them is searched yet");
    let running = visiting(&pool, &batch);
    let waiting = [(); 3].map(|()| pool.queue_of(&batch, Some(LONG), |_, _| ()).unwrap());
    let (_held, release) = block(&pool, None);
    assert_eq!(pool.background().paused, 1);
    drop(batch);
    assert_eq!(pool.active_batches(), 1, "its searches still belong to it");
    drop((running, waiting));
    pool.until(|stats| stats.running == 0);
    assert_eq!((pool.active_batches(), pool.background().waiting), (0, 0));
    assert_eq!(pool.background().ended.of(Ended::Cancelled), 4);
    drop(release);
    assert_eq!(answer(pool.queue_of(&other, None, |_, _| 5).unwrap()), Ok(5));
}

#[test]
fn a_panic_in_a_background_search_harms_no_other() {
    let pool = with(config(1));
    let batch = pool.batch(CALLER);
    let failing = pool.queue_of(&batch, None, |_, _| panic!("as a test")).unwrap();
    let next = pool.queue_of(&batch, None, |_, _| 2).unwrap();
    assert_eq!(answer::<()>(failing), Err(Unanswered::Failed));
    assert_eq!(answer(next), Ok(2));
    assert_eq!(
        (pool.background().ended.of(Ended::Failed), pool.interactive().ended.of(Ended::Failed)),
        (1, 0)
    );
    assert_eq!(answer(pool.queue(None, |_, _| 3).unwrap()), Ok(3));
}

#[test]
fn shutting_down_ends_what_pauses() {
    let pool = with(config(2));
    let batch = pool.batch(CALLER);
    let background = [(); 2].map(|()| visiting(&pool, &batch));
    let work = |control: &Control, _: &mut TranspositionTable| visit(control, None);
    let interactive = [(); 2].map(|()| begun(pool.queue(Some(LONG), work).unwrap()));
    assert_eq!(pool.background().paused, 2);
    pool.shut_down();
    for running in background.into_iter().chain(interactive) {
        System::new().block_on(running).unwrap();
    }
    assert!(pool.begin_batch(CALLER, &[]).is_err());
}

#[test]
fn a_background_search_is_answered_in_full_or_not_at_all() {
    let config = PoolConfig { longest: Duration::from_millis(50), ..config(1) };
    let pool = Pool::new(config, Tablebases::none()).unwrap();
    let batch = pool.batch(CALLER);
    let endless = Options::new(SearchLimits::default());
    let Err(Unanswered::Busy(busy)) = answer(pool.start(&batch, Pur::default(), endless, |_| {}).unwrap())
    else {
        panic!("it has been answered in part");
    };
    assert_eq!(busy.cause, BusyCause::Overdue);
    assert_eq!(pool.background().ended.of(Ended::Overdue), 1);
}

#[test]
fn a_background_thread_takes_memory_when_it_searches_and_gives_it_back_after_a_while() {
    let limits = Options::new(SearchLimits { depth: Some(2), ..SearchLimits::default() });
    for (table_idle, is_given_back) in [(LONG, false), (Duration::from_millis(1), true)] {
        let pool = with(PoolConfig { table_idle, ..config(1) });
        assert_eq!(pool.background().table_bytes, 0);
        let batch = pool.batch(CALLER);
        // More than once: it takes it again.
        for _ in 0..2 {
            answer(pool.start(&batch, Pur::default(), limits, |_| {}).unwrap()).unwrap();
            if is_given_back {
                pool.until(|stats| stats.table_bytes == 0);
            }
        }
        let kept = if is_given_back { 0 } else { 1 << 16 };
        assert_eq!((pool.background().table_bytes, pool.interactive().table_bytes), (kept, 0));
    }
}

#[test]
fn a_batch_is_told_how_many_searches_to_bring_at_a_time() {
    for (threads, background_threads, window) in [(1, 1, 4), (4, 4, 16), (4, 2, 8), (4, 100, 16), (0, 0, 4)] {
        let pool = with(PoolConfig { background_threads, ..config(threads) });
        assert_eq!(pool.batch(CALLER).window(), window);
    }
}
