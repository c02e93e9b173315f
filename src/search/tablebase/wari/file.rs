//! Endgames in a file.
//!
//! 64 bytes come before the shares: what kind of file it is (16 bytes), the version of its form and the most
//! marbles (4 bytes each, the lowest first), the SHA-256 digest of all that and the shares (32 bytes), and
//! eight zeros. Then comes a byte for each position in the order of their numbers.

use std::{
    fs::File,
    io::{self, BufWriter, Seek, Write},
    path::{Path, PathBuf},
};

use memmap2::{Mmap, MmapMut};
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

/// The shares of the endgames that come with the program: the file that `cublino database wari FILE --marbles
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

/// A file that has been checked.
#[derive(Debug)]
pub(super) struct Mapped(Mmap);

impl Mapped {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0[HEAD..]
    }

    /// Maps a file and checks it; the first value is the most marbles in it.
    pub(super) fn open(path: &Path, kind: Kind) -> Result<(u8, Self), DatabaseError> {
        let map = map(path).map_err(|reason| DatabaseError::Unreadable { path: path.to_owned(), reason })?;
        let Some((head, bytes)) = map.split_first_chunk::<HEAD>() else {
            return Err(DatabaseError::Foreign(path.to_owned()));
        };
        let name = kind.name();
        if !head.starts_with(name) {
            return Err(DatabaseError::Foreign(path.to_owned()));
        }
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (found, marbles) = (number(name.len()), number(name.len() + 4));
        if !(1..=NEWEST).contains(&found) {
            return Err(DatabaseError::OtherVersion { path: path.to_owned(), found });
        }
        let marbles = u8::try_from(marbles).ok().filter(|&marbles| marbles <= MOST);
        match marbles {
            Some(marbles)
                if found == version(marbles)
                    && bytes.len() == kind.positions(marbles)
                    && *head == self::head(kind, marbles, digest(kind, marbles).chain_update(bytes)) =>
            {
                Ok((marbles, Self(map)))
            }
            _ => Err(DatabaseError::Damaged(path.to_owned())),
        }
    }

    /// Maps a file again that has been checked.
    pub(super) fn again(path: &Path) -> io::Result<Self> {
        map(path).map(Self)
    }
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

/// Maps a file into memory: several processes share it, it takes no memory that others are short of, and
/// after a restart it is still there. What reading it costs instead is measured in `MEASURED.md`.
#[expect(unsafe_code, reason = "nothing in safe Rust maps files")]
fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: the bytes must not change while they are borrowed. Nobody but the operator can write the file,
    // who is told to leave it alone, and `save` replaces a file and never writes into one. Every byte is
    // valid as a share or leads to an index that is checked, so a changed file could give wrong answers, and
    // a shortened one end the process, but neither breaks anything else.
    unsafe { Mmap::map(&file) }
}

/// Maps a file into memory to be written there.
#[expect(unsafe_code, reason = "nothing in safe Rust maps files")]
pub(super) fn map_to_write(file: &File) -> io::Result<MmapMut> {
    // SAFETY: as above. Only the process that holds the lock of the folder writes such a file, every pair of
    // bytes is valid as a cell, and cells are read and written as atomics.
    unsafe { MmapMut::map_mut(file) }
}
