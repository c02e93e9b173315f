//! The two players.

use std::{fmt, ops::Not};

use serde::{Deserialize, Serialize};

/// One of the two players of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Player {
    /// The player who starts: White in Cublino and Mahbusa, A in Wari.
    #[default]
    One,
    /// The other player: Black in Cublino and Mahbusa, B in Wari.
    Two,
}

impl Player {
    /// Both players, in order.
    pub const ALL: [Self; 2] = [Self::One, Self::Two];

    /// 0 for player one, 1 for player two.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The player whose letter this is in a notation: upper case is player one's, lower case player two's.
    #[must_use]
    pub const fn of_case(letter: char) -> Self {
        if letter.is_ascii_lowercase() { Self::Two } else { Self::One }
    }

    /// An ASCII letter in this player's case.
    #[must_use]
    pub const fn in_case(self, letter: u8) -> u8 {
        match self {
            Self::One => letter.to_ascii_uppercase(),
            Self::Two => letter.to_ascii_lowercase(),
        }
    }
}

/// The opponent.
impl Not for Player {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "player one",
            Self::Two => "player two",
        })
    }
}
