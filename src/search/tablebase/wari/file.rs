//! Endgames in a file.
//!
//! 64 bytes come before the shares: what kind of file it is (16 bytes), the version of its form and the most
//! marbles (4 bytes each, the lowest first), the SHA-256 digest of all that and the shares (32 bytes), and
//! eight zeros. Then comes a byte for each position in the order of their numbers.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use memmap2::Mmap;
use sha2::{Digest, Sha256};

use super::index::{MOST, positions_up_to};

/// What the file begins with.
const KIND: &[u8; 16] = b"cublino wari egd";
/// The version of the form, of the numbers of positions and of the rules. Older files are of no use.
const VERSION: u32 = 1;
/// Where the shares begin.
const HEAD: usize = 64;
/// Where the digest is.
const DIGEST: std::ops::Range<usize> = 24..56;

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
        "the Wari database {} has version {found}, and only version {VERSION} can be used; build it anew",
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
    pub(super) fn open(path: &Path) -> Result<(u8, Self), DatabaseError> {
        let unreadable = |reason| DatabaseError::Unreadable { path: path.to_owned(), reason };
        let map = map(path).map_err(unreadable)?;
        let Some((head, bytes)) = map.split_first_chunk::<HEAD>() else {
            return Err(DatabaseError::Foreign(path.to_owned()));
        };
        if !head.starts_with(KIND) {
            return Err(DatabaseError::Foreign(path.to_owned()));
        }
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (found, marbles) = (number(KIND.len()), number(KIND.len() + 4));
        if found != VERSION {
            return Err(DatabaseError::OtherVersion { path: path.to_owned(), found });
        }
        let marbles = u8::try_from(marbles).ok().filter(|&marbles| marbles <= MOST);
        match marbles {
            Some(marbles)
                if bytes.len() == positions_up_to(marbles) && *head == self::head(marbles, bytes) =>
            {
                Ok((marbles, Self(map)))
            }
            _ => Err(DatabaseError::Damaged(path.to_owned())),
        }
    }
}

/// Writes shares to a file. Whoever opens it finds what was there before, or all of this.
pub(super) fn save(path: &Path, marbles: u8, shares: &[u8]) -> io::Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let written = write(&partial, marbles, shares).and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        // Why it could not be written matters more than whether what there is of it can be removed.
        drop(fs::remove_file(&partial));
        return written;
    }
    // The new name lasts once the folder is written.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn write(path: &Path, marbles: u8, shares: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(&head(marbles, shares))?;
    file.write_all(shares)?;
    file.sync_all()
}

/// What comes before the shares.
fn head(marbles: u8, bytes: &[u8]) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    let (before, _) = head.split_at_mut(DIGEST.start);
    before[..KIND.len()].copy_from_slice(KIND);
    before[KIND.len()..KIND.len() + 4].copy_from_slice(&VERSION.to_le_bytes());
    before[KIND.len() + 4..].copy_from_slice(&u32::from(marbles).to_le_bytes());
    let digest = Sha256::new_with_prefix(&before).chain_update(bytes).finalize();
    head[DIGEST].copy_from_slice(&digest);
    head
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
