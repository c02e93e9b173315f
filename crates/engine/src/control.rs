//! Stopping and pausing a search from outside.

use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// When a search has started, after how much time it is to stop, and whether it is to pause; clones share all
/// but the first.
#[derive(Clone, Debug)]
pub struct Control {
    started: Instant,
    makes_way: bool,
    /// Nodes that a search visits before time may end it.
    least_nodes: u64,
    signals: Arc<Signals>,
}

/// What a search is told. The numbers tell nothing about other memory, so they need no order; what a paused
/// search waits for is changed before the lock is taken.
#[derive(Debug)]
struct Signals {
    /// Nanoseconds of searching after the start; [`NEVER`] until the search is told to stop.
    stop_after: AtomicU64,
    /// The search is to pause when it next checks its limits.
    pause: AtomicBool,
    /// For how many nanoseconds it has paused.
    paused: AtomicU64,
    lock: Mutex<()>,
    /// A paused search is to go on, or to stop.
    changed: Condvar,
}

/// More nanoseconds than any search takes: five centuries.
const NEVER: u64 = u64::MAX;

impl Control {
    /// For a search whose time runs from now on.
    #[must_use]
    pub fn new() -> Self {
        let signals = Signals {
            stop_after: AtomicU64::new(NEVER),
            pause: AtomicBool::new(false),
            paused: AtomicU64::new(0),
            lock: Mutex::default(),
            changed: Condvar::new(),
        };
        Self { started: Instant::now(), makes_way: false, least_nodes: 0, signals: Arc::new(signals) }
    }

    /// The same for a search that lets other threads go first whenever it checks its limits, since there are
    /// some that must not wait. However little of the processor it gets, its tree search visits 2,000 nodes
    /// before time ends it, so that its answer is worth something.
    #[must_use]
    pub fn making_way() -> Self {
        Self { makes_way: true, least_nodes: 2_000, ..Self::new() }
    }

    /// The same for one of so many searches that share these nodes.
    pub(super) fn shared_by(&self, searches: usize) -> Self {
        Self { least_nodes: self.least_nodes / searches as u64, ..self.clone() }
    }

    /// Nodes that a tree search visits before time may end it.
    pub(super) const fn least_nodes(&self) -> u64 {
        self.least_nodes
    }

    /// Lets other threads go first, if it is such a search.
    #[inline]
    pub(super) fn make_way(&self) {
        if self.makes_way {
            thread::yield_now();
        }
    }

    /// The same for a search that has had to wait until now: its time runs from now on.
    #[must_use]
    pub fn restarted(&self) -> Self {
        Self { started: Instant::now(), signals: Arc::clone(&self.signals), ..*self }
    }

    /// From when the time of the search runs.
    #[must_use]
    pub const fn started(&self) -> Instant {
        self.started
    }

    /// How long the search has taken until now, without its pauses.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.paused())
    }

    /// For how long the search has paused, a pause that still lasts apart.
    #[must_use]
    pub fn paused(&self) -> Duration {
        Duration::from_nanos(self.signals.paused.load(Ordering::Relaxed))
    }

    /// Ends the search as soon as it next checks its limits.
    pub fn stop(&self) {
        self.stop_after(Duration::ZERO);
    }

    /// Ends the search when it next checks its limits after it has taken so much time, unless it ends before.
    pub fn stop_after(&self, time: Duration) {
        self.signals.stop_after.fetch_min(nanos(time), Ordering::Relaxed);
        self.signals.wake();
    }

    /// Whether the search has been told to end at once, not after some time.
    pub(super) fn is_stopped_at_once(&self) -> bool {
        self.signals.stop_after.load(Ordering::Relaxed) == 0
    }

    /// Whether the search has been told to end by now.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        match self.signals.stop_after.load(Ordering::Relaxed) {
            NEVER => false,
            0 => true,
            nanos => self.elapsed() >= Duration::from_nanos(nanos),
        }
    }

    /// Has the search wait when it next checks its limits, until it is resumed or stopped. The wait does not
    /// count as time that it takes.
    pub fn pause(&self) {
        self.signals.pause.store(true, Ordering::Relaxed);
    }

    /// Lets a paused search go on.
    pub fn resume(&self) {
        self.signals.pause.store(false, Ordering::Relaxed);
        self.signals.wake();
    }

    /// Waits for as long as the search is to pause. Costs next to nothing if it is not.
    #[inline]
    pub(super) fn wait_while_paused(&self) {
        if self.signals.pause.load(Ordering::Relaxed) {
            self.wait();
        }
    }

    #[cold]
    fn wait(&self) {
        let (began, taken) = (Instant::now(), nanos(self.elapsed()));
        let to_wait = |(): &mut ()| {
            self.signals.pause.load(Ordering::Relaxed)
                && self.signals.stop_after.load(Ordering::Relaxed) > taken
        };
        let waited = self.signals.changed.wait_while(self.signals.lock(), to_wait);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        self.signals.add_pause(began.elapsed());
    }
}

impl Signals {
    /// The lock guards nothing that a panic could leave half changed.
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a paused search look at what it is told. Taking the lock makes sure that it has either seen the
    /// change or waits already.
    fn wake(&self) {
        drop(self.lock());
        self.changed.notify_all();
    }

    fn add_pause(&self, time: Duration) {
        self.paused.fetch_add(nanos(time), Ordering::Relaxed);
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(NEVER)
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread};

    use super::*;
    use crate::{LimitChecker, SearchLimits, StoppedBy};

    const HOUR: Duration = Duration::from_secs(3_600);

    /// A search that has started two hours ago, and has paused for so long.
    fn started_two_hours_ago(paused: Duration) -> Control {
        let started = Instant::now().checked_sub(2 * HOUR).unwrap();
        let control = Control { started, ..Control::new() };
        control.signals.add_pause(paused);
        control
    }

    #[test]
    fn the_earliest_end_counts_and_a_restart_keeps_it() {
        let control = Control::new();
        assert!(!control.is_stopped());
        control.stop_after(HOUR);
        assert!(!control.is_stopped());
        let restarted = control.restarted();
        assert!(restarted.started() >= control.started());
        restarted.stop();
        control.stop_after(2 * HOUR);
        assert!(control.is_stopped() && restarted.is_stopped());
        assert!(control.restarted().is_stopped());
    }

    #[test]
    fn a_pause_does_not_count_as_time_of_the_search() {
        let limits = SearchLimits { time: Some(HOUR), ..SearchLimits::default() };
        for (paused, is_over) in [(Duration::ZERO, true), (HOUR / 2, true), (2 * HOUR, false)] {
            let control = started_two_hours_ago(paused);
            let visited = LimitChecker::new(&limits, &control).visit();
            assert_eq!(visited.is_err_and(|end| end.0 == StoppedBy::Time), is_over, "{paused:?}");
            control.stop_after(HOUR);
            assert_eq!(control.is_stopped(), is_over, "{paused:?}");
        }
    }

    #[test]
    fn a_paused_search_goes_on_when_it_is_resumed_and_when_it_is_stopped() {
        for wake in [Control::resume, Control::stop] {
            let control = Control::new();
            control.pause();
            let searching = control.clone();
            let (sender, over) = mpsc::channel();
            let thread = thread::spawn(move || {
                searching.wait_while_paused();
                sender.send(()).unwrap();
            });
            assert!(over.try_recv().is_err(), "it has not paused");
            wake(&control);
            over.recv().unwrap();
            thread.join().unwrap();
        }
    }

    #[test]
    fn time_ends_no_search_before_its_least_nodes_but_a_stop_does() {
        let limits = SearchLimits { time: Some(HOUR), ..SearchLimits::default() };
        let visited = |control: &Control| {
            let mut limits = LimitChecker::new(&limits, control).of_tree();
            while limits.visit().is_ok() {}
            limits.nodes()
        };
        let starved = Control { least_nodes: 2_000, ..started_two_hours_ago(Duration::ZERO) };
        assert!((2_000..2_200).contains(&visited(&starved)));
        assert!((200..400).contains(&visited(&starved.shared_by(10))));
        // Also if it is told to make way for others after a time.
        starved.stop_after(HOUR);
        assert!((2_000..2_200).contains(&visited(&starved)));
        starved.stop();
        assert_eq!(visited(&starved), 0);
    }

    #[test]
    fn a_stopped_search_does_not_pause() {
        let control = started_two_hours_ago(Duration::ZERO);
        control.pause();
        control.stop_after(HOUR);
        control.wait_while_paused();
        assert!(control.is_stopped());
    }
}
