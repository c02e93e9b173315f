//! The header that tells which service answers.

use std::sync::LazyLock;

use actix_web::http::header::{HeaderName, HeaderValue};

use crate::{
    service::health::Health,
    version::{COMMIT, SOURCES, VERSION},
};

/// The header that tells version and commit.
pub const HEADER: HeaderName = HeaderName::from_static("x-engine-version");

/// Version and commit, in one word: `0.2.0+1f10af4`.
pub static ENGINE: LazyLock<String> =
    LazyLock::new(|| COMMIT.map_or_else(|| VERSION.to_owned(), |commit| format!("{VERSION}+{commit}")));

/// The value of the header.
pub fn header() -> HeaderValue {
    static VALUE: LazyLock<HeaderValue> =
        LazyLock::new(|| HeaderValue::try_from(&*ENGINE).expect("a commit is hexadecimal digits"));
    VALUE.clone()
}

/// The service is well, and knows the endgames of Wari up to so many marbles.
pub fn health(wari_marbles: u8) -> Health {
    Health {
        status: "ok".into(),
        version: VERSION.into(),
        commit: COMMIT.map(Into::into),
        sources: SOURCES.into(),
        wari_marbles,
    }
}
