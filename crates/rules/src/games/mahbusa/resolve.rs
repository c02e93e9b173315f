//! Whether a play as written is legal, and why not.

use std::fmt;

use arrayvec::ArrayVec;

use super::{
    board::{Board, Checkers, Point, PointSet},
    play::{Die, Leg, MAX_DICE, Move, Play, Roll, Step, Steps},
    plays::Mover,
};
use crate::{game::Player, games::colour};

/// Why a move is not legal. Points are in the letters of the player to move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Illegal {
    /// Passing is for those who have no move.
    #[error("{} has a legal move and may not pass", colour(*.0))]
    MayNotPass(Player),
    /// A player who cannot play any die can only pass.
    #[error("{} cannot play any die and can only pass", colour(*.0))]
    MustPass(Player),
    /// More steps than dice.
    #[error("all dice are played, so there is none left for {0}")]
    NoDieLeft(Leg),
    /// A step starts where nobody stands.
    #[error("there is no checker on {0}")]
    NoChecker(Point),
    /// A step starts where only the opponent stands, and `mover` is the side to move.
    #[error("on {point} there are only {}'s checkers, and {} is to move", colour(!*.mover), colour(*.mover))]
    NotYours { point: Point, mover: Player },
    /// A step starts from a pinned checker.
    #[error("{}'s checker on {point} is pinned until all of {}'s checkers upon it have left",
        colour(*.mover), colour(!*.mover))]
    Pinned { point: Point, mover: Player },
    /// A step goes up the letters, or nowhere.
    #[error("{0} does not go forward; checkers go down the letters of their player, from X to A")]
    NotForward(Leg),
    /// A step is not as long as a die that is left.
    #[error("{leg} is a step of {}, and {left} is left to play", .leg.pips())]
    NoSuchDie { leg: Leg, left: Dice },
    /// A step ends where `count` opposing checkers stand, two or more.
    #[error("{leg} is blocked: {} holds {to} with {count} checkers", colour(!*.mover))]
    Blocked { leg: Leg, to: Point, count: u8, mover: Player },
    /// A step ends on a checker that pins one of the player's own.
    #[error("{leg} is blocked: {}'s checker there pins one of {}'s and cannot be pinned itself",
        colour(!*.mover), colour(*.mover))]
    HoldsAPin { leg: Leg, mover: Player },
    /// Bearing off before all checkers are at home: the highest is on `outside`.
    #[error("no checker can be borne off while one of {}'s is on {outside}, outside the home board A to F",
        colour(*.mover))]
    NotAllHome { outside: Point, mover: Player },
    /// Bearing off with a die that is too small.
    #[error("{leg} takes a {} or more, and {left} is left to play", .leg.pips())]
    DieTooSmall { leg: Leg, left: Dice },
    /// Bearing off with a larger die from below the highest checker.
    #[error("a {die} takes a checker off {} only if none stands higher, and one is on {highest}", .leg.from)]
    NotHighest { leg: Leg, die: Die, highest: Point },
    /// Bearing off with a larger die while the highest checker is pinned.
    #[error("a {die} is larger than {} needs, and the highest checker, on {highest}, is pinned, so it takes \
        none off", .leg.from)]
    HighestPinned { leg: Leg, die: Die, highest: Point },
    /// Some dice are not played, though they could be.
    #[error("{played} of the dice {verb} played, but {possible} can be, and as many as possible must be",
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
pub fn steps(roll: Roll, play: &Play) -> Steps {
    let Play::Legs(legs) = play else { return Steps::new() };
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
pub fn resolve(board: &Board, player: Player, roll: Roll, play: &Play) -> Result<Move, Illegal> {
    let mover = Mover::new(board, player);
    let possible = mover.playable(roll);
    let legs = match (play, possible) {
        (Play::Pass, 0) => return Ok(Move::Pass),
        (Play::Pass, _) => return Err(Illegal::MayNotPass(player)),
        (Play::Legs(_), 0) => return Err(Illegal::MustPass(player)),
        (Play::Legs(legs), _) => legs,
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
        let (mover, pinned) = (self.player, self.board.side(self.player).pinned);
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
