//! Endgames in a file.
//!
//! 64 bytes come before the shares: what kind of file it is (16 bytes), the version of its form and the most
//! marbles (4 bytes each, the lowest first), the SHA-256 digest of all that and the shares (32 bytes), and
//! eight zeros. Then comes a byte for each position in the order of their numbers.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufReader, BufWriter, Read, Seek, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use memmap2::MmapMut;
use sha2::{Digest, Sha256};

use super::index::{MOST, positions_up_to, positions_with};
use crate::whole_file;

/// What a file is about, which it begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// All positions with up to some number of marbles.
    Whole,
    /// Those with exactly so many: what is done with, while others are being worked out.
    Part,
}

impl Kind {
    const fn name(self) -> &'static [u8; 16] {
        match self {
            Self::Whole => b"cublino wari egd",
            Self::Part => b"cublino wari lay",
        }
    }

    /// How many positions it is about.
    fn positions(self, marbles: u8) -> usize {
        match self {
            Self::Whole => positions_up_to(marbles),
            Self::Part => positions_with(marbles).len(),
        }
    }
}

/// The newest version of the form, of the numbers of positions and of the rules.
const NEWEST: u32 = 2;
/// The most marbles in a file of version 1, which are the only ones that older programs can use.
const MOST_OF_FIRST: u8 = 21;
/// Where the shares begin.
pub(super) const HEAD: usize = 64;
/// Where the digest is.
const DIGEST: std::ops::Range<usize> = 24..56;

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
    #[error("the Wari database {} cannot be read: {reason}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// It is something else.
    #[error("{} is not a Wari database", .0.display())]
    Foreign(PathBuf),
    /// It was written by another version of this program.
    #[error(
        "the Wari database {} has version {found}, which this program does not know; build it anew",
        .path.display()
    )]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
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
pub(super) fn check(
    path: &Path,
    kind: Kind,
    mut on_block: impl FnMut(&[u8]),
) -> Result<(File, u8), DatabaseError> {
    let unreadable = |reason| DatabaseError::Unreadable { path: path.to_owned(), reason };
    let damaged = || DatabaseError::Damaged(path.to_owned());
    let (file, length) = open(path).map_err(unreadable)?;
    let mut reader = BufReader::new(&file);
    let mut head = [0; HEAD];
    let name = kind.name();
    if length >= HEAD as u64 {
        reader.read_exact(&mut head).map_err(unreadable)?;
    }
    if !head.starts_with(name) {
        return Err(DatabaseError::Foreign(path.to_owned()));
    }
    let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let (found, marbles) = (number(name.len()), number(name.len() + 4));
    if !(1..=NEWEST).contains(&found) {
        return Err(DatabaseError::OtherVersion { path: path.to_owned(), found });
    }
    let marbles = u8::try_from(marbles).ok().filter(|&marbles| marbles <= MOST).ok_or_else(damaged)?;
    let mut left = kind.positions(marbles);
    if found != version(marbles) || length != (HEAD + left) as u64 {
        return Err(damaged());
    }
    let (mut digest, mut block) = (digest(kind, marbles), [0; BLOCK]);
    while left > 0 {
        let block = &mut block[..left.min(BLOCK)];
        reader.read_exact(block).map_err(unreadable)?;
        digest.update(&*block);
        on_block(block);
        left -= block.len();
    }
    if head == self::head(kind, marbles, digest) { Ok((file, marbles)) } else { Err(damaged()) }
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
pub(super) fn save(
    path: &Path,
    kind: Kind,
    marbles: u8,
    shares: impl IntoIterator<Item: AsRef<[u8]>>,
) -> io::Result<()> {
    whole_file::replace(path, |file| write(file, kind, marbles, shares))
}

fn write(
    file: &mut File,
    kind: Kind,
    marbles: u8,
    shares: impl IntoIterator<Item: AsRef<[u8]>>,
) -> io::Result<()> {
    let mut file = BufWriter::new(file);
    // The digest is known when all has been written; until then this is the head of no file.
    file.write_all(&[0; HEAD])?;
    let mut digest = digest(kind, marbles);
    for shares in shares {
        digest.update(&shares);
        file.write_all(shares.as_ref())?;
    }
    file.rewind()?;
    file.write_all(&head(kind, marbles, digest))?;
    file.flush()
}

/// What comes before the shares, by the digest of them all.
fn head(kind: Kind, marbles: u8, digest: Sha256) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..DIGEST.start].copy_from_slice(&before_digest(kind, marbles));
    head[DIGEST].copy_from_slice(&digest.finalize());
    head
}

/// The digest of what comes before it.
fn digest(kind: Kind, marbles: u8) -> Sha256 {
    Sha256::new_with_prefix(before_digest(kind, marbles))
}

fn before_digest(kind: Kind, marbles: u8) -> [u8; DIGEST.start] {
    let mut before = [0; DIGEST.start];
    let (name, numbers) = before.split_at_mut(kind.name().len());
    name.copy_from_slice(kind.name());
    let (of_version, of_marbles) = numbers.split_at_mut(4);
    of_version.copy_from_slice(&version(marbles).to_le_bytes());
    of_marbles.copy_from_slice(&u32::from(marbles).to_le_bytes());
    before
}

/// Maps a working file of [`Resumable`](super::Resumable) into memory, to read and to write it there.
#[expect(unsafe_code, reason = "nothing in safe Rust maps files")]
pub(super) fn map(file: &File) -> io::Result<MmapMut> {
    // SAFETY: nobody else may change the bytes while they are borrowed. Only the process that holds the lock
    // of the folder writes such a file, and `save` replaces a file and never writes into one. Every byte is
    // valid as a share, every pair of bytes as a cell, and cells are read and written as atomics.
    unsafe { MmapMut::map_mut(file) }
}

/// Maps a part that has been [checked](check).
pub(super) fn map_part(path: &Path) -> io::Result<MmapMut> {
    map(&OpenOptions::new().read(true).write(true).open(path)?)
}
