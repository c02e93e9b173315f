//! How long a search will take.

#![expect(clippy::cast_precision_loss, reason = "what is estimated need not be precise")]

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use crate::search::{Level, SearchLimits};

/// What is asked of a search, as far as that tells how long it takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    game: &'static str,
    level: Option<Level>,
    limits: SearchLimits,
}

/// Questions that take about as long as each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Class {
    game: &'static str,
    level: Option<Level>,
    depth: Option<u32>,
    /// The number of bits of the limit on positions.
    nodes: u32,
}

/// How long searches take, learnt from those that have ended.
#[derive(Debug, Default)]
pub(super) struct Costs {
    /// Positions a second in each game.
    speeds: HashMap<&'static str, f64>,
    /// What searches without a limit on time take.
    classes: HashMap<Class, Seen>,
}

/// How long searches of a class have taken.
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
/// How long the worst search of a class is remembered.
const REMEMBERED: Duration = Duration::from_secs(600);
/// How much the newest search counts in a mean.
const NEWEST: f64 = 0.25;
/// Fewer positions tell nothing about speed.
const ENOUGH_NODES: u64 = 1_000;
/// How many classes are told apart: callers can ask in more ways than memory should be spent on.
const MAX_CLASSES: usize = 4_096;

impl Demand {
    /// A demand within limits, of which the level has its own.
    pub fn new(game: &'static str, level: Option<Level>, limits: SearchLimits) -> Self {
        Self { game, level, limits }
    }

    /// Whether the search is to think for a time, so that any answer will do; otherwise it is answered in
    /// full or not at all.
    pub const fn is_timed(&self) -> bool {
        self.limits.time.is_some()
    }

    fn class(&self) -> Class {
        let nodes = self.limits.nodes.map_or(u64::BITS, u64::ilog2);
        Class { game: self.game, level: self.level, depth: self.limits.depth, nodes }
    }
}

impl Costs {
    /// How long the search will take.
    pub fn estimate(&self, demand: &Demand) -> Duration {
        let SearchLimits { time, depth, nodes } = demand.limits;
        if let Some(time) = time {
            // It may end sooner, but mostly the time is what ends such a search.
            let by_nodes = nodes.map_or(time, |nodes| self.visiting(demand, nodes as f64));
            return time.min(by_nodes);
        }
        if let Some(seen) = self.classes.get(&demand.class()) {
            return duration(seen.mean);
        }
        let most = nodes.map_or(f64::INFINITY, |nodes| nodes as f64);
        let expected = depth.map_or(f64::INFINITY, |depth| GROWTH.powi(depth.cast_signed()));
        if expected > most {
            return self.visiting(demand, most);
        }
        self.visiting(demand, expected).min(MODEST)
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
        self.classes.get(&demand.class()).filter(recent).map_or(usual, |seen| seen.longest.max(usual))
    }

    /// Learns from a search that has come to its end by itself.
    pub fn learn(&mut self, demand: &Demand, nodes: u64, took: Duration, now: Instant) {
        let seconds = took.as_secs_f64();
        if nodes >= ENOUGH_NODES && seconds > 0.0 {
            let speed = nodes as f64 / seconds;
            self.speeds.entry(demand.game).and_modify(|mean| approach(mean, speed)).or_insert(speed);
        }
        let class = demand.class();
        if demand.is_timed() || self.classes.len() >= MAX_CLASSES && !self.classes.contains_key(&class) {
            return;
        }
        let seen = self.classes.entry(class).or_insert(Seen { mean: seconds, longest: took, at: now });
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
        for depth in (0..).take(2 * MAX_CLASSES) {
            let limits = SearchLimits { depth: Some(depth), nodes: None, time: None };
            costs.learn(&asking(limits), 1, Duration::from_secs(1), Instant::now());
            assert!(costs.estimate(&asking(limits)) <= Duration::MAX);
        }
        assert_eq!(costs.classes.len(), MAX_CLASSES);
    }
}
