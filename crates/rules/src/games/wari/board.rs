//! One player's side of the board, a byte for each cup, so that rules about six cups cost a few instructions.
#![expect(clippy::cast_possible_truncation, reason = "a byte is taken out of all by cutting off the others")]

/// Cups in a player's row.
pub(super) const SIDE: u8 = 6;
/// The same, as a length.
pub const ROW: usize = SIDE as usize;
/// Marbles in the game.
pub const MARBLES: u8 = 48;

/// Bits in a byte.
const BYTE: u32 = 8;
/// The bytes of the cups.
pub(super) const CUP_BYTES: u64 = 0x0000_ffff_ffff_ffff;
/// A one in each cup.
pub(super) const ONES: u64 = 0x0000_0101_0101_0101;
/// In each cup how many places come before it.
const PLACES: u64 = 0x0000_0504_0302_0100;
/// The highest bit of each cup.
const MARKS: u64 = 0x80 * ONES;
/// The byte of the prisoners.
const PRISONERS: u32 = BYTE * SIDE as u32;

/// A place in a player's row, counted from 0 in the direction of sowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(pub(super) u8);

impl Place {
    /// The six places, in order.
    pub const ALL: [Self; ROW] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    /// The number, 0 to 5.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Where its byte begins in a [`Row`].
    const fn shift(self) -> u32 {
        BYTE * self.0 as u32
    }
}

/// A set of places in a row; an iterator over them, in order.
#[derive(Clone, Debug)]
pub struct Places(
    /// The highest bit of the byte of each place.
    u64,
);

impl Iterator for Places {
    type Item = Place;

    #[inline]
    fn next(&mut self) -> Option<Place> {
        if self.0 == 0 {
            return None;
        }
        let place = Place((self.0.trailing_zeros() / BYTE) as u8);
        self.0 &= self.0 - 1;
        Some(place)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Places {}

/// A player's six cups and prisoners.
///
/// Byte by byte from the lowest: the cups in the direction of sowing, then the prisoners. No byte exceeds 48,
/// so that marbles can be added in several cups at once, and bits 6 and 7 of each byte are free for tricks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row(pub(super) u64);

impl Row {
    /// The row with these marbles in the cups, 48 at most in each, and these prisoners.
    #[must_use]
    pub fn new(cups: [u8; ROW], prisoners: u8) -> Self {
        let mut bytes = [0; size_of::<u64>()];
        bytes[..ROW].copy_from_slice(&cups);
        bytes[ROW] = prisoners;
        Self(u64::from_le_bytes(bytes))
    }

    /// The marbles in the cups, in order.
    #[must_use]
    pub fn cups(self) -> [u8; ROW] {
        Place::ALL.map(|place| self.marbles(place))
    }

    /// The marbles in a cup, 0 to 48.
    #[must_use]
    pub const fn marbles(self, place: Place) -> u8 {
        (self.0 >> place.shift()) as u8
    }

    /// The prisoners, 0 to 48.
    #[must_use]
    pub const fn prisoners(self) -> u8 {
        (self.0 >> PRISONERS) as u8
    }

    /// The marbles in all six cups.
    #[must_use]
    pub const fn total(self) -> u8 {
        // The product's byte 5 is the sum of bytes 0 to 5.
        ((self.0 & CUP_BYTES).wrapping_mul(ONES) >> (BYTE * (SIDE as u32 - 1))) as u8
    }

    /// Whether all six cups are empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 & CUP_BYTES == 0
    }

    /// The cups that are not empty.
    #[must_use]
    pub const fn occupied(self) -> Places {
        // Adding 127 carries into the highest bit of a byte unless it is 0.
        Places(((self.0 & CUP_BYTES) + 0x7f * ONES) & MARKS)
    }

    /// The cups, not empty, from which sowing stays within this row: a player who has one can wait.
    #[must_use]
    pub const fn staying(self) -> Places {
        // Subtracting from 128 + 5 leaves the highest bit of a byte if the last marble falls into places 0 to
        // 5.
        let last = (self.0 & CUP_BYTES) + PLACES;
        Places(((0x80 + ROW as u64 - 1) * ONES - last) & self.occupied().0)
    }

    /// The cups from which sowing goes past the opponent's row and comes back to this one.
    #[must_use]
    pub const fn coming_round(self) -> Places {
        // Adding 128 - 12 carries into the highest bit of a byte if the last marble falls twelve places on or
        // more.
        let last = (self.0 & CUP_BYTES) + PLACES;
        Places((last + (0x80 - 2 * ROW as u64) * ONES) & MARKS)
    }

    /// Whether some cup holds four or more.
    #[must_use]
    pub const fn holds_four(self) -> bool {
        self.0 & (0x3c * ONES) != 0
    }

    /// The place of the only marble in the cups, if there is just one.
    fn alone(self) -> Option<Place> {
        if self.total() == 1 { self.occupied().next() } else { None }
    }

    /// Whether two marbles are left, one in this row and one in the other, that follow one another round the
    /// board for ever, when the owner of this row is to move.
    ///
    /// A lone marble has only one move, one cup on. When it crosses over, its owner has none left, so the
    /// opponent must feed: their other marble must cross over too, from their last cup, and then the marbles
    /// are where they were, turned round. That comes about if the marbles are level, or if the opponent's is
    /// one cup ahead. In all other cases the opponent cannot feed, or the first marble would fall upon the
    /// other, which would leave its owner none.
    #[must_use]
    pub fn is_endless_against(self, other: Self) -> bool {
        let (Some(mover), Some(other)) = (self.alone(), other.alone()) else { return false };
        matches!(other.index().wrapping_sub(mover.index()), 0 | 1)
    }

    /// The row with a cup emptied.
    pub(super) const fn without(self, place: Place) -> Self {
        Self(self.0 & !(0xff << place.shift()))
    }

    /// The row with more prisoners.
    pub(super) const fn with_prisoners(self, more: u8) -> Self {
        Self(self.0 + ((more as u64) << PRISONERS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_tells_what_it_was_made_of() {
        let row = Row::new([0, 48, 1, 0, 3, 4], 23);
        assert_eq!(row.cups(), [0, 48, 1, 0, 3, 4]);
        assert_eq!(Place::ALL.map(|place| row.marbles(place)), row.cups());
        assert_eq!(row.prisoners(), 23);
        assert_eq!(row.total(), 56);
        assert_eq!(row.occupied().len(), 4);
        assert_eq!(row.occupied().map(Place::index).collect::<Vec<_>>(), [1, 2, 4, 5]);
    }

    #[test]
    fn sowing_stays_or_comes_round_as_the_marbles_reach() {
        for place in Place::ALL {
            for marbles in 0..=MARBLES {
                let mut cups = [0; ROW];
                cups[place.index()] = marbles;
                let row = Row::new(cups, 23);
                let last = place.index() + usize::from(marbles);
                assert_eq!(row.staying().next(), (marbles > 0 && last < ROW).then_some(place), "{cups:?}");
                assert_eq!(row.coming_round().next(), (last >= 2 * ROW).then_some(place), "{cups:?}");
            }
        }
    }

    #[test]
    fn prisoners_are_not_in_a_cup() {
        let row = Row::new([0; ROW], 48);
        assert!(row.is_empty());
        assert_eq!(row.occupied().next(), None);
        assert!(!row.holds_four());
        assert_eq!(row.total(), 0);
    }

    #[test]
    fn four_in_one_cup_are_four_and_three_are_not() {
        for place in 0..ROW {
            for marbles in 0..=MARBLES {
                let mut cups = [3; ROW];
                cups[place] = marbles;
                assert_eq!(Row::new(cups, 40).holds_four(), marbles >= 4, "{cups:?}");
            }
        }
    }
}
