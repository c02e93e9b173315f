//! Stopping a search from outside.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// When a search was accepted, and a flag that stops it; clones share the flag.
#[derive(Clone, Debug)]
pub struct Control {
    accepted: Instant,
    stopped: Arc<AtomicBool>,
}

impl Control {
    /// For a search whose time runs from now on.
    #[must_use]
    pub fn new() -> Self {
        Self { accepted: Instant::now(), stopped: Arc::default() }
    }

    /// From when the time of the search runs.
    #[must_use]
    pub const fn accepted(&self) -> Instant {
        self.accepted
    }

    /// Ends the search as soon as it next looks up.
    pub fn stop(&self) {
        // The flag tells nothing about other memory, so it needs no order.
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the search has been told to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}
