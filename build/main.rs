//! Tells the program which sources it is built from.

mod digest;

use std::{env, error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let root = env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo tells where the package is")?;
    // A folder stands for all that is in it.
    for path in digest::COVERED.iter().chain(&["build"]) {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rustc-env=CUBLINO_SOURCES={}", digest::digest(Path::new(&root))?);
    Ok(())
}
