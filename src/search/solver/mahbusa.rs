//! What is certain in Mahbusa without looking ahead.

use super::Solve;
use crate::{
    game::{Game, Player},
    games::Mahbusa,
};

/// Checkers that a turn bears off at most: a double is played four times.
const MOST_CHECKERS: u32 = 4;

impl Solve for Mahbusa {
    /// All checkers must be borne off, and between two turns of a player the opponent has one.
    fn fewest_plies(&self, player: Player) -> u32 {
        let turns = self.board().side(player).total().div_ceil(MOST_CHECKERS);
        if self.turn() == player { 2 * turns - 1 } else { 2 * turns }
    }
}
