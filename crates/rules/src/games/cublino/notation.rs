//! Moves as they are written, and why one is not legal.

use std::{fmt, str::FromStr};

use super::{moves::Chain, square::Square};
use crate::game::{Fault, Player};

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
            Self::Chain(chain) => chain.iter().try_for_each(|square| f.write_str(square.name())),
        }
    }
}

/// Why a move is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Illegal {
    /// A player who has a move may not pass.
    #[error("{} has a legal move and may not pass", .0.colour())]
    MayNotPass(Player),
    /// A player who is stuck can only pass.
    #[error("{} has no legal move and can only pass", .0.colour())]
    MustPass(Player),
    /// The move starts from a free square.
    #[error("there is no die on {0}")]
    NoDie(Square),
    /// The move starts from the opponent's die, and `mover` is the side to move.
    #[error("the die on {square} is {}'s, and {} is to move", (!*.mover).colour(), .mover.colour())]
    NotYours { square: Square, mover: Player },
    /// A step goes back, seen by the side to move.
    #[error("{} moves {}, so {from} to {to} would go backwards", .mover.colour(), forward(*.mover))]
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
    format!("{}'s {}die", owner.colour(), if owner == mover { "own " } else { "" })
}

fn forward(player: Player) -> &'static str {
    ["north, to rank 7", "south, to rank 1"][player.index()]
}
