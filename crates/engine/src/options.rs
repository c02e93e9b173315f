//! The options of a search: how many lines, and at which level.

use derive_more::Display;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::{Playable, Score, SearchLimits, Strength, transposition_table::key};

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
