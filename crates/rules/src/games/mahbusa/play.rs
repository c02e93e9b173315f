//! Moves as results, moves as written, and why a text is not a move.

use std::{fmt, str::FromStr};

use arrayvec::ArrayVec;
use smallvec::SmallVec;

use super::{checkers::Checkers, dice::Die, point::Point};
use crate::game::{AppendText, Coded};

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
    /// The move of some steps, after which the mover's free checkers stand as said.
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
    #[must_use]
    pub const fn to(self) -> Option<Point> {
        self.from.down(self.die)
    }

    /// The mover's checkers after the step.
    #[inline]
    #[must_use]
    pub fn play(self, checkers: Checkers) -> Checkers {
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
        write!(f, "{}{}", self.from, self.to.map_or(OFF, Point::letter))
    }
}

/// A move as it is written: its steps in the mover's letters, `XU-UT` or `FE-E0`, or `pass`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Play {
    /// No die can be played.
    Pass,
    /// At least one step. Those that are legal have four at most, and those that somebody writes may have any
    /// number.
    Legs(SmallVec<[Leg; MAX_DICE]>),
}

impl Play {
    /// The play that consists of some steps; the pass if there are none.
    pub(super) fn of(steps: &[Step]) -> Self {
        if steps.is_empty() { Self::Pass } else { Self::Legs(steps.iter().copied().map(Leg::from).collect()) }
    }
}

/// Why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MalformedMove {
    /// There is nothing to read.
    #[error("the move is empty; a move is steps from point to point, such as XU-UT, or pass")]
    Empty,
    /// What stands between dashes has not two characters.
    #[error(
        "'{found}' is not a step; a step is two characters, where from and where to, \
        and steps are joined by -"
    )]
    NotAStep {
        /// What stands there.
        found: String,
        /// Where it begins, in characters.
        at: usize,
    },
    /// A step begins with something that is not a point.
    #[error("'{found}' is not a point; a point is a letter from A to X")]
    NotAPoint {
        /// What stands there.
        found: char,
        /// Where, in characters.
        at: usize,
    },
    /// A step ends with something that is neither a point nor off the board.
    #[error("'{found}' is not where a step can end: a point from A to X, or 0 for off the board")]
    NotATarget {
        /// What stands there.
        found: char,
        /// Where, in characters.
        at: usize,
    },
}

impl Coded for MalformedMove {
    fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty-move",
            Self::NotAStep { .. } => "not-a-step",
            Self::NotAPoint { .. } => "not-a-point",
            Self::NotATarget { .. } => "not-a-target",
        }
    }

    fn at(&self) -> Option<usize> {
        match *self {
            Self::Empty => None,
            Self::NotAStep { at, .. } | Self::NotAPoint { at, .. } | Self::NotATarget { at, .. } => Some(at),
        }
    }
}

impl FromStr for Play {
    type Err = MalformedMove;

    fn from_str(text: &str) -> Result<Self, MalformedMove> {
        match text {
            "" => return Err(MalformedMove::Empty),
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

/// The step that a text describes which begins at some place of the move.
fn read_leg(text: &str, at: usize) -> Result<Leg, MalformedMove> {
    let mut chars = text.chars();
    let (Some(from), Some(to), None) = (chars.next(), chars.next(), chars.next()) else {
        return Err(MalformedMove::NotAStep { found: text.to_owned(), at });
    };
    let from = Point::of_letter(from).ok_or(MalformedMove::NotAPoint { found: from, at })?;
    if to == OFF {
        return Ok(Leg { from, to: None });
    }
    let to = Point::of_letter(to).ok_or(MalformedMove::NotATarget { found: to, at: at + 1 })?;
    Ok(Leg { from, to: Some(to) })
}

impl AppendText for Play {}

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
            assert_eq!((fault.code(), fault.at()), (code, at), "{text}: {fault}");
        }
    }
}
