//! Squares, directions, and sets of squares.

use std::{fmt, str::FromStr};

use derive_more::{BitAnd, BitOr, BitOrAssign};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::game::Player;

/// Squares on a side of the board.
const SIDE: u8 = 7;

/// One of the 49 squares, file `a` to `g` and rank `1` to `7`.
///
/// Squares are ordered rank by rank from 1, file by file from a.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[a-g][1-7]$", example = "e2"))]
pub struct Square(
    /// Eight times the rank (from 0), plus the file (from 0): the eighth file is never used, which keeps a
    /// sideways shift of a [`Squares`] from running into the next rank.
    u8,
);

impl Square {
    /// The square with this file and rank, both from 0 to 6.
    ///
    /// ```
    /// use cublino_rules::games::cublino::*;
    ///
    /// let square: Square = "e4".parse()?;
    /// assert_eq!((square.file(), square.rank()), (4, 3));
    /// assert_eq!(Square::new(4, 3), Some(square));
    /// assert_eq!(Square::new(7, 0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file < SIDE && rank < SIDE { Some(Self(rank * 8 + file)) } else { None }
    }

    /// All squares, in order.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Squares::ALL
    }

    /// The file, 0 (`a`) to 6 (`g`).
    pub const fn file(self) -> u8 {
        self.0 % 8
    }

    /// The rank, 0 (`1`) to 6 (`7`).
    pub const fn rank(self) -> u8 {
        self.0 / 8
    }

    /// All indices are below this.
    pub const INDICES: usize = 64;

    /// A number below 64 that is different for each square, and smaller for a smaller square.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of this square alone.
    pub const fn set(self) -> Squares {
        Squares(1 << self.0)
    }

    /// The set of this square alone, or the empty set.
    pub(super) const fn set_if(self, condition: bool) -> Squares {
        Squares((condition as u64) << self.0)
    }

    /// How far it is to another square: files to the east, ranks to the north.
    pub const fn offset_to(self, other: Self) -> (i8, i8) {
        let [file, rank] = [self.file().cast_signed(), self.rank().cast_signed()];
        (other.file().cast_signed() - file, other.rank().cast_signed() - rank)
    }

    /// The square between the two ends of a jump; nothing between neighbours.
    pub(super) const fn between(self, other: Self) -> Option<Self> {
        // The codes of neighbours are 1, 7, 8 or 9 apart, and those of a jump's ends twice as much.
        let jump = matches!(self.0.abs_diff(other.0), 2 | 14 | 16 | 18);
        if jump { Some(Self(u8::midpoint(self.0, other.0))) } else { None }
    }

    /// The neighbouring square in a direction, if there is one.
    ///
    /// ```
    /// use cublino_rules::games::cublino::*;
    ///
    /// let square: Square = "g3".parse()?;
    /// assert_eq!(square.neighbour(Direction::North), Some("g4".parse()?));
    /// assert_eq!(square.neighbour(Direction::East), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn neighbour(self, direction: Direction) -> Option<Self> {
        self.set().shift(direction).on_board().first()
    }

    /// The file and the rank, as they are written.
    #[inline]
    pub(super) const fn name(self) -> &'static str {
        /// The names of all squares, and of those on the eighth file.
        const NAMES: &str = "a1b1c1d1e1f1g1h1a2b2c2d2e2f2g2h2a3b3c3d3e3f3g3h3a4b4c4d4e4f4g4h4\
                             a5b5c5d5e5f5g5h5a6b6c6d6e6f6g6h6a7b7c7d7e7f7g7h7";
        NAMES.split_at(2 * self.index()).1.split_at(2).0
    }
}

/// A text is not a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a square is a file from a to g and a rank from 1 to 7, such as e4")]
pub struct NotASquare;

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Self, NotASquare> {
        let &[file, rank] = text.as_bytes() else { return Err(NotASquare) };
        Self::new(file.wrapping_sub(b'a'), rank.wrapping_sub(b'1')).ok_or(NotASquare)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// A direction on the board; north is towards rank 7, east towards file g.
///
/// ```
/// use cublino_rules::{game::Player, games::cublino::*};
///
/// assert_eq!(Direction::of(Player::Two), [Direction::South, Direction::West, Direction::East]);
/// assert_eq!(Direction::NorthEast.opposite(), Direction::SouthWest);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::VariantArray)]
pub enum Direction {
    /// Towards rank 7: forward for player one.
    North,
    /// Towards rank 1: forward for player two.
    South,
    /// Towards file g.
    East,
    /// Towards file a.
    West,
    /// Forward and east for player one, in Ecke.
    NorthEast,
    /// Forward and west for player two, in Ecke.
    SouthWest,
    /// Forward and west for player one, in Ecke.
    NorthWest,
    /// Forward and east for player two, in Ecke.
    SouthEast,
}

impl Direction {
    /// How many there are.
    pub(crate) const COUNT: usize = Self::ALL.len();
    /// All directions, each at its number, beside its opposite.
    pub(crate) const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Straight on for a player: forward first, then west and east.
    pub const fn of(player: Player) -> [Self; 3] {
        [Self::forward(player), Self::West, Self::East]
    }

    /// Towards the opponent's end.
    pub const fn forward(player: Player) -> Self {
        match player {
            Player::One => Self::North,
            Player::Two => Self::South,
        }
    }

    /// Diagonally towards the opponent's end: west, then east.
    pub const fn diagonals(player: Player) -> [Self; 2] {
        match player {
            Player::One => [Self::NorthWest, Self::NorthEast],
            Player::Two => [Self::SouthWest, Self::SouthEast],
        }
    }

    /// The other way.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[self as usize ^ 1]
    }

    /// The direction of an offset that is straight or diagonal: files to the east, ranks to the north.
    pub(crate) fn of_offset((east, north): (i8, i8)) -> Option<Self> {
        let straight = east == 0 || north == 0 || east.abs() == north.abs();
        let rotation = 8 * north.signum() + east.signum();
        Self::ALL.iter().copied().find(|&direction| straight && ROTATIONS[direction as usize] == rotation)
    }
}

/// By how many bits a [`Squares`] turns left when it moves one square in a direction, each at its number:
/// eight for a rank to the north, one for a file to the east.
const ROTATIONS: [i8; Direction::COUNT] = [8, -8, 1, -1, 9, -9, 7, -7];

/// A set of squares, one bit each.
///
/// A set that was shifted may hold places beside the board; they fall away with [`on_board`](Self::on_board)
/// or with any intersection with squares of the board.
///
/// ```
/// use cublino_rules::{game::Player, games::cublino::*};
///
/// let corners = Squares::far_corners(Player::One);
/// let names: Vec<_> = corners.map(|square| square.to_string()).collect();
/// assert_eq!(names, ["a7", "g7"]);
/// assert_eq!(Squares::far_rank(Player::One).without(corners).count(), 5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, BitAnd, BitOr, BitOrAssign)]
#[must_use]
pub struct Squares(u64);

impl Squares {
    /// No square.
    pub const NONE: Self = Self(0);
    /// All 49 squares.
    pub const ALL: Self = Self(0x007f_7f7f_7f7f_7f7f);

    /// The squares of a rank, 0 to 6.
    pub const fn rank(rank: u8) -> Self {
        Self(0x7f << (8 * rank))
    }

    /// The rank that a player's dice head for.
    pub const fn far_rank(player: Player) -> Self {
        match player {
            Player::One => Self::rank(SIDE - 1),
            Player::Two => Self::rank(0),
        }
    }

    /// The two corners that a player's dice head for.
    pub const fn far_corners(player: Player) -> Self {
        const CORNERS_OF_A_RANK: u64 = 0x4141_4141_4141_4141;
        Self(Self::far_rank(player).0 & CORNERS_OF_A_RANK)
    }

    /// The squares as bits: bit 8 * rank + file.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether there is no square.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a square is among these.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 != 0
    }

    /// How many squares there are.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// These squares without others.
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// The first square, in order.
    #[expect(clippy::cast_possible_truncation, reason = "there are 64 bits")]
    pub(crate) const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// The neighbours of these squares in a direction, perhaps beside the board.
    ///
    /// ```
    /// use cublino_rules::games::cublino::*;
    ///
    /// let rank = Squares::rank(2).shift(Direction::North);
    /// assert_eq!(rank, Squares::rank(3));
    /// assert_eq!(Squares::rank(2).shift(Direction::East).on_board().count(), 6);
    /// ```
    pub const fn shift(self, direction: Direction) -> Self {
        Self(self.0.rotate_left(ROTATIONS[direction as usize].cast_unsigned() as u32))
    }

    /// The squares to the west and east of these, perhaps beside the board.
    pub fn sides(self) -> Self {
        self.shift(Direction::West) | self.shift(Direction::East)
    }

    /// These squares and those that share an edge with them.
    pub fn and_adjacent(self) -> Self {
        (self | self.sides() | self.shift(Direction::North) | self.shift(Direction::South)).on_board()
    }

    /// These squares and the eight around each.
    pub fn and_around(self) -> Self {
        let rows = (self | self.sides()).on_board();
        (rows | rows.shift(Direction::North) | rows.shift(Direction::South)).on_board()
    }

    /// Those that are on the board.
    pub const fn on_board(self) -> Self {
        Self(self.0 & Self::ALL.0)
    }
}

/// A set hands out its squares, in order.
#[expect(clippy::copy_iterator, reason = "a set that is looped over is a copy, and nobody takes one square")]
impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let first = self.first()?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::NONE, |set, square| set | square.set())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_49_squares_rank_by_rank() {
        let all: Vec<_> = Square::all().map(|s| s.to_string()).collect();
        assert_eq!(all.len(), 49);
        assert_eq!((&*all[0], &*all[1], &*all[7], &*all[48]), ("a1", "b1", "a2", "g7"));
    }

    #[test]
    fn squares_round_trip_through_text() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for text in ["", "a", "h1", "a0", "a8", "A1", "e44", "é", "4e"] {
            assert_eq!(text.parse::<Square>(), Err(NotASquare), "{text}");
        }
    }

    #[test]
    fn the_edge_of_the_board_has_no_neighbour_beyond() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        assert_eq!(square("g3").neighbour(Direction::East), None);
        assert_eq!(square("a3").neighbour(Direction::West), None);
        assert_eq!(square("a1").neighbour(Direction::West), None);
        assert_eq!(square("d7").neighbour(Direction::North), None);
        assert_eq!(square("d1").neighbour(Direction::South), None);
        assert_eq!(square("d1").neighbour(Direction::North), Some(square("d2")));
    }
}
