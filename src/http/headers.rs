//! Headers of all answers: security, version, and CORS.

use std::sync::LazyLock;

use actix_cors::Cors;
use actix_web::http::{
    Method,
    header::{self, HeaderMap, HeaderName, HeaderValue},
};

use super::{access, context, mcp, routes, searching};
use crate::{
    config::Origin,
    service::health::Health,
    version::{COMMIT, SOURCES, VERSION},
};

/// What a page of ours may load and who may show it in a frame: what Swagger UI needs, and nothing from
/// elsewhere. It writes styles into its elements, and has small pictures in its style sheet.
const PAGES: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                     img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; \
                     form-action 'none'; frame-ancestors 'none'";

/// A picture styles itself, and does nothing else.
const PICTURES: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const NO_REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");
const ACCEPT_ENCODING: &str = "accept-encoding";

/// Completes the headers of an answer.
pub fn complete(headers: &mut HeaderMap) {
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    headers.insert(VERSION_HEADER, version_header());
    vary_by_coding(headers);
    let policy = match headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes) {
        Some(media) if media.starts_with(b"text/html") => PAGES,
        Some(media) if media.starts_with(b"image/svg+xml") => PICTURES,
        _ => return,
    };
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(header::REFERRER_POLICY, NO_REFERRER);
}

/// Whether an answer is compressed depends on the request, also where it is not.
fn vary_by_coding(headers: &mut HeaderMap) {
    const VARY: HeaderName = header::VARY;
    let said =
        headers.get_all(VARY).any(|value| value.as_bytes().eq_ignore_ascii_case(ACCEPT_ENCODING.as_bytes()));
    if !said {
        headers.append(VARY, HeaderValue::from_static(ACCEPT_ENCODING));
    }
}

/// How long a browser may remember what is allowed, in seconds.
const MAX_AGE: usize = 3_600;

/// Lets pages of these origins call, and see all that callers elsewhere see.
pub fn cors(origins: &[Origin]) -> Cors {
    let cors = Cors::default()
        .allowed_methods([Method::GET, Method::HEAD, Method::POST, routes::QUERY.clone()])
        .allowed_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_NONE_MATCH,
            context::REQUEST_ID_HEADER,
            context::TRACE_HEADER,
            mcp::VERSION_HEADER,
            mcp::METHOD_HEADER,
            mcp::NAME_HEADER,
        ])
        .expose_headers([
            header::ETAG,
            header::RETRY_AFTER,
            header::WWW_AUTHENTICATE,
            context::REQUEST_ID_HEADER,
            VERSION_HEADER,
            access::POLICY_HEADER,
            access::STATUS_HEADER,
            searching::TIMING_HEADER,
        ])
        .max_age(MAX_AGE)
        .block_on_origin_mismatch(false);
    origins.iter().fold(cors, |cors, origin| match origin {
        Origin::Any => cors.allow_any_origin(),
        Origin::Exactly(origin) => cors.allowed_origin(origin),
    })
}

/// The header that tells version and commit.
pub const VERSION_HEADER: HeaderName = HeaderName::from_static("x-engine-version");

/// Version and commit, in one word: `0.2.0+1f10af4`.
pub static ENGINE: LazyLock<String> =
    LazyLock::new(|| COMMIT.map_or_else(|| VERSION.to_owned(), |commit| format!("{VERSION}+{commit}")));

/// The value of the header.
pub fn version_header() -> HeaderValue {
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
