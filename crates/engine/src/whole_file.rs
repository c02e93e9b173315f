//! Files that are replaced atomically.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

/// Replaces a file atomically: a reader finds the old content or all of the new, even after a crash of the
/// machine.
///
/// # Errors
/// Fails if the file cannot be written; the old one then stays, unless only syncing the folder failed.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let partial = beside(path, ".partial");
    let written = File::create(&partial).and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()
    });
    let written = written.and_then(|()| rename(&partial, path));
    if written.is_err() {
        // The reason of the failure matters more than whether the partial file can be removed.
        drop(fs::remove_file(&partial));
    }
    written
}

/// Renames a file durably: the new name lasts once the folder is synced.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// The path with a suffix appended.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(suffix);
    beside.into()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn what_was_there_stays_until_the_new_file_is_complete() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        for text in ["first", "second"] {
            replace(&path, |file| file.write_all(text.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let failed = replace(&path, |file| {
            file.write_all(b"half of the thi")?;
            Err(io::Error::other("the disk is full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        assert!(!beside(&path, ".partial").exists());
    }
}
