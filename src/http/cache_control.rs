//! For how long, and for whom, an answer may be kept: the header `Cache-Control`.

use actix_web::{
    HttpResponse,
    http::header::{CACHE_CONTROL, HeaderMap, HeaderValue},
};

/// For pure functions of the request. They never change while the service keeps its version; a day bounds how
/// long an answer outlives an upgrade.
pub const PUBLIC: &str = "public, max-age=86400";

/// For what describes the service itself: kept, but asked for again each time, so that nobody reads the
/// description of the version before.
pub const NO_CACHE: &str = "no-cache";

/// For what has a digest of its bytes in its path: it never changes. A year is as long as caches are told.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// For failures, and for what depends on chance or on the machine.
pub const NO_STORE: &str = "no-store";

/// An answer that nobody should keep: another time it would be another.
pub fn no_store(mut response: HttpResponse) -> HttpResponse {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(NO_STORE));
    response
}

/// Keeps caches that several callers share from keeping an answer for callers with a key.
pub fn make_private(headers: &mut HeaderMap) {
    let Some(rest) = headers.get(CACHE_CONTROL).and_then(|value| value.to_str().ok()?.strip_prefix("public"))
    else {
        return;
    };
    let private = HeaderValue::try_from(format!("private{rest}")).expect("one word for another");
    headers.insert(CACHE_CONTROL, private);
}
