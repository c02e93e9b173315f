//! The right-handed die and its 24 orientations.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::square::Direction;

/// How a die lies: one of 24 orientations, `a` to `x`.
///
/// The sum of opposite faces is seven, and 1, 2 and 3 span a right-handed system of axes.
///
/// They are numbered by the top, then by the face towards rank 7, lowest first, skipping impossible ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "openapi",
    derive(utoipa::ToSchema),
    schema(value_type = String, pattern = "^[a-x]$", example = "l")
)]
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
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// The number, 0 to 23.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The letter, `a` to `x`.
    pub(crate) const fn letter(self) -> u8 {
        b'a' + self.0
    }

    /// The pips on top, 1 to 6.
    #[must_use]
    pub const fn top(self) -> u8 {
        self.0 / 4 + 1
    }

    /// The pips on all faces.
    pub(crate) const fn faces(self) -> Faces {
        /// The face towards file a, which completes a right-handed system with the top and the face towards
        /// rank 7.
        const WEST: [u8; Orientation::COUNT as usize] =
            [3, 5, 2, 4, 4, 1, 6, 3, 2, 6, 1, 5, 5, 1, 6, 2, 3, 6, 1, 4, 4, 2, 5, 3];
        let (top, west) = (self.top(), WEST[self.0 as usize]);
        let bottom = 7 - top;
        let (lower, higher) = if top < bottom { (top, bottom) } else { (bottom, top) };
        let mut north = self.0 % 4 + 1;
        north += (north >= lower) as u8;
        north += (north >= higher) as u8;
        Faces { top, bottom, north, south: 7 - north, east: 7 - west, west }
    }

    /// After a tip in a direction: a quarter turn over the edge, or diagonally a half turn.
    #[must_use]
    pub const fn tipped(self, direction: Direction) -> Self {
        TIPPED[direction as usize][self.0 as usize]
    }

    const fn with_top_and_north(top: u8, north: u8) -> Self {
        let skipped = (north > top) as u8 + (north > 7 - top) as u8;
        Self(4 * (top - 1) + north - 1 - skipped)
    }

    /// What rolls where. In a quarter turn the face that leads goes to the bottom. In a half turn about the
    /// horizontal axis square to a diagonal, top and bottom change places, and so do the two faces on
    /// either side of the diagonal's ends.
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
