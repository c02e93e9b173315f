//! How large a pool is.

use std::time::Duration;

/// How many threads search, with what, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolConfig {
    /// Search threads, at least 1.
    pub threads: usize,
    /// Searches that may wait for a thread. Before there are so many, mostly [`PoolConfig::max_wait`] refuses
    /// more.
    pub queue: usize,
    /// Searches of one caller that may run or wait.
    pub per_caller: usize,
    /// How long a search may wait for a thread. What is expected to wait longer is refused at once.
    pub max_wait: Duration,
    /// How long a search without a limit on time may take; it is not answered if it is not over by then.
    pub longest: Duration,
    /// The size of each thread's table in bytes. Without a limit on time, answers depend on it.
    pub table_bytes: usize,
}

impl PoolConfig {
    /// How long a search really waits at the most: what finds an idle thread is not refused because the
    /// thread has to wake up.
    pub(super) fn patience(&self) -> Duration {
        const WAKING_UP: Duration = Duration::from_millis(100);
        self.max_wait.max(WAKING_UP)
    }
}

/// What most tests need.
#[cfg(test)]
impl Default for PoolConfig {
    fn default() -> Self {
        Self {
            threads: 2,
            queue: 1_024,
            per_caller: 128,
            max_wait: Duration::from_secs(1),
            longest: Duration::from_secs(30),
            table_bytes: 1 << 20,
        }
    }
}
