//! A digest of what decides the answers of the service: its sources, and the versions of what they are built
//! with.

use std::{
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

/// The files and folders that the digest covers: all that decide answers, and others not worth excluding.
pub const COVERED: [&str; 5] = ["Cargo.lock", "Cargo.toml", "crates", "openapi/openapi.json", "src"];

/// Parts of these folders that decide no answer.
const LEFT_OUT: [&str; 3] = ["crates/client", "src/cli", "src/main.rs"];

/// How much of the digest is shown, in bytes: no two sources ever share this much of it.
const TOLD: usize = 16;

/// The digest of files and folders of a package, in hexadecimal digits. It depends on the names of the files
/// within the package and on their bytes, and not on where the package is, on the machine, or on the order in
/// which a file system lists files.
///
/// # Errors
/// Fails if a file cannot be read, or has a name that is not UTF-8.
pub fn digest(package: &Path, names: &[&str]) -> io::Result<String> {
    let mut files = Vec::new();
    // A published package has no crates of its own: Cargo.lock names them.
    for name in names.iter().filter(|&&name| name != "crates" || package.join(name).exists()) {
        collect(package, (*name).to_owned(), &mut files)?;
    }
    files.sort_unstable();
    let mut all = Sha256::new();
    for name in files {
        let path: PathBuf = package.join(&name);
        let bytes = fs::read(&path).map_err(|error| about(&path, &error))?;
        // Each part follows its length, so that its bytes cannot be taken for those of the next.
        for part in [name.as_bytes(), &bytes] {
            all.update((part.len() as u64).to_le_bytes());
            all.update(part);
        }
    }
    let mut digits = String::with_capacity(2 * TOLD);
    for byte in &all.finalize()[..TOLD] {
        write!(digits, "{byte:02x}").map_err(io::Error::other)?;
    }
    Ok(digits)
}

/// Adds the name of a file, or those of all files in a folder, with slashes on every system.
fn collect(package: &Path, name: String, files: &mut Vec<String>) -> io::Result<()> {
    let path = package.join(&name);
    if LEFT_OUT.contains(&&*name) {
        return Ok(());
    }
    if !path.is_dir() {
        files.push(name);
        return Ok(());
    }
    for entry in fs::read_dir(&path).map_err(|error| about(&path, &error))? {
        let entry = entry?.file_name();
        let entry = entry.to_str().ok_or_else(|| about(&path, &"a name in it is not UTF-8"))?;
        // Editors leave such files while they work.
        if !entry.starts_with('.') {
            collect(package, format!("{name}/{entry}"), files)?;
        }
    }
    Ok(())
}

fn about(path: &Path, error: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("{}: {error}", path.display()))
}
