//! How far the dice of Pur have come: whether those of the two players have passed each other, which are not
//! home, and what the others count.

use cublino_rules::{
    game::Player,
    games::cublino::{Board, Squares},
};

/// Whether all dice of player one are on higher ranks than those of player two: then neither can block the
/// other, nor be jumped over, any more.
#[inline]
pub(super) fn have_passed(board: &Board) -> bool {
    let [one, two] = Player::ALL.map(|player| board.dice(player).bits());
    one.trailing_zeros() / 8 > two.ilog2() / 8
}

/// The dice of a player that are not home; no turn brings home more than one.
#[inline]
pub(super) fn on_the_way(board: &Board, player: Player) -> Squares {
    board.dice(player).without(board.home(player))
}

/// What a player's dice at home show together: what decides the game when somebody has them all home.
#[inline]
pub(super) fn pips_at_home(board: &Board, player: Player) -> u32 {
    board.sum_of_tops(board.home(player))
}
