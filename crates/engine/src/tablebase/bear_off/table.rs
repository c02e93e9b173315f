//! The table as it lies in the program: bytes, read where they are.
//!
//! By the number of the way in which up to fifteen checkers stand at home it has the fewest rolls (a byte
//! each), the most rolls (a byte each), and where its chances begin among all (four bytes each, the lowest
//! first; one more tells where the last end). Then come the chances, in parts of 65,535, two bytes each: of
//! as many rolls as are fewest, of one more, and so on.
//!
//! Last comes, for each two ways with few checkers, the chance of the player who is about to roll, in the
//! same parts and two bytes each, by the number of that player's way and then by the other's.

use crate::tablebase::numbering::{number, ways_up_to};
use cublino_rules::games::mahbusa::{CHECKERS, Checkers, Point};

/// Points of the home board.
pub(super) const HOME: usize = 6;

/// The chances of numbers of rolls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'a> {
    fewest: &'a [u8],
    most: &'a [u8],
    begins: &'a [[u8; 4]],
    chances: &'a [[u8; 2]],
    both_with_few: &'a [[u8; 2]],
}

/// The table that comes with the program.
pub(super) static BEAR_OFF: Table<'static> = Table::of_bytes(include_bytes!("table.bin"));

/// What stands for certainty.
pub(super) const CERTAIN: f64 = u16::MAX as f64;

/// The ways in which up to fifteen checkers can stand at home.
pub(super) const WAYS: usize = ways_up_to(CHECKERS as usize, HOME);

/// So many checkers are few: the usual size of two-sided tables in backgammon.
pub(super) const FEW: usize = 6;

/// The ways in which few checkers can stand at home; their numbers come first.
pub(super) const FEW_WAYS: usize = ways_up_to(FEW, HOME);

impl<'a> Table<'a> {
    /// The table that some bytes are. Fails to compile if those of the program are no table.
    const fn of_bytes(bytes: &'a [u8]) -> Self {
        let (fewest, rest) = bytes.split_at(WAYS);
        let (most, rest) = rest.split_at(WAYS);
        let (begins, rest) = rest.split_at(4 * (WAYS + 1));
        let (chances, both_with_few) = rest.split_at(rest.len() - 2 * FEW_WAYS * FEW_WAYS);
        Self {
            fewest,
            most,
            begins: begins.as_chunks().0,
            chances: chances.as_chunks().0,
            both_with_few: both_with_few.as_chunks().0,
        }
    }

    /// The rolls that it takes with the best dice.
    pub(super) fn fewest_rolls(&self, way: usize) -> u32 {
        self.fewest[way].into()
    }

    /// The rolls that it takes with the worst dice, when they are played so that these are few.
    pub(super) fn most_rolls(&self, way: usize) -> u32 {
        self.most[way].into()
    }

    /// Numbers of rolls with their chances, the lowest number first. All others have no chance, or hardly
    /// any.
    pub(super) fn chances(&self, way: usize) -> impl Iterator<Item = (u32, f64)> + use<'a> {
        let begin = |way: usize| u32::from_le_bytes(self.begins[way]) as usize;
        let parts = &self.chances[begin(way)..begin(way + 1)];
        (self.fewest_rolls(way)..).zip(parts.iter().map(|&part| of_parts(part)))
    }

    /// The chance of the player who is about to roll to be first, where both have few checkers.
    pub(super) fn chance_to_be_first(&self, own: usize, other: usize) -> Option<f64> {
        let are_few = own < FEW_WAYS && other < FEW_WAYS;
        are_few.then(|| of_parts(self.both_with_few[own * FEW_WAYS + other]))
    }
}

/// A chance in the parts that stand in the table.
fn of_parts(parts: [u8; 2]) -> f64 {
    f64::from(u16::from_le_bytes(parts)) / CERTAIN
}

/// The number of the way in which checkers, all at home, stand.
pub(super) fn number_of(checkers: Checkers) -> usize {
    let points = (0..).take(HOME).map(|index| Point::new(index).expect("there are more points than at home"));
    number(points.map(|point| checkers.on(point)))
}
