//! A search from outside: what waits, what runs, and what is handed over.

use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::{
    busy::Busy,
    caller::CallerId,
    class::Class,
    config::{PoolConfig, SHORT},
    demand::after,
};
use crate::search::{Control, StoppedBy, TranspositionTable};

/// A search that waits.
pub(super) struct Job {
    pub ticket: Ticket,
    /// Where its caller hears that its turn has come, and after how long; or that it will not come.
    pub turn: oneshot::Sender<Result<Duration, Busy>>,
    pub run: Work,
}

/// What a search thread is to do with its table, and then, when it counts as free again, to hand over.
pub(super) type Work = Box<dyn FnOnce(&Control, &mut TranspositionTable) -> Delivery + Send>;

/// What has been found, ready to be handed over.
pub(super) struct Delivery {
    /// Nobody waits for it any more.
    pub abandoned: bool,
    pub summary: Summary,
    /// Gives it to the caller, or tells the caller why not.
    pub hand_over: Box<dyn FnOnce(Option<Busy>)>,
}

/// What is to be known about what has been found.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// How many positions were visited.
    pub nodes: u64,
    /// What ended it.
    pub stopped_by: StoppedBy,
}

/// The number of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BatchId(pub u64);

/// What is known of a search from outside.
#[derive(Clone, Debug)]
pub(super) struct Ticket {
    pub id: u64,
    pub caller: CallerId,
    /// The batch that it belongs to; a search that belongs to none is interactive.
    pub batch: Option<BatchId>,
    /// What it counts for, and so how long it is expected to take.
    pub work: Duration,
    /// It thinks for a time, so that any answer will do; otherwise it is answered in full or not at all.
    pub is_timed: bool,
    pub control: Control,
    pub accepted: Instant,
}

/// A search that runs.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub ticket: Ticket,
    pub started: Instant,
    /// When it is expected to end.
    pub ends: Instant,
    /// It has been told to end early.
    pub cut_short: bool,
    /// It has been told to pause.
    pub paused: bool,
}

impl Ticket {
    pub const fn class(&self) -> Class {
        if self.batch.is_some() { Class::Background } else { Class::Interactive }
    }

    /// Whether it should not hold all threads.
    pub fn is_long(&self, config: &PoolConfig) -> bool {
        self.work > config.max_wait.max(SHORT)
    }

    /// The same for one that is answered in full or not at all.
    pub fn is_long_in_full(&self, config: &PoolConfig) -> bool {
        self.is_long(config) && !self.is_timed
    }
}

impl Run {
    pub fn new(ticket: Ticket, now: Instant) -> Self {
        let ends = after(now, ticket.work);
        Self { ticket, started: now, ends, cut_short: false, paused: false }
    }

    /// How long it has taken, without its pauses.
    pub fn taken(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.started).saturating_sub(self.ticket.control.paused())
    }

    /// Has it pause, or go on.
    pub fn set_paused(&mut self, paused: bool) {
        if paused == self.paused {
            return;
        }
        self.paused = paused;
        let control = &self.ticket.control;
        if paused { control.pause() } else { control.resume() }
    }

    /// How long it will still take.
    pub fn left(&self, now: Instant) -> Duration {
        let left = self.ends.saturating_duration_since(now);
        if self.ticket.control.is_stopped() {
            Duration::ZERO
        } else if left.is_zero() && !self.ticket.is_timed {
            // It takes longer than expected: nothing is known but that it has taken so long.
            (now - self.started) / 2
        } else {
            left
        }
    }
}
