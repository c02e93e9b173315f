//! Stopping a search from outside.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// When a search has started, and after how much time it is to stop; clones share all but the first.
#[derive(Clone, Debug)]
pub struct Control {
    started: Instant,
    makes_way: bool,
    /// Nodes that a search visits before time may end it.
    least_nodes: u64,
    /// Nanoseconds after the start; [`NEVER`] until the search is told to stop. The number tells nothing
    /// about other memory, so it needs no order.
    stop_after: Arc<AtomicU64>,
}

/// More nanoseconds than any search takes: five centuries.
const NEVER: u64 = u64::MAX;

impl Control {
    /// For a search whose time runs from now on.
    #[must_use]
    pub fn new() -> Self {
        let stop_after = Arc::new(AtomicU64::new(NEVER));
        Self { started: Instant::now(), makes_way: false, least_nodes: 0, stop_after }
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
        Self { started: Instant::now(), ..self.clone() }
    }

    /// How long the search has taken until now.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Ends the search as soon as it next checks its limits.
    pub fn stop(&self) {
        self.stop_after(Duration::ZERO);
    }

    /// Ends the search when it next checks its limits after it has taken so much time, unless it ends before.
    pub fn stop_after(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(NEVER);
        self.stop_after.fetch_min(nanos, Ordering::Relaxed);
    }

    /// Whether the search has been told to end at once, not after some time.
    pub(super) fn is_stopped_at_once(&self) -> bool {
        self.stop_after.load(Ordering::Relaxed) == 0
    }

    /// Whether the search has been told to end by now.
    pub(super) fn is_stopped(&self) -> bool {
        match self.stop_after.load(Ordering::Relaxed) {
            NEVER => false,
            nanos => self.elapsed() >= Duration::from_nanos(nanos),
        }
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LimitChecker, SearchLimits};

    const HOUR: Duration = Duration::from_secs(3_600);

    /// A search that has started two hours ago.
    fn started_two_hours_ago() -> Control {
        Control { started: Instant::now().checked_sub(2 * HOUR).unwrap(), ..Control::new() }
    }

    #[test]
    fn the_earliest_end_counts_and_a_restart_keeps_it() {
        let control = Control::new();
        assert!(!control.is_stopped());
        control.stop_after(HOUR);
        assert!(!control.is_stopped());
        let restarted = control.restarted();
        assert!(restarted.started >= control.started);
        restarted.stop();
        control.stop_after(2 * HOUR);
        assert!(control.is_stopped() && restarted.is_stopped());
        assert!(control.restarted().is_stopped());
    }

    #[test]
    fn time_ends_no_search_before_its_least_nodes_but_a_stop_does() {
        let limits = SearchLimits { time: Some(HOUR), ..SearchLimits::default() };
        let visited = |control: &Control| {
            let mut limits = LimitChecker::new(&limits, control).of_tree();
            while limits.visit().is_ok() {}
            limits.nodes()
        };
        let starved = Control { least_nodes: 2_000, ..started_two_hours_ago() };
        assert!((2_000..2_200).contains(&visited(&starved)));
        assert!((200..400).contains(&visited(&starved.shared_by(10))));
        // Also if it is told to make way for others after a time.
        starved.stop_after(HOUR);
        assert!((2_000..2_200).contains(&visited(&starved)));
        starved.stop();
        assert_eq!(visited(&starved), 0);
    }
}
