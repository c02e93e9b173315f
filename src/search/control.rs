//! Stopping a search from outside.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// When a search has started, and after how much time it is to stop; clones share the latter.
#[derive(Clone, Debug)]
pub struct Control {
    started: Instant,
    /// Nanoseconds after the start; [`NEVER`] until the search is told to stop.
    stop_after: Arc<AtomicU64>,
}

/// More nanoseconds than any search takes: five centuries.
const NEVER: u64 = u64::MAX;

impl Control {
    /// For a search whose time runs from now on.
    #[must_use]
    pub fn new() -> Self {
        Self { started: Instant::now(), stop_after: Arc::new(AtomicU64::new(NEVER)) }
    }

    /// The same for a search that has had to wait until now: its time runs from now on.
    #[must_use]
    pub fn restarted(&self) -> Self {
        Self { started: Instant::now(), stop_after: Arc::clone(&self.stop_after) }
    }

    /// From when the time of the search runs.
    #[must_use]
    pub const fn started(&self) -> Instant {
        self.started
    }

    /// Ends the search as soon as it next checks its limits.
    pub fn stop(&self) {
        self.stop_after(Duration::ZERO);
    }

    /// Ends the search when it next checks its limits after so much time from its start, unless it ends
    /// before.
    pub fn stop_after(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(NEVER);
        // The number tells nothing about other memory, so it needs no order.
        self.stop_after.fetch_min(nanos, Ordering::Relaxed);
    }

    /// Whether the search has been told to end by now.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        match self.stop_after.load(Ordering::Relaxed) {
            NEVER => false,
            0 => true,
            nanos => self.started.elapsed() >= Duration::from_nanos(nanos),
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

    #[test]
    fn the_earliest_end_counts_and_a_restart_keeps_it() {
        let control = Control::new();
        assert!(!control.is_stopped());
        control.stop_after(Duration::from_secs(3600));
        assert!(!control.is_stopped());
        let restarted = control.restarted();
        assert!(restarted.started() >= control.started());
        restarted.stop();
        control.stop_after(Duration::from_secs(7200));
        assert!(control.is_stopped() && restarted.is_stopped());
        assert!(control.restarted().is_stopped());
    }
}
