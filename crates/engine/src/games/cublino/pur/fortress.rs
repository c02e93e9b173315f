//! Fortresses: dice with which a player of Pur can hold the game for ever.

use cublino_rules::{
    game::Player,
    games::cublino::{Board, Direction, Squares},
};

/// Whether a player has a fortress, and so need not lose, whoever is to move.
///
/// As long as the player keeps a die on their first rank, the opponent cannot fill it, and so cannot finish.
/// For that the player needs another move in every turn. The foremost rank with dice of theirs has one for
/// ever if at most one opposing die can still come there, and a square stays free even then: a die beside a
/// free square can tip there, and one opposing die that stands between can be jumped over. Opposing dice
/// never come back to that rank, and moves along it change none of this.
pub(super) fn has_fortress(board: &Board, player: Player) -> bool {
    let (own, enemies, back) = (board.dice(player), board.dice(!player), Direction::forward(!player));
    if (own & Squares::far_rank(!player)).is_empty() {
        return false;
    }
    let mut rank = Squares::far_rank(player);
    let mut to_come = enemies & rank;
    while (own & rank).is_empty() {
        rank = rank.shift(back);
        to_come |= enemies & rank;
    }
    to_come.count() <= 1 && (own & rank).count() + to_come.count() < FILES
}

/// Squares of a rank.
const FILES: u32 = 7;
