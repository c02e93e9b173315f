//! What ends a search, and the one place where that is checked.

use std::time::Duration;

use super::{analysis::StoppedBy, control::Control};

/// What ends a search; the first that is reached does. Without any it runs until the game is worked out or
/// it is told to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// Time to think, from the start of the search and without its pauses.
    pub time: Option<Duration>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
}

impl SearchLimits {
    /// What is left after so many positions have been visited.
    pub(super) fn less(self, nodes: u64) -> Self {
        Self { nodes: self.nodes.map(|limit| limit.saturating_sub(nodes)), ..self }
    }

    /// With no more positions than so many.
    pub(super) fn with_nodes_at_most(self, nodes: u64) -> Self {
        Self { nodes: Some(self.nodes.map_or(nodes, |limit| limit.min(nodes))), ..self }
    }
}

/// A limit was reached before the answer was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted(
    /// Which.
    pub StoppedBy,
);

/// Positions between two checks of time, stop flag and pauses: 30 to 130 µs on one core of a server, so that
/// a search thread makes way for the calls that must not wait.
const CHECK_INTERVAL: u64 = 128;

/// Counts the positions that are visited, and checks the limits now and then.
#[derive(Debug)]
pub struct LimitChecker<'a> {
    control: &'a Control,
    time_limit: Option<Duration>,
    node_limit: u64,
    nodes: u64,
    /// The number of positions at which the limits are checked next.
    check_at: u64,
    /// The number of positions before which time ends nothing.
    least_nodes: u64,
}

impl<'a> LimitChecker<'a> {
    /// For a search whose time runs since its control was made.
    #[must_use]
    pub fn new(limits: &SearchLimits, control: &'a Control) -> Self {
        Self {
            control,
            time_limit: limits.time,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            check_at: 0,
            least_nodes: 0,
        }
    }

    /// The same for the search in the tree, which time does not end before it has visited a few positions, if
    /// its control says so.
    pub(super) const fn of_tree(self) -> Self {
        Self { least_nodes: self.control.least_nodes(), ..self }
    }

    /// How many positions were visited.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a position that is visited.
    ///
    /// # Errors
    /// Fails when a limit is reached; the limit on positions is exact.
    #[inline]
    pub fn visit(&mut self) -> Result<(), Interrupted> {
        if self.nodes >= self.check_at {
            self.check()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Makes way for other threads and pauses if it is told to, and checks the limits.
    #[cold]
    fn check(&mut self) -> Result<(), Interrupted> {
        self.control.make_way();
        self.control.wait_while_paused();
        let left = self.node_limit - self.nodes;
        if left == 0 {
            return Err(Interrupted(StoppedBy::Nodes));
        }
        if self.control.is_stopped_at_once() || self.nodes >= self.least_nodes && self.is_time_over() {
            return Err(Interrupted(StoppedBy::Time));
        }
        self.check_at = self.nodes + left.min(CHECK_INTERVAL);
        Ok(())
    }

    fn is_time_over(&self) -> bool {
        self.control.is_stopped() || self.time_limit.is_some_and(|limit| self.control.elapsed() >= limit)
    }
}
