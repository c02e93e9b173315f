//! Playing worse than one can, for people to play against.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{
    limits::SearchLimits,
    options::{Level, Options},
    playable::{RootPolicy, Strength},
    score::Scale,
    transposition_table::key,
};
use cublino_rules::game::Game;

/// What makes a level weaker: it looks less far ahead, and it errs about moves.
///
/// An error is drawn for each move, from the seed and the position, and stays the same while the search
/// deepens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Handicap {
    limits: SearchLimits,
    /// The largest error about a move, in units of the scale.
    error: f64,
}

impl Handicap {
    /// Full strength.
    pub(super) const NONE: Self =
        Self { limits: SearchLimits { time: None, depth: None, nodes: None }, error: 0.0 };

    pub(super) fn of<G: RootPolicy>(level: Option<Level>) -> Self {
        level.map_or(Self::NONE, |level| {
            let Strength { depth, nodes, error } = G::LEVELS[usize::from(level.get()) - 1];
            Self { limits: SearchLimits { time: None, depth, nodes: Some(nodes) }, error }
        })
    }

    /// The limits that were asked for, where they are not wider than those of the level.
    pub(super) fn limit(&self, asked: SearchLimits) -> SearchLimits {
        fn lower<T: Ord>(asked: Option<T>, own: Option<T>) -> Option<T> {
            asked.into_iter().chain(own).min()
        }
        SearchLimits {
            time: asked.time,
            depth: lower(asked.depth, self.limits.depth),
            nodes: lower(asked.nodes, self.limits.nodes),
        }
    }

    /// An error for each legal move, in units of the score.
    #[expect(clippy::cast_possible_truncation, reason = "an error is smaller than a score")]
    pub(super) fn errors<G: Game>(
        &self,
        position: &G,
        scale: Scale,
        seed: u64,
    ) -> impl Iterator<Item = i32> + use<G> {
        let largest = (self.error * scale.units()) as i32;
        let mut rng = Pcg64Mcg::seed_from_u64(seed ^ key(position));
        std::iter::repeat_with(move || rng.random_range(-largest..=largest))
    }
}

/// The limits of a search, those of its level included.
pub fn limits_of<G: RootPolicy>(options: &Options) -> SearchLimits {
    Handicap::of::<G>(options.level).limit(options.limits)
}
