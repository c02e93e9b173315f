//! Files that are there as a whole or not at all.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

/// Puts a file in a place. Whoever opens it finds what was there before, or all of what is written; so it
/// stays if the machine fails.
///
/// # Errors
/// Fails if the file cannot be written; then its place is as before.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let partial = beside(path, ".partial");
    let written = File::create(&partial).and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()
    });
    let written = written.and_then(|()| rename(&partial, path));
    if written.is_err() {
        // Why it could not be written matters more than whether what there is of it can be removed.
        drop(fs::remove_file(&partial));
    }
    written
}

/// Moves a file to a place, for good: the new name lasts once the folder is written.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// The path with something at its end.
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
