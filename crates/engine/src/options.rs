//! What is asked of a search.

use std::{fmt, str::FromStr};

use super::limits::SearchLimits;

/// What is asked of a search.
///
/// Without a limit on time, the answer depends on nothing but the position and these options, and on the size
/// of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What ends the search.
    pub limits: SearchLimits,
    /// How many of the best moves are wanted, at least 1; there may be fewer legal ones.
    pub lines: usize,
    /// Play as people of this level do; `None` is full strength.
    pub level: Option<Level>,
    /// What the weaker levels draw their errors from.
    pub seed: u64,
}

impl Options {
    /// The best move within some limits.
    #[must_use]
    pub const fn new(limits: SearchLimits) -> Self {
        Self { limits, lines: 1, level: None, seed: 0 }
    }
}

/// How well to play against people: 1, a beginner, to 8, nearly full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The lowest level.
    pub const LOWEST: Self = Self(1);
    /// The highest level.
    pub const HIGHEST: Self = Self(8);

    /// All levels, the lowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).map(Self)
    }

    /// The number, 1 to 8.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// A number is not a level.
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

impl FromStr for Level {
    type Err = NotALevel;

    fn from_str(text: &str) -> Result<Self, NotALevel> {
        text.parse::<u8>().map_err(|_| NotALevel)?.try_into()
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
