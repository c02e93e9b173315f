//! What is certain in Ecke without looking ahead.

use crate::{
    games::cublino::{NEAR_WIN, all_on_ranks_of, waiting::can_wait, widened},
    playable::SolverBounds,
};
use cublino_rules::{
    game::{Game, Player},
    games::{
        Ecke,
        cublino::{Board, Direction, Square, Squares},
    },
};

/// With fewer dice a player has lost.
const FEWEST_DICE: u32 = 2;

impl SolverBounds for Ecke {
    const HAS_SOLVER: bool = true;

    fn may_come_back_to(&self, earlier: &Self) -> bool {
        all_on_ranks_of(self.board(), earlier.board())
    }

    /// Two dice must go to the corners, by at most two squares a turn; or all of the opponent's dice but one
    /// must fall.
    ///
    /// A turn takes only dice around a square that the attacker's can have reached. The defender also loses
    /// dice in battles of their own, and turns when they are stuck; but neither as long as one die can wait
    /// where the attacker cannot come near, and all others stay where they are.
    fn fewest_plies(&self, player: Player) -> u32 {
        let board = self.board();
        let enemies = board.dice(!player);
        let moves_now = u32::from(self.turn() != player);
        let to_corners = turns_to_corners(board, player);
        let mut reach = board.dice(player);
        if moves_now > 0 && !can_wait(board, !player, around(reach), 1) {
            // Nothing is known about a battle that the defender has to fight now.
            return if enemies.count() <= FEWEST_DICE { 1 } else { 2 };
        }
        for turns in 1..to_corners {
            reach |= stepped(reach, player);
            let danger = around(reach);
            // The die that waits may have moved since.
            let near = (enemies & danger).count() + u32::from(turns + moves_now > 1);
            if near + FEWEST_DICE > enemies.count() {
                return 2 * turns - 1 + moves_now;
            }
            if !can_wait(board, !player, danger, turns + moves_now) {
                return (2 * turns).min(to_corners + turns - 1) + moves_now;
            }
        }
        2 * to_corners - 1 + moves_now
    }

    fn is_win_near(&self) -> bool {
        self.may_win_within(NEAR_WIN)
    }
}

/// In how many turns a player's dice can be on both corners, if nothing is in their way.
#[inline]
fn turns_to_corners(board: &Board, player: Player) -> u32 {
    let turns_to = |corner: Square| {
        let turns = board.dice(player).into_iter().map(|square| {
            let (files, ranks) = square.offset_to(corner);
            u32::from(files.unsigned_abs().max(ranks.unsigned_abs())).div_ceil(2)
        });
        turns.min().unwrap_or_default()
    };
    Squares::far_corners(player).into_iter().map(turns_to).sum()
}

/// The squares to which dice can step, by a tip or a jump, if nothing is in their way.
#[inline]
fn stepped(dice: Squares, player: Player) -> Squares {
    let directions = Direction::of(player).into_iter().chain(Direction::diagonals(player));
    directions.fold(Squares::NONE, |all, direction| {
        let tips = dice.shift(direction).on_board();
        all | tips | tips.shift(direction).on_board()
    })
}

/// Some squares and the eight around each.
#[inline]
fn around(squares: Squares) -> Squares {
    let row = widened(squares);
    (row | row.shift(Direction::North) | row.shift(Direction::South)).on_board()
}
