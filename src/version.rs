//! Which program this is.

/// The version of the package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that the program was built from, if the build was told.
pub const COMMIT: Option<&str> = option_env!("CUBLINO_COMMIT");

/// A digest of what decides answers: two programs with the same one answer the same. `build/digest.rs` makes
/// it.
pub const SOURCES: &str = env!("CUBLINO_SOURCES");
