//! A database in a file that may change while it is in use.
//!
//! A disk fails, or somebody copies another file over the database. A mapped file ends the process when it
//! becomes shorter, and proves what is false when it is overwritten. So the database is not mapped, but read
//! in blocks. When it is opened, all of it is read and checked, and a digest of each block stays in memory.
//! A block that is read later must have the same digest. The first that has not is the last that is read.

use std::{
    borrow::Cow,
    fs::File,
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use sha2::{Digest, Sha256};

use super::file::{self, BLOCK, DatabaseError, HEAD, Kind};

/// Blocks in memory: 16 MiB. Searches of the same minute need much the same positions.
const SLOTS: usize = 16384;

/// A quarter of a SHA-256 digest: those of 1.25 GB take 10 MB.
type BlockDigest = [u8; 8];

/// A database that has been checked, and is checked again wherever it is read.
#[derive(Debug)]
pub(super) struct CheckedFile {
    path: PathBuf,
    file: File,
    positions: usize,
    digests: Vec<BlockDigest>,
    /// Block `n` has its place in slot `n % SLOTS`.
    slots: Box<[Mutex<Slot>]>,
    is_damaged: AtomicBool,
}

/// A block in memory.
#[derive(Debug, Default)]
struct Slot {
    /// Its number, if it has been read and checked.
    block: Option<usize>,
    bytes: Vec<u8>,
}

impl CheckedFile {
    /// Opens a file and checks all of it; the first value is the most marbles in it.
    pub(super) fn open(path: &Path) -> Result<(u8, Self), DatabaseError> {
        let (mut digests, mut positions) = (Vec::new(), 0);
        let (file, marbles) = file::check(path, Kind::Whole, |block| {
            digests.push(digest(block));
            positions += block.len();
        })?;
        let slots = (0..SLOTS.min(digests.len())).map(|_| Mutex::default()).collect();
        let (path, is_damaged) = (path.to_owned(), AtomicBool::new(false));
        Ok((marbles, Self { path, file, positions, digests, slots, is_damaged }))
    }

    /// Whether the file has changed since it was opened, so that it is not read any more.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    /// The byte of a position; nothing if the file has changed since it was opened.
    pub(super) fn byte(&self, position: usize) -> Option<u8> {
        let block = position / BLOCK;
        let mut slot = self.slots[block % self.slots.len()].lock().unwrap_or_else(PoisonError::into_inner);
        if slot.block != Some(block) {
            if self.is_damaged() {
                return None;
            }
            slot.block = None;
            self.read(block, &mut slot.bytes).map_err(|reason| self.give_up(&reason)).ok()?;
            slot.block = Some(block);
        }
        slot.bytes.get(position % BLOCK).copied()
    }

    /// All bytes, checked once more.
    pub(super) fn bytes(&self) -> io::Result<Cow<'_, [u8]>> {
        let (mut all, mut bytes) = (Vec::with_capacity(self.positions), Vec::new());
        for block in 0..self.digests.len() {
            self.read(block, &mut bytes)?;
            all.extend_from_slice(&bytes);
        }
        Ok(all.into())
    }

    /// Reads a block and checks it.
    fn read(&self, block: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        let first = block * BLOCK;
        bytes.resize(BLOCK.min(self.positions - first), 0);
        self.file.read_exact_at(bytes, (HEAD + first) as u64)?;
        if digest(bytes) == self.digests[block] { Ok(()) } else { Err(io::Error::other("it has changed")) }
    }

    /// Reads the file no more, and says so once.
    fn give_up(&self, reason: &io::Error) {
        if !self.is_damaged.swap(true, Ordering::Relaxed) {
            log::error!(
                "the Wari database {} is damaged and not used any more: {reason}; replace it and start again",
                self.path.display()
            );
        }
    }
}

fn digest(block: &[u8]) -> BlockDigest {
    let digest = Sha256::digest(block);
    std::array::from_fn(|at| digest[at])
}
