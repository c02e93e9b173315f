//! Which service this is.

use std::sync::LazyLock;

use actix_web::http::header::{HeaderName, HeaderValue};

/// The version of the package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that the service was built from, if the build was told.
pub const COMMIT: Option<&str> = option_env!("CUBLINO_COMMIT");

/// A digest of what decides answers: two services with the same one answer the same. `build/digest.rs` makes it.
pub const SOURCES: &str = env!("CUBLINO_SOURCES");

/// The header that tells version and commit.
pub const HEADER: HeaderName = HeaderName::from_static("x-engine-version");

/// Version and commit, in one word: `0.1.0+1f10af4`.
pub static ENGINE: LazyLock<String> =
    LazyLock::new(|| COMMIT.map_or_else(|| VERSION.to_owned(), |commit| format!("{VERSION}+{commit}")));

/// The value of the header.
pub fn header() -> HeaderValue {
    static VALUE: LazyLock<HeaderValue> =
        LazyLock::new(|| HeaderValue::try_from(&*ENGINE).expect("a commit is hexadecimal digits"));
    VALUE.clone()
}
