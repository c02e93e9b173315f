//! Which program this is.

/// The version of the package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that the program was built from, taken from the clone or from a setting of the build.
pub const COMMIT: Option<&str> =
    if env!("CUBLINO_COMMIT").is_empty() { None } else { Some(env!("CUBLINO_COMMIT")) };

/// Version and commit, in one word: `0.2.0+1f10af4`.
pub const FULL: &str =
    if COMMIT.is_some() { concat!(env!("CARGO_PKG_VERSION"), "+", env!("CUBLINO_COMMIT")) } else { VERSION };

/// A digest of the sources that determine answers: programs with the same digest give the same answers. See
/// `build/digest.rs`.
pub const SOURCES: &str = env!("CUBLINO_SOURCES");
