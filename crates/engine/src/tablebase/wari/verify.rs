//! Checking that endgames agree with themselves.

use super::{
    index::{positions_up_to, positions_with, rows},
    layer::{ENDLESS, after_best},
    share::Share,
    sides::{Side, Sides, sides_with},
};
use cublino_rules::games::wari::Row;

/// The share in a position is not what follows from those of the next positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} against {} of the player who is to move: {found:?} does not follow from the next positions, but \
     {expected:?}",
    cups(other),
    cups(mover)
)]
pub struct Disagreement {
    /// The cups of the side to move.
    pub mover: [u8; 6],
    /// The other cups.
    pub other: [u8; 6],
    /// What is known.
    pub found: Share,
    /// What follows.
    pub expected: Share,
}

fn cups(cups: &[u8]) -> String {
    cups.iter().map(u8::to_string).collect::<Vec<_>>().join("-")
}

/// Compares one position in so many with what follows from the next ones, and tells of how many marbles all
/// have been compared; returns how many were.
pub(super) fn verify(
    bytes: &[u8],
    marbles: u8,
    one_in: usize,
    on_marbles: &mut dyn FnMut(u8),
) -> Result<u64, Disagreement> {
    let (sides, mut compared) = (Sides::new(marbles), 0);
    let known = |marbles, place| {
        let first = positions_with(marbles).start;
        Share::of_byte(bytes[first + place], marbles)
    };
    debug_assert_eq!(bytes.len(), positions_up_to(marbles), "the file was checked for it");
    for marbles in 0..=marbles {
        for other in (0..sides_with(marbles).end).map(Side::new) {
            let (places, first) =
                (sides.places(marbles, other), sides_with(marbles - sides.total(other)).start);
            for place in (places.start.next_multiple_of(one_in)..places.end).step_by(one_in) {
                compared += 1;
                let mover = Side::new(first + place - places.start);
                let found = known(marbles, place);
                let expected = after_best(&sides, marbles, mover, other, known);
                if found != expected && !is_endless(marbles, place, found) {
                    let [mover, other] = rows(positions_with(marbles).start + place).map(Row::cups);
                    return Err(Disagreement { mover, other, found, expected });
                }
            }
        }
        on_marbles(marbles);
    }
    Ok(compared)
}

/// Whether a position is over because it would go on for ever, and the side to move keeps its marbles.
fn is_endless(marbles: u8, place: usize, found: Share) -> bool {
    if marbles != ENDLESS {
        return false;
    }
    let [mover, other] = rows(positions_with(marbles).start + place);
    mover.is_endless_against(other) && found == Share::exactly(mover.total())
}
