//! Sowing and capturing.

use super::board::{CUP_BYTES, MARBLES, ONES, Place, ROW, Row};

/// What sowing a number of marbles from a place does, whatever lies in the other cups.
#[derive(Clone, Copy)]
struct Sowing {
    /// What it adds to the mover's cups.
    own: u64,
    /// What it adds to the opponent's cups.
    other: u64,
    /// All bits of the opponent's cups up to the last one sown into; none if that is one of the mover's own.
    reach: u64,
}

/// All sowings, by place and number of marbles.
static SOWINGS: [[Sowing; MARBLES as usize + 1]; ROW] = sowings();

const fn sowings() -> [[Sowing; MARBLES as usize + 1]; ROW] {
    let mut table = [[Sowing { own: 0, other: 0, reach: 0 }; MARBLES as usize + 1]; ROW];
    let mut from = 0;
    while from < ROW {
        let mut cup = from;
        let mut marbles = 1;
        while marbles <= MARBLES as usize {
            let mut sowing = table[from][marbles - 1];
            cup = (cup + 1) % (2 * ROW);
            if cup == from {
                // The cup that the marbles came from is passed over on every lap.
                cup += 1;
            }
            if cup < ROW {
                sowing.own += 1 << (8 * cup);
                sowing.reach = 0;
            } else {
                let byte = 8 * (cup - ROW);
                sowing.other += 1 << byte;
                sowing.reach = (1 << (byte + 8)) - 1;
            }
            table[from][marbles] = sowing;
            marbles += 1;
        }
        from += 1;
    }
    table
}

/// The board after a move, which may turn out to leave the opponent without a marble.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sown {
    /// The mover's side, with the prisoners taken.
    pub(super) mover: Row,
    /// The opponent's side.
    pub(super) other: Row,
    /// What was taken from each cup of the opponent's.
    pub(super) captured: Row,
}

impl Sown {
    /// Sows the marbles of a cup and takes what can be captured.
    #[inline]
    pub(super) fn new(mover: Row, other: Row, from: Place) -> Self {
        let sowing = &SOWINGS[from.index()][usize::from(mover.marbles(from))];
        let mover = Row(mover.without(from).0 + sowing.own);
        let other = Row(other.0 + sowing.other);
        let captured = capture(other, sowing.reach);
        Self { mover: mover.with_prisoners(captured.total()), other: Row(other.0 ^ captured.0), captured }
    }

    /// Whether the opponent is left without a marble, which no move may do.
    #[inline]
    pub(super) fn leaves_nothing(self) -> bool {
        self.other.is_empty()
    }
}

/// The marbles that are taken: those of the last cup sown into if it holds two or three, and of the cups
/// directly before it, as long as they do too.
#[inline]
fn capture(other: Row, reach: u64) -> Row {
    // Two and three differ from two in the lowest bit at most: the other bits are what stops a capture.
    let stops = (other.0 ^ (2 * ONES)) & (CUP_BYTES ^ ONES) & reach;
    // The cups above the last one that stops it: all within reach if none does.
    let above = u64::MAX << (u64::BITS - (stops.leading_zeros() & !7));
    Row(other.0 & reach & above)
}

impl Row {
    /// This row, with the prisoners taken, and the other after sowing from a place; none if that is not legal
    /// because it would leave the other player no marble.
    #[inline]
    #[must_use]
    pub fn sow(self, other: Self, from: Place) -> Option<(Self, Self)> {
        let sown = Sown::new(self, other, from);
        (!sown.leaves_nothing()).then_some((sown.mover, sown.other))
    }

    /// How many marbles the owner of this row would capture from the other row by sowing from a place: 0, or
    /// 2 to 15. A capture that would leave the other player none is none.
    #[inline]
    #[must_use]
    pub fn capture(self, other: Self, from: Place) -> u8 {
        let sown = Sown::new(self, other, from);
        if sown.leaves_nothing() { 0 } else { sown.captured.total() }
    }
}
