//! Moves as results, moves as written, and why a text is not a move.

use std::{
    fmt::{self, Write as _},
    str::FromStr,
};

use arrayvec::ArrayVec;
use derive_more::Display;
use smallvec::SmallVec;

use super::board::{Checkers, Point};
use crate::game::{Fault, state::quoted};

/// A move by its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// No die can be played.
    Pass,
    /// Where the mover's free checkers stand afterwards. All else follows from that, since nothing else
    /// moves.
    Play(Checkers),
}

impl Move {
    /// The move that some steps make; `result` is the mover's free checkers after them.
    pub(super) const fn of(result: Checkers, steps: &[Step]) -> Self {
        if steps.is_empty() { Self::Pass } else { Self::Play(result) }
    }
}

/// One die played with one checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The point that the checker leaves, in the mover's letters.
    pub from: Point,
    /// The die.
    pub die: Die,
}

impl Step {
    /// Where the checker arrives; nothing if it is borne off.
    #[inline]
    pub(crate) fn to(self) -> Option<Point> {
        self.from.down(self.die)
    }

    /// The mover's checkers after the step.
    #[inline]
    pub(crate) fn play(self, checkers: Checkers) -> Checkers {
        checkers.moved(self.from, self.to())
    }
}

/// The most dice that can be played in one turn: a double is played four times.
pub const MAX_DICE: usize = 4;

/// The steps of one turn.
pub type Steps = ArrayVec<Step, MAX_DICE>;

/// A step as it is written: where from and where to, not with which die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Leg {
    /// The point that a checker leaves, in the mover's letters.
    pub from: Point,
    /// The point where it arrives; nothing if it is borne off.
    pub to: Option<Point>,
}

impl From<Step> for Leg {
    fn from(step: Step) -> Self {
        Self { from: step.from, to: step.to() }
    }
}

/// The character that stands for off the board.
const OFF: char = '0';

impl fmt::Display for Leg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.from.letter())?;
        f.write_char(self.to.map_or(OFF, Point::letter))
    }
}

/// A move as it is written: its steps in the mover's letters, `XU-UT` or `FE-E0`, or `pass`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Play {
    /// No die can be played.
    Pass,
    /// At least one step. A legal play has at most four; a play as written may have any number.
    Legs(SmallVec<[Leg; MAX_DICE]>),
}

impl Play {
    /// The play that consists of some steps; the pass if there are none.
    pub(super) fn of(steps: &[Step]) -> Self {
        if steps.is_empty() { Self::Pass } else { Self::Legs(steps.iter().copied().map(Leg::from).collect()) }
    }
}

/// Why a text is not a move or a roll.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum MalformedMove {
    /// There is nothing to read.
    #[error("the move is empty; a move is steps from point to point, such as XU-UT, or pass")]
    EmptyMove,
    /// A step does not have two characters: at most 16 characters of it.
    #[error(
        "'{0}' is not a step; a step is two characters, where from and where to, \
        and steps are joined by -"
    )]
    NotAStep(String),
    /// A step begins with something that is not a point.
    #[error("'{0}' is not a point; a point is a letter from A to X")]
    NotAPoint(char),
    /// A step ends with something that is neither a point nor off the board.
    #[error("'{0}' is not where a step can end: a point from A to X, or 0 for off the board")]
    NotATarget(char),
    /// A roll is two digits.
    #[error("'{0}' is not a roll; a roll is two digits from 1 to 6, such as 63")]
    NotARoll(String),
}

impl FromStr for Play {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        match text {
            "" => return Err(MalformedMove::EmptyMove.into()),
            "pass" => return Ok(Self::Pass),
            _ => {}
        }
        let mut at = 0;
        let mut legs = SmallVec::new();
        for leg in text.split('-') {
            legs.push(read_leg(leg, at)?);
            at += leg.chars().count() + 1;
        }
        Ok(Self::Legs(legs))
    }
}

/// Reads the step that a text describes; `at` is where it begins in the move.
fn read_leg(text: &str, at: usize) -> Result<Leg, Fault> {
    let mut chars = text.chars();
    let (Some(from), Some(to), None) = (chars.next(), chars.next(), chars.next()) else {
        return Err(Fault::at(at, MalformedMove::NotAStep(quoted(text))));
    };
    let from = Point::of_letter(from).ok_or_else(|| Fault::at(at, MalformedMove::NotAPoint(from)))?;
    if to == OFF {
        return Ok(Leg { from, to: None });
    }
    let to = Point::of_letter(to).ok_or_else(|| Fault::at(at + 1, MalformedMove::NotATarget(to)))?;
    Ok(Leg { from, to: Some(to) })
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Legs(legs) = self else { return f.write_str("pass") };
        for (i, leg) in legs.iter().enumerate() {
            if i > 0 {
                f.write_str("-")?;
            }
            leg.fmt(f)?;
        }
        Ok(())
    }
}

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

impl FromStr for Roll {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let mut dice = text.chars().map(Die::of_digit);
        match (dice.next().flatten(), dice.next().flatten(), dice.next()) {
            (Some(one), Some(other), None) => Ok(Self::new(one, other)),
            _ => Err(MalformedMove::NotARoll(quoted(text)).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_round_trip_through_text() {
        for text in ["pass", "XU", "XU-UT", "FE-E0", "A0-A0-A0-A0", "AX-AX-AX-AX-AX"] {
            assert_eq!(text.parse::<Play>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_text_that_is_not_a_move_is_refused_with_the_reason_and_the_place() {
        let cases = [
            ("", "empty-move", None),
            ("-", "not-a-step", Some(0)),
            ("X", "not-a-step", Some(0)),
            ("XU-", "not-a-step", Some(3)),
            ("XU--UT", "not-a-step", Some(3)),
            ("XUT", "not-a-step", Some(0)),
            ("XU UT", "not-a-step", Some(0)),
            ("xu", "not-a-point", Some(0)),
            ("XU-0A", "not-a-point", Some(3)),
            ("XU-UY", "not-a-target", Some(4)),
            ("éX", "not-a-point", Some(0)),
            ("Xé-UT", "not-a-target", Some(1)),
            ("PASS", "not-a-step", Some(0)),
        ];
        for (text, code, at) in cases {
            let fault = text.parse::<Play>().unwrap_err();
            assert_eq!((fault.code, fault.at), (code, at), "{text}: {fault}");
        }
    }

    use std::collections::HashMap;

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
