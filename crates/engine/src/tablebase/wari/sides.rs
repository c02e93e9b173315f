//! Tables of what moves do to the two sides of the board.
//!
//! What a move does to the mover's row depends on that row alone. What it does to the opponent's row depends
//! on that row and on how many marbles go past the mover's last cup. So tables of rows are enough for all
//! positions, and there are few rows: 18,564 with up to twelve marbles, 593,775 with up to 24.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "there are 593,775 rows, at most 24 marbles in one, and places have 29 bits"
)]

use std::{num::NonZero, ops::Range};

use crate::tablebase::numbering::{THINGS, number, numbers_with, things, ways_up_to};
use cublino_rules::games::wari::{Place, ROW, Row};

/// A player's row, by its number: rows with fewer marbles come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side(
    /// Counted from 1, so that an optional one takes no more memory in tables.
    NonZero<u32>,
);

/// A move as it concerns the mover's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sowing {
    /// The mover's row after the move; where moves are taken back, the row before it.
    pub(super) row: Side,
    /// The marbles that go past the mover's last cup.
    pub(super) overflow: u8,
}

/// A move as it concerns the opponent's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Landing {
    /// The opponent's row after the move.
    pub(super) row: Side,
    /// The marbles captured from it.
    pub(super) captured: u8,
}

/// Where moves lead from all rows with up to some number of marbles.
#[derive(Debug)]
pub(super) struct Sides {
    most: u8,
    /// The marbles in each row.
    totals: Box<[u8]>,
    /// The moves from each row.
    sowings: Box<[Box<[Sowing]>]>,
    /// The moves to each row, each with the row before it.
    sowings_to: Box<[Box<[Sowing]>]>,
    /// What each overflow does to each row.
    landings: Box<[Box<[Option<Landing>]>]>,
    /// For each row and each overflow the row that becomes it without a capture.
    before_landing: Box<[Option<Side>]>,
    /// By the marbles on the board and the row of the player who is not to move: the place of a position
    /// among those with as many marbles is this plus the index of the mover's row.
    starts: Box<[Box<[i32]>]>,
}

impl Side {
    /// The row with this number, counted from 0.
    pub(super) const fn new(index: usize) -> Self {
        Self(NonZero::<u32>::MIN.saturating_add(index as u32))
    }

    /// The number counted from 0.
    pub(super) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    fn of(row: Row) -> Self {
        Self::new(number(row.cups()))
    }

    pub(super) fn row(self) -> Row {
        Row::new(things(self.index()), 0)
    }
}

/// The rows with exactly so many marbles, as they are [counted from 0](Side::index).
pub(super) fn sides_with(marbles: u8) -> Range<usize> {
    numbers_with(marbles.into(), ROW)
}

/// The rows with up to so many marbles.
fn sides_up_to(marbles: u8) -> impl Iterator<Item = Side> {
    (0..ways_up_to(marbles.into(), ROW)).map(Side::new)
}

impl Sides {
    /// The tables for positions with up to so many marbles.
    pub(super) fn new(most: u8) -> Self {
        let rows = sides_up_to(most).count();
        let sowings: Box<[Box<[_]>]> = sides_up_to(most).map(|side| sowings(side.row()).collect()).collect();
        let mut sowings_to = vec![Vec::new(); rows];
        for (before, sowings) in sides_up_to(most).zip(&sowings) {
            for &Sowing { row, overflow } in sowings {
                sowings_to[row.index()].push(Sowing { row: before, overflow });
            }
        }
        let landings: Box<[Box<[_]>]> = (0..=most)
            .map(|overflow| sides_up_to(most - overflow).map(|side| landing(side.row(), overflow)).collect())
            .collect();
        let mut before_landing = vec![None; rows * overflows(most)].into_boxed_slice();
        for (overflow, landings) in landings.iter().enumerate() {
            for (side, landing) in sides_up_to(most).zip(landings) {
                if let Some(Landing { row, captured: 0 }) = landing {
                    before_landing[row.index() * overflows(most) + overflow] = Some(side);
                }
            }
        }
        let starts = |marbles| sides_up_to(marbles).map(move |other| start(marbles, other.row())).collect();
        Self {
            most,
            totals: sides_up_to(most).map(|side| side.row().total()).collect(),
            sowings,
            sowings_to: sowings_to.into_iter().map(Vec::into_boxed_slice).collect(),
            landings,
            before_landing,
            starts: (0..=most).map(starts).collect(),
        }
    }

    /// The marbles in a row.
    pub(super) fn total(&self, side: Side) -> u8 {
        self.totals[side.index()]
    }

    /// The moves from a row.
    pub(super) fn sowings(&self, side: Side) -> &[Sowing] {
        &self.sowings[side.index()]
    }

    /// The moves to a row, each with the row before it.
    pub(super) fn sowings_to(&self, side: Side) -> &[Sowing] {
        &self.sowings_to[side.index()]
    }

    /// The opponent's row after an overflow; `None` if the move is not legal because it leaves no marble
    /// there.
    pub(super) fn landing(&self, overflow: u8, side: Side) -> Option<Landing> {
        self.landings[usize::from(overflow)][side.index()]
    }

    /// The opponent's rows that become this one without a capture, by the overflow.
    pub(super) fn before_landing(&self, side: Side) -> &[Option<Side>] {
        let overflows = overflows(self.most);
        &self.before_landing[side.index() * overflows..][..overflows]
    }

    /// The place of a position among those with so many marbles, in the order of their numbers.
    pub(super) fn place(&self, marbles: u8, mover: Side, other: Side) -> usize {
        (self.start(marbles, other) + mover.index() as i32) as usize
    }

    /// The places of the positions in which the player who is not to move has this row.
    pub(super) fn places(&self, marbles: u8, other: Side) -> Range<usize> {
        let movers = sides_with(marbles - self.total(other));
        let place = |index| (self.start(marbles, other) + index as i32) as usize;
        place(movers.start)..place(movers.end)
    }

    fn start(&self, marbles: u8, other: Side) -> i32 {
        self.starts[usize::from(marbles)][other.index()]
    }
}

/// The number of different overflows from rows with up to so many marbles.
const fn overflows(most: u8) -> usize {
    most as usize + 1
}

/// The moves from a row. Whether they are legal depends on the opponent's row.
fn sowings(row: Row) -> impl Iterator<Item = Sowing> {
    // From cups with so many marbles nothing is captured, so every move is legal.
    let safe = Row::new([4; ROW], 0);
    row.occupied().map(move |place| {
        let (after, _) = row.sow(safe, place).expect("it leaves marbles on the other side");
        let within = (ROW - 1 - place.index()) as u8;
        Sowing { row: Side::of(after), overflow: row.marbles(place).saturating_sub(within) }
    })
}

/// What an overflow does to a row: the same as sowing so many marbles from the last cup, wherever they come
/// from.
fn landing(row: Row, overflow: u8) -> Option<Landing> {
    let mover = Row::new([0, 0, 0, 0, 0, overflow], 0);
    let (mover, row) = mover.sow(row, Place::ALL[ROW - 1])?;
    Some(Landing { row: Side::of(row), captured: mover.prisoners() })
}

/// The place of positions with so many marbles and a row of the player who is not to move, less the number of
/// the mover's row: it is the same for all rows that have the rest of the marbles.
fn start(marbles: u8, other: Row) -> i32 {
    let mover = Row::new([marbles - other.total(), 0, 0, 0, 0, 0], 0);
    let place = index(mover, other) - positions_with(marbles).start;
    place as i32 - number(mover.cups()) as i32
}

/// Cups on the board.
const CUPS: usize = 2 * ROW;
/// The most marbles for which positions have numbers.
#[expect(clippy::cast_possible_truncation, reason = "there are 24")]
pub(super) const MOST: u8 = THINGS as u8;

/// The number of positions with up to so many marbles, including those in which the side to move has none,
/// which the rules do not allow.
pub(super) fn positions_up_to(marbles: u8) -> usize {
    ways_up_to(marbles.into(), CUPS)
}

/// The numbers of the positions with exactly so many marbles.
pub(super) fn positions_with(marbles: u8) -> Range<usize> {
    numbers_with(marbles.into(), CUPS)
}

/// The number of a position with up to [`MOST`] marbles, counted from 0: positions with fewer marbles come
/// first.
pub(super) fn index(mover: Row, other: Row) -> usize {
    number(mover.cups().into_iter().chain(other.cups()))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const MARBLES: u8 = 6;

    /// The rows of the side to move and of the other in the position with a number.
    pub(in crate::tablebase::wari) fn rows(index: usize) -> [Row; 2] {
        let cups: [u8; CUPS] = things(index);
        [0, ROW].map(|first| Row::new(std::array::from_fn(|place| cups[first + place]), 0))
    }

    fn positions() -> impl Iterator<Item = (usize, u8, [Row; 2])> {
        let with = |marbles| positions_with(marbles).map(move |number| (number, marbles, rows(number)));
        (0..=MARBLES).flat_map(with)
    }

    #[test]
    fn tables_know_the_numbers_of_positions() {
        let sides = Sides::new(MARBLES);
        for (number, marbles, [mover, other]) in positions() {
            let place = number - positions_with(marbles).start;
            let side = Side::of(other);
            assert_eq!(sides.place(marbles, Side::of(mover), side), place);
            assert!(sides.places(marbles, side).contains(&place));
            assert_eq!(sides.total(Side::of(mover)), mover.total());
        }
    }

    #[test]
    fn tables_lead_where_the_rules_do() {
        // Enough marbles to go round the board in one move.
        const MANY: u8 = 14;
        let sides = Sides::new(MANY);
        let many = positions_with(MANY).step_by(997).map(rows);
        for [mover, other] in positions().map(|(_, _, rows)| rows).chain(many) {
            let expected = mover.occupied().map(|place| {
                let (mover, other) = mover.sow(other, place)?;
                Some((Side::of(mover), Side::of(other), mover.prisoners()))
            });
            let found = sides.sowings(Side::of(mover)).iter().map(|&Sowing { row, overflow }| {
                let landing = sides.landing(overflow, Side::of(other))?;
                Some((row, landing.row, landing.captured))
            });
            assert!(found.eq(expected), "{mover:?} {other:?}");
        }
    }

    #[test]
    fn tables_lead_back_wherever_nothing_was_captured() {
        let sides = Sides::new(MARBLES);
        let mut forwards = Vec::new();
        for (_, _, [mover, other]) in positions() {
            let sown = mover.occupied().filter_map(|place| mover.sow(other, place));
            let without_capture = sown.filter(|(row, _)| row.prisoners() == 0);
            forwards.extend(without_capture.map(|(row, next)| [mover, other, next, row].map(Side::of)));
        }
        let mut backwards = Vec::new();
        for (_, _, [mover, other]) in positions() {
            let [mover, other] = [mover, other].map(Side::of);
            let opposings = sides.before_landing(mover);
            for &Sowing { row, overflow } in sides.sowings_to(other) {
                let opposing = opposings[usize::from(overflow)];
                backwards.extend(opposing.map(|opposing| [row, opposing, mover, other]));
            }
        }
        let order = |sides: &[Side; 4]| sides.map(Side::index);
        forwards.sort_by_key(order);
        backwards.sort_by_key(order);
        assert_eq!(forwards, backwards);
    }
}
