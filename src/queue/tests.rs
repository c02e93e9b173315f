//! Tests of turns and limits on a lane without threads, and of searches on threads.

use std::{
    collections::HashMap,
    sync::mpsc::{self, Sender},
    thread,
    time::Instant,
};

use futures_util::FutureExt as _;
use tokio::task::yield_now;

use super::{lane::Lane, *};
use crate::{
    api::Effort,
    config::Config,
    engine::{Engine, Options, Playable, SearchLimits, StoppedBy, Tablebases},
    games::{Contra, Ecke, Pur, Wari},
};

const CALLER: Caller = Caller::Key(1);
const SECOND: Duration = Duration::from_secs(1);
/// The demand of a usual search, and of a long one, which leaves a thread to the others.
const SHORT: Demand = Demand { work: SECOND, is_timed: true };
const LONG: Demand = Demand { work: Duration::from_secs(10), is_timed: true };
const IN_FULL: Demand = Demand { work: SECOND, is_timed: false };

/// The settings of most tests.
fn usual() -> Config {
    Config { search_threads: 2, max_wait_ms: 3_600_000, max_time_ms: 2_400_000, ..Config::default() }
}

/// A lane with threads that search nothing, and callers that wait for them.
struct Desk {
    lane: Lane,
    limits: ServiceLimits,
    turns: Vec<oneshot::Receiver<()>>,
    callers: HashMap<u64, u32>,
    taken: mpsc::Receiver<u64>,
}

impl Desk {
    fn new(config: &Config) -> Self {
        let (sender, taken) = mpsc::channel();
        let mut lane = Lane::default();
        for _ in 0..config.search_threads {
            let sender = sender.clone();
            lane.add_thread(Box::new(move |id, _| sender.send(id).unwrap()));
        }
        Self { lane, limits: config.into(), turns: Vec::new(), callers: HashMap::new(), taken }
    }

    /// Queues a search of a caller.
    fn ask(&mut self, caller: u32, Demand { work, .. }: Demand) -> Result<(), QueueError> {
        let (begun, turn) = oneshot::channel();
        self.turns.push(turn);
        let task: Task = Box::new(|_| unreachable!("nothing is searched here"));
        let (is_long, control) = (work > super::LONG, Control::new());
        let ticket = Ticket { id: 0, caller: Caller::Key(caller), is_long, control };
        let id = self.lane.push(Job { ticket, begun, task }, Some(&self.limits.searches))?;
        self.callers.insert(id, caller);
        Ok(())
    }

    /// The next search that a thread has got: its caller and its number.
    fn take(&mut self) -> Option<(u32, u64)> {
        let id = self.taken.try_recv().ok()?;
        // The caller of a search that starts at once is known only afterwards.
        Some((self.callers[&id], id))
    }

    fn take_of(&mut self, caller: u32) -> u64 {
        let (taken, id) = self.take().expect("a search may run");
        assert_eq!(taken, caller);
        id
    }

    fn finish(&mut self, id: u64) {
        let hand_over: Box<dyn FnOnce() + Send> = Box::new(|| {});
        self.lane.end(id, &Delivery { ended: Ended::Answered, nodes: 1, table_bytes: 0, hand_over });
    }
}

#[test]
fn callers_take_turns_however_much_each_of_them_wants() {
    let mut desk = Desk::new(&Config { search_threads: 1, ..usual() });
    for _ in 0..20 {
        desk.ask(1, SHORT).unwrap();
    }
    let mut running = desk.take_of(1);
    for caller in [2, 3, 2] {
        desk.ask(caller, SHORT).unwrap();
    }
    for caller in [1, 2, 3, 1, 2, 1, 1] {
        desk.finish(running);
        running = desk.take_of(caller);
    }
}

#[test]
fn who_asks_one_question_at_a_time_does_not_keep_out_who_asks_twenty() {
    let mut desk = Desk::new(&Config { search_threads: 1, ..usual() });
    for _ in 0..20 {
        desk.ask(1, SHORT).unwrap();
    }
    desk.ask(2, SHORT).unwrap();
    let mut turns = [0, 0];
    for _ in 0..20 {
        let (caller, id) = desk.take().unwrap();
        turns[usize::try_from(caller).unwrap() - 1] += 1;
        if caller == 2 {
            // The caller asks again before the thread is free.
            desk.ask(2, SHORT).unwrap();
        }
        desk.finish(id);
    }
    // The first two were there before the other came.
    assert_eq!(turns, [11, 9]);
}

#[test]
fn long_searches_leave_a_thread_to_the_others() {
    let mut desk = Desk::new(&Config { search_threads: 3, ..usual() });
    for caller in [1, 2, 1] {
        desk.ask(caller, LONG).unwrap();
    }
    let (first, _) = (desk.take_of(1), desk.take_of(2));
    assert_eq!(desk.take(), None, "the third has to wait");
    // Nor does the waiting one keep anybody from a thread, its own caller included.
    for caller in [3, 1] {
        desk.ask(caller, SHORT).unwrap();
        let short = desk.take_of(caller);
        desk.finish(short);
    }
    desk.finish(first);
    desk.take_of(1);
}

#[test]
fn a_long_search_may_have_the_only_thread() {
    let mut desk = Desk::new(&Config { search_threads: 1, ..usual() });
    desk.ask(1, LONG).unwrap();
    desk.take_of(1);
}

#[test]
fn there_is_room_for_so_many_and_each_caller_has_a_share_of_it() {
    let mut desk =
        Desk::new(&Config { search_threads: 1, search_queue: 3, max_searches_per_caller: 2, ..usual() });
    desk.ask(1, SHORT).unwrap();
    desk.take_of(1);
    desk.ask(1, SHORT).unwrap();
    assert_eq!(desk.ask(1, SHORT), Err(QueueError::Share));
    desk.ask(2, SHORT).unwrap();
    desk.ask(2, SHORT).unwrap();
    assert_eq!(desk.ask(3, SHORT), Err(QueueError::Queue));
    let stats = desk.lane.stats();
    assert_eq!((stats.running, stats.waiting, stats.ended[Ended::Refused as usize]), (1, 3, 2));
}

/// The caller of a search, and its class.
#[derive(Clone, Copy)]
struct Whom {
    caller: Caller,
    class: Class,
}

/// The usual caller, with searches of batches.
const BATCH: Whom = Whom { caller: CALLER, class: Class::Background };

impl From<Caller> for Whom {
    fn from(caller: Caller) -> Self {
        Self { caller, class: Class::Interactive }
    }
}

impl Queue {
    fn with(config: &Config) -> Self {
        Self::new(config.into(), 1 << 16).unwrap()
    }

    async fn begin_for<T: Send + 'static>(
        &self,
        whom: impl Into<Whom>,
        demand: Demand,
        work: impl FnOnce(&Control, &mut TranspositionTable) -> Found<T> + Send + 'static,
    ) -> Result<Running<T>, QueueError> {
        let Whom { caller, class } = whom.into();
        self.begin(caller, class, demand, work).await
    }

    /// Searches with the built-in evaluation, and waits for the answer.
    async fn search<G: Playable>(
        &self,
        whom: impl Into<Whom>,
        limits: SearchLimits,
    ) -> Result<Found<u32>, QueueError> {
        self.searching::<G>(whom, limits, |_| {}).await?.answer().await
    }

    /// Begins such a search; `on_depth` gets the depths that it reaches.
    async fn searching<G: Playable>(
        &self,
        whom: impl Into<Whom>,
        limits: SearchLimits,
        mut on_depth: impl FnMut(u32) + Send + 'static,
    ) -> Result<Running<u32>, QueueError> {
        let options = Options::new(limits);
        let work = move |control: &Control, table: &mut TranspositionTable| {
            let (engine, start) = (Engine::built_in::<G>(Tablebases::none()), G::default());
            let found = engine.search(&start, &options, control, table, &mut |analysis| {
                on_depth(analysis.depth);
            });
            let (time, stopped_by) = (found.time, found.stopped_by);
            Found { answer: found.depth, nodes: found.nodes, time, stopped_by }
        };
        let demand = Demand {
            work: Effort { options, searches: 1 }.work::<G>(self.longest()),
            is_timed: options.limits.time.is_some(),
        };
        self.begin_for(whom, demand, work).await
    }

    /// Some work that is no search.
    async fn work<T: Send + 'static>(
        &self,
        whom: impl Into<Whom>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, QueueError> {
        let found =
            move || Found { answer: work(), nodes: 1, time: Duration::ZERO, stopped_by: StoppedBy::Depth };
        Ok(self.begin_for(whom, IN_FULL, move |_, _| found()).await?.answer().await?.answer)
    }

    /// A search that occupies its thread, without checking its limits, until the sender is dropped.
    async fn block(&self, whom: impl Into<Whom>) -> (Running<()>, Sender<()>) {
        let (release, released) = mpsc::channel();
        let work = move |_: &Control, _: &mut TranspositionTable| {
            released.recv().unwrap_or_default();
            Found { answer: (), nodes: 1, time: Duration::ZERO, stopped_by: StoppedBy::Depth }
        };
        (self.begin_for(whom, SHORT, work).await.unwrap(), release)
    }

    /// Waits until the statistics of a class are as expected.
    async fn until(&self, class: Class, reached: impl Fn(&Stats) -> bool) {
        while !reached(&self.stats(class)) {
            yield_now().await;
            thread::yield_now();
        }
    }
}

fn timed(time: Duration) -> SearchLimits {
    SearchLimits { time: Some(time), ..SearchLimits::default() }
}

/// Searches until it is stopped.
fn endless() -> SearchLimits {
    timed(3_600 * SECOND)
}

#[actix_web::test]
async fn a_thread_is_free_as_soon_as_its_answer_is_there() {
    let queue = Queue::with(&Config { search_threads: 1, search_queue: 0, ..usual() });
    for number in 0..100 {
        assert_eq!(queue.work(CALLER, move || number).await, Ok(number));
    }
    let stats = queue.stats(Class::Interactive);
    assert_eq!((stats.running, stats.waiting, stats.ended[Ended::Answered as usize]), (0, 0, 100));
}

#[actix_web::test]
async fn the_time_of_a_search_runs_from_its_start() {
    let queue = Queue::with(&Config { search_threads: 1, ..usual() });
    let (_first, release) = queue.block(CALLER).await;
    let started = |control: &Control, _: &mut TranspositionTable| {
        let taken = control.elapsed();
        let answer = Instant::now().checked_sub(taken).unwrap();
        Found { answer, nodes: 1, time: Duration::ZERO, stopped_by: StoppedBy::Depth }
    };
    let mut waiting = Box::pin(queue.begin(CALLER, Class::Interactive, SHORT, started));
    assert!((&mut waiting).now_or_never().is_none());
    let (before, time) = (Instant::now(), Duration::from_millis(100));
    thread::sleep(time);
    drop(release);
    let mut running = waiting.await.unwrap();
    assert!(running.answer().await.unwrap().answer >= before + time);
}

#[actix_web::test]
async fn who_waits_too_long_is_told_so() {
    let queue = Queue::with(&Config { search_threads: 1, max_wait_ms: 20, ..usual() });
    let (_first, _release) = queue.block(CALLER).await;
    assert_eq!(queue.work(CALLER, || ()).await, Err(QueueError::Expired));
    let stats = queue.stats(Class::Interactive);
    assert_eq!((stats.ended[Ended::Expired as usize], stats.waiting), (1, 0));
}

#[actix_web::test]
async fn without_a_limit_on_time_a_search_is_answered_in_full_or_not_at_all() {
    let queue = Queue::with(&Config { search_threads: 1, max_time_ms: 20, ..usual() });
    let endless = SearchLimits { nodes: Some(1_000_000_000), ..SearchLimits::default() };
    assert_eq!(queue.search::<Pur>(CALLER, endless).await.unwrap_err(), QueueError::Overdue(queue.longest()));
    assert_eq!(queue.stats(Class::Interactive).ended[Ended::Overdue as usize], 1);
    // A search of a batch may take as long as it needs.
    let nodes = Some(500_000);
    let found = queue.search::<Pur>(BATCH, SearchLimits { nodes, ..SearchLimits::default() }).await.unwrap();
    assert!(found.stopped_by == StoppedBy::Nodes && found.time > queue.longest(), "{found:?}");
}

#[actix_web::test]
async fn however_little_time_it_gets_a_search_is_as_deep_as_2_000_nodes_reach() {
    async fn check<G: Playable>(queue: &Queue) {
        let nodes = SearchLimits { nodes: Some(2_000), ..SearchLimits::default() };
        let starved = queue.search::<G>(CALLER, timed(Duration::ZERO)).await.unwrap();
        let modest = queue.search::<G>(CALLER, nodes).await.unwrap();
        assert_eq!(starved.stopped_by, StoppedBy::Time);
        assert!(starved.answer >= modest.answer, "{}: {starved:?}, {modest:?}", G::ABOUT.id);
    }
    let queue = Queue::with(&Config { search_threads: 1, ..usual() });
    check::<Pur>(&queue).await;
    check::<Contra>(&queue).await;
    check::<Ecke>(&queue).await;
    check::<Wari>(&queue).await;
}

#[actix_web::test]
async fn a_single_search_never_waits_for_a_batch() {
    let queue = Queue::with(&Config { search_threads: 2, ..usual() });
    let _held = [queue.block(BATCH).await, queue.block(BATCH).await];
    let mut waiting = Box::pin(queue.work(BATCH, || ()));
    assert!((&mut waiting).now_or_never().is_none());
    assert_eq!(queue.work(CALLER, || 3).await, Ok(3));
    let stats = queue.stats(Class::Background);
    assert_eq!((stats.running, stats.waiting), (2, 1));
}

#[actix_web::test]
async fn threads_of_batches_get_idle_time_only_and_others_go_after_the_event_loop() {
    /// The nice value of the thread and its class, by the fields of the kernel.
    fn priority() -> (i32, i32) {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, fields) = stat.rsplit_once(") ").unwrap();
        let fields: Vec<_> = fields.split(' ').collect();
        (fields[16].parse().unwrap(), fields[38].parse().unwrap())
    }
    let queue = Queue::with(&Config { search_threads: 1, ..usual() });
    let (nice, class) = queue.work(BATCH, priority).await.unwrap();
    assert!(class == libc::SCHED_IDLE || nice == 19, "{nice} {class}");
    let (nice, class) = queue.work(CALLER, priority).await.unwrap();
    assert!(class == libc::SCHED_OTHER && nice >= 5, "{nice} {class}");
}

#[actix_web::test]
async fn a_panic_fails_its_search_and_nothing_else() {
    let queue = Queue::with(&Config { search_threads: 1, ..usual() });
    for whom in [CALLER.into(), BATCH] {
        let failed = Err(QueueError::Failed("as a test".to_owned()));
        assert_eq!(queue.work::<()>(whom, || panic!("as a test")).await, failed);
        assert_eq!(queue.work(whom, || 2).await, Ok(2));
        assert_eq!(queue.stats(whom.class).ended[Ended::Failed as usize], 1);
    }
}

#[actix_web::test]
async fn who_leaves_stops_the_search() {
    let queue = Queue::with(&Config { search_threads: 1, ..usual() });
    for whom in [CALLER.into(), BATCH] {
        drop(queue.searching::<Pur>(whom, endless(), |_| {}).await.unwrap());
        // The thread is free again for another.
        assert_eq!(queue.work(whom, || 2).await, Ok(2));
        assert_eq!(queue.stats(whom.class).ended[Ended::Cancelled as usize], 1);
    }
}

#[actix_web::test]
async fn a_search_nobody_waits_for_any_more_is_skipped() {
    let queue = Queue::with(&Config { search_threads: 1, ..usual() });
    let (_first, release) = queue.block(CALLER).await;
    let (ran, has_run) = mpsc::channel::<()>();
    let mut waiting = Box::pin(queue.work(CALLER, move || ran.send(()).unwrap()));
    assert!((&mut waiting).now_or_never().is_none());
    drop(waiting);
    drop(release);
    assert_eq!(queue.work(CALLER, || 3).await, Ok(3));
    assert!(has_run.recv().is_err(), "it was dropped without being run");
    assert_eq!(queue.stats(Class::Interactive).ended[Ended::Cancelled as usize], 1);
}

#[actix_web::test]
async fn who_closes_lets_searches_answer_with_what_they_have_and_drops_what_waits() {
    let in_full = SearchLimits { nodes: Some(1_000_000_000), ..SearchLimits::default() };
    for class in Class::ALL {
        let queue = Queue::with(&Config { search_threads: 2, ..usual() });
        let whom = if class == Class::Background { BATCH } else { CALLER.into() };
        let (first_depth, reported) = mpsc::channel();
        let report = move |_| first_depth.send(()).unwrap_or_default();
        let mut timed = queue.searching::<Pur>(whom, endless(), report).await.unwrap();
        reported.recv().unwrap();
        let (_held, _release) = queue.block(whom).await;
        let mut waiting = Box::pin(queue.searching::<Pur>(whom, in_full, |_| {}));
        assert!((&mut waiting).now_or_never().is_none());
        queue.close();
        assert!(timed.answer().await.unwrap().answer >= 1);
        assert_eq!(waiting.await.unwrap_err(), QueueError::Closing);
        assert_eq!(queue.work(whom, || 3).await, Err(QueueError::Closing));
    }
}

#[actix_web::test]
async fn the_last_to_go_stops_what_runs() {
    let in_full = SearchLimits { nodes: Some(1_000_000_000), ..SearchLimits::default() };
    let queue = Queue::with(&usual());
    let mut single = queue.searching::<Pur>(CALLER, in_full, |_| {}).await.unwrap();
    let mut many = queue.searching::<Pur>(BATCH, in_full, |_| {}).await.unwrap();
    drop(queue);
    assert_eq!(single.answer().await.unwrap_err(), QueueError::Closing);
    assert_eq!(many.answer().await.unwrap_err(), QueueError::Closing);
}

#[actix_web::test]
async fn threads_take_memory_when_they_search() {
    let queue = Queue::with(&Config { search_threads: 1, ..usual() });
    let depth = SearchLimits { depth: Some(2), ..SearchLimits::default() };
    for whom in [CALLER.into(), BATCH] {
        assert_eq!(queue.stats(whom.class).table_bytes, 0);
        queue.search::<Pur>(whom, depth).await.unwrap();
        queue.search::<Pur>(whom, depth).await.unwrap();
        queue.until(whom.class, |stats| stats.table_bytes == 1 << 16).await;
    }
}
