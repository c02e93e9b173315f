//! One step of a die, and why it is not possible.

use super::{
    board::Board,
    moves::Illegal,
    square::{Direction, Square},
};
use crate::game::Player;

/// A step of a die, forwards or sideways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A quarter turn onto a free neighbouring square.
    Tip {
        /// Where it starts.
        from: Square,
        /// Where to.
        direction: Direction,
        /// Where it ends.
        to: Square,
    },
    /// Over one die onto the free square behind it, without turning.
    Jump {
        /// Where it starts.
        from: Square,
        /// The die that is jumped over.
        over: Square,
        /// Where it ends.
        to: Square,
    },
}

/// The step of a player's die from one square to another. The die began its move on `began`, and while it
/// moves, that square neither blocks nor can be jumped.
///
/// # Errors
/// Says why the step is not possible.
pub fn step(board: &Board, mover: Player, began: Square, from: Square, to: Square) -> Result<Step, Illegal> {
    let step = shape(mover, from, to)?;
    let owner_on = |square| board.die(square).filter(|_| square != began).map(|die| die.player);
    match step {
        Step::Tip { to, .. } => match owner_on(to) {
            Some(owner) => Err(Illegal::TipBlocked { to, owner, mover }),
            None => Ok(step),
        },
        Step::Jump { over, to, .. } => match (owner_on(over), owner_on(to)) {
            (None, _) => Err(Illegal::NothingToJump { from, over, to }),
            (Some(_), Some(owner)) => Err(Illegal::LandingTaken { over, to, owner, mover }),
            (Some(_), None) => Ok(step),
        },
    }
}

/// What kind of step leads from one square to another, whatever lies on the board.
fn shape(mover: Player, from: Square, to: Square) -> Result<Step, Illegal> {
    let (east, north) = from.offset_to(to);
    let direction = match (east.signum(), north.signum()) {
        (0, 1) => Direction::North,
        (0, -1) => Direction::South,
        (1, 0) => Direction::East,
        (-1, 0) => Direction::West,
        _ => return Err(Illegal::NotAStep { from, to }),
    };
    if direction == Direction::forward(!mover) {
        return Err(Illegal::Backwards { from, to, mover });
    }
    match (east.abs() + north.abs(), from.neighbour(direction)) {
        (1, _) => Ok(Step::Tip { from, direction, to }),
        (2, Some(over)) => Ok(Step::Jump { from, over, to }),
        _ => Err(Illegal::NotAStep { from, to }),
    }
}
