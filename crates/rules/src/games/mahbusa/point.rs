//! Points of the board, and sets of points.

use std::{fmt, ops};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::play::Die;
use crate::game::Player;

/// One of the 24 points in the letters of a player, from `A`, their 1-point, up to `X`, their 24-point.
///
/// Each player counts their own way, so a point has two letters: White's `A` is Black's `X`. Which player's
/// letters are meant is said where a point is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "openapi",
    derive(utoipa::ToSchema),
    schema(value_type = String, pattern = "^[A-X]$", example = "X")
)]
pub struct Point(u8);

impl Point {
    /// The 24-point, where a player's checkers start.
    pub(crate) const START: Self = Self(23);
    /// How many there are.
    pub const COUNT: usize = Self::START.0 as usize + 1;

    /// The point with this number, counted from 0.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index <= Self::START.0 { Some(Self(index)) } else { None }
    }

    /// The point from which a die bears off exactly: a 1 from A, a 6 from F.
    pub(crate) const fn of_die(die: Die) -> Self {
        Self(die.pips() - 1)
    }

    /// The point with this upper-case letter.
    pub(crate) fn of_letter(letter: char) -> Option<Self> {
        u8::try_from(letter).ok().and_then(|letter| Self::new(letter.wrapping_sub(b'A')))
    }

    /// All points, from A to X.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..=Self::START.0).map(Self)
    }

    /// The number, counted from 0: how far the point is from A.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// How far a checker on this point has to go until it is off the board: 1 to 24.
    #[must_use]
    pub const fn pips(self) -> u8 {
        self.0 + 1
    }

    /// The same point in the opponent's letters.
    pub(crate) const fn across(self) -> Self {
        Self(Self::START.0 - self.0)
    }

    /// A point named in White's letters in those of a player, and the other way round.
    pub(crate) const fn seen_by(self, player: Player) -> Self {
        match player {
            Player::One => self,
            Player::Two => self.across(),
        }
    }

    /// Where a checker arrives with a die; nothing if that is off the board.
    pub(crate) const fn down(self, die: Die) -> Option<Self> {
        match self.0.checked_sub(die.pips()) {
            Some(index) => Some(Self(index)),
            None => None,
        }
    }

    /// The set of this point alone.
    pub(crate) const fn set(self) -> PointSet {
        PointSet(1 << self.0)
    }

    /// The set of this point and all below it.
    pub(crate) const fn and_below(self) -> PointSet {
        PointSet((2 << self.0) - 1)
    }

    /// The letter, in upper case.
    pub(crate) const fn letter(self) -> char {
        (b'A' + self.0) as char
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let point = Self::of_letter(char::deserialize(deserializer)?);
        point.ok_or_else(|| de::Error::custom("a point is a letter from A to X"))
    }
}

/// A set of points in the letters of one player, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PointSet(u32);

impl PointSet {
    /// No point.
    pub(crate) const NONE: Self = Self(0);
    /// All 24 points.
    pub(crate) const ALL: Self = Self((1 << Point::COUNT) - 1);
    /// The home board, A to F.
    pub(crate) const HOME: Self = Self((1 << 6) - 1);

    /// Whether there is no point.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a point is among these.
    pub(crate) const fn contains(self, point: Point) -> bool {
        self.0 >> point.0 & 1 != 0
    }

    /// How many points there are.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// These points without others.
    pub(crate) const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// The highest point.
    #[expect(clippy::cast_possible_truncation, reason = "there are 32 bits")]
    #[must_use]
    pub const fn highest(self) -> Option<Point> {
        match self.0.checked_ilog2() {
            Some(index) => Some(Point(index as u8)),
            None => None,
        }
    }

    /// The same points in the opponent's letters.
    #[must_use]
    pub const fn across(self) -> Self {
        Self(self.0.reverse_bits() >> (u32::BITS - Point::START.pips() as u32))
    }

    /// The points that lie some pips above these.
    pub(crate) const fn above(self, pips: u8) -> Self {
        Self(self.0 << pips & Self::ALL.0)
    }
}

impl ops::BitAnd for PointSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl ops::BitOr for PointSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl ops::BitOrAssign for PointSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl ops::BitXorAssign for PointSet {
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

/// From the highest point down.
impl IntoIterator for PointSet {
    type Item = Point;
    type IntoIter = PointSetIter;

    fn into_iter(self) -> PointSetIter {
        PointSetIter(self)
    }
}

/// The points of a set, from the highest down.
#[derive(Clone, Debug)]
pub struct PointSetIter(PointSet);

impl Iterator for PointSetIter {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        let highest = self.0.highest()?;
        self.0 ^= highest.set();
        Some(highest)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for PointSetIter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_run_from_a_to_x_and_back() {
        let letters: String = Point::all().map(Point::letter).collect();
        assert_eq!(letters, "ABCDEFGHIJKLMNOPQRSTUVWX");
        let from_the_top: String = PointSet::ALL.into_iter().map(Point::letter).collect();
        assert_eq!(from_the_top, letters.chars().rev().collect::<String>());
        assert_eq!(Point::START.letter(), 'X');
    }

    #[test]
    fn a_point_has_one_letter_for_each_player() {
        for point in Point::all() {
            assert_eq!(point.index() + point.across().index(), 23);
            assert_eq!(point.set().across(), point.across().set());
        }
    }

    #[test]
    fn only_the_letters_a_to_x_are_points() {
        for point in Point::all() {
            assert_eq!(Point::of_letter(point.letter()), Some(point));
        }
        for letter in ['Y', '@', 'a', '0', 'Á', '\u{141}'] {
            assert_eq!(Point::of_letter(letter), None, "{letter}");
        }
    }
}
