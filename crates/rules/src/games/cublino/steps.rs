//! One step of a die, and why it is not possible.

use super::{
    board::Board,
    moves::{Illegal, Move, Opening},
    rules::Rules,
    square::{Direction, Square},
};
use crate::game::Player;

/// A step of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A turn onto a free neighbouring square.
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

impl Step {
    /// The step of a legal move from one square to another, which needs no board: a jump goes over the square
    /// between.
    ///
    /// # Panics
    /// If no step leads from the one to the other.
    pub fn between(from: Square, to: Square) -> Self {
        if let Some(over) = from.between(to) {
            return Self::Jump { from, over, to };
        }
        let direction = Direction::of_offset(from.offset_to(to)).expect("a tip goes to a neighbour");
        Self::Tip { from, direction, to }
    }
}

/// The result of a move that is one step.
///
/// # Errors
/// Says why the chain is not a legal step, or that it is more than one.
pub fn single_step<R: Rules>(board: &Board, mover: Player, chain: &[Square]) -> Result<Move, Illegal> {
    let &[from, to] = chain else { return Err(Illegal::SeveralSteps(chain.len() - 1)) };
    let opening = match step::<R>(board, mover, from, from, to)? {
        Step::Tip { direction, .. } => Opening::Tip(direction),
        Step::Jump { .. } => Opening::Jump,
    };
    Ok(Move::Go { from, opening, to })
}

/// The step of a player's die from one square to another. The die began its move on `began`, and while it
/// moves, that square neither blocks nor can be jumped.
///
/// # Errors
/// Says why the step is not possible.
pub fn step<R: Rules>(
    board: &Board,
    mover: Player,
    began: Square,
    from: Square,
    to: Square,
) -> Result<Step, Illegal> {
    let step = shape::<R>(mover, from, to)?;
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
fn shape<R: Rules>(mover: Player, from: Square, to: Square) -> Result<Step, Illegal> {
    let (east, north) = from.offset_to(to);
    let not_a_step = Illegal::NotAStep { from, to, steps: R::STEPS };
    let Some(direction) = Direction::of_offset((east, north)) else { return Err(not_a_step) };
    if !R::directions(mover).contains(&direction) {
        let goes_back = R::directions(mover).contains(&direction.opposite());
        return Err(if goes_back { Illegal::Backwards { from, to, mover } } else { not_a_step });
    }
    match (east.abs().max(north.abs()), from.neighbour(direction)) {
        (1, _) => Ok(Step::Tip { from, direction, to }),
        (2, Some(_)) if !R::JUMPS => Err(Illegal::NoJumps { from, to }),
        (2, Some(over)) => Ok(Step::Jump { from, over, to }),
        _ => Err(not_a_step),
    }
}
