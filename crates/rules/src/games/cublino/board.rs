//! The right-handed die with its 24 orientations, and which dice lie where: sets of squares, so that rules
//! about many dice cost a few instructions.

use std::{array, cmp::Ordering};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::square::{Direction, Square, Squares};
use crate::game::Player;

/// A die of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Die {
    /// Whose it is.
    pub player: Player,
    /// How it lies.
    pub orientation: Orientation,
}

/// The dice on the board.
///
/// Orientations are kept in five sets of squares, one for each bit of a code: two for which of the four
/// possible faces looks north, then three for the number on top. So the tops of many dice are added up
/// by counting squares, and a board without history has one representation only.
///
/// ```
/// use cublino_rules::{game::*, games::*};
///
/// let start = Pur::default();
/// let board = start.board();
/// assert_eq!((board.occupied().count(), board.free().count()), (14, 35));
/// assert_eq!(board.sum_of_tops(board.dice(Player::One)), 7 * 6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    dice: [Squares; 2],
    code: [Squares; 5],
}

/// An orientation's number plus four has the top in its upper three bits, 1 to 6.
const CODE_OFFSET: u8 = 4;
/// The lowest bit of the top in the code.
const TOP_BIT: usize = 2;

impl Board {
    /// The squares of a player's dice.
    pub const fn dice(&self, player: Player) -> Squares {
        self.dice[player.index()]
    }

    /// The squares on which a die lies.
    pub fn occupied(&self) -> Squares {
        self.dice[0] | self.dice[1]
    }

    /// The squares without a die.
    pub fn free(&self) -> Squares {
        Squares::ALL.without(self.occupied())
    }

    /// The squares on which another board differs.
    #[inline]
    pub fn changed(&self, other: &Self) -> Squares {
        let dice = self.dice.iter().zip(&other.dice);
        let sets = dice.chain(self.code.iter().zip(&other.code));
        sets.fold(Squares::NONE, |changed, (&one, &two)| changed | one.without(two) | two.without(one))
    }

    /// The die on a square.
    pub(crate) fn die(&self, square: Square) -> Option<Die> {
        let player = Player::ALL.into_iter().find(|&player| self.dice(player).contains(square))?;
        Some(Die { player, orientation: self.orientation(square) })
    }

    /// All dice, square by square.
    pub(crate) fn all_dice(&self) -> impl Iterator<Item = (Square, Die)> + use<'_> {
        self.occupied().filter_map(|square| Some((square, self.die(square)?)))
    }

    /// The dice of a player that are on their far rank.
    pub fn home(&self, player: Player) -> Squares {
        self.dice(player) & Squares::far_rank(player)
    }

    /// The sum of the tops of the dice on some squares.
    pub fn sum_of_tops(&self, squares: Squares) -> u32 {
        let [ones, twos, fours] = [0, 1, 2].map(|bit| (self.code[TOP_BIT + bit] & squares).count());
        ones + 2 * twos + 4 * fours
    }

    /// Those among some squares on which a die shows more than this on top, and those on which it shows less.
    pub(crate) fn tops_above_and_below(&self, squares: Squares, top: u8) -> (Squares, Squares) {
        let (mut above, mut below, mut equal) = (Squares::NONE, Squares::NONE, squares & self.occupied());
        for bit in (0..3).rev() {
            let set = self.code[TOP_BIT + bit];
            if top >> bit & 1 == 0 {
                above |= equal & set;
                equal = equal.without(set);
            } else {
                below |= equal.without(set);
                equal = equal & set;
            }
        }
        (above, below)
    }

    /// This board without the dice on some squares.
    #[must_use]
    pub fn without(&self, squares: Squares) -> Self {
        Self {
            dice: self.dice.map(|set| set.without(squares)),
            code: self.code.map(|set| set.without(squares)),
        }
    }

    /// Puts a die on a free square.
    pub(crate) fn put(&mut self, square: Square, die: Die) {
        *self = self.relocated(die.player, square, square, die.orientation);
    }

    /// This board after a player's die has gone from one square to another, which is free or the same, and
    /// lies with this orientation.
    #[must_use]
    #[inline]
    pub fn relocated(&self, player: Player, from: Square, to: Square, orientation: Orientation) -> Self {
        let code = orientation.index() + CODE_OFFSET;
        let moved = |set: Squares, is_member| set.without(from.set()) | to.set_if(is_member);
        Self {
            dice: array::from_fn(|i| moved(self.dice[i], i == player.index())),
            code: array::from_fn(|bit| moved(self.code[bit], code >> bit & 1 != 0)),
        }
    }

    /// How the die on a square lies; the square holds one.
    #[inline]
    pub fn orientation(&self, square: Square) -> Orientation {
        let bits = self.code.iter().enumerate();
        let code = bits.fold(0, |code, (bit, set)| code | u8::from(set.contains(square)) << bit);
        Orientation::new(code.wrapping_sub(CODE_OFFSET)).expect("the square holds a die")
    }
}

/// A battle between the moved die and an enemy die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Battle {
    /// Where the moved die is.
    pub attacker: Square,
    /// Where the enemy die is.
    pub defender: Square,
    /// What counts for the moved die, 1 to 24.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 24))]
    pub attacker_total: u8,
    /// What counts for the enemy die, 1 to 24.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 24))]
    pub defender_total: u8,
    /// Which of the two lost: the player whose total is lower; null if the totals are equal.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub loser: Option<Player>,
}

impl Battle {
    /// The battle between two dice, decided by the totals.
    pub(super) fn between(attacker: (Square, u32), defender: (Square, u32), mover: Player) -> Self {
        let ((attacker, attacker_total), (defender, defender_total)) = (attacker, defender);
        let loser = match attacker_total.cmp(&defender_total) {
            Ordering::Less => Some(mover),
            Ordering::Equal => None,
            Ordering::Greater => Some(!mover),
        };
        let [attacker_total, defender_total] = [attacker_total, defender_total]
            .map(|total| u8::try_from(total).expect("four dice show 24 at most"));
        Self { attacker, defender, attacker_total, defender_total, loser }
    }
}

/// How a die lies: one of 24 orientations, `a` to `x`.
///
/// They are numbered by the top, then by the face towards rank 7, lowest first, skipping impossible ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[a-x]$", example = "l"))]
pub struct Orientation(u8);

/// The pips on the six faces of a die on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Faces {
    /// The face on top, 1 to 6.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 6))]
    pub top: u8,
    /// The face below, 1 to 6.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 6))]
    pub bottom: u8,
    /// The face towards rank 7, 1 to 6.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 6))]
    pub north: u8,
    /// The face towards rank 1, 1 to 6.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 6))]
    pub south: u8,
    /// The face towards file g, 1 to 6.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 6))]
    pub east: u8,
    /// The face towards file a, 1 to 6.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 6))]
    pub west: u8,
}

impl Orientation {
    /// How many there are.
    pub const COUNT: u8 = 24;
    /// Six up, four towards rank 7: the dice of player one at the start.
    pub(crate) const START_ONE: Self = Self(b'w' - b'a');
    /// Six up, three towards rank 7: the dice of player two at the start.
    pub(crate) const START_TWO: Self = Self(b'v' - b'a');

    /// The orientation with this number, 0 to 23.
    pub(crate) const fn new(index: u8) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index)) } else { None }
    }

    /// All orientations, in order.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// The number, 0 to 23.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The letter, `a` to `x`.
    pub(crate) const fn letter(self) -> u8 {
        b'a' + self.0
    }

    /// The pips on top, 1 to 6.
    pub const fn top(self) -> u8 {
        self.0 / 4 + 1
    }

    /// The pips on all faces. The sum of opposite ones is seven, and 1, 2 and 3 span a right-handed system of
    /// axes.
    pub(crate) const fn faces(self) -> Faces {
        /// The face towards file a, which completes a right-handed system with the top and the face towards
        /// rank 7.
        const WEST: [u8; Orientation::COUNT as usize] =
            [3, 5, 2, 4, 4, 1, 6, 3, 2, 6, 1, 5, 5, 1, 6, 2, 3, 6, 1, 4, 4, 2, 5, 3];
        let top = self.top();
        let west = WEST[self.0 as usize];
        let bottom = 7 - top;
        let (lower, higher) = if top < bottom { (top, bottom) } else { (bottom, top) };
        let mut north = self.0 % 4 + 1;
        north += (north >= lower) as u8;
        north += (north >= higher) as u8;
        Faces { top, bottom, north, south: 7 - north, east: 7 - west, west }
    }

    /// Whether the orientation is an odd permutation of the three axes of the die (1-6, 2-5 and 3-4): whether
    /// it takes an odd number of quarter turns.
    pub(crate) const fn is_odd(self) -> bool {
        const fn axis(face: u8) -> u8 {
            if face > 3 { 7 - face } else { face }
        }
        let Faces { top, north, .. } = self.faces();
        (axis(north) + 3 - axis(top)) % 3 == 1
    }

    /// After a tip in a direction: a quarter turn over the edge, or diagonally a half turn.
    ///
    /// ```
    /// use cublino_rules::games::{Pur, cublino::*};
    ///
    /// //   4        the face towards rank 7
    /// // 5[6]2      the top, and the faces towards files a and g
    /// let start = Pur::default().board().orientation("a1".parse()?);
    /// assert_eq!((start.top(), start.tipped(Direction::North).top()), (6, 3));
    /// assert_eq!(start.tipped(Direction::North).tipped(Direction::South), start);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn tipped(self, direction: Direction) -> Self {
        TIPPED[direction as usize][self.0 as usize]
    }

    const fn with_top_and_north(top: u8, north: u8) -> Self {
        let skipped = (north > top) as u8 + (north > 7 - top) as u8;
        Self(4 * (top - 1) + north - 1 - skipped)
    }

    /// The orientation after a tip. In a quarter turn the leading face goes to the bottom. In a half turn
    /// about the horizontal axis at right angles to a diagonal, top and bottom change places, and so do the
    /// two faces on either side of the diagonal's ends.
    const fn turn(self, direction: Direction) -> Self {
        let Faces { top, bottom, north, south, east, west } = self.faces();
        match direction {
            Direction::North => Self::with_top_and_north(south, top),
            Direction::South => Self::with_top_and_north(north, bottom),
            Direction::East => Self::with_top_and_north(west, north),
            Direction::West => Self::with_top_and_north(east, north),
            Direction::NorthEast | Direction::SouthWest => Self::with_top_and_north(bottom, west),
            Direction::NorthWest | Direction::SouthEast => Self::with_top_and_north(bottom, east),
        }
    }
}

impl Serialize for Orientation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(char::from(self.letter()))
    }
}

impl<'de> Deserialize<'de> for Orientation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let letter = u8::try_from(char::deserialize(deserializer)?).ok();
        let orientation = letter.and_then(|letter| Self::new(letter.wrapping_sub(b'a')));
        orientation.ok_or_else(|| de::Error::custom("an orientation is a letter from a to x"))
    }
}

/// The orientation after a tip, by direction and orientation before.
static TIPPED: [[Orientation; Orientation::COUNT as usize]; Direction::COUNT] = {
    let mut table = [[Orientation(0); Orientation::COUNT as usize]; Direction::COUNT];
    let mut d = 0;
    while d < Direction::COUNT {
        let mut o = 0;
        while o < Orientation::COUNT {
            table[Direction::ALL[d] as usize][o as usize] = Orientation(o).turn(Direction::ALL[d]);
            o += 1;
        }
        d += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// All orientations in turn.
    fn orientation_on(square: Square) -> Orientation {
        Orientation::all().nth(square.index() % usize::from(Orientation::COUNT)).unwrap()
    }

    #[test]
    fn the_sum_of_tops_adds_up_the_dice_on_the_squares() {
        let mut board = Board::default();
        let mut sum = 0;
        for square in Square::all() {
            let orientation = orientation_on(square);
            board.put(square, Die { player: Player::One, orientation });
            sum += u32::from(orientation.top());
            assert_eq!(board.sum_of_tops(Squares::ALL), sum);
            assert_eq!(board.sum_of_tops(square.set()), u32::from(orientation.top()));
            assert_eq!(board.orientation(square), orientation);
        }
    }

    #[test]
    fn every_tip_changes_the_parity_of_an_orientation() {
        let odd = Orientation::all().filter(|orientation| orientation.is_odd());
        assert_eq!(odd.count(), 12);
        for &direction in Direction::ALL {
            for orientation in Orientation::all() {
                assert_ne!(orientation.is_odd(), orientation.tipped(direction).is_odd(), "{direction:?}");
            }
        }
    }

    #[test]
    fn tops_are_compared_one_by_one() {
        let mut board = Board::default();
        for square in Square::all().skip(3) {
            let orientation = orientation_on(square);
            board.put(square, Die { player: Player::Two, orientation });
        }
        for top in 1..=6 {
            let (above, below) = board.tops_above_and_below(Squares::ALL, top);
            for square in Square::all() {
                let other = board.die(square).map_or(top, |die| die.orientation.top());
                assert_eq!((above.contains(square), below.contains(square)), (other > top, other < top));
            }
        }
    }

    fn orientation(letter: char) -> Orientation {
        Orientation::new(letter as u8 - b'a').unwrap()
    }

    const DIRECTIONS: [Direction; 4] = [Direction::North, Direction::South, Direction::East, Direction::West];

    #[test]
    fn one_up_and_two_facing_away_puts_three_on_the_left() {
        let faces = orientation('a').faces();
        assert_eq!((faces.top, faces.north, faces.west), (1, 2, 3));
    }

    #[test]
    fn opposite_faces_add_to_seven_and_all_six_are_there() {
        for orientation in Orientation::all() {
            let Faces { top, bottom, north, south, east, west } = orientation.faces();
            assert_eq!((top + bottom, north + south, east + west), (7, 7, 7), "{orientation:?}");
            assert_eq!(HashSet::from([top, bottom, north, south, east, west]).len(), 6, "{orientation:?}");
        }
    }

    #[test]
    fn orientations_are_numbered_by_top_then_by_the_face_towards_rank_7() {
        let numbered: Vec<_> = Orientation::all().map(|o| (o.faces().top, o.faces().north)).collect();
        let mut sorted = numbered.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(numbered, sorted);
        assert_eq!(numbered.len(), 24);
        // The letters that the notation's description names.
        let named = [('a', 1, 2), ('b', 1, 3), ('e', 2, 1), ('f', 2, 3), ('v', 6, 3), ('w', 6, 4)];
        for (letter, top, north) in named {
            let faces = orientation(letter).faces();
            assert_eq!((faces.top, faces.north), (top, north), "{letter}");
        }
    }

    #[test]
    fn the_dice_start_six_up_and_three_towards_their_own_player() {
        assert_eq!(Orientation::START_ONE.faces().top, 6);
        assert_eq!(Orientation::START_ONE.faces().south, 3);
        assert_eq!(Orientation::START_TWO.faces().top, 6);
        assert_eq!(Orientation::START_TWO.faces().north, 3);
    }

    #[test]
    fn a_tip_turns_the_die_over_the_edge_in_its_direction() {
        for before in Orientation::all() {
            // What leads goes down, what was below trails, what trailed comes up; the other two stay.
            let Faces { top, bottom, north, south, east, west } = before.faces();
            let after = |direction| before.tipped(direction).faces();
            let expected = Faces { top: south, bottom: north, north: top, south: bottom, east, west };
            assert_eq!(after(Direction::North), expected);
            let expected = Faces { top: north, bottom: south, north: bottom, south: top, east, west };
            assert_eq!(after(Direction::South), expected);
            let expected = Faces { top: west, bottom: east, north, south, east: top, west: bottom };
            assert_eq!(after(Direction::East), expected);
            let expected = Faces { top: east, bottom: west, north, south, east: bottom, west: top };
            assert_eq!(after(Direction::West), expected);
        }
    }

    #[test]
    fn a_diagonal_tip_is_a_half_turn_that_exchanges_top_and_bottom() {
        for before in Orientation::all() {
            let Faces { top, bottom, north, south, east, west } = before.faces();
            let after = |direction| before.tipped(direction).faces();
            let expected =
                Faces { top: bottom, bottom: top, north: west, south: east, east: south, west: north };
            assert_eq!(after(Direction::NorthEast), expected);
            assert_eq!(after(Direction::SouthWest), expected);
            let expected =
                Faces { top: bottom, bottom: top, north: east, south: west, east: north, west: south };
            assert_eq!(after(Direction::NorthWest), expected);
            assert_eq!(after(Direction::SouthEast), expected);
        }
    }

    #[test]
    fn four_tips_in_one_direction_turn_a_die_right_round() {
        for before in Orientation::all() {
            for direction in DIRECTIONS {
                let after = (0..4).fold(before, |die, _| die.tipped(direction));
                assert_eq!(after, before, "{direction:?}");
            }
        }
    }

    #[test]
    fn tips_reach_every_orientation() {
        let mut reached = HashSet::from([Orientation::START_ONE]);
        while let Some(new) =
            reached.iter().flat_map(|o| DIRECTIONS.map(|d| o.tipped(d))).find(|o| !reached.contains(o))
        {
            reached.insert(new);
        }
        assert_eq!(reached.len(), 24);
    }
}
