//! The files of the page to play on, as a list in Rust: a file that joins its folder is served.

use std::{fs, io, path::Path};

/// The folder of the page, within the package.
pub const FOLDER: &str = "src/http/play";

/// The templates, which the program fills in before it serves them.
const TEMPLATES: [&str; 4] = ["home.html", "index.html", "style.css", "worker.js"];

/// An expression: the names of the files and their bytes, in the order of the names.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn list(package: &Path) -> io::Result<String> {
    let folder = package.join(FOLDER);
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        // Editors leave such files while they work.
        if !name.starts_with('.') && !TEMPLATES.contains(&&*name) {
            files.push(format!("(\"{name}\", include_bytes!(\"{}\")),\n", folder.join(&name).display()));
        }
    }
    files.sort_unstable();
    Ok(format!("&[\n{}]", files.concat()))
}
