//! The position: the board and the side to move.

use std::marker::PhantomData;

use super::{
    board::{Board, Die},
    die::Orientation,
    rules::Rules,
    square::Squares,
};
use crate::game::Player;

/// A position of a variant of Cublino.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cublino<R> {
    pub(super) board: Board,
    pub(super) turn: Player,
    rules: PhantomData<R>,
}

impl<R: Rules> Cublino<R> {
    /// A position that the rules allow; the caller has checked it.
    pub(super) const fn new(board: Board, turn: Player) -> Self {
        Self { board, turn, rules: PhantomData }
    }

    /// Where the dice lie.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    pub(super) fn is_stuck(&self, player: Player) -> bool {
        !R::can_move(&self.board, player)
    }
}

/// The start: seven dice a side, six up, three towards their own player.
impl<R: Rules> Default for Cublino<R> {
    fn default() -> Self {
        let mut board = Board::default();
        let start = [Orientation::START_ONE, Orientation::START_TWO];
        for (player, orientation) in Player::ALL.into_iter().zip(start) {
            for square in Squares::far_rank(!player) {
                board.put(square, Die { player, orientation });
            }
        }
        Self::new(board, Player::One)
    }
}
