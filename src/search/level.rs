//! Playing worse than one can, for people to play against.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{Evaluate, Level, Limits, table::key};

/// How a level plays: how far it looks ahead, and how much it errs about moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Plies to look ahead.
    depth: Option<u32>,
    /// Positions to visit. The highest level takes about 300 ms for them.
    nodes: u64,
    /// The largest error about a move, in units of [`Evaluate::SCALE`].
    error: f64,
}

impl Strength {
    /// Looks so many plies ahead, with errors up to this much.
    pub(super) const fn erring(depth: u32, error: f64) -> Self {
        Self { depth: Some(depth), nodes: ENOUGH, error }
    }

    /// Visits so many positions, and errs about nothing else.
    pub(super) const fn visiting(nodes: u64) -> Self {
        Self { depth: None, nodes, error: 0.0 }
    }

    /// The eight levels of a game without dice. In matches of 60 games or more each took between 69 % and 92 % of the points
    /// from the one before, but for the seventh of Wari, which won all of 24 games.
    pub(super) const LEVELS: [Self; 8] = [
        Self::erring(1, 2.0),
        Self::erring(1, 0.8),
        Self::erring(2, 0.5),
        Self::erring(3, 0.35),
        Self::erring(4, 0.2),
        Self::erring(5, 0.1),
        Self::visiting(50_000),
        Self::visiting(300_000),
    ];
}

/// What no level but the highest needs, so that all answer quickly.
const ENOUGH: u64 = 100_000;

/// What makes a level weaker: it looks less far ahead, and it misjudges moves.
///
/// A misjudgement is drawn for each move, from the seed and the position, and stays the same while the search
/// deepens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Handicap {
    limits: Limits,
    /// The largest error about a move, in units of [`Evaluate::SCALE`].
    error: f64,
}

impl Handicap {
    /// Full strength.
    pub(super) const NONE: Self =
        Self { limits: Limits { time: None, depth: None, nodes: None }, error: 0.0 };

    pub(super) fn of<G: Evaluate>(level: Level) -> Self {
        let Strength { depth, nodes, error } = G::LEVELS[usize::from(level.get()) - 1];
        Self { limits: Limits { time: None, depth, nodes: Some(nodes) }, error }
    }

    /// The limits that were asked for, where they are not wider than those of the level.
    pub(super) fn narrow(&self, asked: Limits) -> Limits {
        fn lower<T: Ord>(asked: Option<T>, own: Option<T>) -> Option<T> {
            asked.into_iter().chain(own).min()
        }
        Limits {
            time: asked.time,
            depth: lower(asked.depth, self.limits.depth),
            nodes: lower(asked.nodes, self.limits.nodes),
        }
    }

    /// An error for each legal move, in units of the score.
    pub(super) fn errors<G: Evaluate>(&self, position: &G, seed: u64) -> impl Iterator<Item = i32> + use<G> {
        let largest = (self.error * G::SCALE) as i32;
        let mut rng = Pcg64Mcg::seed_from_u64(seed ^ key(position));
        std::iter::repeat_with(move || rng.random_range(-largest..=largest))
    }
}
