//! How much room there is on a disk.

use std::{
    fs::{self, Metadata},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use rustix::fs::{StatVfs, statvfs};

/// Bytes of the blocks in which the system counts what files take.
const BLOCK: u64 = 512;

/// The bytes that there is room for beside a file: those that its file system has free for this process, and
/// those that some files and folders take, whose room is used again. Where the system cannot tell, nothing.
pub(super) fn with(file: &Path, used_again: &[PathBuf]) -> Option<u64> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let free = free(&statvfs(folder).ok()?)?;
    Some(used_again.iter().fold(free, |room, path| room.saturating_add(taken(path))))
}

/// The free bytes of a file system. Some on a network know nothing of their size, and say that they have
/// none.
fn free(system: &StatVfs) -> Option<u64> {
    (system.f_blocks > 0).then(|| system.f_bavail.saturating_mul(system.f_frsize))
}

/// The bytes that a file takes on the disk, or a folder with the files in it. What is not there, or cannot be
/// looked at, takes none.
fn taken(path: &Path) -> u64 {
    // A file may be larger than what it takes: cells have blocks once they are written.
    let blocks = |data: Metadata| data.blocks() * BLOCK;
    let inside = fs::read_dir(path).into_iter().flatten().flatten();
    let inside = inside.filter_map(|entry| entry.metadata().ok()).map(blocks).sum::<u64>();
    inside + fs::symlink_metadata(path).map_or(0, blocks)
}

#[cfg(test)]
mod tests {
    use std::{env, fs::File, io::Write as _};

    use super::*;

    #[test]
    fn what_files_take_is_room_that_is_used_again_and_holes_take_none() {
        let directory = tempfile::tempdir().unwrap();
        let folder = directory.path();
        let before = taken(folder);
        let hole = File::create(folder.join("hole")).unwrap();
        hole.set_len(1 << 30).unwrap();
        assert!(taken(folder) < before + (1 << 20));
        let mut full = File::create(folder.join("full")).unwrap();
        full.write_all(&vec![7; 1 << 20]).unwrap();
        full.sync_all().unwrap();
        let taken = taken(folder) - before;
        assert!((1 << 20..2 << 20).contains(&taken), "{taken}");
        assert!(with(&folder.join("file"), &[]).is_some());
        assert_eq!(super::taken(&folder.join("nowhere")), 0);
        assert_eq!(with(&folder.join("nowhere/file"), &[]), None);
    }

    #[test]
    fn a_file_system_that_does_not_know_its_size_is_not_taken_to_be_full() {
        let mut system = statvfs(env::temp_dir()).unwrap();
        (system.f_blocks, system.f_bavail, system.f_frsize) = (100, 3, 4096);
        assert_eq!(free(&system), Some(3 * 4096));
        (system.f_blocks, system.f_bavail) = (0, 0);
        assert_eq!(free(&system), None);
    }
}
