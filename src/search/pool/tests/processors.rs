//! Who has the processors, told by a clock of the tests' own.

use super::{
    desk::{Desk, MS, SECOND, taking, thinking_for},
    *,
};

/// Two threads, both of which search for a batch.
fn busy_with_a_batch() -> (Desk, desk::Opened) {
    let mut desk = Desk::new(2);
    let batch = desk.begin(1, thinking_for(SECOND), 100).unwrap();
    for thread in 0..2 {
        desk.ask_in(&batch, thinking_for(SECOND)).unwrap();
        assert_eq!(desk.take_of(Class::Background, thread), Some(1));
    }
    (desk, batch)
}

#[test]
fn the_newest_background_search_pauses_before_an_interactive_one_has_even_begun() {
    let (mut desk, _batch) = busy_with_a_batch();
    assert_eq!(desk.paused(), [Some(false), Some(false)]);
    desk.timed(2, SECOND).unwrap();
    assert_eq!(desk.paused(), [Some(false), Some(true)]);
    desk.timed(2, SECOND).unwrap();
    assert_eq!(desk.paused(), [Some(true), Some(true)]);
    assert_eq!((desk.take(0), desk.take(1)), (Some(2), Some(2)));
    // More that wait need no more processors than there are threads.
    desk.timed(3, MS).unwrap();
    assert_eq!(desk.paused(), [Some(true), Some(true)]);
    desk.finish(0, StoppedBy::Time);
    assert_eq!(desk.paused(), [Some(true), Some(true)], "the next has its turn");
    assert_eq!(desk.take(0), Some(3));
    desk.finish(0, StoppedBy::Time);
    assert_eq!(desk.paused(), [Some(false), Some(true)]);
    desk.finish(1, StoppedBy::Time);
    assert_eq!(desk.paused(), [Some(false), Some(false)]);
}

#[test]
fn the_batch_goes_on_when_a_search_leaves_whose_turn_had_not_come() {
    let (mut desk, _batch) = busy_with_a_batch();
    desk.timed(2, SECOND).unwrap();
    assert_eq!(desk.scheduler.stats(Class::Background).paused, 1);
    let waits = desk.scheduler.interactive.waiting.jobs().next().unwrap().ticket.id;
    desk.scheduler.leave(Class::Interactive, CallerId(2), waits);
    assert_eq!(desk.scheduler.stats(Class::Background).paused, 0);
    desk.timed(2, SECOND).unwrap();
    let waits = desk.scheduler.interactive.waiting.jobs().next().unwrap().ticket.id;
    desk.scheduler.expire(CallerId(2), waits, desk.now).unwrap();
    assert_eq!(desk.scheduler.stats(Class::Background).paused, 0);
}

#[test]
fn what_waits_for_a_place_of_its_own_leaves_the_processor_to_the_batch() {
    let mut desk = Desk::with(PoolConfig { max_wait: 10 * SECOND, ..PoolConfig::default() });
    desk.in_full(1, 11 * SECOND).unwrap();
    assert_eq!(desk.take(0), Some(1));
    desk.pass(5 * SECOND);
    desk.in_full(2, 11 * SECOND).unwrap();
    assert_eq!(desk.take(1), None);
    let batch = desk.begin(3, thinking_for(SECOND), 2).unwrap();
    desk.ask_in(&batch, thinking_for(SECOND)).unwrap();
    desk.ask_in(&batch, thinking_for(SECOND)).unwrap();
    assert_eq!((desk.take_of(Class::Background, 0), desk.take_of(Class::Background, 1)), (Some(3), None));
    assert_eq!(desk.paused(), [Some(false), None]);
}

#[test]
fn no_more_searches_think_at_a_time_than_there_are_processors() {
    let mut desk = Desk::new(2);
    let batch = desk.begin(1, thinking_for(SECOND), 4).unwrap();
    for _ in 0..4 {
        desk.ask_in(&batch, thinking_for(SECOND)).unwrap();
    }
    desk.timed(2, SECOND).unwrap();
    assert_eq!(desk.take(0), Some(2));
    assert_eq!((desk.take_of(Class::Background, 0), desk.take_of(Class::Background, 1)), (Some(1), None));
    desk.finish(0, StoppedBy::Time);
    assert_eq!(desk.take_of(Class::Background, 1), Some(1));
}

#[test]
fn callers_with_batches_take_turns() {
    let mut desk = Desk::new(1);
    let batches = [1, 2].map(|caller| desk.begin(caller, taking(MS), 20).unwrap());
    for _ in 0..6 {
        desk.ask_in(&batches[0], taking(MS)).unwrap();
    }
    for _ in 0..2 {
        desk.ask_in(&batches[1], taking(MS)).unwrap();
    }
    let mut order = Vec::new();
    while let Some(caller) = desk.take_of(Class::Background, 0) {
        order.push(caller);
        assert_eq!(desk.finish_of(Class::Background, 0, StoppedBy::Nodes), None);
    }
    assert_eq!(order, [1, 2, 1, 2, 1, 1, 1, 1]);
}

#[test]
fn a_search_of_a_batch_waits_for_as_long_as_it_takes() {
    let mut desk = Desk::new(1);
    let batch = desk.begin(1, thinking_for(MS), 1).unwrap();
    desk.ask_in(&batch, thinking_for(MS)).unwrap();
    desk.pass(3_600 * SECOND);
    assert_eq!(desk.take_of(Class::Background, 0), Some(1));
    assert_eq!(desk.turns.pop().unwrap().try_recv().unwrap(), Ok(3_600 * SECOND));
}

/// With so many threads, of which that many work on one search.
fn with_helpers(threads: usize, threads_per_search: usize) -> Desk {
    Desk::with(PoolConfig { threads, threads_per_search, ..PoolConfig::default() })
}

#[test]
fn a_search_by_time_alone_has_the_threads_that_nobody_else_needs() {
    for (threads, per_search, helpers) in [(1, 8, 0), (2, 1, 0), (2, 2, 1), (8, 3, 2), (8, 8, 7)] {
        let mut desk = with_helpers(threads, per_search);
        desk.timed(1, SECOND).unwrap();
        assert_eq!((desk.take(0), desk.helpers(0)), (Some(1), helpers), "{threads} {per_search}");
        desk.finish(0, StoppedBy::Time);
        desk.in_full(1, SECOND).unwrap();
        assert_eq!((desk.take(0), desk.helpers(0)), (Some(1), 0));
    }
}

#[test]
fn helpers_are_given_back_as_soon_as_another_search_is_accepted() {
    let mut desk = with_helpers(4, 4);
    desk.timed(1, SECOND).unwrap();
    assert_eq!((desk.take(0), desk.helpers(0)), (Some(1), 3));
    desk.in_full(2, MS).unwrap();
    assert_eq!(desk.helpers(0), 2, "one more waits");
    desk.timed(3, SECOND).unwrap();
    assert_eq!(desk.helpers(0), 1);
    assert_eq!((desk.take(1), desk.take(2)), (Some(2), Some(3)));
    assert_eq!([0, 1, 2].map(|thread| desk.helpers(thread)), [1, 0, 0], "the oldest keeps its helpers");
    let batch = desk.begin(4, taking(MS), 1).unwrap();
    desk.ask_in(&batch, taking(MS)).unwrap();
    assert_eq!(desk.helpers(0), 0, "also for a batch");
    assert_eq!(desk.take_of(Class::Background, 0), Some(4));
    desk.finish(1, StoppedBy::Nodes);
    desk.finish(2, StoppedBy::Time);
    assert_eq!(desk.helpers(0), 0, "what is given back does not come again");
    assert_eq!(desk.scheduler.stats(Class::Interactive).refused, 0);
}

#[test]
fn nobody_is_refused_because_of_helpers() {
    let config = PoolConfig { threads: 2, threads_per_search: 2, queue: 0, ..PoolConfig::default() };
    let mut desk = Desk::with(PoolConfig { max_wait: Duration::ZERO, ..config });
    desk.timed(1, 30 * SECOND).unwrap();
    assert_eq!((desk.take(0), desk.helpers(0)), (Some(1), 1));
    desk.timed(2, 30 * SECOND).unwrap();
    assert_eq!((desk.helpers(0), desk.take(1), desk.helpers(1)), (0, Some(2), 0));
    assert!(desk.timed(3, MS).is_err());
}

#[test]
fn searches_of_a_batch_have_helpers_only_where_nothing_of_it_waits() {
    let mut desk = with_helpers(2, 2);
    let batch = desk.begin(1, thinking_for(SECOND), 3).unwrap();
    desk.ask_in(&batch, thinking_for(SECOND)).unwrap();
    desk.ask_in(&batch, thinking_for(SECOND)).unwrap();
    assert_eq!(desk.take_of(Class::Background, 0), Some(1));
    assert_eq!(desk.scheduler.stats(Class::Background).helpers, 0);
    assert_eq!(desk.take_of(Class::Background, 1), Some(1));
    for thread in [0, 1] {
        desk.finish_of(Class::Background, thread, StoppedBy::Time);
    }
    desk.ask_in(&batch, thinking_for(SECOND)).unwrap();
    assert_eq!(desk.take_of(Class::Background, 1), Some(1));
    assert_eq!(desk.scheduler.stats(Class::Background).helpers, 1);
    desk.timed(2, SECOND).unwrap();
    assert_eq!(desk.scheduler.stats(Class::Background).helpers, 0);
}

#[test]
fn how_fast_several_threads_are_tells_nothing_about_one() {
    let (mut helped, mut alone) = (with_helpers(2, 2), with_helpers(2, 1));
    let estimate = |desk: &mut Desk| {
        let before = desk.scheduler.estimate(&desk::demand(taking(SECOND)));
        desk.timed(1, SECOND).unwrap();
        desk.take(0).unwrap();
        desk.pass(SECOND);
        desk.finish(0, StoppedBy::Time);
        (before, desk.scheduler.estimate(&desk::demand(taking(SECOND))))
    };
    let (before, after) = estimate(&mut helped);
    assert_eq!(before, after);
    let (before, after) = estimate(&mut alone);
    assert_ne!(before, after);
}

#[test]
fn a_search_sees_its_helpers_come_and_go() {
    let pool =
        with(PoolConfig { threads: 2, threads_per_search: 2, max_wait: LONG, ..PoolConfig::default() });
    let (told, helpers) = mpsc::channel();
    let (release, released): (_, Receiver<()>) = mpsc::channel();
    let work = move |control: &Control, _: &mut TranspositionTable| {
        told.send(control.helpers()).unwrap();
        released.recv().unwrap_or_default();
        told.send(control.helpers()).unwrap();
    };
    let demand = desk::demand(thinking_for(LONG));
    let summary = |(): &()| Summary { nodes: 0, stopped_by: StoppedBy::Time };
    let first = begun(pool.submit(CALLER, demand, work, summary).unwrap());
    assert_eq!((helpers.recv(), pool.interactive().helpers), (Ok(1), 1));
    let (_second, release_second) = block_for(&pool, OTHER, Some(LONG));
    assert_eq!(pool.interactive().helpers, 0);
    drop(release);
    assert_eq!(helpers.recv(), Ok(0));
    drop((first, release_second));
}
