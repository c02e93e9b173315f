//! What all workers share.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use crate::config::Config;

/// What requests may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest path and query, in bytes.
    pub uri_bytes: usize,
    /// The largest body, in bytes, decompressed.
    pub body_bytes: usize,
    /// The most moves in a list.
    pub max_moves: usize,
    /// How long the service goes on answering after it has been told to stop.
    pub drain: Duration,
}

/// What all workers share.
#[derive(Debug)]
pub struct State {
    /// What requests may ask for.
    pub limits: Limits,
    draining: AtomicBool,
}

impl State {
    /// The state of a service with these settings that has just started.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let limits = Limits {
            uri_bytes: config.uri_limit,
            body_bytes: config.body_limit,
            max_moves: config.max_moves,
            drain: Duration::from_secs(config.drain_seconds),
        };
        Self { limits, draining: AtomicBool::new(false) }
    }

    /// Makes the service unready: it still answers, but wants no new callers.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Whether the service is about to stop.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }
}
