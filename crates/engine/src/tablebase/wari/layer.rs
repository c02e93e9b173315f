//! One layer of the Wari endgame tablebase, all positions with the same number of marbles: their numbers, and
//! what is known of them while it is built.

use std::{
    ops::{ControlFlow, Range},
    sync::atomic::{AtomicBool, AtomicU16, AtomicU64, AtomicUsize, Ordering},
    thread,
};

use cublino_rules::games::wari::{ROW, Row};

use super::{
    file::Share,
    sides::{Side, Sides, Sowing, sides_with},
};
use crate::tablebase::numbering::{THINGS, number, numbers_with, things, ways_up_to};

/// Bits in a word of marks.
const WORD: usize = u64::BITS as usize;
/// Rows whose positions a thread takes at a time: some milliseconds of work at most, so that threads end a
/// sweep together.
const ROWS_AT_A_TIME: usize = 16;

/// The marbles in positions that are over because they go on for ever.
pub(super) const ENDLESS: u8 = 2;

/// The bounds of a position while they are narrowed: how many marbles the lower one has gone up and the upper
/// one down, a byte each. A zero, which is what a new file is full of, knows nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell(pub(super) u16);

impl Cell {
    fn new(share: Share, marbles: u8) -> Self {
        Self(u16::from_le_bytes([share.least, marbles - share.most]))
    }

    /// The bounds that it stands for among positions with so many marbles.
    #[inline]
    pub(super) fn share(self, marbles: u8) -> Share {
        let [least, less] = self.0.to_le_bytes();
        Share { least, most: marbles - less }
    }

    /// Whether no cell of a position with so many marbles is like this.
    pub(super) fn is_nonsense(self, marbles: u8) -> bool {
        let [least, less] = self.0.to_le_bytes();
        least.checked_add(less).is_none_or(|known| known > marbles)
    }
}

/// A bit for each position with a number of marbles that is to be looked at. They are in the order of the
/// positions with the sides exchanged, so that those with the same row of the side to move are together.
pub(super) struct Marks(Box<[AtomicU64]>);

impl Marks {
    /// All positions with so many marbles.
    pub(super) fn all(marbles: u8) -> Self {
        let positions = positions_with(marbles).len();
        let mut words: Box<[_]> = (0..positions.div_ceil(WORD)).map(|_| AtomicU64::new(u64::MAX)).collect();
        if let Some(last) = words.last_mut() {
            *last.get_mut() = u64::MAX >> (WORD - 1 - (positions - 1) % WORD);
        }
        Self(words)
    }

    /// The memory of those for so many marbles.
    pub(super) fn bytes(marbles: u8) -> usize {
        positions_with(marbles).len().div_ceil(WORD) * size_of::<u64>()
    }

    pub(super) fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }
}

/// How far a sweep has come.
#[derive(Default)]
pub(super) struct Sweep {
    /// The row of the side to move that is next.
    next: AtomicUsize,
    /// Positions that have been passed by.
    passed: AtomicUsize,
}

/// The positions with a number of marbles.
pub(super) struct Layer<'a> {
    pub(super) marbles: u8,
    pub(super) sides: &'a Sides,
    /// The shares in positions with fewer marbles.
    pub(super) fewer: &'a [&'a [u8]],
    /// A [`Cell`] for each position, in the order of their numbers.
    pub(super) cells: &'a [AtomicU16],
    /// Those that are to be looked at.
    pub(super) marks: &'a Marks,
    pub(super) threads: usize,
    /// Whether the work was broken off before, so that the bounds of a position may be other than those that
    /// follow from the next positions as they were when it was looked at last.
    pub(super) is_resumed: bool,
}

impl Layer<'_> {
    /// Gives the positions that are over, because they would go on for ever, their share: what is exact is
    /// not looked at any more.
    pub(super) fn settle_endless(&self) {
        if self.marbles != ENDLESS {
            return;
        }
        for (cell, number) in self.cells.iter().zip(positions_with(self.marbles)) {
            let [mover, other] = rows(number);
            if mover.is_endless_against(other) {
                cell.store(Cell::new(Share::exactly(mover.total()), self.marbles).0, Ordering::Relaxed);
            }
        }
    }

    /// Looks at the marked positions once, from where the sweep has come to, and tells how many
    /// positions have been passed by. Whoever is told can break it off; whether it came to the end is the
    /// answer.
    pub(super) fn sweep(&self, sweep: &Sweep, on_passed: &mut dyn FnMut(usize) -> ControlFlow<()>) -> bool {
        let is_broken_off = AtomicBool::new(false);
        let mut go_on = |passed| {
            if on_passed(passed).is_break() {
                is_broken_off.store(true, Ordering::Relaxed);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| self.work(sweep, &is_broken_off, &mut |_| {}));
            }
            self.work(sweep, &is_broken_off, &mut go_on);
        });
        sweep.next.load(Ordering::Relaxed) >= sides_with(self.marbles).end
    }

    /// What a thread does: it takes the next rows of the side to move, and looks at the marked positions with
    /// them, until there are no more.
    ///
    /// Cells and marks need no order among each other. A thread that looks at a position and misses a change
    /// has taken its mark before, and the thread that makes the change marks it again afterwards: the two
    /// touch the same word of marks, and with it everything done before is seen.
    fn work(&self, sweep: &Sweep, is_broken_off: &AtomicBool, on_passed: &mut dyn FnMut(usize)) {
        let rows = sides_with(self.marbles).end;
        while !is_broken_off.load(Ordering::Relaxed) {
            let begin = sweep.next.fetch_add(ROWS_AT_A_TIME, Ordering::Relaxed);
            if begin >= rows {
                return;
            }
            for mover in (begin..rows.min(begin + ROWS_AT_A_TIME)).map(Side::new) {
                self.take_marks(mover, |other| self.update(mover, other));
                sweep.passed.fetch_add(self.sides.places(self.marbles, mover).len(), Ordering::Relaxed);
            }
            on_passed(sweep.passed.load(Ordering::Relaxed));
        }
    }

    /// Takes the marks of the positions with a row of the side to move, and hands over the other rows.
    fn take_marks(&self, mover: Side, mut marked: impl FnMut(Side)) {
        let places = self.sides.places(self.marbles, mover);
        let first = sides_with(self.marbles - self.sides.total(mover)).start;
        for number in places.start / WORD..places.end.div_ceil(WORD) {
            let word = &self.marks.0[number];
            let from = number * WORD;
            // The first and the last word may be shared with other rows.
            let own = u64::MAX << places.start.saturating_sub(from)
                & u64::MAX >> (from + WORD).saturating_sub(places.end);
            if word.load(Ordering::Relaxed) & own == 0 {
                continue;
            }
            let mut taken = word.fetch_and(!own, Ordering::AcqRel) & own;
            while taken != 0 {
                marked(Side::new(first + from + taken.trailing_zeros() as usize - places.start));
                taken &= taken - 1;
            }
        }
    }

    /// Narrows the bounds of a position; if that changes them, marks the positions before whose bounds may
    /// follow.
    fn update(&self, mover: Side, other: Side) {
        let cell = &self.cells[self.sides.place(self.marbles, mover, other)];
        let old = Cell(cell.load(Ordering::Relaxed)).share(self.marbles);
        if old.is_exact() {
            return;
        }
        // Cells of a broken run can be of different ages: what is narrower already stays so.
        let new = after_best(self.sides, self.marbles, mover, other, |m, p| self.known(m, p)).and(old);
        if new == old {
            return;
        }
        cell.store(Cell::new(new, self.marbles).0, Ordering::Relaxed);
        let (rest, old_rest) = (new.rest_of(self.marbles), old.rest_of(self.marbles));
        // With several threads, one may just be about to narrow bounds that this one reads.
        let is_rough = self.is_resumed || self.threads > 1;
        let opposings = self.sides.before_landing(mover);
        for &Sowing { row: before, overflow } in self.sides.sowings_to(other) {
            let Some(opposing) = opposings[usize::from(overflow)] else { continue };
            let share = self.known(self.marbles, self.sides.place(self.marbles, before, opposing));
            // The lower bound of who moves here is that of the best move. The upper bound changes only if it
            // came from this move; where it may be another's, what this move still allows needs no look.
            let rises = rest.least > share.least;
            let falls = rest.most < old_rest.most
                && if is_rough { share.most > rest.most } else { share.most == old_rest.most };
            if !share.is_exact() && (rises || falls) {
                let place = self.sides.place(self.marbles, opposing, before);
                self.marks.0[place / WORD].fetch_or(1 << (place % WORD), Ordering::AcqRel);
            }
        }
    }

    /// What is known by now about a position with so many marbles, by its place.
    #[inline]
    fn known(&self, marbles: u8, place: usize) -> Share {
        if marbles == self.marbles {
            Cell(self.cells[place].load(Ordering::Relaxed)).share(marbles)
        } else {
            Share::of_byte(self.fewer[usize::from(marbles)][place], marbles)
        }
    }
}

/// The bounds of a position as they follow from those of the positions that follow, which are known by their
/// marbles and places.
#[inline]
pub(super) fn after_best(
    sides: &Sides,
    marbles: u8,
    mover: Side,
    other: Side,
    known: impl Fn(u8, usize) -> Share,
) -> Share {
    let after = |&Sowing { row, overflow }: &Sowing| {
        let landing = sides.landing(overflow, other)?;
        let left = marbles - landing.captured;
        Some(known(left, sides.place(left, landing.row, row)).rest_of(marbles))
    };
    let shares = sides.sowings(mover).iter().filter_map(after);
    shares.reduce(Share::or).unwrap_or_else(|| Share::exactly(sides.total(mover)))
}

/// Cups on the board.
const CUPS: usize = 2 * ROW;
/// The most marbles for which positions have numbers.
#[expect(clippy::cast_possible_truncation, reason = "there are 24")]
pub(super) const MOST: u8 = THINGS as u8;

/// How many positions there are with up to so many marbles, those included in which the side to move has
/// none, which the rules do not allow.
pub(super) fn positions_up_to(marbles: u8) -> usize {
    ways_up_to(marbles.into(), CUPS)
}

/// The numbers of the positions with exactly so many marbles.
pub(super) fn positions_with(marbles: u8) -> Range<usize> {
    numbers_with(marbles.into(), CUPS)
}

/// The number of a position with up to [`MOST`] marbles, counted from 0: positions with fewer marbles come
/// first.
#[inline]
pub(super) fn index(mover: Row, other: Row) -> usize {
    number(mover.cups().into_iter().chain(other.cups()))
}

/// The rows of the side to move and of the other in the position with a number.
pub(super) fn rows(index: usize) -> [Row; 2] {
    let cups: [u8; CUPS] = things(index);
    [0, ROW].map(|first| Row::new(std::array::from_fn(|place| cups[first + place]), 0))
}
