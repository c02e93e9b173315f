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

/// What a file begins with.
const NAME: &[u8; 16] = b"cublino wari egd";
/// The newest version of the form, of the numbers of positions and of the rules.
const NEWEST: u32 = 2;
/// The most marbles in a file of version 1, which are the only ones that older programs can use.
const MOST_OF_FIRST: u8 = 21;
/// Where the shares begin.
pub(super) const HEAD: usize = 64;

/// The version of a file with so many marbles: other versions are of no use.
const fn version(marbles: u8) -> u32 {
    if marbles <= MOST_OF_FIRST { 1 } else { NEWEST }
}

/// The shares of the endgames that come with the program: the file that `cublino endgames wari FILE --marbles
/// 12` writes, without its head. A test checks it.
pub(super) static BUILT_IN: &[u8] = include_bytes!("marbles-12.bin").split_at(HEAD).1;

/// Why there is no use for a file.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// It cannot be read.
    #[error("the Wari database {path} cannot be read: {1}", path = .0.display())]
    Unreadable(PathBuf, io::Error),
    /// It is something else.
    #[error("{} is not a Wari database", .0.display())]
    Foreign(PathBuf),
    /// It was written by another version of this program.
    #[error(
        "the Wari database {path} has version {1}, which this program does not know; build it anew",
        path = .0.display()
    )]
    OtherVersion(PathBuf, u32),
    /// A part is missing, or something is different from what was written.
    #[error("the Wari database {} is damaged; build it anew", .0.display())]
    Damaged(PathBuf),
}

/// How many bytes of shares are read at a time. Each such block is checked on its own when it is read again.
pub(super) const BLOCK: usize = 1024;

/// The mode bit of files that everybody may write.
const WRITABLE_BY_OTHERS: u32 = 0o002;

/// Reads a whole file and checks it. Hands over its blocks, which mean nothing until all have been read;
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
    let (found, marbles) = (number(NAME.len()), number(NAME.len() + 4));
    if !(1..=NEWEST).contains(&found) {
        return Err(DatabaseError::OtherVersion(path.to_owned(), found));
    }
    let marbles = u8::try_from(marbles).ok().filter(|&marbles| marbles <= MOST).ok_or_else(damaged)?;
    let mut left = positions_up_to(marbles);
    if found != version(marbles) || length != (HEAD + left) as u64 {
        return Err(damaged());
    }
    let (mut digest, mut block) = (Sha256::new_with_prefix(before_digest(marbles)), [0; BLOCK]);
    while left > 0 {
        let block = &mut block[..left.min(BLOCK)];
        reader.read_exact(block).map_err(unreadable)?;
        digest.update(&*block);
        on_block(block);
        left -= block.len();
    }
    if self::head(marbles, digest) == head { Ok((file, marbles)) } else { Err(damaged()) }
}

/// Opens a file, and tells its length. Anything but a regular file is refused before it is opened: a FIFO
/// would wait for a writer.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if metadata.permissions().mode() & WRITABLE_BY_OTHERS != 0 {
        return Err(io::Error::other("everybody may write to it; remove that permission (chmod o-w)"));
    }
    Ok((File::open(path)?, metadata.len()))
}

/// Writes shares to a file, as they come. Whoever opens it finds what was there before, or all of this.
pub(super) fn save(path: &Path, marbles: u8, shares: impl IntoIterator<Item: AsRef<[u8]>>) -> io::Result<()> {
    whole_file::replace(path, |file| {
        let mut file = BufWriter::new(file);
        // The digest is known when all has been written; until then this is the head of no file.
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

/// What comes before the shares, by the digest of them all.
fn head(marbles: u8, digest: Sha256) -> Vec<u8> {
    let mut head = [before_digest(marbles), digest.finalize().to_vec()].concat();
    head.resize(HEAD, 0);
    head
}

/// What comes before the digest, and is part of what it is made of.
fn before_digest(marbles: u8) -> Vec<u8> {
    [&NAME[..], &version(marbles).to_le_bytes(), &u32::from(marbles).to_le_bytes()].concat()
}

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

/// The number of a block that has been read and checked, and its bytes.
type Slot = Option<(usize, Vec<u8>)>;

impl CheckedFile {
    /// Opens a file and checks all of it; the first value is the most marbles in it.
    pub(super) fn open(path: &Path) -> Result<(u8, Self), DatabaseError> {
        let mut digests = Vec::new();
        let (file, marbles) = check(path, |block| digests.push(digest_of(block)))?;
        let positions = positions_up_to(marbles);
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
            Err(io::Error::other("it has changed"))
        }
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

fn digest_of(block: &[u8]) -> BlockDigest {
    let digest = Sha256::digest(block);
    std::array::from_fn(|at| digest[at])
}

/// How many of the marbles that are in the cups the side to move gets in the end, captured or left on its
/// side.
///
/// Each player can make sure of one of the bounds, without help from the rule that ends endless play. Where
/// they are equal they are the value of the position. Where they are not it hinges on endless play: on which
/// position occurs again first, and so on the moves before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// So many at least, if the side to move plays its best.
    pub(crate) least: u8,
    /// So many at most, if the opponent does.
    pub(crate) most: u8,
}

/// The most marbles for which each pair of bounds fits in one byte: there are 253 pairs.
pub(super) const ALL_PAIRS: u8 = 21;
/// With more marbles, the byte of bounds that are too far apart for one of their own: it stands for all or
/// nothing. Bounds that are up to 12 apart always have one.
pub(super) const WIDE: u8 = u8::MAX;

/// The bounds that a byte stands for: of up to [`ALL_PAIRS`] marbles, and of each number above. The rest of
/// the bytes stand for nothing, and nobody has to check that they do not occur.
static OF_BYTES: [[Share; BYTES]; TABLES] = of_bytes();
/// Different bytes.
const BYTES: usize = 1 << u8::BITS;
/// Tables of what bytes stand for.
const TABLES: usize = (MOST - ALL_PAIRS) as usize + 1;

const fn of_bytes() -> [[Share; BYTES]; TABLES] {
    let mut tables = [[Share { least: 0, most: 0 }; BYTES]; TABLES];
    let mut table = 0;
    while table < TABLES {
        #[expect(clippy::cast_possible_truncation, reason = "there are few tables")]
        let marbles = ALL_PAIRS + table as u8;
        // Narrow bounds come first, so that the byte of the wide ones comes to stand for all or nothing.
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
    /// Exactly so many.
    pub(super) const fn exactly(marbles: u8) -> Self {
        Self { least: marbles, most: marbles }
    }

    /// What is left of so many marbles for the opponent of the player who gets this.
    #[inline]
    pub(super) const fn rest_of(self, marbles: u8) -> Self {
        Self { least: marbles - self.most, most: marbles - self.least }
    }

    /// The better of two for the player who may choose.
    #[inline]
    pub(super) fn or(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.max(other.most) }
    }

    /// What both of two bounds for the same position allow.
    #[inline]
    pub(super) fn and(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    /// Whether the value does not hinge on endless play.
    #[inline]
    pub(super) const fn is_exact(self) -> bool {
        self.least == self.most
    }

    /// How the game ends for the side to move, if that does not hinge on endless play.
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

    /// The byte that stands for these bounds in positions with so many marbles, or for wider ones.
    #[expect(clippy::cast_possible_truncation, reason = "what is larger is cut off before")]
    #[inline]
    pub(super) const fn to_byte(self, marbles: u8) -> u8 {
        let (least, most) = (self.least as u16, self.most as u16);
        if marbles <= ALL_PAIRS {
            return (most * (most + 1) / 2 + least) as u8;
        }
        // Narrow bounds come first: there are as many more marbles than bounds can be apart.
        let apart = most - least;
        let narrower = apart * (marbles as u16 + 1) - apart * apart.saturating_sub(1) / 2;
        if narrower + least < WIDE as u16 { (narrower + least) as u8 } else { WIDE }
    }

    /// What [`to_byte`](Self::to_byte) gave.
    #[inline]
    pub(super) fn of_byte(byte: u8, marbles: u8) -> Self {
        OF_BYTES[usize::from(marbles.saturating_sub(ALL_PAIRS))][usize::from(byte)]
    }
}
