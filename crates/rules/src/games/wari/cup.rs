//! The twelve cups.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::board::{Place, ROW, SIDE};
use crate::game::{Coded, Player};

/// How many cups there are.
pub(super) const CUPS: usize = 2 * ROW;
/// The number of the last one.
const LAST: u8 = 2 * SIDE;

/// One of the twelve cups, 1 to 12 in the direction of sowing: 1 to 6 are A's, 7 to 12 are B's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(minimum = 1, maximum = 12, example = 5))]
pub struct Cup(u8);

impl Cup {
    /// The cup with this number, 1 to 12.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if matches!(number, 1..=LAST) { Some(Self(number)) } else { None }
    }

    /// All cups, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=LAST).map(Self)
    }

    /// The cup at a place in a player's row.
    #[must_use]
    pub const fn at(owner: Player, place: Place) -> Self {
        let first = match owner {
            Player::One => 1,
            Player::Two => 1 + SIDE,
        };
        Self(first + place.0)
    }

    /// The number, 1 to 12.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Whose cup it is.
    #[must_use]
    pub const fn owner(self) -> Player {
        if self.0 <= SIDE { Player::One } else { Player::Two }
    }

    /// Its place in its owner's row.
    #[must_use]
    pub const fn place(self) -> Place {
        Place::ALL[(self.0 as usize - 1) % ROW]
    }

    /// The cups into which marbles from this one are sown, in order: round and round, this one left out.
    pub fn sown_from(self) -> impl Iterator<Item = Self> {
        (1..LAST).cycle().map(move |step| Self((self.0 - 1 + step) % LAST + 1))
    }
}

/// A text is not the number of a cup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a cup is a number from 1 to 12")]
pub struct NotACup;

impl Coded for NotACup {
    fn code(&self) -> &'static str {
        "not-a-cup"
    }
}

impl TryFrom<u8> for Cup {
    type Error = NotACup;

    fn try_from(number: u8) -> Result<Self, NotACup> {
        Self::new(number).ok_or(NotACup)
    }
}

impl FromStr for Cup {
    type Err = NotACup;

    fn from_str(text: &str) -> Result<Self, NotACup> {
        number(text).and_then(Self::new).ok_or(NotACup)
    }
}

impl fmt::Display for Cup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number as all of Wari's notation writes it: one or two digits, without a leading zero.
pub(super) fn number(text: &str) -> Option<u8> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| byte - b'0');
    match *text.as_bytes() {
        [units] => digit(units),
        [tens, units] if tens != b'0' => Some(10 * digit(tens)? + digit(units)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cups_round_trip_through_text_and_place() {
        assert_eq!(Cup::all().count(), CUPS);
        for cup in Cup::all() {
            assert_eq!(cup.to_string().parse(), Ok(cup));
            assert_eq!(Cup::new(cup.number()), Some(cup));
            assert_eq!(Cup::at(cup.owner(), cup.place()), cup);
        }
        for text in ["", "0", "13", "05", "+5", " 5", "5 ", "120", "é", "x"] {
            assert_eq!(text.parse::<Cup>(), Err(NotACup), "{text}");
        }
    }

    #[test]
    fn cup_12_is_followed_by_cup_1() {
        let cup = Cup::new(11).unwrap();
        let numbers: Vec<_> = cup.sown_from().take(3).map(Cup::number).collect();
        assert_eq!(numbers, [12, 1, 2]);
    }
}
