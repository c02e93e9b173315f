//! The file of the Wari endgame tablebase: its bytes, and a reader that checks each block by its digest.

use std::{
    fs::{self, File},
    io::{self, BufReader, BufWriter, Read, Seek, Write},
    os::unix::fs::{FileExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use cublino_rules::games::wari::MARBLES;
use sha2::{Digest, Sha256};

use super::sides::{MOST, positions_up_to};
use crate::{GameResult, whole_file};

/// The magic bytes of a file.
const NAME: &[u8; 16] = b"cublino wari egd";
/// The newest version of the format, of the numbers of positions and of the rules.
const NEWEST: u32 = 2;
/// The most marbles in a file of version 1, which are the only ones that older programs can use.
const MOST_OF_FIRST: u8 = 21;
/// Bytes of the header, which the shares follow.
pub(super) const HEAD: usize = 64;

/// The version of a file with so many marbles: other versions are refused.
const fn version(marbles: u8) -> u32 {
    if marbles <= MOST_OF_FIRST { 1 } else { NEWEST }
}

/// The shares of the built-in endgames: the file that `cublino endgames wari FILE --marbles 12` writes,
/// without its header. A test checks it.
pub(super) static BUILT_IN: &[u8] = include_bytes!("marbles-12.bin").split_at(HEAD).1;

/// Why a file cannot be used as a database.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// It cannot be read.
    #[error("the Wari database {path} cannot be read: {1}", path = .0.display())]
    Unreadable(PathBuf, io::Error),
    /// It is not a Wari database.
    #[error("{} is not a Wari database", .0.display())]
    Foreign(PathBuf),
    /// It was written by another version of this program.
    #[error(
        "the Wari database {path} has version {1}, which is not supported; build it again",
        path = .0.display()
    )]
    OtherVersion(PathBuf, u32),
    /// It is truncated or changed.
    #[error("the Wari database {} is corrupt; build it again", .0.display())]
    Damaged(PathBuf),
}

/// How many bytes of shares are read at a time. Each such block is checked on its own when it is read again.
pub(super) const BLOCK: usize = 1024;

/// The mode bit of files that everybody may write.
const WRITABLE_BY_OTHERS: u32 = 0o002;

/// Reads a whole file and checks it. Hands over its blocks, which cannot be trusted until all have been read;
/// returns the file, and the most marbles in it.
pub(super) fn check(path: &Path, mut on_block: impl FnMut(&[u8])) -> Result<(File, u8), DatabaseError> {
    let unreadable = |reason| DatabaseError::Unreadable(path.to_owned(), reason);
    let damaged = || DatabaseError::Damaged(path.to_owned());
    let (file, length) = open(path).map_err(unreadable)?;
    let mut reader = BufReader::new(&file);
    let mut head = [0; HEAD];
    if length >= HEAD as u64 {
        reader.read_exact(&mut head).map_err(unreadable)?;
    }
    if !head.starts_with(NAME) {
        return Err(DatabaseError::Foreign(path.to_owned()));
    }
    let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let found = number(NAME.len());
    let marbles = number(NAME.len() + 4);
    if !(1..=NEWEST).contains(&found) {
        return Err(DatabaseError::OtherVersion(path.to_owned(), found));
    }
    let marbles = u8::try_from(marbles).ok().filter(|&marbles| marbles <= MOST).ok_or_else(damaged)?;
    let mut left = positions_up_to(marbles);
    if found != version(marbles) || length != (HEAD + left) as u64 {
        return Err(damaged());
    }
    let mut digest = Sha256::new_with_prefix(before_digest(marbles));
    let mut block = [0; BLOCK];
    while left > 0 {
        let block = &mut block[..left.min(BLOCK)];
        reader.read_exact(block).map_err(unreadable)?;
        digest.update(&*block);
        on_block(block);
        left -= block.len();
    }
    if self::head(marbles, digest) == head { Ok((file, marbles)) } else { Err(damaged()) }
}

/// Opens a file, and returns its length. Anything but a regular file is refused before it is opened: a FIFO
/// would wait for a writer.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if metadata.permissions().mode() & WRITABLE_BY_OTHERS != 0 {
        return Err(io::Error::other("everybody may write to the file; remove that permission (chmod o-w)"));
    }
    Ok((File::open(path)?, metadata.len()))
}

/// Writes shares to a file, as they come. The file is replaced atomically.
pub(super) fn save(path: &Path, marbles: u8, shares: impl IntoIterator<Item: AsRef<[u8]>>) -> io::Result<()> {
    whole_file::replace(path, |file| {
        let mut file = BufWriter::new(file);
        // The digest is known when all has been written; until then this header makes the file invalid.
        file.write_all(&[0; HEAD])?;
        let mut digest = Sha256::new_with_prefix(before_digest(marbles));
        for shares in shares {
            digest.update(&shares);
            file.write_all(shares.as_ref())?;
        }
        file.rewind()?;
        file.write_all(&head(marbles, digest))?;
        file.flush()
    })
}

/// The header, from the digest of all shares.
fn head(marbles: u8, digest: Sha256) -> Vec<u8> {
    let mut head = [before_digest(marbles), digest.finalize().to_vec()].concat();
    head.resize(HEAD, 0);
    head
}

/// The header before the digest, which the digest covers too.
fn before_digest(marbles: u8) -> Vec<u8> {
    [&NAME[..], &version(marbles).to_le_bytes(), &u32::from(marbles).to_le_bytes()].concat()
}

/// Cached blocks: 16 MiB. Searches close in time need much the same positions.
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

/// The number of a block that has been read and checked, and its bytes.
type Slot = Option<(usize, Vec<u8>)>;

impl CheckedFile {
    /// Opens a file and checks all of it; the first value is the most marbles in it.
    pub(super) fn open(path: &Path) -> Result<(u8, Self), DatabaseError> {
        let mut digests = Vec::new();
        let (file, marbles) = check(path, |block| digests.push(digest_of(block)))?;
        let positions = positions_up_to(marbles);
        let slots = (0..SLOTS.min(digests.len())).map(|_| Mutex::default()).collect();
        let path = path.to_owned();
        let is_damaged = AtomicBool::new(false);
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
        if slot.as_ref().is_none_or(|&(number, _)| number != block) {
            if self.is_damaged() {
                return None;
            }
            let bytes = self.read(block).map_err(|reason| self.give_up(&reason)).ok()?;
            *slot = Some((block, bytes));
        }
        slot.as_ref()?.1.get(position % BLOCK).copied()
    }

    /// Reads a block and checks it.
    fn read(&self, block: usize) -> io::Result<Vec<u8>> {
        let first = block * BLOCK;
        let mut bytes = vec![0; BLOCK.min(self.positions - first)];
        self.file.read_exact_at(&mut bytes, (HEAD + first) as u64)?;
        if digest_of(&bytes) == self.digests[block] {
            Ok(bytes)
        } else {
            Err(io::Error::other("the file has changed"))
        }
    }

    /// Stops reading the file, and logs that once.
    fn give_up(&self, reason: &io::Error) {
        if !self.is_damaged.swap(true, Ordering::Relaxed) {
            log::error!(
                "the Wari database {} is corrupt and no longer used: {reason}; replace it and restart",
                self.path.display()
            );
        }
    }
}

fn digest_of(block: &[u8]) -> BlockDigest {
    let digest = Sha256::digest(block);
    std::array::from_fn(|at| digest[at])
}

/// How many of the marbles that are in the cups the side to move gets in the end, captured or left on its
/// side.
///
/// Each player can force one of the bounds, without help from the rule that ends endless play. If they are
/// equal, they are the value of the position. If not, it depends on endless play: on which position occurs
/// again first, and so on the moves before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// The least marbles that it gets, with best play of the side to move.
    pub(crate) least: u8,
    /// The most marbles that it gets, with best play of the opponent.
    pub(crate) most: u8,
}

/// The most marbles for which each pair of bounds fits in one byte: there are 253 pairs.
pub(super) const ALL_PAIRS: u8 = 21;
/// With more marbles, the byte of bounds that are too far apart to have their own: it means from none to all.
/// Bounds that are up to 12 apart always have one.
pub(super) const WIDE: u8 = u8::MAX;

/// The bounds that each byte means: for up to [`ALL_PAIRS`] marbles, and for each number above. The other
/// bytes mean nothing, and need no check that they do not occur.
static OF_BYTES: [[Share; BYTES]; TABLES] = of_bytes();
/// Different bytes.
const BYTES: usize = 1 << u8::BITS;
/// The number of these tables.
const TABLES: usize = (MOST - ALL_PAIRS) as usize + 1;

const fn of_bytes() -> [[Share; BYTES]; TABLES] {
    let mut tables = [[Share { least: 0, most: 0 }; BYTES]; TABLES];
    let mut table = 0;
    while table < TABLES {
        #[expect(clippy::cast_possible_truncation, reason = "there are few tables")]
        let marbles = ALL_PAIRS + table as u8;
        // Narrow bounds come first, so that the byte of the wide ones finally means from none to all.
        let mut apart = 0;
        while apart <= marbles {
            let mut least = 0;
            while least + apart <= marbles {
                let share = Share { least, most: least + apart };
                tables[table][share.to_byte(marbles) as usize] = share;
                least += 1;
            }
            apart += 1;
        }
        table += 1;
    }
    tables
}

impl Share {
    /// A share of exactly so many marbles.
    pub(super) const fn exactly(marbles: u8) -> Self {
        Self { least: marbles, most: marbles }
    }

    /// The share of the opponent, of so many marbles.
    pub(super) const fn rest_of(self, marbles: u8) -> Self {
        Self { least: marbles - self.most, most: marbles - self.least }
    }

    /// The share of a player who may choose between two.
    pub(super) fn or(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.max(other.most) }
    }

    /// The intersection of two bounds for the same position.
    pub(super) fn and(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    /// Whether the value does not depend on endless play.
    pub(super) const fn is_exact(self) -> bool {
        self.least == self.most
    }

    /// How the game ends for the side to move, if that does not depend on endless play.
    pub(super) const fn result(self, prisoners: u8) -> Option<GameResult> {
        const HALF: u8 = MARBLES / 2;
        let (least, most) = (prisoners + self.least, prisoners + self.most);
        if least > HALF {
            Some(GameResult::Win)
        } else if most < HALF {
            Some(GameResult::Loss)
        } else if least == HALF && most == HALF {
            Some(GameResult::Draw)
        } else {
            None
        }
    }

    /// The byte of these bounds in positions with so many marbles; [`WIDE`] if they have none of their own.
    #[expect(clippy::cast_possible_truncation, reason = "what is larger is cut off before")]
    pub(super) const fn to_byte(self, marbles: u8) -> u8 {
        let (least, most) = (self.least as u16, self.most as u16);
        if marbles <= ALL_PAIRS {
            return (most * (most + 1) / 2 + least) as u8;
        }
        // Narrow bounds come first: there are `marbles + 1 - n` pairs of bounds that are `n` apart.
        let apart = most - least;
        let narrower = apart * (marbles as u16 + 1) - apart * apart.saturating_sub(1) / 2;
        if narrower + least < WIDE as u16 { (narrower + least) as u8 } else { WIDE }
    }

    /// The inverse of [`to_byte`](Self::to_byte); a wide byte gives the widest bounds.
    pub(super) fn of_byte(byte: u8, marbles: u8) -> Self {
        OF_BYTES[usize::from(marbles.saturating_sub(ALL_PAIRS))][usize::from(byte)]
    }
}
