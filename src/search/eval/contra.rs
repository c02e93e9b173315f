//! Judging Cublino Contra.

use crate::{
    game::{Game, Player},
    games::{
        Contra,
        cublino::{Board, Direction, Squares},
    },
    search::{Evaluate, Score},
};

/// What a die is worth by the ranks that it has gone forward; after the last of these it wins by the next.
const ADVANCED: [i32; 6] = [100, 105, 115, 130, 155, 200];
/// What a pip on top is worth: battles are won with them.
const PIP: i32 = 6;
/// What it is worth to be on the move.
const TEMPO: i32 = 10;

impl Evaluate for Contra {
    const SCALE: f64 = 150.0;

    fn evaluate(&self) -> Score {
        let of = |player| strength(self.board(), player);
        Score::new(of(self.turn()) - of(!self.turn()) + TEMPO)
    }
}

/// The worth of a player's dice: how far they have come, and what they show.
fn strength(board: &Board, player: Player) -> i32 {
    let dice = board.dice(player);
    let mut rank = Squares::far_rank(!player);
    let mut sum = PIP * board.sum_of_tops(dice) as i32;
    for worth in ADVANCED {
        sum += worth * (dice & rank).count() as i32;
        rank = rank.shift(Direction::forward(player));
    }
    sum
}
