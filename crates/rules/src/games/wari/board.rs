//! One player's side of the board, a byte for each cup, so that rules about six cups cost a few instructions.
#![expect(clippy::cast_possible_truncation, reason = "a byte is taken out of all by cutting off the others")]

use derive_more::Display;
use serde::{Deserialize, Serialize};

use crate::game::Player;

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

    fn next(&mut self) -> Option<Place> {
        if self.0 == 0 {
            return None;
        }
        let place = Place((self.0.trailing_zeros() / BYTE) as u8);
        self.0 &= self.0 - 1;
        Some(place)
    }

    fn count(self) -> usize {
        self.0.count_ones() as usize
    }
}

/// A player's six cups and prisoners.
///
/// Byte by byte from the lowest: the cups in the direction of sowing, then the prisoners. No byte exceeds 48,
/// so that marbles can be added in several cups at once, and bits 6 and 7 of each byte are free for tricks.
///
/// ```
/// use cublino_rules::games::wari::Row;
///
/// let row = Row::new([4, 0, 2, 0, 0, 1], 7);
/// assert_eq!((row.total(), row.prisoners(), row.occupied().count()), (7, 7, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row(pub(super) u64);

impl Row {
    /// The row with these marbles in the cups, 48 at most in each, and these prisoners.
    pub fn new(cups: [u8; ROW], prisoners: u8) -> Self {
        let mut bytes = [0; size_of::<u64>()];
        bytes[..ROW].copy_from_slice(&cups);
        bytes[ROW] = prisoners;
        Self(u64::from_le_bytes(bytes))
    }

    /// The marbles in the cups, in order.
    pub fn cups(self) -> [u8; ROW] {
        Place::ALL.map(|place| self.marbles(place))
    }

    /// The marbles in a cup, 0 to 48.
    pub const fn marbles(self, place: Place) -> u8 {
        (self.0 >> place.shift()) as u8
    }

    /// The prisoners, 0 to 48.
    pub const fn prisoners(self) -> u8 {
        (self.0 >> PRISONERS) as u8
    }

    /// The marbles in all six cups.
    pub const fn total(self) -> u8 {
        // The product's byte 5 is the sum of bytes 0 to 5.
        ((self.0 & CUP_BYTES).wrapping_mul(ONES) >> (BYTE * (SIDE as u32 - 1))) as u8
    }

    /// Whether all six cups are empty.
    pub(crate) const fn is_empty(self) -> bool {
        self.0 & CUP_BYTES == 0
    }

    /// The cups that are not empty.
    pub const fn occupied(self) -> Places {
        // Adding 127 carries into the highest bit of a byte unless it is 0.
        Places(((self.0 & CUP_BYTES) + 0x7f * ONES) & MARKS)
    }

    /// Whether some cup holds four or more. They are never captured, and sowing only adds to them: the owner
    /// keeps a marble whatever the opponent plays.
    pub(crate) const fn holds_four(self) -> bool {
        self.0 & (0x3c * ONES) != 0
    }

    /// The place of the only marble in the cups, if there is just one.
    fn alone(self) -> Option<Place> {
        if self.total() == 1 { self.occupied().next() } else { None }
    }

    /// Whether only two marbles are left, one in each row, and follow each other round the board for ever,
    /// with the owner of this row to move.
    ///
    /// A lone marble has only one move, one cup on. When it crosses over, its owner has none left, so the
    /// opponent must feed: their other marble must cross over too, from their last cup, and then the marbles
    /// are where they were, turned round. This happens if the marbles are level, or if the opponent's is one
    /// cup ahead. In all other cases the opponent cannot feed, or the first marble would fall upon the other,
    /// which would leave its owner none.
    pub fn is_endless_against(self, other: Self) -> bool {
        let (Some(mover), Some(other)) = (self.alone(), other.alone()) else { return false };
        matches!(other.index().wrapping_sub(mover.index()), 0 | 1)
    }

    /// The row with a cup emptied.
    pub(super) const fn without(self, place: Place) -> Self {
        Self(self.0 & !(0xff << place.shift()))
    }

    /// This row, with the prisoners taken, and the other after sowing from a place; `None` if that is illegal
    /// because it leaves the other player no marble.
    ///
    /// ```
    /// use cublino_rules::games::wari::{Place, Row};
    ///
    /// let row = Row::new([4; 6], 0);
    /// let (mover, other) = row.sow(row, Place::ALL[4]).expect("a legal move");
    /// assert_eq!((mover.cups(), other.cups()), ([4, 4, 4, 4, 0, 5], [5, 5, 5, 4, 4, 4]));
    /// ```
    pub fn sow(self, other: Self, from: Place) -> Option<(Self, Self)> {
        let sown = Sown::new(self, other, from);
        (!sown.leaves_nothing()).then_some((sown.mover, sown.other))
    }

    /// How many marbles the owner of this row would capture from the other row by sowing from a place: 0, or
    /// 2 to 15. A capture that would leave the other player none is none.
    ///
    /// ```
    /// use cublino_rules::games::wari::{Place, Row};
    ///
    /// // A marble from cup 6 makes two in cup 7: both are captured.
    /// let (mover, other) = (Row::new([0, 0, 0, 0, 0, 1], 0), Row::new([1, 5, 0, 0, 0, 0], 0));
    /// assert_eq!(mover.capture(other, Place::ALL[5]), 2);
    /// ```
    #[inline]
    pub fn capture(self, other: Self, from: Place) -> u8 {
        let sown = Sown::new(self, other, from);
        if sown.leaves_nothing() { 0 } else { sown.captured.total() }
    }
}

/// How many cups there are.
pub(super) const CUPS: usize = 2 * ROW;
/// The number of the last one.
const LAST: u8 = 2 * SIDE;

/// One of the twelve cups, 1 to 12 in the direction of sowing: 1 to 6 are A's, 7 to 12 are B's.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(minimum = 1, maximum = 12, example = 5))]
pub struct Cup(u8);

impl Cup {
    /// The cup with this number, 1 to 12.
    pub const fn new(number: u8) -> Option<Self> {
        if matches!(number, 1..=LAST) { Some(Self(number)) } else { None }
    }

    /// All cups, in order.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (1..=LAST).map(Self)
    }

    /// The cup at a place in a player's row.
    pub(crate) const fn at(owner: Player, place: Place) -> Self {
        let first = match owner {
            Player::One => 1,
            Player::Two => 1 + SIDE,
        };
        Self(first + place.0)
    }

    /// The number, 1 to 12.
    pub(crate) const fn number(self) -> u8 {
        self.0
    }

    /// Whose cup it is.
    pub(crate) const fn owner(self) -> Player {
        if self.0 <= SIDE { Player::One } else { Player::Two }
    }

    /// Its place in its owner's row.
    pub const fn place(self) -> Place {
        Place::ALL[(self.0 as usize - 1) % ROW]
    }

    /// The cups into which marbles from this one are sown, in order: round and round, this one left out.
    pub(crate) fn sown_from(self) -> impl Iterator<Item = Self> {
        (1..LAST).cycle().map(move |step| Self((self.0 - 1 + step) % LAST + 1))
    }
}

/// A number is not that of a cup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a cup is a number from 1 to 12")]
pub struct NotACup;

impl TryFrom<u8> for Cup {
    type Error = NotACup;

    fn try_from(number: u8) -> Result<Self, NotACup> {
        Self::new(number).ok_or(NotACup)
    }
}

/// A number as all of Wari's notation writes it: one or two digits, without a leading zero.
pub(super) fn number(text: &str) -> Option<u8> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| byte - b'0');
    match *text.as_bytes() {
        [units] => digit(units),
        [tens, units] if tens != b'0' => Some(10 * digit(tens)? + digit(units)?),
        _ => None,
    }
}

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
    pub(super) fn new(mover: Row, other: Row, from: Place) -> Self {
        let sowing = &SOWINGS[from.index()][usize::from(mover.marbles(from))];
        let other = Row(other.0 + sowing.other);
        let captured = capture(other, sowing.reach);
        let prisoners = u64::from(captured.total()) << PRISONERS;
        let mover = Row(mover.without(from).0 + sowing.own + prisoners);
        Self { mover, other: Row(other.0 ^ captured.0), captured }
    }

    /// Whether the opponent is left without a marble, which no move may do.
    pub(super) fn leaves_nothing(self) -> bool {
        self.other.is_empty()
    }
}

/// The marbles that are taken: those of the last cup sown into if it holds two or three, and of the cups
/// directly before it, as long as they do too.
fn capture(other: Row, reach: u64) -> Row {
    // Two and three differ from two in the lowest bit at most: the other bits are what stops a capture.
    let stops = (other.0 ^ (2 * ONES)) & (CUP_BYTES ^ ONES) & reach;
    // The cups above the last one that stops it: all within reach if none does.
    let above = u64::MAX << (u64::BITS - (stops.leading_zeros() & !7));
    Row(other.0 & reach & above)
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
        assert_eq!(row.occupied().count(), 4);
        assert_eq!(row.occupied().map(Place::index).collect::<Vec<_>>(), [1, 2, 4, 5]);
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

    #[test]
    fn cups_round_trip_through_text_and_place() {
        assert_eq!(Cup::all().count(), CUPS);
        for cup in Cup::all() {
            assert_eq!(cup.to_string().parse(), Ok(cup));
            assert_eq!(Cup::new(cup.number()), Some(cup));
            assert_eq!(Cup::at(cup.owner(), cup.place()), cup);
        }
        for text in ["", "0", "13", "05", "+5", " 5", "5 ", "120", "é", "x"] {
            assert!(text.parse::<Cup>().is_err(), "{text}");
        }
    }

    #[test]
    fn cup_12_is_followed_by_cup_1() {
        let cup = Cup::new(11).unwrap();
        let numbers: Vec<_> = cup.sown_from().take(3).map(Cup::number).collect();
        assert_eq!(numbers, [12, 1, 2]);
    }
}
