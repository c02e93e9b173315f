//! Building and verifying the endgames, one number of marbles after the other.

use std::{
    borrow::Cow,
    fs::{self, File, TryLockError},
    io, iter,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering},
    thread,
};

use super::{
    Endgames,
    file::{self, Share},
    sides::{MOST, Side, Sides, Sowing, positions_up_to, positions_with, sides_with},
};
use crate::whole_file;

/// What happens while endgames are built in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An earlier run has finished the positions with up to so many marbles.
    Found(u8),
    /// What an earlier run has left is unusable.
    Damaged,
    /// The progress of the work.
    Progress(Progress),
    /// The positions with so many marbles are finished.
    Done(u8),
    /// The file exists, is valid and has as many marbles, so it is left as it is.
    Whole,
}

/// The progress of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of marbles in the positions that are being computed.
    pub marbles: u8,
    /// The number of the sweep over the marked positions, from 1.
    pub sweep: u32,
    /// How many of these positions the sweep has passed.
    pub passed: u64,
    /// The number of these positions.
    pub of: u64,
}

/// Why endgames could not be built in a file.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file cannot be written.
    #[error("{path} cannot be written: {1}", path = .0.display())]
    Unwritable(PathBuf, io::Error),
    /// Another process is building the same file.
    #[error("another run is in progress: {} is locked", .0.display())]
    InUse(PathBuf),
    /// More memory is needed.
    #[error("{marbles} marbles need at least {needed} MiB of memory; --memory allows {given}")]
    TooLittleMemory {
        /// The maximum number of marbles.
        marbles: u8,
        /// The memory that is needed, in MiB.
        needed: u64,
        /// The limit on memory, in MiB.
        given: u64,
    },
}

/// Bytes in a MiB.
const MIB: u64 = 1 << 20;
/// Cells that are converted to bytes of a file at a time.
const CHUNK: usize = 1 << 16;

impl Endgames {
    /// Builds the endgames with up to `marbles` marbles, [`Self::MOST_MARBLES`] at most, in a file, on so
    /// many threads and with so much memory in bytes. An existing file is kept if it is valid and has as many
    /// marbles; otherwise it is replaced at the end.
    ///
    /// Finished work is kept in a folder beside the file, where the run after an interrupted one continues.
    /// It is rewritten atomically after each number of marbles.
    ///
    /// # Errors
    /// Fails at once if the folder cannot be written, if another run works on the same file, or if it takes
    /// more memory; later if the disk fails or is full.
    pub fn build_file(
        path: &Path,
        marbles: u8,
        threads: usize,
        memory: u64,
        on_event: &mut dyn FnMut(Event),
    ) -> Result<(), BuildError> {
        let most = marbles.min(MOST);
        let needed = least_memory(most).div_ceil(MIB);
        let given = memory / MIB;
        if given < needed {
            return Err(BuildError::TooLittleMemory { marbles, needed, given });
        }
        if path.is_dir() {
            return Err(unwritable(path)(io::ErrorKind::IsADirectory.into()));
        }
        if file::check(path, |_| {}).is_ok_and(|(_, found)| found == most) {
            on_event(Event::Whole);
            return Ok(());
        }
        let folder = whole_file::beside(path, ".parts");
        if !folder.is_dir() {
            fs::create_dir(&folder).map_err(unwritable(&folder))?;
        }
        // It is released when it is dropped.
        let _lock = lock(folder.join("lock"))?;
        let done = folder.join("done");
        let mut bytes = Vec::new();
        let next = match file::check(&done, |block| bytes.extend_from_slice(block)) {
            Ok((_, found)) if found <= most => {
                on_event(Event::Found(found));
                found + 1
            }
            _ => {
                if done.exists() {
                    on_event(Event::Damaged);
                }
                bytes.clear();
                0
            }
        };
        let sides = Sides::new(most);
        for marbles in next..=most {
            let on_progress = &mut |progress| on_event(Event::Progress(progress));
            let layer = Layer::build(marbles, &sides, &bytes, threads, on_progress);
            let chunks = layer.cells.chunks(CHUNK).map(|cells| Cow::Owned(layer.bytes(cells).collect()));
            file::save(&done, marbles, iter::once(Cow::Borrowed(&bytes[..])).chain(chunks))
                .map_err(unwritable(&done))?;
            on_event(Event::Done(marbles));
            if marbles < most {
                let more: Vec<_> = layer.bytes(&layer.cells).collect();
                bytes.extend(more);
            }
        }
        let put_in_place = whole_file::rename(&done, path).and_then(|()| fs::remove_dir_all(&folder));
        put_in_place.map_err(unwritable(path))
    }

    /// Reads a file again, and compares the share of one position in `one_in` with what follows from those of
    /// the next positions. Calls `on_marbles` after each number of marbles, and returns how many positions
    /// were compared.
    ///
    /// Agreement does not prove the shares: positions that lead to each other in a cycle could confirm each
    /// other. It detects what a fault in memory, on the disk or in transfer has changed.
    ///
    /// # Errors
    /// Fails with the first disagreement, or if the file cannot be read.
    pub fn verify(path: &Path, one_in: usize, on_marbles: &mut dyn FnMut(u8)) -> io::Result<u64> {
        let mut bytes = Vec::new();
        let read = file::check(path, |block| bytes.extend_from_slice(block));
        let (_, marbles) = read.map_err(io::Error::other)?;
        verify(&bytes, marbles, one_in.max(1), on_marbles).map_err(io::Error::other)
    }
}

/// The memory that building takes, in bytes: a byte for each finished position, two and a bit for each that
/// is not, tables, and the process itself.
pub(super) fn least_memory(marbles: u8) -> u64 {
    positions_up_to(marbles) as u64 * 3 / 2 + 64 * MIB
}

fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> BuildError {
    |reason| BuildError::Unwritable(path.to_owned(), reason)
}

/// Keeps other runs away for as long as the file is open.
fn lock(path: PathBuf) -> Result<File, BuildError> {
    let file = File::create(&path).map_err(unwritable(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(BuildError::InUse(path)),
        Err(TryLockError::Error(reason)) => Err(BuildError::Unwritable(path, reason)),
    }
}

/// The marbles in positions that are over because they go on for ever.
const ENDLESS: u8 = 2;

/// Bits in a word of marks.
const WORD: usize = u64::BITS as usize;
/// Rows whose positions a thread takes at a time: some milliseconds of work at most, so that threads end a
/// sweep together.
const ROWS_AT_A_TIME: usize = 16;

/// The positions with a number of marbles.
pub(super) struct Layer<'a> {
    marbles: u8,
    sides: &'a Sides,
    /// The shares in positions with fewer marbles.
    fewer: &'a [u8],
    /// The bounds of each position, in the order of their numbers: by how many marbles the lower one has
    /// risen and the upper one fallen, a byte each.
    pub(super) cells: Box<[AtomicU16]>,
    /// A bit for each position that must be updated. They are in the order of the positions with the sides
    /// exchanged, so that those with the same row of the side to move are together.
    marks: Box<[AtomicU64]>,
    threads: usize,
}

impl<'a> Layer<'a> {
    /// Sweeps over the positions with so many marbles until none is marked.
    pub(super) fn build(
        marbles: u8,
        sides: &'a Sides,
        fewer: &'a [u8],
        threads: usize,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Self {
        let positions = positions_with(marbles).len();
        let mut marks: Box<[_]> = (0..positions.div_ceil(WORD)).map(|_| AtomicU64::new(u64::MAX)).collect();
        if let Some(last) = marks.last_mut() {
            *last.get_mut() = u64::MAX >> (WORD - 1 - (positions - 1) % WORD);
        }
        let cells = (0..positions).map(|_| AtomicU16::new(0)).collect();
        let layer = Self { marbles, sides, fewer, cells, marks, threads };
        let mut progress = Progress { marbles, sweep: 1, passed: 0, of: positions as u64 };
        while layer.marks.iter().any(|word| word.load(Ordering::Relaxed) != 0) {
            layer.sweep(&mut |passed| on_progress(Progress { passed: passed as u64, ..progress }));
            progress.sweep += 1;
        }
        layer
    }

    /// The final bytes of some cells.
    pub(super) fn bytes(&self, cells: &[AtomicU16]) -> impl Iterator<Item = u8> {
        cells.iter().map(|cell| self.share(cell).to_byte(self.marbles))
    }

    /// The bounds in a cell.
    fn share(&self, cell: &AtomicU16) -> Share {
        let [least, less] = cell.load(Ordering::Relaxed).to_le_bytes();
        Share { least, most: self.marbles - less }
    }

    fn set(&self, cell: &AtomicU16, share: Share) {
        let bounds = [share.least, self.marbles - share.most];
        cell.store(u16::from_le_bytes(bounds), Ordering::Relaxed);
    }

    /// Updates the marked positions once, and reports how many positions it has passed.
    fn sweep(&self, on_passed: &mut dyn FnMut(usize)) {
        let (next, passed) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| self.work(&next, &passed, &mut |_| {}));
            }
            self.work(&next, &passed, on_passed);
        });
        on_passed(passed.load(Ordering::Relaxed));
    }

    /// The work of a thread: it takes the next rows of the side to move, and updates the marked positions
    /// with them, until there are no more.
    ///
    /// Cells and marks need no order among each other. A thread that updates a position and misses a change
    /// has taken its mark before, and the thread that makes the change marks it again afterwards: both access
    /// the same word of marks, which makes everything before visible.
    fn work(&self, next: &AtomicUsize, passed: &AtomicUsize, on_passed: &mut dyn FnMut(usize)) {
        let rows = sides_with(self.marbles).end;
        loop {
            let begin = next.fetch_add(ROWS_AT_A_TIME, Ordering::Relaxed);
            if begin >= rows {
                return;
            }
            for mover in (begin..rows.min(begin + ROWS_AT_A_TIME)).map(Side::new) {
                self.take_marks(mover, |other| self.update(mover, other));
                passed.fetch_add(self.sides.places(self.marbles, mover).len(), Ordering::Relaxed);
            }
            on_passed(passed.load(Ordering::Relaxed));
        }
    }

    /// Clears the marks of the positions with this row of the side to move, and hands over their other rows.
    fn take_marks(&self, mover: Side, mut marked: impl FnMut(Side)) {
        let places = self.sides.places(self.marbles, mover);
        let first = sides_with(self.marbles - self.sides.total(mover)).start;
        for number in places.start / WORD..places.end.div_ceil(WORD) {
            let word = &self.marks[number];
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

    /// Narrows the bounds of a position; if that changes them, marks the preceding positions whose bounds may
    /// change too.
    fn update(&self, mover: Side, other: Side) {
        let cell = &self.cells[self.sides.place(self.marbles, mover, other)];
        let old = self.share(cell);
        if old.is_exact() {
            return;
        }
        let new = after_best(self.sides, self.marbles, mover, other, |m, p| self.known(m, p)).and(old);
        if new == old {
            return;
        }
        self.set(cell, new);
        let (rest, old_rest) = (new.rest_of(self.marbles), old.rest_of(self.marbles));
        // With several threads, one may just be about to narrow bounds that this one reads.
        let is_rough = self.threads > 1;
        let opposings = self.sides.before_landing(mover);
        for &Sowing { row: before, overflow } in self.sides.sowings_to(other) {
            let Some(opposing) = opposings[usize::from(overflow)] else { continue };
            let share = self.known(self.marbles, self.sides.place(self.marbles, before, opposing));
            // The lower bound of a preceding position is that of its best move. The upper bound changes only
            // if it came from this move; if it may come from another, there is nothing to update.
            let rises = rest.least > share.least;
            let falls = rest.most < old_rest.most
                && if is_rough { share.most > rest.most } else { share.most == old_rest.most };
            if !share.is_exact() && (rises || falls) {
                let place = self.sides.place(self.marbles, opposing, before);
                self.marks[place / WORD].fetch_or(1 << (place % WORD), Ordering::AcqRel);
            }
        }
    }

    /// The bounds known so far for a position with so many marbles, by its place.
    fn known(&self, marbles: u8, place: usize) -> Share {
        if marbles == self.marbles {
            self.share(&self.cells[place])
        } else {
            Share::of_byte(self.fewer[positions_with(marbles).start + place], marbles)
        }
    }
}

/// The bounds of a position, from those of the next positions; `known` has these by marbles and place. If the
/// game is over, the side to move keeps its marbles.
fn after_best(
    sides: &Sides,
    marbles: u8,
    mover: Side,
    other: Side,
    known: impl Fn(u8, usize) -> Share,
) -> Share {
    if marbles == ENDLESS && mover.row().is_endless_against(other.row()) {
        return Share::exactly(sides.total(mover));
    }
    let after = |&Sowing { row, overflow }: &Sowing| {
        let landing = sides.landing(overflow, other)?;
        let left = marbles - landing.captured;
        Some(known(left, sides.place(left, landing.row, row)).rest_of(marbles))
    };
    let shares = sides.sowings(mover).iter().filter_map(after);
    shares.reduce(Share::or).unwrap_or_else(|| Share::exactly(sides.total(mover)))
}

/// The share of a position does not follow from those of the next positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} against {} of the player to move: the file has {found:?}, but the next positions give {expected:?}",
    cups(other),
    cups(mover)
)]
pub(super) struct Disagreement {
    /// The cups of the side to move.
    mover: [u8; 6],
    /// The other cups.
    other: [u8; 6],
    /// The stored share.
    pub(super) found: Share,
    /// The share that follows from the next positions.
    pub(super) expected: Share,
}

fn cups(cups: &[u8]) -> String {
    cups.iter().map(u8::to_string).collect::<Vec<_>>().join("-")
}

/// Compares one position in `one_in` with what follows from the next ones. Calls `on_marbles` after each
/// number of marbles; returns how many positions were compared.
pub(super) fn verify(
    bytes: &[u8],
    marbles: u8,
    one_in: usize,
    on_marbles: &mut dyn FnMut(u8),
) -> Result<u64, Disagreement> {
    let sides = Sides::new(marbles);
    let mut compared = 0;
    let known = |marbles, place| Share::of_byte(bytes[positions_with(marbles).start + place], marbles);
    debug_assert_eq!(bytes.len(), positions_up_to(marbles), "the file was checked for it");
    for marbles in 0..=marbles {
        for other in (0..sides_with(marbles).end).map(Side::new) {
            let (places, first) =
                (sides.places(marbles, other), sides_with(marbles - sides.total(other)).start);
            for place in (places.start.next_multiple_of(one_in)..places.end).step_by(one_in) {
                compared += 1;
                let mover = Side::new(first + place - places.start);
                let found = known(marbles, place);
                let expected = after_best(&sides, marbles, mover, other, known);
                if found != expected {
                    let [mover, other] = [mover, other].map(|side| side.row().cups());
                    return Err(Disagreement { mover, other, found, expected });
                }
            }
        }
        on_marbles(marbles);
    }
    Ok(compared)
}
