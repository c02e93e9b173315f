//! The limits of a search, and what ends it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

/// The greatest depth. It lets the depth of a table entry fit into a byte, and the recursion onto any stack.
pub(super) const MAX_DEPTH: u32 = 100;

/// The limits of a search; the first that is reached ends it. Without any, it runs until the result is
/// proven, the greatest depth is reached or it is stopped.
///
/// ```
/// use std::time::Duration;
///
/// use cublino_engine::SearchLimits;
///
/// let limits = SearchLimits { time: Some(Duration::from_millis(100)), ..SearchLimits::default() };
/// assert_eq!((limits.depth, limits.nodes), (None, None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// Time to think, from the start of the search.
    pub time: Option<Duration>,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// Nodes (positions) to visit.
    pub nodes: Option<u64>,
}

impl SearchLimits {
    /// The limits that are left after so many nodes.
    pub(super) fn less(self, nodes: u64) -> Self {
        Self { nodes: self.nodes.map(|limit| limit.saturating_sub(nodes)), ..self }
    }

    /// One of `of` equal shares of the time and the nodes, without a limit on depth.
    pub(super) fn part(self, of: u32) -> Self {
        Self {
            time: self.time.map(|time| time / of),
            depth: None,
            nodes: self.nodes.map(|nodes| nodes / u64::from(of)),
        }
    }

    /// The same with at most so many nodes.
    pub(super) fn with_nodes_at_most(self, nodes: u64) -> Self {
        Self { nodes: Some(self.nodes.map_or(nodes, |limit| limit.min(nodes))), ..self }
    }
}

/// A result of a search, or the limit that was reached before it was found.
pub(super) type Searched<T> = Result<T, StoppedBy>;

/// Nodes between two checks of time and stop flag: 25 to 50 µs on one core of a server, so that a search
/// thread yields soon to the calls that must not wait.
const CHECK_INTERVAL: u64 = 128;

/// Counts the positions that are visited, and checks the limits now and then.
///
/// ```
/// use cublino_engine::{Control, LimitChecker, SearchLimits};
///
/// let (limits, control) = (SearchLimits { nodes: Some(2), ..SearchLimits::default() }, Control::new());
/// let mut checker = LimitChecker::new(&limits, &control);
/// assert!(checker.visit().is_ok() && checker.visit().is_ok() && checker.visit().is_err());
/// ```
#[derive(Debug)]
pub struct LimitChecker<'a> {
    control: &'a Control,
    time_limit: Option<Duration>,
    node_limit: u64,
    /// How many nodes (positions) were visited.
    pub(crate) nodes: u64,
    /// The number of positions at which the limits are checked next.
    check_at: u64,
    /// The number of nodes before which the time limit does not apply.
    least_nodes: u64,
    /// The elapsed time before which the search does not yield again.
    makes_way_at: Duration,
}

impl<'a> LimitChecker<'a> {
    /// A checker for a search whose time runs since the start of its control.
    pub fn new(limits: &SearchLimits, control: &'a Control) -> Self {
        Self {
            control,
            time_limit: limits.time,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            check_at: 0,
            least_nodes: 0,
            makes_way_at: Duration::ZERO,
        }
    }

    /// The same for the tree search: time does not end it before the least number of nodes that its control
    /// sets.
    pub(super) const fn of_tree(self) -> Self {
        Self { least_nodes: self.control.least_nodes, ..self }
    }

    /// Counts a position that is visited.
    ///
    /// # Errors
    /// Fails when a limit is reached; the limit on positions is exact.
    pub fn visit(&mut self) -> Result<(), StoppedBy> {
        if self.nodes >= self.check_at {
            self.check()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Yields to other threads, then not again for as long as they took: a cheap call takes 0.1 ms, but a
    /// busy program several milliseconds, and 128 nodes after each of these would be hardly any progress.
    fn make_way(&mut self) {
        let began = self.control.elapsed();
        if began >= self.makes_way_at {
            thread::yield_now();
            let ended = self.control.elapsed();
            self.makes_way_at = ended + ended.saturating_sub(began);
        }
    }

    /// Yields to other threads, and checks the limits.
    #[cold]
    fn check(&mut self) -> Result<(), StoppedBy> {
        if self.control.makes_way {
            self.make_way();
        }
        let left = self.node_limit - self.nodes;
        if left == 0 {
            return Err(StoppedBy::Nodes);
        }
        // If the search was stopped without a delay, nobody waits for its answer.
        let is_left = self.control.stop_after.load(Ordering::Relaxed) == 0;
        let is_over = |limit| self.control.elapsed() >= limit;
        let is_late = || self.control.is_stopped() || self.time_limit.is_some_and(is_over);
        if is_left || self.nodes >= self.least_nodes && is_late() {
            return Err(StoppedBy::Time);
        }
        self.check_at = self.nodes + left.min(CHECK_INTERVAL);
        Ok(())
    }
}

/// What ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum StoppedBy {
    /// The time limit was reached, or the search was told to stop.
    Time,
    /// The depth limit was reached.
    Depth,
    /// The node limit was reached.
    Nodes,
    /// The result is proven.
    Proven,
    /// There is only one legal move.
    OnlyMove,
    /// The result comes from a tablebase.
    Database,
}

/// The start of a search, and the time after which it is to stop; clones share the latter.
///
/// ```
/// use cublino_engine::{Control, Engine, Options, SearchLimits, StoppedBy, Tablebases, TranspositionTable};
/// use cublino_rules::games::Wari;
///
/// let (control, mut table) = (Control::new(), TranspositionTable::new(1 << 16));
/// control.clone().stop(); // as another thread may do while the search runs
/// let options = Options::new(SearchLimits::default());
/// let engine = Engine::built_in::<Wari>(Tablebases::none());
/// let analysis = engine.search(&Wari::default(), &options, &control, &mut table, &mut |_| {});
/// assert_eq!(analysis.stopped_by, StoppedBy::Time);
/// ```
#[derive(Clone, Debug)]
pub struct Control {
    started: Instant,
    makes_way: bool,
    /// The nodes that a tree search visits before the time limit may end it.
    least_nodes: u64,
    /// The time to stop, in nanoseconds after the start; [`NEVER`] until a caller stops the search. It
    /// guards no other memory, so relaxed ordering is enough.
    stop_after: Arc<AtomicU64>,
}

/// More nanoseconds than any search takes: five centuries.
const NEVER: u64 = u64::MAX;

impl Control {
    /// A control for a search whose time runs from now on.
    pub fn new() -> Self {
        let stop_after = Arc::new(AtomicU64::new(NEVER));
        Self { started: Instant::now(), makes_way: false, least_nodes: 0, stop_after }
    }

    /// The same for a search that yields to other threads whenever it checks its limits, since some of them
    /// must not wait. However little processor time it gets, its tree search visits 2,000 nodes before the
    /// time limit ends it, so that its answer is of use.
    pub fn making_way() -> Self {
        Self { makes_way: true, least_nodes: 2_000, ..Self::new() }
    }

    /// The same for one of several searches that share the least number of nodes.
    pub(super) fn shared_by(&self, searches: usize) -> Self {
        Self { least_nodes: self.least_nodes / searches as u64, ..self.clone() }
    }

    /// The same for a search that has had to wait until now: its time runs from now on.
    #[must_use]
    pub fn restarted(&self) -> Self {
        Self { started: Instant::now(), ..self.clone() }
    }

    /// How long the search has taken until now.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Stops the search at its next check of the limits.
    pub fn stop(&self) {
        self.stop_after(Duration::ZERO);
    }

    /// Ends the search at the first check of its limits after this time, unless it ends before.
    pub fn stop_after(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(NEVER);
        self.stop_after.fetch_min(nanos, Ordering::Relaxed);
    }

    /// Whether the search has to end by now.
    pub(super) fn is_stopped(&self) -> bool {
        self.elapsed() >= Duration::from_nanos(self.stop_after.load(Ordering::Relaxed))
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

    const HOUR: Duration = Duration::from_secs(3_600);

    /// A search that started two hours ago.
    fn started_two_hours_ago() -> Control {
        Control { started: Instant::now().checked_sub(2 * HOUR).unwrap(), ..Control::new() }
    }

    #[test]
    fn the_earliest_end_counts_and_a_restart_keeps_it() {
        let control = Control::new();
        assert!(!control.is_stopped());
        control.stop_after(HOUR);
        assert!(!control.is_stopped());
        let restarted = control.restarted();
        assert!(restarted.started >= control.started);
        restarted.stop();
        control.stop_after(2 * HOUR);
        assert!(control.is_stopped() && restarted.is_stopped());
        assert!(control.restarted().is_stopped());
    }

    #[test]
    fn time_ends_no_search_before_its_least_nodes_but_a_stop_does() {
        let limits = SearchLimits { time: Some(HOUR), ..SearchLimits::default() };
        let visited = |control: &Control| {
            let mut limits = LimitChecker::new(&limits, control).of_tree();
            while limits.visit().is_ok() {}
            limits.nodes
        };
        let starved = Control { least_nodes: 2_000, ..started_two_hours_ago() };
        assert!((2_000..2_200).contains(&visited(&starved)));
        assert!((200..400).contains(&visited(&starved.shared_by(10))));
        // The same holds for a stop after some time.
        starved.stop_after(HOUR);
        assert!((2_000..2_200).contains(&visited(&starved)));
        starved.stop();
        assert_eq!(visited(&starved), 0);
    }
}
