//! Moves as results, moves as written, and why a written one is not legal.

use std::{fmt, str::FromStr};

use smallvec::SmallVec;

use super::{
    board::{Board, Orientation},
    rules::Rules,
    square::{Direction, Square},
};
use crate::{
    game::{Fault, Player},
    games::colour,
};

/// A move by its result. The same die, the same first step and the same end give the same position,
/// whatever lies between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The player is stuck.
    Pass,
    /// A die travels.
    Go {
        /// Where it was.
        from: Square,
        /// How it is turned.
        opening: Opening,
        /// Where it ends.
        to: Square,
    },
}

/// The first step of a move, which alone can turn the die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opening {
    /// A tip in a direction.
    Tip(Direction),
    /// A jump; the die is not turned.
    Jump,
}

impl Opening {
    /// How a die lies after this step.
    #[inline]
    pub(super) const fn turn(self, before: Orientation) -> Orientation {
        match self {
            Self::Tip(direction) => before.tipped(direction),
            Self::Jump => before,
        }
    }
}

/// A move as it is written: the squares that the die passes, `e1e2c2`, or `pass`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spelling {
    /// The player is stuck.
    Pass,
    /// The squares, the one it starts from included: at least two.
    Chain(Chain),
}

/// How a pass is written.
const PASS: &str = "pass";

/// The squares that a die passes.
///
/// Most chains have two or three; a chain as written may have any number.
pub type Chain = SmallVec<[Square; LONGEST_CHAIN]>;

/// Squares of the longest chain that visits none twice: the start, and after a tip every other square of
/// every other rank, which are 4x4.
pub(super) const LONGEST_CHAIN: usize = 17;

/// Why a text is not a move.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum MalformedMove {
    /// There is nothing to read.
    #[error("the move is empty; a move is the squares that a die passes, such as e1e2c2, or pass")]
    EmptyMove,
    /// A move needs a start and an end.
    #[error("{0} is only one square; a move names at least the square a die leaves and the one it goes to")]
    OneSquare(Square),
    /// Two characters are not a square.
    #[error("'{0}' is not a square; a square is a file from a to g and a rank from 1 to 7")]
    NotASquare(String),
}

impl FromStr for Spelling {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        if text == PASS {
            return Ok(Self::Pass);
        }
        let mut chain = Chain::new();
        let mut chars = text.chars().peekable();
        while chars.peek().is_some() {
            let found: String = chars.by_ref().take(2).collect();
            let square = found.parse();
            let at = 2 * chain.len();
            chain.push(square.map_err(|_| Fault::at(at, MalformedMove::NotASquare(found)))?);
        }
        match *chain {
            [] => Err(MalformedMove::EmptyMove.into()),
            [only] => Err(Fault::at(0, MalformedMove::OneSquare(only))),
            _ => Ok(Self::Chain(chain)),
        }
    }
}

impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str(PASS),
            Self::Chain(chain) => {
                let text: SmallVec<[u8; 2 * LONGEST_CHAIN]> = chain.iter().flat_map(|it| it.text()).collect();
                f.write_str(str::from_utf8(&text).expect("squares are ASCII"))
            }
        }
    }
}

/// Why a move is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Illegal {
    /// Passing is for those who have no move.
    #[error("{} has a legal move and may not pass", colour(*.0))]
    MayNotPass(Player),
    /// A player who is stuck can only pass.
    #[error("{} has no legal move and can only pass", colour(*.0))]
    MustPass(Player),
    /// The move starts from a free square.
    #[error("there is no die on {0}")]
    NoDie(Square),
    /// The move starts from the opponent's die, and `mover` is the side to move.
    #[error("the die on {square} is {}'s, and {} is to move", colour(!*.mover), colour(*.mover))]
    NotYours { square: Square, mover: Player },
    /// A step goes back, seen by the side to move.
    #[error("{} moves {}, so {from} to {to} would go backwards", colour(*.mover), forward(*.mover))]
    Backwards { from: Square, to: Square, mover: Player },
    /// No step has this length and direction; `steps` says which there are.
    #[error("{from} to {to} is not a step; {steps}")]
    NotAStep { from: Square, to: Square, steps: &'static str },
    /// A jump in a variant without jumps.
    #[error("{from} to {to} would be a jump, and in this game dice only tip")]
    NoJumps { from: Square, to: Square },
    /// More than one step in a variant in which a move is one.
    #[error("the move has {0} steps, and in this game a move is one step")]
    SeveralSteps(usize),
    /// A tip after the first step.
    #[error("{from} to {to} is a tip, and only the first step of a move may be one")]
    LateTip { from: Square, to: Square },
    /// A tip onto a die of `owner`.
    #[error("{to} is taken by {}, so the die cannot tip there", owned(*.owner, *.mover))]
    TipBlocked { to: Square, owner: Player, mover: Player },
    /// A jump over a free square.
    #[error("there is no die on {over} to jump over on the way from {from} to {to}")]
    NothingToJump { from: Square, over: Square, to: Square },
    /// A jump onto a die of `owner`.
    #[error("the square behind {over} is taken by {} on {to}", owned(*.owner, *.mover))]
    LandingTaken { over: Square, to: Square, owner: Player, mover: Player },
    /// The move would change nothing.
    #[error("a move may not end on {0}, where it began")]
    EndsWhereItBegan(Square),
}

/// A die in words: whose it is, and whether it is the mover's own.
fn owned(owner: Player, mover: Player) -> String {
    format!("{}'s {}die", colour(owner), if owner == mover { "own " } else { "" })
}

fn forward(player: Player) -> &'static str {
    ["north, to rank 7", "south, to rank 1"][player.index()]
}

/// How a player's die goes from one square to another in one step. The die began its move on `began`, and
/// while it moves, that square neither blocks nor can be jumped.
///
/// # Errors
/// Says why no step leads there.
pub fn step<R: Rules>(
    board: &Board,
    mover: Player,
    began: Square,
    from: Square,
    to: Square,
) -> Result<Opening, Illegal> {
    let (east, north) = from.offset_to(to);
    let not_a_step = Illegal::NotAStep { from, to, steps: R::STEPS };
    let Some(direction) = Direction::of_offset((east, north)) else { return Err(not_a_step) };
    if !R::directions(mover).contains(&direction) {
        let goes_back = R::directions(mover).contains(&direction.opposite());
        return Err(if goes_back { Illegal::Backwards { from, to, mover } } else { not_a_step });
    }
    let owner_on = |square| board.die(square).filter(|_| square != began).map(|die| die.player);
    match (east.abs().max(north.abs()), from.neighbour(direction)) {
        (1, _) => match owner_on(to) {
            Some(owner) => Err(Illegal::TipBlocked { to, owner, mover }),
            None => Ok(Opening::Tip(direction)),
        },
        (2, Some(_)) if !R::JUMPS => Err(Illegal::NoJumps { from, to }),
        (2, Some(over)) => match (owner_on(over), owner_on(to)) {
            (None, _) => Err(Illegal::NothingToJump { from, over, to }),
            (Some(_), Some(owner)) => Err(Illegal::LandingTaken { over, to, owner, mover }),
            (Some(_), None) => Ok(Opening::Jump),
        },
        _ => Err(not_a_step),
    }
}
