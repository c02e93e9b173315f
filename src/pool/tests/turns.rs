//! Whose turn it is, and who is accepted, told by a clock of the tests' own.

use super::{
    desk::{Desk, MS, SECOND},
    *,
};

#[test]
fn callers_take_turns_however_much_each_of_them_wants() {
    let mut desk = Desk::new(1);
    for _ in 0..20 {
        desk.timed(1, MS).unwrap();
    }
    assert_eq!(desk.take(0), Some(1));
    desk.timed(2, MS).unwrap();
    desk.timed(3, MS).unwrap();
    desk.timed(2, MS).unwrap();
    let mut order = Vec::new();
    for _ in 0..6 {
        desk.finish(0, StoppedBy::Time);
        order.extend(desk.take(0));
    }
    assert_eq!(order, [1, 2, 3, 1, 2, 1]);
}

#[test]
fn who_asks_one_question_at_a_time_is_accepted_beside_who_asks_twenty() {
    let mut desk = Desk::new(2);
    let half = SECOND / 2;
    let accepted = (0..20).filter(|_| desk.timed(1, half).is_ok()).count();
    // Two run, and four are over within a second.
    assert_eq!(accepted, 6);
    assert_eq!((desk.take(0), desk.take(1)), (Some(1), Some(1)));
    desk.timed(2, half).unwrap();
    desk.pass(half);
    desk.finish(0, StoppedBy::Time);
    desk.finish(1, StoppedBy::Time);
    assert_eq!((desk.take(0), desk.take(1)), (Some(1), Some(2)));
}

#[test]
fn the_queue_is_bounded_by_time_and_not_by_number() {
    let mut desk = Desk::new(2);
    for caller in 0..1_000 {
        desk.ask(caller % 20, SearchLimits { depth: Some(1), ..SearchLimits::default() }).unwrap();
    }
    assert_eq!(desk.scheduler.stats(Class::Interactive).waiting, 1_000);
    let mut desk = Desk::new(2);
    for caller in 0..6 {
        desk.timed(caller, SECOND / 2).unwrap();
    }
    let busy = desk.timed(6, SECOND / 2).unwrap_err();
    assert_eq!(busy, Busy { cause: BusyCause::Wait, retry_after: SECOND * 3 / 2 });
}

#[test]
fn a_search_that_is_told_to_come_back_is_accepted_then() {
    let mut desk = Desk::new(1);
    desk.timed(1, 5 * SECOND).unwrap();
    desk.take(0);
    desk.pass(SECOND);
    // The caller's own searches do not make way for each other.
    let busy = desk.timed(1, MS).unwrap_err();
    assert_eq!(busy.retry_after, 4 * SECOND);
    desk.pass(busy.retry_after);
    desk.timed(1, MS).unwrap();
}

#[test]
fn there_is_room_for_so_many_and_each_caller_has_a_share_of_it() {
    let config = PoolConfig { threads: 1, queue: 3, per_caller: 2, ..PoolConfig::default() };
    let mut desk = Desk::with(config);
    desk.timed(1, MS).unwrap();
    assert_eq!(desk.take(0), Some(1));
    desk.timed(1, MS).unwrap();
    assert_eq!(desk.timed(1, MS).unwrap_err(), Busy { cause: BusyCause::Share, retry_after: MS });
    desk.timed(2, MS).unwrap();
    desk.timed(2, MS).unwrap();
    assert_eq!(desk.timed(3, MS).unwrap_err().cause, BusyCause::Queue);
    assert_eq!(desk.scheduler.stats(Class::Interactive).ended.of(Ended::Refused), 2);
}

#[test]
fn long_searches_of_others_make_way_after_half_a_second() {
    let mut desk = Desk::new(2);
    desk.timed(1, 10 * SECOND).unwrap();
    desk.timed(2, 10 * SECOND).unwrap();
    assert_eq!((desk.take(0), desk.take(1)), (Some(1), Some(2)));
    // Their own callers, and those who want as much, come back later.
    assert!(desk.timed(3, 10 * SECOND).is_err());
    desk.pass(SECOND / 10);
    assert!(!desk.is_cut_short(0) && !desk.is_cut_short(1));
    desk.timed(3, MS).unwrap();
    let cut_short: Vec<_> = (0..2).filter(|&thread| desk.is_cut_short(thread)).collect();
    assert_eq!(cut_short.len(), 1);
    desk.pass(SECOND * 4 / 10);
    desk.finish(cut_short[0], StoppedBy::Time);
    assert_eq!(desk.take(cut_short[0]), Some(3));
    assert_eq!(desk.scheduler.stats(Class::Interactive).ended.of(Ended::CutShort), 1);
    // The other one goes on.
    desk.timed(4, MS).unwrap();
    assert_eq!((0..2).filter(|&thread| desk.is_cut_short(thread)).count(), 0);
}

#[test]
fn who_holds_all_threads_makes_way_for_a_long_search_too() {
    let mut desk = Desk::new(3);
    for thread in 0..3 {
        desk.timed(1, 10 * SECOND).unwrap();
        desk.take(thread);
    }
    desk.timed(2, 10 * SECOND).unwrap();
    let cut_short: Vec<_> = (0..3).filter(|&thread| desk.is_cut_short(thread)).collect();
    assert_eq!(cut_short.len(), 1);
    desk.pass(SECOND / 2);
    desk.finish(cut_short[0], StoppedBy::Time);
    assert_eq!(desk.take(cut_short[0]), Some(2));
    // Now both have their share.
    assert!(desk.timed(2, 10 * SECOND).is_err());
}

#[test]
fn what_is_answered_in_full_leaves_a_thread_to_others() {
    let mut desk = Desk::new(2);
    desk.in_full(1, 5 * SECOND).unwrap();
    assert_eq!(desk.take(0), Some(1));
    let busy = desk.in_full(2, 5 * SECOND).unwrap_err();
    assert_eq!(busy, Busy { cause: BusyCause::Wait, retry_after: 5 * SECOND });
    for caller in [3, 4] {
        desk.in_full(caller, SECOND / 2).unwrap();
        assert_eq!(desk.take(1), Some(caller));
        desk.finish(1, StoppedBy::Nodes);
    }
}

#[test]
fn what_waits_for_a_place_of_its_own_keeps_nobody_else_from_a_thread() {
    let mut desk = Desk::new(2);
    desk.in_full(1, 5 * SECOND).unwrap();
    assert_eq!(desk.take(0), Some(1));
    desk.pass(4 * SECOND + SECOND / 2);
    desk.in_full(2, 5 * SECOND).unwrap();
    desk.in_full(2, MS).unwrap();
    assert_eq!(desk.take(1), Some(2));
    assert_eq!(desk.take(1), None, "the long one has to wait");
    desk.finish(0, StoppedBy::Nodes);
    assert_eq!(desk.take(0), Some(2));
}

#[test]
fn an_overdue_turn_is_not_taken_but_told() {
    let mut desk = Desk::new(1);
    desk.timed(1, 998 * MS).unwrap();
    desk.take(0);
    desk.timed(2, MS).unwrap();
    desk.timed(3, MS).unwrap();
    desk.pass(SECOND + MS);
    desk.finish(0, StoppedBy::Time);
    assert_eq!(desk.take(0), None);
    for turn in &mut desk.turns[1..] {
        let busy = turn.try_recv().unwrap().unwrap_err();
        assert_eq!(busy.cause, BusyCause::Expired);
    }
    let stats = desk.scheduler.stats(Class::Interactive);
    assert_eq!((stats.ended.of(Ended::Expired), stats.waiting), (2, 0));
}

#[test]
fn a_search_that_takes_longer_than_expected_keeps_newcomers_away() {
    let mut desk = Desk::new(1);
    desk.in_full(1, SECOND).unwrap();
    desk.take(0);
    desk.pass(10 * SECOND);
    assert_eq!(desk.timed(2, MS).unwrap_err().retry_after, 5 * SECOND);
}

#[test]
fn a_search_that_has_seen_nothing_is_no_answer() {
    let mut desk = Desk::new(1);
    desk.timed(1, MS).unwrap();
    desk.take(0);
    let report = Summary { nodes: 0, stopped_by: StoppedBy::Time };
    let busy = desk.scheduler.finish(Class::Interactive, 0, report, false, desk.now + MS).unwrap();
    assert_eq!(busy.cause, BusyCause::Overdue);
}

#[test]
fn a_search_that_finds_an_idle_thread_is_never_refused_however_long_the_thread_takes_to_wake_up() {
    let mut desk = Desk::new(2);
    for time in [SECOND / 10, 10 * SECOND] {
        desk.timed(1, time).unwrap();
        desk.in_full(2, time).unwrap();
        let waiting: Vec<_> =
            desk.scheduler.interactive.waiting.jobs().map(|job| (job.ticket.caller, job.ticket.id)).collect();
        desk.pass(60 * SECOND);
        for (caller, id) in waiting {
            assert_eq!(desk.scheduler.expire(caller, id, desk.now), None, "{caller:?}");
        }
        assert_eq!((desk.take(0), desk.take(1)), (Some(1), Some(2)));
        for thread in 0..2 {
            desk.finish(thread, StoppedBy::Nodes);
        }
    }
    // More than there are idle threads have to wait, and are told so.
    for caller in 1..=3 {
        desk.timed(caller, MS).unwrap();
    }
    let last = desk.scheduler.interactive.waiting.jobs().last().unwrap().ticket.id;
    desk.pass(2 * SECOND);
    let expired = desk.scheduler.expire(CallerId(3), last, desk.now).unwrap();
    assert_eq!(expired.cause, BusyCause::Expired);
}

#[test]
fn a_search_takes_the_thread_that_was_free_in_time_and_none_that_was_free_too_late() {
    let mut desk = Desk::new(1);
    for (held, is_taken) in [(SECOND / 2, true), (SECOND * 2, false)] {
        desk.timed(1, SECOND / 10).unwrap();
        assert_eq!(desk.take(0), Some(1));
        desk.timed(2, MS).unwrap();
        desk.pass(held);
        desk.finish(0, StoppedBy::Time);
        desk.pass(60 * SECOND);
        assert_eq!(desk.take(0).is_some(), is_taken, "{held:?}");
        if is_taken {
            desk.finish(0, StoppedBy::Time);
        }
    }
}
