//! The dice: what one shows, and the rolls of two.

use arrayvec::ArrayVec;
use derive_more::Display;

/// The most dice that can be played in one turn: a double is played four times.
pub const MAX_DICE: usize = 4;

/// What one die shows: 1 to 6.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Die(u8);

impl Die {
    /// The most that a die shows.
    pub(crate) const SIDES: u8 = 6;

    /// The die that shows this many pips, 1 to 6.
    pub(crate) const fn new(pips: u8) -> Option<Self> {
        if 1 <= pips && pips <= Self::SIDES { Some(Self(pips)) } else { None }
    }

    /// The die that this digit stands for.
    pub(crate) fn of_digit(digit: char) -> Option<Self> {
        u8::try_from(digit).ok().and_then(|digit| Self::new(digit.wrapping_sub(b'0')))
    }

    /// The pips that it shows, 1 to 6.
    pub(crate) const fn pips(self) -> u8 {
        self.0
    }
}

/// What the two dice show, written with the larger number first: `63`.
///
/// ```
/// use cublino_rules::{game::Game, games::Mahbusa};
///
/// let roll: <Mahbusa as Game>::Roll = "36".parse()?;
/// assert_eq!(roll.to_string(), "63");
/// assert_eq!(<[u8; 2]>::from(roll), [6, 3]);
/// # Ok::<(), cublino_rules::game::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[display("{larger}{smaller}")]
pub struct Roll {
    pub(super) larger: Die,
    /// In a double as large as the other.
    pub(super) smaller: Die,
}

impl Roll {
    /// How many different rolls there are.
    pub(crate) const COUNT: usize = 21;

    /// The 21 rolls by the larger number, then by the smaller, each with the number of ways, out of 36, in
    /// which two dice show it.
    pub(crate) const ALL: [(Self, u32); Self::COUNT] = {
        let mut rolls = [(Self { larger: Die(1), smaller: Die(1) }, 1); Self::COUNT];
        let mut i = 0;
        let mut larger = 1;
        let mut smaller = 1;
        while i < Self::COUNT {
            let ways = if larger == smaller { 1 } else { 2 };
            rolls[i] = (Self { larger: Die(larger), smaller: Die(smaller) }, ways);
            i += 1;
            (larger, smaller) = if larger == smaller { (larger + 1, 1) } else { (larger, smaller + 1) };
        }
        rolls
    };

    /// The roll of two dice, in either order.
    pub(crate) fn new(one: Die, other: Die) -> Self {
        Self { larger: one.max(other), smaller: one.min(other) }
    }

    /// The dice to play, the smallest first: two, or four of a double.
    pub(super) fn dice(self) -> ArrayVec<Die, MAX_DICE> {
        match self.double() {
            Some(die) => ArrayVec::from([die; MAX_DICE]),
            None => [self.smaller, self.larger].into_iter().collect(),
        }
    }

    /// The die that both show, if they show the same.
    pub(crate) fn double(self) -> Option<Die> {
        (self.larger == self.smaller).then_some(self.larger)
    }
}

impl From<Roll> for [u8; 2] {
    fn from(roll: Roll) -> Self {
        [roll.larger.pips(), roll.smaller.pips()]
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
            assert_eq!(text.parse::<Roll>().unwrap_err().code, "not-a-roll", "{text}");
        }
    }
}
