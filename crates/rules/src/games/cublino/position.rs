//! The position: the board and the side to move.

use std::marker::PhantomData;

use super::{
    board::{Board, Die},
    die::Orientation,
    rules::Rules,
    square::{Square, Squares},
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

    /// The board after a die of the mover has gone from one square to another, turned as said.
    #[inline]
    pub(super) fn board_after(&self, from: Square, to: Square, turned: Orientation) -> Board {
        let arrived = self.board.relocated(self.turn, from, to, turned);
        let casualties = R::casualties(&arrived, self.turn, to);
        if casualties.is_empty() { arrived } else { arrived.without(casualties) }
    }

    /// The position after the mover has made a board of this one.
    #[inline]
    pub(super) fn handed_on(&self, board: Board) -> Self {
        // A finished game, too, keeps the letter of the player who would have been next.
        let stuck = |player| !R::can_move(&board, player);
        let skips = stuck(!self.turn) && !stuck(self.turn);
        Self::new(board, if skips { self.turn } else { !self.turn })
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
