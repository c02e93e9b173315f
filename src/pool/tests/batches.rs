//! Which batches are begun, and when they end, told by a clock of the tests' own.

use super::{
    desk::{Desk, MS, Opened, SECOND, demand, taking, thinking_for},
    *,
};

fn config() -> PoolConfig {
    PoolConfig { batches: 3, batches_per_caller: 2, max_work: 10 * SECOND, ..PoolConfig::default() }
}

/// Why a batch is not begun that could be later.
fn busy(begun: &Result<Opened, NotBegun>) -> Busy {
    match begun {
        Err(NotBegun::Busy(busy)) => *busy,
        Err(NotBegun::TooMuchWork(too_much)) => panic!("{too_much}"),
        Ok(_) => panic!("it is begun"),
    }
}

/// A search of a batch, which takes so long, and visits as many nodes as count for that.
fn search(desk: &mut Desk, batch: &Opened, time: Duration) -> Option<Busy> {
    desk.ask_in(batch, taking(SECOND)).unwrap();
    desk.take_of(Class::Background, 0).unwrap();
    finish(desk, time)
}

/// The end of a search that took so long, and visited as many nodes as count for that.
fn finish(desk: &mut Desk, time: Duration) -> Option<Busy> {
    desk.pass(time);
    let nodes = u64::try_from(time.as_millis()).unwrap() * NODES_PER_MS;
    let summary = Summary { nodes, stopped_by: StoppedBy::Depth };
    desk.scheduler.finish(Class::Background, 0, summary, false, desk.now)
}

#[test]
fn a_batch_is_begun_only_if_its_searches_take_no_longer_than_they_may() {
    let mut desk = Desk::with(config());
    for limits in [thinking_for(SECOND), taking(SECOND)] {
        let too_much = TooMuchWork { work: 11 * SECOND, limit: 10 * SECOND };
        assert_eq!(desk.begin(1, limits, 11).err(), Some(too_much.into()));
        drop(desk.begin(1, limits, 10).unwrap());
    }
    assert_eq!(desk.scheduler.stats(Class::Background).ended.of(Ended::Refused), 0);
    let too_many = desk.begin(1, thinking_for(SECOND), usize::MAX);
    assert!(matches!(too_many, Err(NotBegun::TooMuchWork(_))));
}

#[test]
fn the_searches_of_all_kinds_count() {
    let mut desk = Desk::with(config());
    let depth = SearchLimits { depth: Some(6), ..SearchLimits::default() };
    let rolls = Demand::of::<Pur>(&Options::new(depth), 21);
    let moves = demand(thinking_for(SECOND));
    let mut begin = |counts: [usize; 2]| {
        desk.scheduler.begin_batch(CallerId(1), &[(rolls, counts[0]), (moves, counts[1])], desk.now)
    };
    // 50 times 2.5 to the sixth power, rounded up, are 12,208 nodes.
    let each = MS * 21 * 12_208 / u32::try_from(NODES_PER_MS).unwrap();
    assert!(begin([23, 7]).is_ok());
    let work = each * 24 + 7 * SECOND;
    assert_eq!(begin([24, 7]).err(), Some(TooMuchWork { work, limit: 10 * SECOND }.into()));
}

#[test]
fn what_a_search_counts_for_does_not_depend_on_how_long_others_took() {
    let mut desk = Desk::with(config());
    let deep = SearchLimits { depth: Some(13), nodes: Some(20_000_000), time: None };
    let verdicts = |desk: &mut Desk| [2, 3].map(|count| desk.begin(1, deep, count).is_ok());
    let before = verdicts(&mut desk);
    assert_eq!(before, [true, false]);
    for time in [MS, MS, MS, MS, 100 * SECOND, 100 * SECOND, 100 * SECOND] {
        desk.ask(2, deep).unwrap();
        desk.take(0);
        desk.pass(time);
        desk.finish(0, StoppedBy::Depth);
        assert_eq!(verdicts(&mut desk), before);
    }
}

#[test]
fn there_are_only_so_many_batches_and_each_caller_has_a_share_of_them() {
    let mut desk = Desk::with(config());
    let mut begin = |caller, count| {
        let batch = desk.begin(caller, thinking_for(SECOND), count).unwrap();
        desk.ask_in(&batch, thinking_for(SECOND)).unwrap();
        batch
    };
    let (_first, _second) = (begin(1, 5), begin(1, 10));
    // Two batches share two threads, and nothing has been done of either.
    let share = Busy { cause: BusyCause::BatchShare, retry_after: 5 * SECOND };
    assert_eq!(busy(&desk.begin(1, thinking_for(MS), 1)), share);
    let third = desk.begin(2, thinking_for(SECOND), 10).unwrap();
    desk.ask_in(&third, thinking_for(SECOND)).unwrap();
    assert_eq!(busy(&desk.begin(3, thinking_for(MS), 1)).cause, BusyCause::Batches);
    assert_eq!(desk.take_of(Class::Background, 0), Some(1));
    assert_eq!(busy(&desk.begin(3, thinking_for(MS), 1)).cause, BusyCause::Batches, "it runs");
    desk.finish_of(Class::Background, 0, StoppedBy::Time);
    desk.begin(3, thinking_for(MS), 1).unwrap();
}

#[test]
fn a_batch_whose_caller_reads_slowly_keeps_nobody_from_searching_and_goes_on_when_it_is_read() {
    let mut desk = Desk::with(config());
    let slow: Vec<_> = (0..20)
        .map(|i| {
            let batch = desk.begin(i % 4, thinking_for(SECOND), 10).unwrap();
            // The first search is over, and nobody takes the answer.
            search(&mut desk, &batch, MS);
            batch
        })
        .collect();
    let others = [5, 5, 6].map(|caller| {
        let batch = desk.begin(caller, thinking_for(SECOND), 1).unwrap();
        desk.ask_in(&batch, thinking_for(SECOND)).unwrap();
        batch
    });
    assert_eq!(busy(&desk.begin(7, thinking_for(SECOND), 1)).cause, BusyCause::Batches);
    // Those who read on are not refused, and wait for their turn.
    for batch in &slow {
        desk.ask_in(batch, thinking_for(SECOND)).unwrap();
    }
    let mut searched = 0;
    while desk.take_of(Class::Background, 0).is_some() {
        assert_eq!(desk.finish_of(Class::Background, 0, StoppedBy::Time), None);
        searched += 1;
    }
    assert_eq!(searched, slow.len() + others.len());
}

#[test]
fn how_fast_a_batch_has_gone_tells_when_the_next_can_begin() {
    let mut desk = Desk::with(PoolConfig { batches: 1, ..config() });
    let batch = desk.begin(1, thinking_for(SECOND), 10).unwrap();
    for _ in 0..2 {
        // It would take one, but others need the processors as well.
        search(&mut desk, &batch, 3 * SECOND);
    }
    desk.ask_in(&batch, thinking_for(SECOND)).unwrap();
    let told = Busy { cause: BusyCause::Batches, retry_after: 24 * SECOND };
    assert_eq!(busy(&desk.begin(2, thinking_for(SECOND), 1)), told);
}

#[test]
fn a_batch_ends_when_its_searches_have_visited_four_times_what_they_may_however_long_that_took() {
    let mut desk = Desk::with(config());
    let batch = desk.begin(1, taking(SECOND), 10).unwrap();
    for _ in 0..4 {
        assert_eq!(search(&mut desk, &batch, 9 * SECOND), None);
        // On a busy machine.
        desk.pass(60 * SECOND);
    }
    desk.ask_in(&batch, taking(SECOND)).unwrap();
    desk.ask_in(&batch, taking(SECOND)).unwrap();
    assert_eq!(desk.take_of(Class::Background, 0), Some(1));
    // What has begun is answered.
    assert_eq!(finish(&mut desk, 9 * SECOND), None);
    assert_eq!(desk.take_of(Class::Background, 0), None);
    assert_eq!(desk.turns.pop().unwrap().try_recv().unwrap(), Err(Busy::WORK));
    assert_eq!(desk.ask_in(&batch, thinking_for(SECOND)).unwrap_err(), Busy::WORK);
    assert_eq!(desk.scheduler.stats(Class::Background).ended.of(Ended::Refused), 2);
    // That is nothing to the next one.
    let next = desk.begin(1, thinking_for(SECOND), 1).unwrap();
    assert_eq!(search(&mut desk, &next, SECOND), None);
}

#[test]
fn in_a_hurry_the_batches_end_that_are_open() {
    let mut desk = Desk::with(config());
    let batch = desk.begin(1, thinking_for(SECOND), 10).unwrap();
    desk.ask_in(&batch, thinking_for(SECOND)).unwrap();
    desk.scheduler.hurry();
    assert_eq!(desk.scheduler.stats(Class::Background).waiting, 0);
    assert_eq!(desk.ask_in(&batch, thinking_for(SECOND)).unwrap_err(), Busy::CLOSING);
    let next = desk.begin(1, thinking_for(SECOND), 1).unwrap();
    assert_eq!(search(&mut desk, &next, SECOND), None);
}
