//! When to give up.

use std::{thread, time::Instant};

use crate::search::{Control, Limits, StoppedBy};

/// A limit was reached before the answer was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted(
    /// Which.
    pub StoppedBy,
);

/// Positions between two looks at clock and stop flag: about 50 µs.
const LOOK_UP_EVERY: u64 = 256;

/// Counts the positions, and looks up now and then.
#[derive(Debug)]
pub(in crate::search) struct Clock<'a> {
    control: &'a Control,
    deadline: Option<Instant>,
    node_limit: u64,
    nodes: u64,
    /// The number of nodes at which to look up next.
    look_up_at: u64,
}

impl<'a> Clock<'a> {
    pub(in crate::search) fn new(limits: &Limits, control: &'a Control) -> Self {
        Self {
            control,
            deadline: limits.deadline(control.started()),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            look_up_at: 0,
        }
    }

    pub(in crate::search) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a position that is visited.
    #[inline]
    pub(in crate::search) fn visit(&mut self) -> Result<(), Interrupted> {
        if self.nodes >= self.look_up_at {
            self.look_up()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Lets other threads go first, and checks what may end the search.
    #[cold]
    fn look_up(&mut self) -> Result<(), Interrupted> {
        thread::yield_now();
        if self.nodes >= self.node_limit {
            return Err(Interrupted(StoppedBy::Nodes));
        }
        if self.control.is_stopped() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Interrupted(StoppedBy::Time));
        }
        self.look_up_at = self.node_limit.min(self.nodes + LOOK_UP_EVERY);
        Ok(())
    }
}
