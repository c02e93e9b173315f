//! The points, where the checkers of both players stand on them, and which of them are pinned.

use derive_more::{BitAnd, BitOr, BitOrAssign, BitXor, BitXorAssign, Display};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::dice::Die;
use crate::game::{Player, Points};

/// Checkers that each player has.
pub const CHECKERS: u8 = 15;

/// The checkers of one player that are not borne off, in that player's letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Side {
    /// Those that are not pinned.
    pub free: Checkers,
    /// The points on which one is pinned.
    pub pinned: PointSet,
}

impl Side {
    /// The points on which the player has a checker, pinned or not.
    pub fn occupied(&self) -> PointSet {
        self.free.occupied() | self.pinned
    }

    /// How many checkers are not borne off.
    pub fn total(&self) -> u32 {
        self.free.total() + self.pinned.count()
    }

    /// How many checkers are borne off, 0 to 15.
    pub fn borne_off(&self) -> u8 {
        let borne_off = u32::from(CHECKERS).saturating_sub(self.total());
        u8::try_from(borne_off).expect("there are no more than fifteen")
    }

    /// Whether all checkers are borne off.
    pub(crate) fn is_finished(&self) -> bool {
        self.occupied().is_empty()
    }
}

/// The checkers of some player on a point, with what lies under them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Whose they are.
    pub owner: Player,
    /// How many, the one under them not counted: 1 to 15.
    pub count: u8,
    /// Whether one of the opponent's checkers is pinned under them.
    pub pinned: bool,
}

/// The checkers of both players.
///
/// ```
/// use cublino_rules::{game::*, games::*};
///
/// let start = Mahbusa::default();
/// let side = start.board().side(Player::One);
/// assert_eq!((side.total(), side.free.occupied().count()), (15, 1));
/// assert!(side.pinned.is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    sides: [Side; 2],
}

impl Board {
    /// The checkers of a player.
    pub const fn side(&self, player: Player) -> &Side {
        &self.sides[player.index()]
    }

    /// What stands on a point, named in White's letters.
    pub(crate) fn stack(&self, point: Point) -> Option<Stack> {
        Player::ALL.into_iter().find_map(|owner| {
            let count = self.side(owner).free.on(point.seen_by(owner));
            let pinned = self.side(!owner).pinned.contains(point.seen_by(!owner));
            (count > 0).then_some(Stack { owner, count, pinned })
        })
    }

    /// How many checkers each player has borne off.
    pub(crate) fn borne_off(&self) -> Points {
        let [one, two] = self.sides.map(|side| side.borne_off());
        Points { one, two }
    }

    /// The points on which a player's checkers may land, in that player's letters: those that are empty, the
    /// player's own, or held by a single opposing checker that pins nothing.
    ///
    /// They do not change during the player's turn: a checker that the turn pins or frees is alone on its
    /// point before and after.
    pub fn open(&self, player: Player) -> PointSet {
        let opposing = self.side(!player).free;
        let pinning = opposing.occupied().across() & self.side(player).pinned;
        PointSet::ALL.without(opposing.stacked().across() | pinning)
    }

    /// Puts checkers on a point, named in White's letters, that has none.
    pub fn put(&mut self, point: Point, stack: Stack) {
        let Stack { owner, count, pinned } = stack;
        self.sides[owner.index()].free.put(point.seen_by(owner), count);
        if pinned {
            self.sides[(!owner).index()].pinned |= point.seen_by(!owner).set();
        }
    }

    /// Puts a player's free checkers where they stand after a play: opposing checkers on which one of them
    /// stands now are pinned, and those that all have left are free.
    pub fn rearrange(&mut self, player: Player, free: Checkers) {
        self.sides[player.index()].free = free;
        let covered = free.occupied().across();
        let opposing = &mut self.sides[(!player).index()];
        let pinned = opposing.free.occupied() & covered;
        let freed = opposing.pinned.without(covered);
        // Both are single checkers, and so in the lowest digit.
        let single = &mut opposing.free.0[0];
        *single = single.without(pinned) | freed;
        opposing.pinned = opposing.pinned.without(freed) | pinned;
    }
}

/// Binary digits of the number of checkers on a point: there are at most fifteen.
const DIGITS: usize = 4;

/// The numbers of checkers of one player on the 24 points, in that player's letters, 0 to 15 each.
///
/// The numbers are kept in four sets of points, one for each binary digit. So what holds for points by the
/// number of checkers on them is found for all points in a few instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Checkers([PointSet; DIGITS]);

impl Checkers {
    /// The binary digits of the numbers, the lowest first.
    pub const fn digits(&self) -> &[PointSet; DIGITS] {
        &self.0
    }

    /// The points with at least one checker.
    pub fn occupied(&self) -> PointSet {
        self.0[0] | self.stacked()
    }

    /// The points with two or more.
    pub(crate) fn stacked(&self) -> PointSet {
        self.0[1] | self.0[2] | self.0[3]
    }

    /// The points with exactly one.
    pub fn single(&self) -> PointSet {
        self.0[0].without(self.stacked())
    }

    /// How many are on a point.
    pub fn on(&self, point: Point) -> u8 {
        let digits = self.0.iter().enumerate();
        digits.fold(0, |count, (digit, points)| count | u8::from(points.contains(point)) << digit)
    }

    /// How many there are.
    pub(crate) fn total(&self) -> u32 {
        let digits = self.0.iter().enumerate();
        digits.map(|(digit, points)| points.count() << digit).sum()
    }

    /// Puts checkers, 1 to 15, on a point that has none.
    pub(crate) fn put(&mut self, point: Point, count: u8) {
        for (digit, points) in self.0.iter_mut().enumerate() {
            if count >> digit & 1 != 0 {
                *points |= point.set();
            }
        }
    }

    /// With one checker, which must be there, taken from a point and put on another, or off the board.
    #[inline]
    pub(crate) fn moved(mut self, from: Point, to: Option<Point>) -> Self {
        let mut borrow = from.set();
        for points in &mut self.0 {
            let before = *points;
            *points ^= borrow;
            borrow = borrow.without(before);
        }
        let mut carry = to.map_or(PointSet::NONE, Point::set);
        for points in &mut self.0 {
            let before = *points;
            *points ^= carry;
            carry = carry & before;
        }
        self
    }
}

/// One of the 24 points in the letters of a player, from `A`, their 1-point, to `X`, their 24-point.
///
/// Each player counts from their own side, so a point has two letters: White's `A` is Black's `X`. The place
/// that uses a point says whose letters it has.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[display("{}", self.letter())]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[A-X]$", example = "X"))]
pub struct Point(u8);

impl Point {
    /// The 24-point, where a player's checkers start.
    pub(crate) const START: Self = Self(23);
    /// How many there are.
    pub const COUNT: usize = Self::START.0 as usize + 1;

    /// The point with this number, counted from 0.
    ///
    /// ```
    /// use cublino_rules::games::mahbusa::Point;
    ///
    /// let x = Point::new(23).expect("the 24-point");
    /// assert_eq!((x.to_string(), x.pips()), ("X".to_owned(), 24));
    /// assert_eq!(Point::new(24), None);
    /// ```
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
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// How far a checker on this point has to go until it is off the board: 1 to 24.
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
    pub(crate) fn down(self, die: Die) -> Option<Self> {
        self.0.checked_sub(die.pips()).map(Self)
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
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, BitAnd, BitOr, BitXor, BitOrAssign, BitXorAssign,
)]
#[must_use]
pub struct PointSet(u32);

impl PointSet {
    /// No point.
    pub(crate) const NONE: Self = Self(0);
    /// All 24 points.
    pub const ALL: Self = Self((1 << Point::COUNT) - 1);
    /// The home board, A to F.
    pub const HOME: Self = Self((1 << 6) - 1);

    /// Whether there is no point.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a point is among these.
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.0 & 1 != 0
    }

    /// How many points there are.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// These points without others.
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// The highest point.
    #[expect(clippy::cast_possible_truncation, reason = "there are 32 bits")]
    pub fn highest(self) -> Option<Point> {
        self.0.checked_ilog2().map(|index| Point(index as u8))
    }

    /// The same points in the opponent's letters.
    pub const fn across(self) -> Self {
        Self(self.0.reverse_bits() >> (u32::BITS - Point::START.pips() as u32))
    }

    /// The points that lie some pips below these.
    pub const fn below(self, pips: u8) -> Self {
        Self(self.0 >> pips)
    }

    /// A bit for each point, the lowest for A.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The points that lie some pips above these.
    pub(crate) const fn above(self, pips: u8) -> Self {
        Self(self.0 << pips & Self::ALL.0)
    }
}

/// A set hands out its points, from the highest down.
#[expect(clippy::copy_iterator, reason = "a set that is looped over is a copy, and nobody takes one point")]
impl Iterator for PointSet {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        let highest = self.highest()?;
        *self ^= highest.set();
        Some(highest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u8 = 15;

    #[test]
    fn checkers_are_counted_as_they_are_moved() {
        let (from, to) = (Point::START, Point::new(3).unwrap());
        let mut checkers = Checkers::default();
        checkers.put(from, MOST);
        for moved in 0..=MOST {
            assert_eq!((checkers.on(from), checkers.on(to)), (MOST - moved, moved));
            assert_eq!(checkers.total(), u32::from(MOST));
            for (point, count) in [(from, MOST - moved), (to, moved)] {
                assert_eq!(checkers.occupied().contains(point), count > 0);
                assert_eq!(checkers.single().contains(point), count == 1);
                assert_eq!(checkers.stacked().contains(point), count > 1);
            }
            if moved < MOST {
                checkers = checkers.moved(from, Some(to));
            }
        }
        assert_eq!(checkers.moved(to, None).total(), u32::from(MOST) - 1);
    }

    #[test]
    fn the_points_run_from_a_to_x_and_back() {
        let letters: String = Point::all().map(Point::letter).collect();
        assert_eq!(letters, "ABCDEFGHIJKLMNOPQRSTUVWX");
        let from_the_top: String = PointSet::ALL.map(Point::letter).collect();
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
