//! What runs and what waits, and how long a newcomer would wait.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use crate::search::{Control, Table};

/// What runs, what waits, and what has become of the others.
#[derive(Default)]
pub(super) struct State {
    pub waiting: VecDeque<Job>,
    /// What each thread works on.
    pub running: Vec<Option<Ticket>>,
    pub closed: bool,
    pub finished: u64,
    pub failed: u64,
    pub abandoned: u64,
    pub nodes: u64,
    refused: u64,
}

/// What a search thread is to do with its table, and then, when it counts as free again, to hand over.
pub(super) type Work = Box<dyn FnOnce(&Control, &mut Table) -> Delivery + Send>;

/// What has been found, ready to be handed over.
pub(super) struct Delivery {
    /// Nobody waits for it any more.
    pub abandoned: bool,
    /// How many positions were visited.
    pub nodes: u64,
    pub hand_over: Box<dyn FnOnce()>,
}

/// A search that waits.
pub(super) struct Job {
    pub ticket: Ticket,
    pub run: Work,
}

/// What is known of a search from outside.
#[derive(Clone, Debug)]
pub(super) struct Ticket {
    pub control: Control,
    /// How long it may think, if that is limited.
    pub time: Option<Duration>,
}

/// How busy a pool is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolStats {
    /// Search threads.
    pub threads: usize,
    /// Searches that run.
    pub running: usize,
    /// Searches that wait for a thread.
    pub waiting: usize,
    /// Searches that came to their end since the start, stopped ones included.
    pub finished: u64,
    /// Searches that failed since the start.
    pub failed: u64,
    /// Searches whose caller left before their end since the start, while they ran or waited.
    pub abandoned: u64,
    /// Searches that were not accepted since the start, because all threads were busy.
    pub refused: u64,
    /// Positions that have been visited since the start, by the searches that came to their end.
    pub nodes: u64,
}

/// All threads are busy for longer than a search would wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("all search threads are busy; try again in {} ms", .retry_after.as_millis())]
pub struct Busy {
    /// When a thread is expected to be free.
    pub retry_after: Duration,
}

impl State {
    /// Nothing runs yet on so many threads.
    pub fn new(threads: usize) -> Self {
        Self { running: vec![None; threads], ..Self::default() }
    }

    /// Puts a job into the queue, which has room for so many that find no thread idle.
    pub fn admit(&mut self, job: Job, time: Option<Duration>, queue: usize) -> Result<(), Busy> {
        let waiting = self.waiting.len();
        self.waiting.retain(|job| !job.ticket.control.is_stopped());
        self.abandoned += (waiting - self.waiting.len()) as u64;
        let wait = self.expected_wait();
        let idle = self.running.iter().filter(|running| running.is_none()).count();
        let full = self.waiting.len() >= queue + idle;
        let too_late = time.is_some_and(|time| !wait.is_zero() && wait >= time);
        if full || too_late || self.closed {
            self.refused += 1;
            return Err(Busy { retry_after: wait });
        }
        self.waiting.push_back(job);
        Ok(())
    }

    /// How busy the threads are.
    pub fn stats(&self) -> PoolStats {
        PoolStats {
            threads: self.running.len(),
            running: self.running.iter().flatten().count(),
            waiting: self.waiting.len(),
            finished: self.finished,
            failed: self.failed,
            abandoned: self.abandoned,
            refused: self.refused,
            nodes: self.nodes,
        }
    }

    /// Drops what waits, and ends what runs.
    pub fn hurry(&mut self) {
        self.waiting.clear();
        for ticket in self.running.iter().flatten() {
            ticket.control.stop();
        }
    }

    /// How long a search that is accepted now would wait for a thread, if those before it use up their time.
    fn expected_wait(&self) -> Duration {
        let now = Instant::now();
        let whole = |ticket: &Ticket| {
            if ticket.control.is_stopped() { Duration::ZERO } else { ticket.time.unwrap_or(UNLIMITED) }
        };
        let left = |ticket: &Ticket| whole(ticket).saturating_sub(now - ticket.control.started());
        let mut free_in: Vec<_> =
            self.running.iter().map(|running| running.as_ref().map_or(Duration::ZERO, left)).collect();
        for job in &self.waiting {
            let first = free_in.iter_mut().min().expect("a pool has threads");
            *first += whole(&job.ticket);
        }
        free_in.into_iter().min().expect("a pool has threads")
    }
}

/// What a search without a limit on time is taken to last: as long as one with the time that callers get who do not
/// ask for any.
const UNLIMITED: Duration = Duration::from_millis(500);
