//! Judging Cublino Ecke.

use crate::{
    game::{Game, Player},
    games::{
        Ecke,
        cublino::{Board, Direction, Squares},
    },
    search::{Evaluate, Score},
};

/// What a die is worth.
const DIE: i32 = 100;
/// What a pip on top is worth: battles are won with them.
const PIP: i32 = 5;
/// What it is worth how near the nearest die is to a corner it heads for, in steps: both are needed.
const NEAREST_TO_CORNER: [i32; 7] = [150, 90, 60, 40, 25, 10, 0];
/// What it is worth to be on the move.
const TEMPO: i32 = 10;

impl Evaluate for Ecke {
    const SCALE: f64 = 200.0;

    fn evaluate(&self) -> Score {
        let of = |player| strength(self.board(), player);
        Score::new(of(self.turn()) - of(!self.turn()) + TEMPO)
    }
}

/// The worth of a player's dice: how many they are, what they show, and how near they are to the corners.
fn strength(board: &Board, player: Player) -> i32 {
    let dice = board.dice(player);
    let near = |corner: Squares| NEAREST_TO_CORNER[steps_to(corner, dice, player)];
    let corners = Squares::far_corners(player).into_iter().map(|corner| near(corner.set()));
    DIE * dice.count() as i32 + PIP * board.sum_of_tops(dice) as i32 + corners.sum::<i32>()
}

/// How many steps the nearest die has to a square, if nothing were in its way: 6 if none can get there.
fn steps_to(square: Squares, dice: Squares, player: Player) -> usize {
    let mut from = square;
    for steps in 0..6 {
        if !(from & dice).is_empty() {
            return steps;
        }
        let back = Direction::forward(!player);
        let level = from | from.shift(back);
        let wide = level | level.shift(Direction::West) | level.shift(Direction::East);
        from = wide.on_board();
    }
    6
}
