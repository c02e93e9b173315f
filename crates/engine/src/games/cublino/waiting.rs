//! Dice that can wait: what a player who is not pressed does while the opponent runs.

use super::sides;
use cublino_rules::{
    game::Player,
    games::cublino::{Board, Direction, Squares},
};

/// Whether a player has a die that can tip so many times without coming near the squares of `danger`: to and
/// fro, or forward and then to and fro.
#[inline]
pub(super) fn can_wait(board: &Board, player: Player, danger: Squares, moves: u32) -> bool {
    let safe = board.free().without(danger);
    let dice = board.dice(player).without(danger);
    let ahead = dice.shift(Direction::forward(player)) & safe;
    !(sides(dice) & safe).is_empty() || !ahead.is_empty() && (moves == 1 || !(sides(ahead) & safe).is_empty())
}
