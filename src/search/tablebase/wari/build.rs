//! Working the endgames out.
//!
//! Positions with more marbles need those with fewer, so they are worked out number by number of marbles.
//! Among positions with the same number each first gets the widest bounds there are; then bounds are narrowed
//! by those of the positions that follow, until nothing changes any more. What is never narrowed is endless
//! play.
//!
//! A position is looked at again only when a position that may follow without a capture has changed. In which
//! order that happens makes no difference to the end, and so threads need not wait for each other.

use std::{
    sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering},
    thread,
};

use super::{
    index::{positions_with, rows},
    share::Share,
    sides::{Side, Sides, Sowing, sides_with},
};

/// How far the work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions with so many marbles are being worked out.
    pub marbles: u8,
    /// Positions that are done with, those with fewer marbles included.
    pub done: u64,
    /// Positions in all.
    pub of: u64,
}

/// Bits in a word of marks.
const WORD: usize = u64::BITS as usize;
/// Rows whose positions a thread takes at a time: less than a millisecond of work, so that threads end a
/// sweep together.
const ROWS_AT_A_TIME: usize = 16;

/// The marbles in positions that are over because they go on for ever.
const ENDLESS: u8 = 2;

/// The shares in all positions with up to so many marbles, as bytes by the number of the position.
pub(super) fn build(marbles: u8, threads: usize, on_progress: &mut dyn FnMut(Progress)) -> Box<[u8]> {
    let of = positions_with(marbles).end;
    let sides = Sides::new(marbles);
    let mut shares = Vec::with_capacity(of);
    for marbles in 0..=marbles {
        let unknown = Share::unknown(marbles).to_byte();
        shares.resize_with(positions_with(marbles).end, || AtomicU8::new(unknown));
        let layer = Layer::new(&sides, &shares, marbles, threads.max(1));
        loop {
            let marked = layer.sweep();
            on_progress(Progress { marbles, done: shares.len() as u64 - marked, of: of as u64 });
            if marked == 0 {
                break;
            }
        }
    }
    shares.into_iter().map(AtomicU8::into_inner).collect()
}

/// The positions with a number of marbles.
struct Layer<'a> {
    marbles: u8,
    threads: usize,
    sides: &'a Sides,
    /// Of all positions with up to so many marbles.
    shares: &'a [AtomicU8],
    /// The number of the first position with so many marbles.
    first: usize,
    /// A bit for each position that is to be looked at. They are in the order of the positions with the sides
    /// exchanged, so that those with the same row of the side to move are together.
    marks: Vec<AtomicU64>,
}

impl<'a> Layer<'a> {
    /// With all positions still to be looked at.
    fn new(sides: &'a Sides, shares: &'a [AtomicU8], marbles: u8, threads: usize) -> Self {
        let positions = positions_with(marbles);
        if marbles == ENDLESS {
            for number in positions.clone() {
                let [mover, other] = rows(number);
                if mover.is_endless_against(other) {
                    // What is exact is not looked at any more.
                    shares[number].store(Share::exactly(mover.total()).to_byte(), Ordering::Relaxed);
                }
            }
        }
        let mut marks: Vec<_> =
            (0..positions.len().div_ceil(WORD)).map(|_| AtomicU64::new(u64::MAX)).collect();
        if let Some(last) = marks.last_mut() {
            *last.get_mut() = u64::MAX >> (WORD - 1 - (positions.len() - 1) % WORD);
        }
        Self { marbles, threads, sides, shares, first: positions.start, marks }
    }

    /// Looks at the marked positions once; returns how many are marked then.
    fn sweep(&self) -> u64 {
        let next = AtomicUsize::new(0);
        if self.threads == 1 {
            self.work(&next);
        } else {
            thread::scope(|scope| {
                for _ in 0..self.threads {
                    scope.spawn(|| self.work(&next));
                }
            });
        }
        self.marks.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }

    /// What a thread does: it takes the next rows of the side to move, and looks at the marked positions with
    /// them, until there are no more.
    ///
    /// Shares and marks need no order among each other. A thread that looks at a position and misses a change
    /// has taken its mark before, and the thread that makes the change marks it again afterwards: the two
    /// touch the same word of marks, and with it everything done before is seen.
    fn work(&self, next: &AtomicUsize) {
        let rows = sides_with(self.marbles).end;
        loop {
            let begin = next.fetch_add(ROWS_AT_A_TIME, Ordering::Relaxed);
            if begin >= rows {
                return;
            }
            for mover in (begin..rows.min(begin + ROWS_AT_A_TIME)).map(Side::new) {
                self.take_marks(mover, |other| self.update(mover, other));
            }
        }
    }

    /// Takes the marks of the positions with a row of the side to move, and hands over the other rows.
    fn take_marks(&self, mover: Side, mut marked: impl FnMut(Side)) {
        let others = sides_with(self.marbles - self.sides.total(mover));
        let start = self.sides.start(self.marbles, mover) - self.first;
        let (begin, end) = (start + others.start, start + others.end);
        for number in begin / WORD..end.div_ceil(WORD) {
            let word = &self.marks[number];
            let from = number * WORD;
            // The first and the last word may be shared with other rows.
            let own = u64::MAX << begin.saturating_sub(from) & u64::MAX >> (from + WORD).saturating_sub(end);
            if word.load(Ordering::Relaxed) & own == 0 {
                continue;
            }
            let mut taken = word.fetch_and(!own, Ordering::AcqRel) & own;
            while taken != 0 {
                marked(Side::new(from + taken.trailing_zeros() as usize - start));
                taken &= taken - 1;
            }
        }
    }

    /// Narrows the bounds of a position; if that changes them, marks the positions before whose bounds may
    /// follow.
    fn update(&self, mover: Side, other: Side) {
        let byte = &self.shares[self.sides.position(self.marbles, mover, other)];
        let old = Share::of_byte(byte.load(Ordering::Relaxed));
        if old.is_exact() {
            return;
        }
        let new = self.share(mover, other);
        if new == old {
            return;
        }
        byte.store(new.to_byte(), Ordering::Relaxed);
        let (rest, old_rest) = (new.rest_of(self.marbles), old.rest_of(self.marbles));
        let opposings = self.sides.before_landing(mover);
        for &Sowing { row: before, overflow } in self.sides.sowings_to(other) {
            let Some(opposing) = opposings[usize::from(overflow)] else { continue };
            let share = self.known(self.marbles, before, opposing);
            // The lower bound of who moves here is that of the best move. The upper bound changes only if it
            // came from this move; but where several threads work, one may just be about to write it.
            let rises = rest.least > share.least;
            let falls = rest.most < old_rest.most && (share.most == old_rest.most || self.threads > 1);
            if !share.is_exact() && (rises || falls) {
                let place = self.sides.position(self.marbles, opposing, before) - self.first;
                self.marks[place / WORD].fetch_or(1 << (place % WORD), Ordering::AcqRel);
            }
        }
    }

    /// The share as it follows from those of the positions that follow.
    fn share(&self, mover: Side, other: Side) -> Share {
        let after = |&Sowing { row, overflow }: &Sowing| {
            let landing = self.sides.landing(overflow, other)?;
            let next = self.known(self.marbles - landing.captured, landing.row, row);
            Some(next.rest_of(self.marbles))
        };
        let shares = self.sides.sowings(mover).iter().filter_map(after);
        shares.reduce(Share::or).unwrap_or_else(|| Share::exactly(self.sides.total(mover)))
    }

    /// What is known by now about a position with so many marbles.
    #[inline]
    fn known(&self, marbles: u8, mover: Side, other: Side) -> Share {
        Share::of_byte(self.shares[self.sides.position(marbles, mover, other)].load(Ordering::Relaxed))
    }
}
