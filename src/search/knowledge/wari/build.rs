//! Working the endgames out.
//!
//! Positions with more marbles need those with fewer, so they are worked out number by number of marbles. Among
//! positions with the same number each first gets the widest bounds there are; then bounds are narrowed by those of the
//! positions that follow, until nothing changes any more. What is never narrowed is endless play.
//!
//! A position is looked at again only when a position that may follow without a capture has changed. In which order that
//! happens makes no difference to the end, and so threads need not wait for each other.

use std::{
    sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering},
    thread,
};

use super::{
    Share,
    index::{index, positions_up_to, rows},
};
use crate::games::wari::{ROW, Row};

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

/// How hard to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// One thread that makes way for all others often.
    InBackground,
    /// As many threads as are said, at full speed.
    Threads(usize),
}

/// Positions that are looked at before the other threads of the machine are let go first: they take about 50 µs.
const LET_OTHERS_EVERY: u32 = 64;
/// Bits in a word of marks.
const WORD: usize = u64::BITS as usize;
/// Words of marks that a thread takes at a time: some milliseconds of work.
const WORDS_AT_A_TIME: usize = 256;

/// The shares in all positions with up to so many marbles, as bytes by the number of the position.
pub(super) fn build(marbles: u8, pace: Pace, on_progress: &mut dyn FnMut(Progress)) -> Box<[u8]> {
    let mut shares = Vec::with_capacity(positions_up_to(marbles));
    let of = positions_up_to(marbles) as u64;
    for layer in 0..=marbles {
        let unknown = Share::unknown(layer).to_byte();
        shares.resize_with(positions_up_to(layer), || AtomicU8::new(unknown));
        let layer = Layer::new(&shares, layer, pace);
        loop {
            let marked = layer.sweep();
            on_progress(Progress { marbles: layer.marbles, done: shares.len() as u64 - marked, of });
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
    pace: Pace,
    /// Of all positions with up to so many marbles.
    shares: &'a [AtomicU8],
    /// The number of the first position with so many marbles.
    first: usize,
    /// A bit for each position that is to be looked at.
    marks: Vec<AtomicU64>,
}

impl<'a> Layer<'a> {
    /// With all positions still to be looked at.
    fn new(shares: &'a [AtomicU8], marbles: u8, pace: Pace) -> Self {
        let first = if marbles == 0 { 0 } else { positions_up_to(marbles - 1) };
        let positions = shares.len() - first;
        let mut marks: Vec<_> = (0..positions.div_ceil(WORD)).map(|_| AtomicU64::new(u64::MAX)).collect();
        if let Some(last) = marks.last_mut() {
            *last.get_mut() = u64::MAX >> (WORD - 1 - (positions - 1) % WORD);
        }
        Self { marbles, pace, shares, first, marks }
    }

    /// Looks at the marked positions once; returns how many are marked then.
    fn sweep(&self) -> u64 {
        let next = AtomicUsize::new(0);
        match self.pace {
            Pace::InBackground | Pace::Threads(0 | 1) => self.work(&next),
            Pace::Threads(threads) => thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| self.work(&next));
                }
            }),
        }
        self.marks.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }

    /// What a thread does: it takes the next words of marks until there are no more.
    ///
    /// Shares and marks need no order among each other. A thread that looks at a position and misses a change has taken
    /// its mark before, and the thread that makes the change marks it again afterwards: the two touch
    /// the same word of marks, and with it everything done before is seen.
    fn work(&self, next: &AtomicUsize) {
        let mut looked_at = 0;
        loop {
            let begin = next.fetch_add(WORDS_AT_A_TIME, Ordering::Relaxed);
            let end = self.marks.len().min(begin.saturating_add(WORDS_AT_A_TIME));
            if begin >= end {
                return;
            }
            for (number, word) in self.marks[begin..end].iter().enumerate() {
                if word.load(Ordering::Relaxed) == 0 {
                    continue;
                }
                let mut marked = word.swap(0, Ordering::AcqRel);
                while marked != 0 {
                    let place = (begin + number) * WORD + marked.trailing_zeros() as usize;
                    marked &= marked - 1;
                    self.look_at(self.first + place);
                    looked_at += 1;
                    if self.pace == Pace::InBackground && looked_at % LET_OTHERS_EVERY == 0 {
                        thread::yield_now();
                    }
                }
            }
        }
    }

    /// Narrows the bounds of a position; if that changes them, marks the positions before whose bounds may follow.
    fn look_at(&self, number: usize) {
        let [mover, other] = rows(number);
        let new = self.share(mover, other);
        let old = Share::of_byte(self.shares[number].swap(new.to_byte(), Ordering::Relaxed));
        if new == old {
            return;
        }
        let (rest, old_rest) = (new.rest_of(self.marbles), old.rest_of(self.marbles));
        for_each_before(mover, other, |before| {
            let share = Share::of_byte(self.shares[before].load(Ordering::Relaxed));
            // The lower bound of who moves here is that of the best move. The upper bound changes only if it came from
            // this move; but where several threads work, one may just be about to write it.
            let rises = rest.least > share.least;
            let falls = rest.most < old_rest.most
                && (share.most == old_rest.most || matches!(self.pace, Pace::Threads(2..)));
            if !share.is_certain() && (rises || falls) {
                let place = before - self.first;
                self.marks[place / WORD].fetch_or(1 << (place % WORD), Ordering::AcqRel);
            }
        });
    }

    /// The share as it follows from those of the positions that follow.
    fn share(&self, mover: Row, other: Row) -> Share {
        let over = Share::exactly(mover.total());
        if mover.is_endless_against(other) {
            return over;
        }
        let after = |(mover, other): (Row, Row)| {
            let share = Share::of_byte(self.shares[index(other, mover)].load(Ordering::Relaxed));
            share.rest_of(self.marbles)
        };
        let sown = mover.occupied().filter_map(|place| mover.sow(other, place));
        sown.map(after).reduce(Share::or).unwrap_or(over)
    }
}

/// Hands over the positions from which a position is reached by a move that captures nothing.
///
/// The player who moved has emptied a cup. From there on marbles are taken up again one by one, as long as there is
/// one in each cup; wherever that stops, the move may have begun with so many.
fn for_each_before(mover: Row, other: Row, mut found: impl FnMut(usize)) {
    let cups: [u8; 2 * ROW] =
        std::array::from_fn(|cup| if cup < ROW { other.cups()[cup] } else { mover.cups()[cup - ROW] });
    for from in (0..ROW).filter(|&from| cups[from] == 0) {
        let mut before = cups;
        let following = (from + 1..cups.len()).chain(0..from).cycle();
        for cup in following {
            if before[cup] == 0 {
                break;
            }
            before[cup] -= 1;
            before[from] += 1;
            let captured = cup >= ROW && matches!(cups[cup], 2 | 3);
            if !captured {
                let [own, opposing] =
                    [0, ROW].map(|first| std::array::from_fn(|place| before[first + place]));
                found(index(Row::new(own, 0), Row::new(opposing, 0)));
            }
        }
    }
}
