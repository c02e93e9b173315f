//! The games with dice on a board of seven by seven squares.

mod battles;
mod contra;
mod ecke;
mod pur;
mod waiting;

use cublino_rules::{
    game::Player,
    games::cublino::{Board, Direction, Move, Square, Squares},
};

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

/// Whether each player has as many dice on each rank as on the ranks of an earlier board. Dice never go
/// backwards, and one that is gone stays away, so otherwise the earlier board cannot come again.
fn all_on_ranks_of(board: &Board, earlier: &Board) -> bool {
    let on_ranks = |board: &Board, player| {
        let dice = board.dice(player);
        (0..7).map(move |rank| (dice & Squares::rank(rank)).count())
    };
    Player::ALL.into_iter().all(|player| on_ranks(board, player).eq(on_ranks(earlier, player)))
}

/// A number for each pair of squares that a move goes from and to: below 4,096.
#[inline]
fn from_and_to(m: Move) -> usize {
    match m {
        Move::Pass => 0,
        Move::Go { from, to, .. } => from.index() * Square::INDICES + to.index(),
    }
}

/// Whether a move takes the die away that started on one of the seven files, and has not been moved: who
/// keeps it there keeps the opponent from having all squares of their far rank.
fn leaves_start(position_of: Player, m: Move, habit: u8) -> bool {
    let first = Squares::far_rank(!position_of);
    matches!(m, Move::Go { from, .. } if first.contains(from) && from.file() == habit % 7)
}
