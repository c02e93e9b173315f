//! How long a search will take.

#![expect(clippy::cast_precision_loss, reason = "what is estimated need not be precise")]

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use crate::search::{Level, Options, Playable, SearchLimits, level::limits_of};

/// What is asked of a search, as far as that tells how long it takes.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    game: &'static str,
    level: Option<Level>,
    limits: SearchLimits,
    lines: usize,
    /// How many searches it takes.
    searches: u32,
}

/// Questions that take about as long as each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Kind {
    game: &'static str,
    level: Option<Level>,
    depth: Option<u32>,
    /// The number of bits of the limit on positions, and of the number of lines.
    nodes: u32,
    lines: u32,
    searches: u32,
}

/// How long searches take, learnt from those that have ended.
#[derive(Debug, Default)]
pub(super) struct Costs {
    /// Positions a second in each game.
    speeds: HashMap<&'static str, f64>,
    /// What searches without a limit on time take.
    kinds: HashMap<Kind, Seen>,
}

/// How long searches of a kind have taken.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// The mean of the latest, in seconds.
    mean: f64,
    /// The longest of the latest, and when that was.
    longest: Duration,
    at: Instant,
}

/// Positions a second before anything is known: what a slow core visits in the slowest game.
const SPEED: f64 = 1e6;
/// Positions for each ply of depth, of which there are the more the deeper a search looks. Measured at the
/// start of Cublino Pur: 6,302 positions for six plies, 1.8 million for eleven.
const GROWTH: f64 = 4.0;
/// What looks to a depth of which nothing is known yet is taken to last no longer than this, unless its limit
/// on positions is what ends it: most of those who ask for a depth ask for a modest one.
const MODEST: Duration = Duration::from_millis(250);
/// How long the worst search of a kind is remembered.
const REMEMBERED: Duration = Duration::from_secs(600);
/// How much the newest search counts in a mean.
const NEWEST: f64 = 0.25;
/// Fewer positions in a search tell nothing about speed: what comes before the first of them takes its time.
const ENOUGH_NODES: u64 = 1_000;
/// How many kinds are told apart: callers can ask in more ways than memory should be spent on.
const MAX_KINDS: usize = 4_096;

impl Demand {
    /// What one search asks, within the limits of its level.
    #[must_use]
    pub fn of<G: Playable>(options: &Options) -> Self {
        Self::new(G::ABOUT.id, options.level, limits_of::<G>(options)).with_lines(options.lines)
    }

    /// A demand for one line within limits, of which the level has its own.
    #[must_use]
    pub const fn new(game: &'static str, level: Option<Level>, limits: SearchLimits) -> Self {
        Self { game, level, limits, lines: 1, searches: 1 }
    }

    /// The same for more lines.
    #[must_use]
    pub const fn with_lines(self, lines: usize) -> Self {
        Self { lines, ..self }
    }

    /// The same for so many searches one after the other, such as one for each roll. Each of them may go to
    /// the limits on depth and positions; the limit on time is that of all together.
    #[must_use]
    pub const fn times(self, searches: u32) -> Self {
        Self { searches, ..self }
    }

    /// Whether the search is to think for a time, so that any answer will do; otherwise it is answered in
    /// full or not at all.
    pub(super) const fn is_timed(&self) -> bool {
        self.limits.time.is_some()
    }

    fn kind(&self) -> Kind {
        Kind {
            game: self.game,
            level: self.level,
            depth: self.limits.depth,
            nodes: self.limits.nodes.map_or(u64::BITS, |nodes| nodes.max(1).ilog2()),
            lines: self.lines.max(1).ilog2(),
            searches: self.searches,
        }
    }
}

impl Costs {
    /// How long the search will take.
    pub fn estimate(&self, demand: &Demand) -> Duration {
        let SearchLimits { time, depth, nodes } = demand.limits;
        if let Some(time) = time {
            // It may end sooner, but mostly the time is what ends such a search.
            let by_nodes = nodes.map_or(time, |nodes| self.visiting(demand, nodes as f64));
            return time.min(by_nodes.saturating_mul(demand.searches));
        }
        if let Some(seen) = self.kinds.get(&demand.kind()) {
            return duration(seen.mean);
        }
        let most = nodes.map_or(f64::INFINITY, |nodes| nodes as f64);
        let expected = depth.map_or(f64::INFINITY, |depth| GROWTH.powi(depth.cast_signed()));
        let one = if expected > most {
            self.visiting(demand, most)
        } else {
            self.visiting(demand, expected).min(MODEST)
        };
        one.saturating_mul(demand.searches)
    }

    /// How long it takes to visit so many positions.
    fn visiting(&self, demand: &Demand, nodes: f64) -> Duration {
        duration(nodes / self.speeds.get(demand.game).copied().unwrap_or(SPEED))
    }

    /// How long the search may take, going by the worst that has been seen of late: callers who ask many easy
    /// questions do not make a hard one look easy.
    pub fn worst(&self, demand: &Demand, now: Instant) -> Duration {
        let usual = self.estimate(demand);
        if demand.is_timed() {
            return usual;
        }
        let recent = |seen: &&Seen| now.saturating_duration_since(seen.at) < REMEMBERED;
        self.kinds.get(&demand.kind()).filter(recent).map_or(usual, |seen| seen.longest.max(usual))
    }

    /// Learns from a search that has come to its end by itself.
    pub fn learn(&mut self, demand: &Demand, nodes: u64, took: Duration, now: Instant) {
        let seconds = took.as_secs_f64();
        if nodes >= ENOUGH_NODES * u64::from(demand.searches) && seconds > 0.0 {
            let speed = nodes as f64 / seconds;
            self.speeds.entry(demand.game).and_modify(|mean| approach(mean, speed)).or_insert(speed);
        }
        let kind = demand.kind();
        if demand.is_timed() || self.kinds.len() >= MAX_KINDS && !self.kinds.contains_key(&kind) {
            return;
        }
        let seen = self.kinds.entry(kind).or_insert(Seen { mean: seconds, longest: took, at: now });
        approach(&mut seen.mean, seconds);
        if took >= seen.longest || now.saturating_duration_since(seen.at) >= REMEMBERED {
            (seen.longest, seen.at) = (took, now);
        }
    }
}

/// Moves a mean towards the newest value.
fn approach(mean: &mut f64, newest: f64) {
    *mean += (newest - *mean) * NEWEST;
}

/// Seconds as a duration, an endless one if they are too many.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// The time after a moment; a century later if there is no such time.
pub(super) fn after(moment: Instant, time: Duration) -> Instant {
    const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 3_600);
    moment + time.min(CENTURY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(limits: SearchLimits) -> Demand {
        Demand::new("a-game", None, limits)
    }

    fn nodes(nodes: u64) -> Demand {
        asking(SearchLimits { nodes: Some(nodes), depth: Some(64), time: None })
    }

    #[test]
    fn a_search_costs_its_time_unless_its_positions_are_visited_sooner() {
        let costs = Costs::default();
        let time = Duration::from_secs(2);
        let timed = |nodes| asking(SearchLimits { time: Some(time), nodes, depth: None });
        assert_eq!(costs.estimate(&timed(None)), time);
        assert_eq!(costs.estimate(&timed(Some(u64::MAX))), time);
        assert!(costs.estimate(&timed(Some(1_000))) < time / 100);
    }

    #[test]
    fn what_visits_positions_costs_what_they_cost_on_this_machine() {
        let mut costs = Costs::default();
        costs.learn(&nodes(500_000), 500_000, Duration::from_millis(100), Instant::now());
        assert_eq!(costs.estimate(&nodes(500_000)), Duration::from_millis(100));
        // Also with other limits.
        assert_eq!(costs.estimate(&nodes(5_000_000)), Duration::from_secs(1));
    }

    #[test]
    fn what_looks_to_a_depth_is_learnt() {
        let mut costs = Costs::default();
        let deep = asking(SearchLimits { depth: Some(9), nodes: Some(20_000_000), time: None });
        assert!(costs.estimate(&deep) < Duration::from_secs(1));
        for _ in 0..100 {
            costs.learn(&deep, 600_000, Duration::from_secs(3), Instant::now());
        }
        assert!(costs.estimate(&deep) > Duration::from_secs(2));
        // A game of its own has costs of its own.
        let other = Demand { game: "another", ..deep };
        assert!(costs.estimate(&other) < Duration::from_secs(1));
    }

    #[test]
    fn several_searches_cost_as_much_as_each_of_them_until_the_like_has_been_seen() {
        let (mut costs, one) = (Costs::default(), nodes(50_000));
        let each = costs.estimate(&one);
        assert_eq!(costs.estimate(&one.times(21)), 21 * each);
        // They share a limit on time.
        let timed = asking(SearchLimits { time: Some(10 * each), nodes: Some(50_000), depth: None });
        assert_eq!((costs.estimate(&timed), costs.estimate(&timed.times(21))), (each, 10 * each));
        costs.learn(&one.times(21), 0, 12 * each, Instant::now());
        assert_eq!((costs.estimate(&one), costs.estimate(&one.times(21))), (each, 12 * each));
    }

    #[test]
    fn many_short_searches_tell_nothing_about_the_speed_of_a_long_one() {
        let (mut costs, long) = (Costs::default(), nodes(5_000_000));
        let before = costs.estimate(&long);
        let short = asking(SearchLimits { depth: Some(3), nodes: Some(100_000), time: None }).times(32);
        costs.learn(&short, 20_000, Duration::from_secs(1), Instant::now());
        assert_eq!((costs.estimate(&long), costs.estimate(&short)), (before, Duration::from_secs(1)));
        // But several long ones do.
        costs.learn(&long.times(21), 1_000_000, Duration::from_secs(2), Instant::now());
        assert_eq!(costs.estimate(&long), Duration::from_secs(10));
    }

    #[test]
    fn what_wants_many_lines_tells_nothing_about_what_wants_one() {
        let mut costs = Costs::default();
        let deep = asking(SearchLimits { depth: Some(9), nodes: None, time: None });
        let before = costs.estimate(&deep);
        costs.learn(&deep.with_lines(30), 0, Duration::from_secs(9), Instant::now());
        assert_eq!(costs.estimate(&deep), before);
        assert_eq!(costs.estimate(&deep.with_lines(20)), Duration::from_secs(9));
    }

    #[test]
    fn easy_questions_do_not_make_a_hard_one_look_easy() {
        let (mut costs, now) = (Costs::default(), Instant::now());
        let deep = asking(SearchLimits { depth: Some(9), nodes: Some(20_000_000), time: None });
        let hard = Duration::from_secs(3);
        costs.learn(&deep, 600_000, hard, now);
        for _ in 0..100 {
            costs.learn(&deep, 100, Duration::from_micros(50), now);
        }
        assert!(costs.estimate(&deep) < Duration::from_millis(1));
        assert_eq!(costs.worst(&deep, now), hard);
        assert!(costs.worst(&deep, now + REMEMBERED) < Duration::from_millis(1));
    }

    #[test]
    fn no_number_of_questions_fills_the_memory() {
        let mut costs = Costs::default();
        for depth in (0..).take(2 * MAX_KINDS) {
            let limits = SearchLimits { depth: Some(depth), nodes: None, time: None };
            costs.learn(&asking(limits), 1, Duration::from_secs(1), Instant::now());
            assert!(costs.estimate(&asking(limits)) <= Duration::MAX);
        }
        assert_eq!(costs.kinds.len(), MAX_KINDS);
    }
}
