//! Playing worse than one can, for people to play against.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{Evaluate, Level, Limits, table::key};

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

/// From the lowest level to the highest: how deep it looks, how many positions, and its largest error. In matches of
/// 16 to 100 games of Cublino Pur each level took between 67 % and 97 % of the points from the one before.
const HANDICAPS: [(Option<u32>, Option<u64>, f64); 8] = [
    (Some(1), None, 2.0),
    (Some(1), None, 0.8),
    (Some(2), None, 0.5),
    (Some(3), None, 0.35),
    (Some(4), None, 0.2),
    (Some(5), None, 0.1),
    (None, Some(50_000), 0.0),
    (None, Some(1_000_000), 0.0),
];

impl Handicap {
    /// Full strength.
    pub(super) const NONE: Self =
        Self { limits: Limits { time: None, depth: None, nodes: None }, error: 0.0 };

    pub(super) fn of(level: Level) -> Self {
        let (depth, nodes, error) = HANDICAPS[usize::from(level.get()) - 1];
        Self { limits: Limits { time: None, depth, nodes }, error }
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
