//! Tells the program which sources it is built from, and which files the page to play on has.

mod assets;
mod commit;
mod digest;

use std::{env, error::Error, fs, path::Path};

/// The variable that names the commit where the build does not see the clone, as in the image.
const COMMIT: &str = "CUBLINO_COMMIT";

fn main() -> Result<(), Box<dyn Error>> {
    let root = env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo tells where the package is")?;
    // A folder stands for all that is in it.
    for path in digest::COVERED.iter().chain(&["build"]) {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rustc-env=CUBLINO_SOURCES={}", digest::digest(Path::new(&root), &digest::COVERED)?);
    println!("cargo::rustc-env=CUBLINO_PAGE={}", digest::digest(Path::new(&root), &[assets::FOLDER])?);
    let generated = env::var_os("OUT_DIR").ok_or("cargo tells where to write")?;
    fs::write(Path::new(&generated).join("assets.rs"), assets::list(Path::new(&root))?)?;
    println!("cargo::rerun-if-env-changed={COMMIT}");
    let mut commit = env::var(COMMIT).unwrap_or_default();
    if commit.is_empty()
        && let Some((found, files)) = commit::checked_out(Path::new(&root))
    {
        commit = found;
        for file in files {
            println!("cargo::rerun-if-changed={}", file.display());
        }
    }
    println!("cargo::rustc-env={COMMIT}={commit}");
    Ok(())
}
