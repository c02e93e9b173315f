//! The limits of a connection.

use std::time::Duration;

use crate::config::Config;

/// How long a connection may stay in each of its phases.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// For a head to arrive, and for a connection to close.
    pub head: Duration,
    /// Without a request.
    pub idle: Duration,
    /// For a reader to take nothing of an answer, or to lag behind the rate.
    pub read: Duration,
    /// What a reader takes of an answer at least, in bytes a second.
    pub read_rate: u32,
}

impl ConnectionLimits {
    /// The limits that are set.
    pub fn new(config: &Config) -> Self {
        Self {
            head: Duration::from_millis(config.client_timeout_ms),
            idle: Duration::from_secs(config.keep_alive_seconds),
            read: Duration::from_millis(config.read_timeout_ms.into()),
            read_rate: config.read_rate,
        }
    }
}
