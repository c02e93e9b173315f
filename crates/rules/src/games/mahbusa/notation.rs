//! Moves and rolls as they are written, and why one is not legal.

use std::{
    fmt::{self, Write as _},
    str::FromStr,
};

use arrayvec::ArrayVec;
use smallvec::SmallVec;

use super::{
    board::{Board, Checkers, Point, PointSet},
    dice::{Die, MAX_DICE, Roll},
    moves::{Move, Mover, Step, Steps},
};
use crate::game::{Fault, Player, state::quoted};

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
pub enum Spelling {
    /// No die can be played.
    Pass,
    /// At least one step. A legal play has at most four; a play as written may have any number.
    Legs(SmallVec<[Leg; MAX_DICE]>),
}

impl Spelling {
    /// The play that consists of some steps; the pass if there are none.
    pub(super) fn of(steps: &[Step]) -> Self {
        if steps.is_empty() { Self::Pass } else { Self::Legs(steps.iter().copied().map(Leg::from).collect()) }
    }

    /// The points that a player's move names, in White's letters.
    pub(super) fn places(&self, mover: Player) -> Vec<Point> {
        let Self::Legs(legs) = self else { return Vec::new() };
        let places = legs.iter().flat_map(|leg| [Some(leg.from), leg.to]).flatten();
        places.map(|point| point.seen_by(mover)).collect()
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
    NotAPoint(String),
    /// A step ends with something that is neither a point nor off the board.
    #[error("'{0}' is not where a step can end: a point from A to X, or 0 for off the board")]
    NotATarget(char),
    /// A roll is two digits.
    #[error("'{0}' is not a roll; a roll is two digits from 1 to 6, such as 63")]
    NotARoll(String),
}

impl FromStr for Spelling {
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

impl FromStr for Point {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let mut letters = text.chars();
        let point = letters.next().and_then(Self::of_letter).filter(|_| letters.next().is_none());
        point.ok_or_else(|| MalformedMove::NotAPoint(quoted(text)).into())
    }
}

/// Reads the step that a text describes; `at` is where it begins in the move.
fn read_leg(text: &str, at: usize) -> Result<Leg, Fault> {
    let mut chars = text.chars();
    let (Some(from), Some(to), None) = (chars.next(), chars.next(), chars.next()) else {
        return Err(Fault::at(at, MalformedMove::NotAStep(quoted(text))));
    };
    let from: Point = from.to_string().parse().map_err(|fault| Fault { at: Some(at), ..fault })?;
    if to == OFF {
        return Ok(Leg { from, to: None });
    }
    let to = Point::of_letter(to).ok_or_else(|| Fault::at(at + 1, MalformedMove::NotATarget(to)))?;
    Ok(Leg { from, to: Some(to) })
}

impl fmt::Display for Spelling {
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

/// Why a move is not legal. Points are in the letters of the player to move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Illegal {
    /// A player who has a move may not pass.
    #[error("{} has a legal move and may not pass", .0.colour())]
    MayNotPass(Player),
    /// A player who cannot play any die can only pass.
    #[error("{} cannot play any die and can only pass", .0.colour())]
    MustPass(Player),
    /// More steps than dice.
    #[error("all dice are played, so there is none left for {0}")]
    NoDieLeft(Leg),
    /// A step starts where nobody stands.
    #[error("there is no checker on {0}")]
    NoChecker(Point),
    /// A step starts where only the opponent stands, and `mover` is the side to move.
    #[error("on {point} there are only {}'s checkers, and {} is to move",
        (!*.mover).colour(), .mover.colour())]
    NotYours { point: Point, mover: Player },
    /// A step starts from a pinned checker.
    #[error("{}'s checker on {point} is pinned until all of {}'s checkers upon it have left",
        .mover.colour(), (!*.mover).colour())]
    Pinned { point: Point, mover: Player },
    /// A step goes up the letters, or nowhere.
    #[error("{0} does not go forward; checkers go down the letters of their player, from X to A")]
    NotForward(Leg),
    /// A step is not as long as a die that is left.
    #[error("{leg} is a step of {}, and {left} is left to play", .leg.pips())]
    NoSuchDie { leg: Leg, left: Dice },
    /// A step ends where `count` opposing checkers stand, two or more.
    #[error("{leg} is blocked: {} holds {to} with {count} checkers", (!*.mover).colour())]
    Blocked { leg: Leg, to: Point, count: u8, mover: Player },
    /// A step ends on a checker that pins one of the player's own.
    #[error("{leg} is blocked: {}'s checker there pins one of {}'s and cannot be pinned itself",
        (!*.mover).colour(), .mover.colour())]
    HoldsAPin { leg: Leg, mover: Player },
    /// Bearing off before all checkers are at home: the highest is on `outside`.
    #[error("no checker can be borne off while one of {}'s is on {outside}, outside the home board A to F",
        .mover.colour())]
    NotAllHome { outside: Point, mover: Player },
    /// Bearing off with a die that is too small.
    #[error("{leg} needs a {} or more, and {left} is left to play", .leg.pips())]
    DieTooSmall { leg: Leg, left: Dice },
    /// Bearing off with a larger die from below the highest checker.
    #[error("a {die} takes a checker off {} only if none stands higher, and one is on {highest}", .leg.from)]
    NotHighest { leg: Leg, die: Die, highest: Point },
    /// Bearing off with a larger die while the highest checker is pinned.
    #[error("a {die} is larger than {} needs, and the highest checker, on {highest}, is pinned, so it takes \
        none off", .leg.from)]
    HighestPinned { leg: Leg, die: Die, highest: Point },
    /// Some dice are not played, though they could be.
    #[error("{played} of the dice {verb} played, but you must play as many as you can: {possible}",
        verb = if *.played == 1 { "is" } else { "are" })]
    MoreDicePlayable { played: usize, possible: usize },
}

/// Dice that are left to play, the smallest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dice(ArrayVec<Die, MAX_DICE>);

/// The steps of a legal play of a roll, with their dice; none for a pass. Each step uses the smallest die
/// left that leads to its end, as in [`Turn::play`].
///
/// # Panics
/// If the play is not legal with the roll.
pub fn steps(roll: Roll, play: &Spelling) -> Steps {
    let Spelling::Legs(legs) = play else { return Steps::new() };
    let mut left = roll.dice();
    let mut step = |&Leg { from, to }: &Leg| {
        let leads = left.iter().position(|&die| Step { from, die }.to() == to);
        Step { from, die: left.remove(leads.expect("a legal step has its die")) }
    };
    legs.iter().map(&mut step).collect()
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [smallest, .., largest] if smallest != largest => write!(f, "{smallest} or {largest}"),
            [die, ..] => die.fmt(f),
            [] => f.write_str("nothing"),
        }
    }
}

impl Leg {
    /// The pips of the step; when bearing off, those of the point it starts from.
    fn pips(self) -> u8 {
        self.from.pips().saturating_sub(self.to.map_or(0, Point::pips))
    }
}

/// The move that a play stands for.
///
/// As many dice as possible must be played, but a play that bears off the last checker ends the game, even
/// with dice left. That is no advantage: only a lone checker that one of two dice bears off can be the last
/// so early, and the listed play, which moves it with the other die first, bears it off as well. (With a
/// double every way off the board takes as many dice.)
///
/// # Errors
/// Says why the play is not legal.
pub fn resolve(board: &Board, player: Player, roll: Roll, play: &Spelling) -> Result<Move, Illegal> {
    let mover = Mover::new(board, player);
    let possible = mover.playable(roll);
    let legs = match (play, possible) {
        (Spelling::Pass, 0) => return Ok(Move::Pass),
        (Spelling::Pass, _) => return Err(Illegal::MayNotPass(player)),
        (Spelling::Legs(_), 0) => return Err(Illegal::MustPass(player)),
        (Spelling::Legs(legs), _) => legs,
    };
    let mut turn = Turn { board, player, mover, checkers: mover.checkers, left: Dice(roll.dice()) };
    for &leg in legs {
        turn.play(leg)?;
    }
    if legs.len() < possible && !mover.has_none_left(turn.checkers) {
        return Err(Illegal::MoreDicePlayable { played: legs.len(), possible });
    }
    Ok(Move::Play(turn.checkers))
}

/// A turn while its steps are played one by one.
struct Turn<'a> {
    board: &'a Board,
    player: Player,
    mover: Mover,
    /// The mover's free checkers after the steps so far.
    checkers: Checkers,
    left: Dice,
}

impl Turn<'_> {
    /// Plays a written step with the smallest die that does it.
    ///
    /// Only a checker that is borne off may leave a choice: a smaller die that does it is exact or takes the
    /// highest checker, and a larger one takes the highest too. Either way nothing is left above it, so what
    /// can be played next is to bear off the highest, which both dice do.
    fn play(&mut self, leg: Leg) -> Result<(), Illegal> {
        if self.left.0.is_empty() {
            return Err(Illegal::NoDieLeft(leg));
        }
        self.check_source(leg.from)?;
        let plays = |&die: &Die| {
            let step = Step { from: leg.from, die };
            step.to() == leg.to && self.mover.sources(self.checkers, die).contains(leg.from)
        };
        let Some(i) = self.left.0.iter().position(plays) else {
            return Err(leg.to.map_or_else(|| self.why_not_off(leg), |to| self.why_not_to(leg, to)));
        };
        let step = Step { from: leg.from, die: self.left.0.remove(i) };
        self.checkers = step.play(self.checkers);
        Ok(())
    }

    /// A step starts from a free checker of the player.
    fn check_source(&self, point: Point) -> Result<(), Illegal> {
        let mover = self.player;
        if self.checkers.occupied().contains(point) {
            Ok(())
        } else if self.board.side(mover).pinned.contains(point) {
            Err(Illegal::Pinned { point, mover })
        } else if self.board.side(!mover).occupied().contains(point.across()) {
            Err(Illegal::NotYours { point, mover })
        } else {
            Err(Illegal::NoChecker(point))
        }
    }

    /// Why a free checker cannot go to a point.
    fn why_not_to(&self, leg: Leg, to: Point) -> Illegal {
        let mover = self.player;
        if to >= leg.from {
            return Illegal::NotForward(leg);
        }
        if !self.left.0.iter().any(|die| die.pips() == leg.pips()) {
            return Illegal::NoSuchDie { leg, left: self.left.clone() };
        }
        match self.board.side(!mover).free.on(to.across()) {
            1 => Illegal::HoldsAPin { leg, mover },
            count => Illegal::Blocked { leg, to, count, mover },
        }
    }

    /// Why a free checker cannot be borne off.
    fn why_not_off(&self, leg: Leg) -> Illegal {
        let mover = self.player;
        let pinned = self.board.side(self.player).pinned;
        let occupied = self.checkers.occupied() | pinned;
        let highest = occupied.highest().expect("a step starts from a checker");
        if !PointSet::HOME.contains(highest) {
            return Illegal::NotAllHome { outside: highest, mover };
        }
        match *self.left.0.last().expect("a die is left") {
            die if die.pips() < leg.pips() => Illegal::DieTooSmall { leg, left: self.left.clone() },
            die if pinned.contains(highest) => Illegal::HighestPinned { leg, die, highest },
            die => Illegal::NotHighest { leg, die, highest },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_round_trip_through_text() {
        for text in ["pass", "XU", "XU-UT", "FE-E0", "A0-A0-A0-A0", "AX-AX-AX-AX-AX"] {
            assert_eq!(text.parse::<Spelling>().unwrap().to_string(), text);
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
            let fault = text.parse::<Spelling>().unwrap_err();
            assert_eq!((fault.code, fault.at), (code, at), "{text}: {fault}");
        }
    }
}
