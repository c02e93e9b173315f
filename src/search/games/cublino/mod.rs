//! The games with dice on a board of seven by seven squares.

mod battles;
mod contra;
mod ecke;
mod pur;
mod waiting;

use crate::games::cublino::{Direction, Move, Squares};

/// A forced win in so many plies or fewer is worth looking for before a search: further ahead there hardly
/// ever is one that the solver finds.
const NEAR_WIN: u32 = 9;

/// The squares to the west and east of some, perhaps beside the board.
#[inline]
fn sides(squares: Squares) -> Squares {
    squares.shift(Direction::West) | squares.shift(Direction::East)
}

/// Some squares and their neighbours to the sides.
#[inline]
fn widened(squares: Squares) -> Squares {
    (squares | sides(squares)).on_board()
}

/// Whether a move takes a die to another rank, or is a pass.
fn leaves_rank(m: Move) -> bool {
    !matches!(m, Move::Go { from, to, .. } if from.rank() == to.rank())
}
