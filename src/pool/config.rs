//! How large a pool is.

use std::time::Duration;

/// How many threads search, with what, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolConfig {
    /// Search threads, at least 1, and how many searches of both classes may think at a time.
    pub threads: usize,
    /// Threads that search for batches, at least 1 and at most as many as the others.
    pub background_threads: usize,
    /// Interactive searches that may wait for a thread. Before there are so many, mostly
    /// [`PoolConfig::max_wait`] refuses more.
    pub queue: usize,
    /// Interactive searches of one caller that may run or wait.
    pub per_caller: usize,
    /// How long an interactive search may wait for a thread. What is expected to wait longer is refused at
    /// once.
    pub max_wait: Duration,
    /// How long a search without a limit on time may take; it is not answered if it is not over by then.
    pub longest: Duration,
    /// The size of each thread's table in bytes. Without a limit on time, answers depend on it.
    pub table_bytes: usize,
    /// How long a thread that searches for batches keeps its table when it has nothing to do.
    pub table_idle: Duration,
    /// Batches of all callers of which a search may run or wait.
    pub batches: usize,
    /// The same for one caller.
    pub batches_per_caller: usize,
    /// What the searches of a batch may count for together.
    pub max_work: Duration,
}

/// What is short in any case: as long as a search takes that is told no limit.
pub(super) const SHORT: Duration = Duration::from_millis(500);

/// How many times as much work as a batch may ask for its searches may do: some visit more nodes than they
/// count for.
const VISITS_MORE: u32 = 4;

impl PoolConfig {
    /// With numbers of threads that make sense.
    pub(super) fn checked(self) -> Self {
        let threads = self.threads.max(1);
        Self { threads, background_threads: self.background_threads.clamp(1, threads), ..self }
    }

    /// What the searches of a batch have done when no more of them are made.
    pub(super) const fn last_work(&self) -> Duration {
        self.max_work.saturating_mul(VISITS_MORE)
    }
}

/// What most tests need.
#[cfg(test)]
impl Default for PoolConfig {
    fn default() -> Self {
        Self {
            threads: 2,
            background_threads: usize::MAX,
            queue: 1_024,
            per_caller: 128,
            max_wait: Duration::from_secs(1),
            longest: Duration::from_secs(30),
            table_bytes: 1 << 20,
            table_idle: Duration::from_secs(60),
            batches: 64,
            batches_per_caller: 4,
            max_work: Duration::from_secs(600),
        }
    }
}
