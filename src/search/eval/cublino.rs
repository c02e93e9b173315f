//! Judging Cublino.

use crate::{
    game::{Game, Player},
    games::{
        Pur,
        cublino::{Board, Move, Squares},
    },
    search::{Evaluate, Score},
};

/// A pip on the far rank, in units.
const PIP: i32 = 20;
/// A rank that a die has still to go.
const RANK: i32 = 60;

impl Evaluate for Pur {
    const SCALE: f64 = 300.0;

    fn evaluate(&self) -> Score {
        let board = self.board();
        let of =
            |player| PIP * board.sum_of_tops(board.home(player)) as i32 - RANK * way(board, player) as i32;
        Score::new(of(self.turn()) - of(!self.turn()) + RANK)
    }

    fn promise(&self, m: Move) -> i32 {
        let Move::Go { from, to, .. } = m else { return 0 };
        let (_, north) = from.offset_to(to);
        i32::from(north.abs()) * 1000
    }
}

/// How many ranks a player's dice have still to go, all together.
fn way(board: &Board, player: Player) -> u32 {
    let dice = board.dice(player);
    (0..7)
        .map(|rank| {
            let left = if player == Player::One { 6 - rank } else { rank };
            (dice & Squares::rank(rank as u8)).count() * left
        })
        .sum()
}
