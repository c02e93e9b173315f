//! Whether the dice of the two players of Pur have passed each other.

use crate::{game::Player, games::cublino::Board};

/// Whether all dice of player one are on higher ranks than those of player two: then neither can block the
/// other, nor be jumped over, any more.
#[inline]
pub(super) fn have_passed(board: &Board) -> bool {
    let [one, two] = Player::ALL.map(|player| board.dice(player).bits());
    one.trailing_zeros() / 8 > two.ilog2() / 8
}
