//! Late moves are searched less deep at first. What that is worth is told in MEASURED.md.

use crate::game::Game;

/// Below this depth every move is searched in full: there is little to save.
const LEAST_DEPTH: u32 = 4;
/// Moves that are searched in full before those that are ordered lower are searched less deep.
const TRIED_IN_FULL: usize = 4;
/// From this move on it is two plies less.
const VERY_LATE: usize = 12;
/// From this depth on it is a ply less again.
const DEEP: u32 = 7;

/// With dice a ply is a fan of rolls, and what looks bad at once is seldom best: below this depth, and among
/// so many moves, nothing is reduced.
const LEAST_DEPTH_WITH_DICE: u32 = 2;
const TRIED_IN_FULL_WITH_DICE: usize = 3;
/// Of the root moves so many more than are wanted are searched in full.
const ROOT_TRIED_IN_FULL_WITH_DICE: usize = 4;

/// How many plies less deep a move is searched at first, by its place in the order.
pub(super) fn reduction<G: Game>(depth: u32, place: usize) -> u32 {
    if !G::ROLLS.is_empty() {
        return u32::from(depth >= LEAST_DEPTH_WITH_DICE && place >= TRIED_IN_FULL_WITH_DICE);
    }
    if depth < LEAST_DEPTH || place < TRIED_IN_FULL {
        return 0;
    }
    let reduction = 1 + u32::from(place >= VERY_LATE) + u32::from(depth >= DEEP);
    reduction.min(depth - 2)
}

/// The same for a root move, by how many moves before it are not wanted themselves.
pub(super) fn root_reduction<G: Game>(depth: u32, place: usize) -> u32 {
    let reduced =
        !G::ROLLS.is_empty() && depth >= LEAST_DEPTH_WITH_DICE && place >= ROOT_TRIED_IN_FULL_WITH_DICE;
    u32::from(reduced)
}
