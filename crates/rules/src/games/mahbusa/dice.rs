//! The dice and what they show.

use std::{fmt, str::FromStr};

use crate::game::Coded;

/// What one die shows: 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Die(u8);

impl Die {
    /// The most that a die shows.
    pub const SIDES: u8 = 6;

    /// The die that shows this many pips, 1 to 6.
    #[must_use]
    pub const fn new(pips: u8) -> Option<Self> {
        if 1 <= pips && pips <= Self::SIDES { Some(Self(pips)) } else { None }
    }

    /// The die that this digit stands for.
    #[must_use]
    pub fn of_digit(digit: char) -> Option<Self> {
        u8::try_from(digit).ok().and_then(|digit| Self::new(digit.wrapping_sub(b'0')))
    }

    /// The pips that it shows, 1 to 6.
    #[must_use]
    pub const fn pips(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What the two dice show, written with the larger number first: `63`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Roll {
    larger: Die,
    smaller: Die,
}

impl Roll {
    /// How many different rolls there are.
    pub const COUNT: usize = 21;

    /// The 21 rolls by the larger number, then by the smaller, each with the number of ways, out of 36, in
    /// which two dice show it.
    pub const ALL: [(Self, u32); Self::COUNT] = {
        let mut rolls = [(Self { larger: Die(1), smaller: Die(1) }, 1); Self::COUNT];
        let (mut i, mut larger, mut smaller) = (0, 1, 1);
        while i < Self::COUNT {
            let ways = if larger == smaller { 1 } else { 2 };
            rolls[i] = (Self { larger: Die(larger), smaller: Die(smaller) }, ways);
            i += 1;
            (larger, smaller) = if larger == smaller { (larger + 1, 1) } else { (larger, smaller + 1) };
        }
        rolls
    };

    /// The roll of two dice, in either order.
    #[must_use]
    pub fn new(one: Die, other: Die) -> Self {
        Self { larger: one.max(other), smaller: one.min(other) }
    }

    /// The larger die.
    #[must_use]
    pub const fn larger(self) -> Die {
        self.larger
    }

    /// The smaller die; in a double as large as the other.
    #[must_use]
    pub const fn smaller(self) -> Die {
        self.smaller
    }

    /// The die that both show, if they show the same.
    #[must_use]
    pub fn double(self) -> Option<Die> {
        (self.larger == self.smaller).then_some(self.larger)
    }
}

impl From<Roll> for [u8; 2] {
    fn from(roll: Roll) -> Self {
        [roll.larger.pips(), roll.smaller.pips()]
    }
}

/// A text is not a roll.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a roll; a roll is two digits from 1 to 6, such as 63")]
pub struct NotARoll(pub String);

impl Coded for NotARoll {
    fn code(&self) -> &'static str {
        "not-a-roll"
    }
}

impl FromStr for Roll {
    type Err = NotARoll;

    fn from_str(text: &str) -> Result<Self, NotARoll> {
        let mut dice = text.chars().map(Die::of_digit);
        match (dice.next().flatten(), dice.next().flatten(), dice.next()) {
            (Some(one), Some(other), None) => Ok(Self::new(one, other)),
            _ => Err(NotARoll(text.to_owned())),
        }
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.larger, self.smaller)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn the_21_rolls_are_what_36_throws_of_two_dice_show() {
        let dice = || (1..=Die::SIDES).map(|pips| Die::new(pips).unwrap());
        let mut thrown = HashMap::new();
        for one in dice() {
            for other in dice() {
                *thrown.entry(Roll::new(one, other)).or_insert(0) += 1;
            }
        }
        assert_eq!(HashMap::from(Roll::ALL), thrown);
        assert!(Roll::ALL.is_sorted());
    }

    #[test]
    fn a_roll_is_read_in_either_order_and_written_with_the_larger_die_first() {
        assert_eq!("36".parse::<Roll>().unwrap().to_string(), "63");
        for (roll, _) in Roll::ALL {
            assert_eq!(roll.to_string().parse(), Ok(roll));
        }
    }

    #[test]
    fn nothing_but_two_dice_is_a_roll() {
        for text in ["", "6", "07", "66 ", "631", "XU", "é1", "70", "0", "-63"] {
            assert_eq!(text.parse::<Roll>(), Err(NotARoll(text.to_owned())));
        }
    }
}
