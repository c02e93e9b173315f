//! The face of a die.

use super::canvas::{At, Canvas};
use crate::game::Player;

/// Where the pips of a number are, in columns and rows from the middle.
const fn places(number: u8) -> &'static [(f32, f32)] {
    const FACES: [&[(f32, f32)]; 6] = [
        &[(0.0, 0.0)],
        &[(-1.0, 1.0), (1.0, -1.0)],
        &[(-1.0, 1.0), (0.0, 0.0), (1.0, -1.0)],
        &[(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)],
        &[(-1.0, -1.0), (-1.0, 1.0), (0.0, 0.0), (1.0, -1.0), (1.0, 1.0)],
        &[(-1.0, -1.0), (-1.0, 0.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 0.0), (1.0, 1.0)],
    ];
    FACES[number as usize - 1]
}

/// The side of a face that shows 1 to 6.
pub fn face(canvas: &mut Canvas, player: Player, middle: At, side: f32, number: u8) {
    let owner = ["one", "two"][player.index()];
    canvas.rect(format_args!("face {owner}"), middle, (side, side), side / 8.0);
    pips(canvas, player, middle, side, number);
}

/// The pips of such a face alone.
pub fn pips(canvas: &mut Canvas, player: Player, middle: At, side: f32, number: u8) {
    let ink = ["on-one", "on-two"][player.index()];
    for &(column, row) in places(number) {
        let at = middle.plus(column * side * 0.27, row * side * 0.27);
        canvas.circle(format_args!("pip {ink}"), at, side * 0.105);
    }
}
