//! The options of a search, and its limits.

use std::{
    array,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use derive_more::Display;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use strum::{EnumCount as _, VariantArray as _};

use crate::{Playable, Score, StoppedBy, Strength, pruning::Parameter, transposition_table::key};

/// The options of a search.
///
/// Without a limit on time, the answer depends only on the position, these options and the size of the
/// transposition table.
///
/// ```
/// use cublino_engine::{Level, Options, SearchLimits};
///
/// // The three best moves, at level 2 and at most 4 plies deep.
/// let limits = SearchLimits { depth: Some(4), ..SearchLimits::default() };
/// let options = Options { lines: 3, level: Some(Level::try_from(2)?), ..Options::new(limits) };
/// assert_eq!(options.seed, 0);
/// # Ok::<(), cublino_engine::NotALevel>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What ends the search.
    pub limits: SearchLimits,
    /// How many of the best moves are wanted, at least 1; there may be fewer legal ones.
    pub lines: usize,
    /// The level to play at; `None` is full strength.
    pub level: Option<Level>,
    /// The seed of the errors of the weaker levels.
    pub seed: u64,
}

impl Options {
    /// The best move at full strength, within these limits.
    pub const fn new(limits: SearchLimits) -> Self {
        Self { limits, lines: 1, level: None, seed: 0 }
    }
}

/// A level of play against people: 1, a beginner, to 8, nearly full strength.
///
/// ```
/// use cublino_engine::{Level, NotALevel};
///
/// assert_eq!(Level::try_from(8), Ok(Level::HIGHEST));
/// assert_eq!(Level::try_from(9), Err(NotALevel));
/// assert_eq!(Level::all().count(), 8);
/// ```
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The lowest level.
    pub(super) const LOWEST: Self = Self(1);
    /// The highest level.
    pub const HIGHEST: Self = Self(8);

    /// All levels, the lowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).map(Self)
    }

    /// The number, 1 to 8.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// The error for a number that is not a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a level is a number from 1 to 8")]
pub struct NotALevel;

impl TryFrom<u8> for Level {
    type Error = NotALevel;

    fn try_from(number: u8) -> Result<Self, NotALevel> {
        let level = Self(number);
        if (Self::LOWEST..=Self::HIGHEST).contains(&level) { Ok(level) } else { Err(NotALevel) }
    }
}

fn strength_of<G: Playable>(level: Level) -> Strength {
    G::TUNING.levels[usize::from(level.get()) - 1]
}

/// The limits of a search, those of its level included.
///
/// ```
/// use cublino_engine::{Level, Options, SearchLimits, limits_of};
/// use cublino_rules::games::Wari;
///
/// let options = Options { level: Some(Level::try_from(3)?), ..Options::new(SearchLimits::default()) };
/// let limits = limits_of::<Wari>(&options);
/// assert!(limits.depth.is_some() && limits.nodes.is_some() && limits.time.is_none());
/// # Ok::<(), cublino_engine::NotALevel>(())
/// ```
pub fn limits_of<G: Playable>(options: &Options) -> SearchLimits {
    let mut limits = options.limits;
    if let Some(level) = options.level {
        let Strength { depth, nodes, .. } = strength_of::<G>(level);
        limits.depth = limits.depth.into_iter().chain(depth).min();
        limits = limits.with_nodes_at_most(nodes);
    }
    limits
}

/// A random error for each legal move, in units of the score: together with the limits it makes a level
/// weaker.
///
/// The errors depend on the seed and the position, and stay the same while the search deepens.
#[expect(clippy::cast_possible_truncation, reason = "an error is smaller than a score")]
pub(super) fn errors_of<G: Playable>(options: &Options, position: &G) -> impl Iterator<Item = i32> + use<G> {
    let error = options.level.map_or(0.0, |level| strength_of::<G>(level).error);
    let largest = (error * f64::from(Score::UNITS)) as i32;
    let mut rng = Pcg64Mcg::seed_from_u64(options.seed ^ key(position));
    std::iter::repeat_with(move || rng.random_range(-largest..=largest))
}

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
    #[inline]
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

/// A technique of the search that can be switched off; its name for programs is in kebab-case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum Technique {
    /// Late moves are first searched less deep (late move reductions).
    Reductions,
    /// Noisy moves are tried at the horizon (quiescence search).
    Quiescence,
    /// All moves but the first are first searched with a null window (principal variation search).
    NullWindows,
    /// At a chance node, one move for each roll is probed first (Star2).
    Star2,
    /// Among root moves of nearly equal value one that makes progress is preferred, and a repetition scores a
    /// little below a draw (contempt).
    Progress,
    /// The solver looks for a forced win before the search.
    Solver,
    /// The tablebase is probed.
    Tablebase,
    /// Entries of the transposition table from a deeper search than needed are used.
    DeeperEntries,
    /// Near the horizon a position that is far above beta is not searched.
    ReverseFutility,
    /// Near the horizon quiet moves of a position that is far below alpha are not searched.
    Futility,
    /// Near the horizon late quiet moves of a position that is no better than alpha are not searched.
    LateMovePruning,
    /// A position without an entry in the transposition table is searched a ply less deep.
    InternalReductions,
    /// If the move of the transposition table is far better than all others, it is searched a ply deeper; if
    /// another one fails high too, the position is not searched (multi-cut).
    Singular,
}

/// The techniques that a search uses, and their parameters.
///
/// ```
/// use cublino_engine::Techniques;
///
/// assert!(Techniques::names().any(|name| name == "null-windows"));
/// assert!(Techniques::default().without_named("null-windows").is_some());
/// assert!(Techniques::default().without_named("magic").is_none());
///
/// let (name, [least, used, most]) = Techniques::parameters().next().unwrap();
/// assert_eq!(Techniques::default().with_parameter(name, used), Some(Techniques::default()));
/// assert!(Techniques::default().with_parameter(name, most + 1).is_none() && least < most);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Techniques {
    /// A bit for each technique that is switched off.
    off: u16,
    parameters: [i16; Parameter::COUNT],
}

impl Default for Techniques {
    fn default() -> Self {
        Self { off: 0, parameters: array::from_fn(|i| Parameter::VARIANTS[i].values()[1]) }
    }
}

impl Techniques {
    /// The names of all techniques.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Technique::VARIANTS.iter().map(<&str>::from)
    }

    /// The same without the technique of this name, if there is one.
    #[must_use]
    pub fn without_named(self, name: &str) -> Option<Self> {
        name.parse().ok().map(|technique| self.without(technique))
    }

    /// The names of the parameters, each with its least value, the one that is used, and the largest.
    pub fn parameters() -> impl Iterator<Item = (&'static str, [i16; 3])> {
        Parameter::VARIANTS.iter().map(|parameter| (parameter.into(), parameter.values()))
    }

    /// The same with another value of the parameter of this name, if it exists and allows the value.
    #[must_use]
    pub fn with_parameter(mut self, name: &str, value: i16) -> Option<Self> {
        let parameter: Parameter = name.parse().ok()?;
        let [least, _, most] = parameter.values();
        self.parameters[parameter as usize] = value;
        (least..=most).contains(&value).then_some(self)
    }

    /// The same without a technique.
    #[must_use]
    pub(super) const fn without(self, technique: Technique) -> Self {
        Self { off: self.off | 1 << technique as u8, ..self }
    }

    /// The value of a parameter, which is never negative.
    #[inline]
    pub(super) const fn parameter(self, parameter: Parameter) -> u32 {
        self.parameters[parameter as usize].unsigned_abs() as u32
    }

    /// Whether a technique is used.
    #[inline]
    pub(super) const fn has(self, technique: Technique) -> bool {
        self.off & 1 << technique as u8 == 0
    }
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

    /// Ends the search as soon as it next checks its limits.
    pub fn stop(&self) {
        self.stop_after(Duration::ZERO);
    }

    /// Ends the search at the first check of its limits after this time, unless it ends before.
    pub fn stop_after(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(NEVER);
        self.stop_after.fetch_min(nanos, Ordering::Relaxed);
    }

    /// Whether the search has been told to end by now.
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
    use crate::{LimitChecker, SearchLimits};

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
