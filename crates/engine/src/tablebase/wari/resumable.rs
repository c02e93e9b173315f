//! Building the Wari endgame tablebase: in memory or in working files that survive an interruption, and
//! verifying it.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU16, Ordering},
    time::{Duration, Instant},
};

use cublino_rules::games::wari::Row;
use memmap2::MmapMut;
use zerocopy::FromBytes;

use super::{
    file::{self, HEAD, Kind, Share},
    layer::{Cell, ENDLESS, Layer, MOST, Marks, Sweep, after_best, positions_up_to, positions_with, rows},
    sides::{Side, Sides, sides_with},
};
use crate::whole_file;

/// How endgames are worked out in files.
#[derive(Clone, Copy, Debug)]
pub struct Resumable {
    /// The most marbles.
    pub marbles: u8,
    /// Threads that work on it.
    pub threads: usize,
    /// The most memory that the process may have, in bytes, pages of files included. It is looked at every
    /// few milliseconds; where the system does not tell, only the system's own limits hold.
    pub memory: u64,
    /// The room for its files on their disk, in bytes: what is free, and what an earlier run has
    /// [left](Self::left_by_earlier_run). Where it is not known, a disk that is too small is found when it is
    /// full.
    pub disk: Option<u64>,
}

/// What happens meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Positions with so many marbles are done with since an earlier run.
    Found(u8),
    /// What an earlier run has left of the positions with so many marbles is of no use.
    Damaged(u8),
    /// The positions with so many marbles were broken off, and go on from there.
    Resumed(u8),
    /// How far the work has come.
    Progress(Progress),
    /// Positions with so many marbles are done with.
    Done(u8),
    /// The file is there, whole and with as many marbles, and is left as it is.
    Whole,
}

/// Why endgames could not be worked out in files.
#[derive(Debug, thiserror::Error)]
pub enum ResumableError {
    /// A file cannot be written, or not be read again.
    #[error("{} cannot be written: {reason}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// Another process works on the same.
    #[error("another run is going on: {} is locked", .0.display())]
    InUse(PathBuf),
    /// In a position with so many marbles the bounds are too far apart for a byte.
    #[error("in a position with {0} marbles the bounds are too far apart for a byte")]
    TooFarApart(u8),
    /// It takes more memory.
    #[error("{marbles} marbles need {needed} MiB of memory at least, and may have {given}")]
    TooLittleMemory {
        /// The most marbles.
        marbles: u8,
        /// What is needed, in MiB.
        needed: u64,
        /// What there may be, in MiB.
        given: u64,
    },
    /// It takes more room on the disk.
    #[error(
        "{marbles} marbles need {needed} MiB on the disk of {} while they are worked out, and there \
         are {there}",
        .path.display()
    )]
    TooLittleDisk {
        /// The file.
        path: PathBuf,
        /// The most marbles.
        marbles: u8,
        /// What is needed, in MiB.
        needed: u64,
        /// What there is, in MiB.
        there: u64,
    },
}

/// Bytes in a MiB.
const MIB: u64 = 1 << 20;
/// What the process needs beside tables and marks: itself, and pages of files to work with.
const ROOM: u64 = 64 * MIB;
/// How often the memory of the process is looked at: it takes some hundredths of a millisecond.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Bytes of a cell.
const CELL: u64 = size_of::<AtomicU16>() as u64;
/// Cells that become bytes at a time.
const CHUNK: usize = 1 << 16;

impl Resumable {
    /// The least memory that working them out takes, in bytes: tables, and some room for pages of files.
    #[must_use]
    pub fn least_memory(&self) -> u64 {
        let marks = Marks::bytes(self.marbles.min(MOST)) as u64;
        Sides::bytes(self.marbles.min(MOST)) as u64 + marks + ROOM
    }

    /// The room that its files take on the disk for a while, in bytes.
    #[must_use]
    pub fn least_disk(&self) -> u64 {
        let up_to = |marbles| positions_up_to(marbles) as u64;
        let marbles = self.marbles.min(MOST);
        let cells = positions_with(marbles).len() as u64 * CELL;
        // Cells beside all parts, or all parts and the whole; heads and what blocks have too much are a few
        // KiB.
        (up_to(marbles) + cells).max(2 * up_to(marbles)) + MIB
    }

    /// Where a run that was broken off has left something that the next one takes or overwrites: a folder and
    /// a file.
    #[must_use]
    pub fn left_by_earlier_run(path: &Path) -> [PathBuf; 2] {
        [Parts::of(path).0, whole_file::partial(path)]
    }

    /// Works the endgames out and writes them to a file. One that is there already is left if it is whole and
    /// has as many marbles, and else replaced at the end.
    ///
    /// # Errors
    /// Fails at once if the folder of the file cannot be written, if another run works on the same file, or
    /// if it takes more memory or disk; later if the disk fails or is full. What is done by then is kept for
    /// another run.
    pub fn run(&self, path: &Path, on_event: &mut dyn FnMut(Event)) -> Result<(), ResumableError> {
        let needed = self.least_memory();
        if self.memory < needed {
            let [needed, given] = [needed.div_ceil(MIB), self.memory / MIB];
            return Err(ResumableError::TooLittleMemory { marbles: self.marbles, needed, given });
        }
        if path.is_dir() {
            let reason = io::ErrorKind::IsADirectory.into();
            return Err(ResumableError::Unwritable { path: path.to_owned(), reason });
        }
        let most = self.marbles.min(MOST);
        if file::check(path, Kind::Whole, |_| {}).is_ok_and(|(_, found)| found == most) {
            on_event(Event::Whole);
            return Ok(());
        }
        let needed = self.least_disk();
        if let Some(there) = self.disk.filter(|&there| there < needed) {
            let [needed, there] = [needed.div_ceil(MIB), there / MIB];
            let (path, marbles) = (path.to_owned(), self.marbles);
            return Err(ResumableError::TooLittleDisk { path, marbles, needed, there });
        }
        let parts = Parts::create(path)?;
        let lock = parts.lock()?;
        let sides = Sides::new(self.marbles.min(MOST));
        for marbles in 0..=self.marbles.min(MOST) {
            let part = parts.part(marbles);
            match file::check(&part, Kind::Part, |_| {}) {
                Ok((_, found)) if found == marbles => on_event(Event::Found(marbles)),
                found => {
                    if found.is_ok() || part.exists() {
                        on_event(Event::Damaged(marbles));
                    }
                    self.work_out(&parts, &sides, marbles, on_event)?;
                }
            }
        }
        parts.put_together(path, self.marbles.min(MOST))?;
        drop(lock);
        Ok(())
    }

    /// Works out the positions with so many marbles, those with fewer being done with.
    fn work_out(
        &self,
        parts: &Parts,
        sides: &Sides,
        marbles: u8,
        on_event: &mut dyn FnMut(Event),
    ) -> Result<(), ResumableError> {
        let working = parts.working(marbles);
        let unwritable = |reason| ResumableError::Unwritable { path: working.clone(), reason };
        let marks = Marks::all(marbles);
        let cells_bytes = positions_with(marbles).len() as u64 * CELL;
        let are_in_memory = self.least_memory() + cells_bytes <= self.memory;
        let mut cells = Cells::open(working.clone(), marbles, are_in_memory).map_err(unwritable)?;
        if cells.are_resumed() {
            on_event(Event::Resumed(marbles));
        }
        let mut memory = Memory { most: self.memory, looked: Instant::now() };
        let mut sweep = |on_passed: &mut dyn FnMut(usize)| {
            let passed = Sweep::default();
            loop {
                // Mapped anew, they take no memory of the process until they are looked at.
                cells.map_again()?;
                let is_resumed = cells.are_resumed();
                let fewer: Vec<_> = (0..marbles)
                    .map(|fewer| file::map_part(&parts.part(fewer)))
                    .collect::<io::Result<_>>()?;
                let layer = Layer {
                    marbles,
                    sides,
                    fewer: &fewer.iter().map(|part| &part[HEAD..]).collect::<Vec<_>>(),
                    cells: cells.as_atomics(),
                    marks: &marks,
                    threads: self.threads.max(1),
                    is_resumed,
                };
                layer.settle_endless();
                let mut go_on = |passed| {
                    on_passed(passed);
                    if memory.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                if layer.sweep(&passed, &mut go_on) {
                    return Ok(marks.count());
                }
            }
        };
        narrow(marbles, &mut |progress| on_event(Event::Progress(progress)), &mut sweep)
            .map_err(unwritable)?;
        let part = parts.part(marbles);
        cells.map_again().map_err(unwritable)?;
        if cells.are_too_far_apart(marbles) {
            return Err(ResumableError::TooFarApart(marbles));
        }
        cells.save(&part, marbles).map_err(|reason| ResumableError::Unwritable { path: part, reason })?;
        cells.remove().map_err(unwritable)?;
        on_event(Event::Done(marbles));
        Ok(())
    }
}

/// The folder of what is done with and of what is being worked on.
struct Parts(PathBuf);

impl Parts {
    /// The folder beside a file.
    fn of(path: &Path) -> Self {
        let mut folder = path.as_os_str().to_owned();
        folder.push(".parts");
        Self(folder.into())
    }

    /// Makes the folder, if there is none.
    fn create(path: &Path) -> Result<Self, ResumableError> {
        let parts = Self::of(path);
        match fs::create_dir(&parts.0) {
            Err(reason) if reason.kind() != io::ErrorKind::AlreadyExists => {
                Err(ResumableError::Unwritable { path: parts.0, reason })
            }
            _ => Ok(parts),
        }
    }

    /// Keeps other runs away for as long as the file is open.
    fn lock(&self) -> Result<File, ResumableError> {
        let path = self.0.join("lock");
        let unwritable = |reason| ResumableError::Unwritable { path: path.clone(), reason };
        let file = File::create(&path).map_err(unwritable)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(ResumableError::InUse(path)),
            Err(TryLockError::Error(reason)) => Err(unwritable(reason)),
        }
    }

    /// What is done with of so many marbles.
    fn part(&self, marbles: u8) -> PathBuf {
        self.0.join(format!("marbles-{marbles:02}"))
    }

    /// The cells of so many marbles.
    fn working(&self, marbles: u8) -> PathBuf {
        self.0.join(format!("marbles-{marbles:02}.working"))
    }

    /// Makes the whole of its parts, which are all there, and removes them.
    fn put_together(&self, path: &Path, marbles: u8) -> Result<(), ResumableError> {
        let put_together = || {
            let parts: Vec<_> = (0..=marbles)
                .map(|marbles| file::map_part(&self.part(marbles)))
                .collect::<io::Result<_>>()?;
            file::save(path, Kind::Whole, marbles, parts.iter().map(|part| &part[HEAD..]))?;
            fs::remove_dir_all(&self.0)
        };
        put_together().map_err(|reason| ResumableError::Unwritable { path: path.to_owned(), reason })
    }
}

/// The cells of a number of marbles.
enum Cells {
    /// Where there is room for them: what is broken off begins anew.
    Memory(Box<[AtomicU16]>),
    /// In a file, mapped: what is broken off goes on.
    File { path: PathBuf, file: File, map: MmapMut, is_resumed: bool },
}

impl Cells {
    /// Takes the cells that a file has, or new ones.
    fn open(path: PathBuf, marbles: u8, are_in_memory: bool) -> io::Result<Self> {
        if are_in_memory && !path.exists() {
            return Ok(Self::Memory(positions_with(marbles).map(|_| AtomicU16::new(0)).collect()));
        }
        let bytes = positions_with(marbles).len() as u64 * CELL;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
        let was_there = file.metadata()?.len() == bytes;
        if !was_there {
            file.set_len(0)?;
            file.set_len(bytes)?;
        }
        let mut cells = Self::File { map: file::map(&file)?, file, path, is_resumed: was_there };
        if was_there && cells.as_atomics().iter().any(|word| cell(word).is_nonsense(marbles)) {
            cells.begin_anew(bytes)?;
        }
        Ok(cells)
    }

    /// Forgets what the file has.
    fn begin_anew(&mut self, bytes: u64) -> io::Result<()> {
        if let Self::File { file, map, is_resumed, .. } = self {
            file.set_len(0)?;
            file.set_len(bytes)?;
            (*map, *is_resumed) = (file::map(file)?, false);
        }
        Ok(())
    }

    const fn are_resumed(&self) -> bool {
        matches!(self, Self::File { is_resumed: true, .. })
    }

    /// Gives the pages of a file back to the system, which may keep them or write them to the disk.
    fn map_again(&mut self) -> io::Result<()> {
        if let Self::File { file, map, .. } = self {
            *map = file::map(file)?;
        }
        Ok(())
    }

    fn as_atomics(&mut self) -> &[AtomicU16] {
        match self {
            Self::Memory(cells) => cells,
            Self::File { map, .. } => {
                <[AtomicU16]>::mut_from_bytes(map).expect("the map begins with a page and has pairs of bytes")
            }
        }
    }

    /// Whether the bounds of some position have no byte of their own.
    fn are_too_far_apart(&mut self, marbles: u8) -> bool {
        self.as_atomics().iter().any(|cell| Share::is_wide(byte(cell, marbles), marbles))
    }

    /// Writes the bytes that they are in the end.
    fn save(&mut self, path: &Path, marbles: u8) -> io::Result<()> {
        let bytes =
            |chunk: &[AtomicU16]| -> Vec<_> { chunk.iter().map(|cell| byte(cell, marbles)).collect() };
        file::save(path, Kind::Part, marbles, self.as_atomics().chunks(CHUNK).map(bytes))
    }

    /// Removes the file, which is of no use any more.
    fn remove(self) -> io::Result<()> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::File { path, .. } => fs::remove_file(path),
        }
    }
}

/// What the process may have of the memory.
struct Memory {
    most: u64,
    looked: Instant,
}

impl Memory {
    /// Whether it has as much as it may have.
    fn is_full(&mut self) -> bool {
        if self.looked.elapsed() < LOOK_EVERY {
            return false;
        }
        self.looked = Instant::now();
        resident().is_some_and(|bytes| bytes > self.most)
    }
}

/// The memory of the process, pages of files included; where the system does not tell, nothing.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// How far the work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions with so many marbles are being worked out.
    pub marbles: u8,
    /// How often those among them that were to be looked at have been gone through, this time included.
    pub sweep: u32,
    /// Positions with fewer marbles, which are done with.
    pub fewer: u64,
    /// Positions with so many marbles that this sweep has passed by.
    pub passed: u64,
    /// Positions with so many marbles.
    pub of: u64,
    /// Of them, those that were to be looked at when the last sweep had ended.
    pub left: u64,
}

/// The shares in all positions with up to so many marbles, as bytes by the number of the position.
pub(super) fn build(marbles: u8, threads: usize, on_progress: &mut dyn FnMut(Progress)) -> Vec<u8> {
    let sides = Sides::new(marbles);
    let mut layers: Vec<Vec<u8>> = Vec::new();
    for marbles in 0..=marbles {
        let cells: Vec<_> = positions_with(marbles).map(|_| AtomicU16::new(0)).collect();
        let fewer: Vec<_> = layers.iter().map(Vec::as_slice).collect();
        let marks = Marks::all(marbles);
        let layer = Layer {
            marbles,
            sides: &sides,
            fewer: &fewer,
            cells: &cells,
            marks: &marks,
            threads,
            is_resumed: false,
        };
        layer.settle_endless();
        let Ok(()) = narrow(marbles, on_progress, |on_passed| {
            let mut go_on = |passed| {
                on_passed(passed);
                ControlFlow::Continue(())
            };
            layer.sweep(&Sweep::default(), &mut go_on);
            Ok::<_, std::convert::Infallible>(marks.count())
        });
        layers.push(cells.iter().map(|cell| byte(cell, marbles)).collect());
    }
    layers.concat()
}

/// Sweeps over the positions with so many marbles until none is left to be looked at. A sweep tells how many
/// positions it has passed by, and how many are left in the end.
pub(super) fn narrow<E>(
    marbles: u8,
    on_progress: &mut dyn FnMut(Progress),
    mut sweep: impl FnMut(&mut dyn FnMut(usize)) -> Result<u64, E>,
) -> Result<(), E> {
    let positions = positions_with(marbles);
    let [fewer, of] = [positions.start, positions.len()].map(|number| number as u64);
    let mut progress = Progress { marbles, sweep: 1, fewer, passed: 0, of, left: of };
    while progress.left > 0 {
        let left = sweep(&mut |passed| on_progress(Progress { passed: passed as u64, ..progress }))?;
        progress = Progress { passed: of, left, ..progress };
        on_progress(progress);
        progress.sweep += 1;
    }
    Ok(())
}

/// What is in a cell now.
pub(super) fn cell(cell: &AtomicU16) -> Cell {
    Cell(cell.load(Ordering::Relaxed))
}

/// The byte of a position with so many marbles that is done with.
pub(super) fn byte(of: &AtomicU16, marbles: u8) -> u8 {
    cell(of).share(marbles).to_byte(marbles)
}

/// The share in a position is not what follows from those of the next positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} against {} of the player who is to move: {found:?} does not follow from the next positions, but \
     {expected:?}",
    cups(other),
    cups(mover)
)]
pub struct Disagreement {
    /// The cups of the side to move.
    pub mover: [u8; 6],
    /// The other cups.
    pub other: [u8; 6],
    /// What is known.
    pub found: Share,
    /// What follows.
    pub expected: Share,
}

fn cups(cups: &[u8]) -> String {
    cups.iter().map(u8::to_string).collect::<Vec<_>>().join("-")
}

/// Compares one position in so many with what follows from the next ones, and tells of how many marbles all
/// have been compared; returns how many were.
pub(super) fn verify(
    bytes: &[u8],
    marbles: u8,
    one_in: usize,
    on_marbles: &mut dyn FnMut(u8),
) -> Result<u64, Disagreement> {
    let (sides, mut compared) = (Sides::new(marbles), 0);
    let known = |marbles, place| {
        let first = positions_with(marbles).start;
        Share::of_byte(bytes[first + place], marbles)
    };
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
                if found != expected && !is_endless(marbles, place, found) {
                    let [mover, other] = rows(positions_with(marbles).start + place).map(Row::cups);
                    return Err(Disagreement { mover, other, found, expected });
                }
            }
        }
        on_marbles(marbles);
    }
    Ok(compared)
}

/// Whether a position is over because it would go on for ever, and the side to move keeps its marbles.
fn is_endless(marbles: u8, place: usize, found: Share) -> bool {
    if marbles != ENDLESS {
        return false;
    }
    let [mover, other] = rows(positions_with(marbles).start + place);
    mover.is_endless_against(other) && found == Share::exactly(mover.total())
}
