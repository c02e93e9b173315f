//! The method QUERY (RFC 10008): what a body asks, and nothing is changed by it, so that it may be retried.

use std::sync::LazyLock;

use actix_web::http::{
    Method,
    header::{HeaderName, HeaderValue},
};

/// The method.
pub static QUERY: LazyLock<Method> =
    LazyLock::new(|| Method::from_bytes(b"QUERY").expect("letters are a method"));

/// The header that says that a path answers the method, and what the body may be.
pub fn accept_query() -> (HeaderName, HeaderValue) {
    (HeaderName::from_static("accept-query"), HeaderValue::from_static("application/json"))
}
