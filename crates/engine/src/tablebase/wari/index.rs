//! A number for every position, by the marbles in its cups alone.

use std::ops::Range;

use crate::tablebase::numbering::{THINGS, number, numbers_with, things, ways_up_to};
use cublino_rules::games::wari::{ROW, Row};

/// Cups on the board.
const CUPS: usize = 2 * ROW;
/// The most marbles for which positions have numbers.
#[expect(clippy::cast_possible_truncation, reason = "there are 24")]
pub(super) const MOST: u8 = THINGS as u8;

/// How many positions there are with up to so many marbles, those included in which the side to move has
/// none, which the rules do not allow.
pub(super) fn positions_up_to(marbles: u8) -> usize {
    ways_up_to(marbles.into(), CUPS)
}

/// The numbers of the positions with exactly so many marbles.
pub(super) fn positions_with(marbles: u8) -> Range<usize> {
    numbers_with(marbles.into(), CUPS)
}

/// The number of a position with up to [`MOST`] marbles, counted from 0: positions with fewer marbles come
/// first.
#[inline]
pub(super) fn index(mover: Row, other: Row) -> usize {
    number(mover.cups().into_iter().chain(other.cups()))
}

/// The rows of the side to move and of the other in the position with a number.
pub(super) fn rows(index: usize) -> [Row; 2] {
    let cups: [u8; CUPS] = things(index);
    [0, ROW].map(|first| Row::new(std::array::from_fn(|place| cups[first + place]), 0))
}
