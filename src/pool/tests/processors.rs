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
