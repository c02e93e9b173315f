//! Headers that belong on answers of whatever operation.

use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};

use super::version;

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
    headers.insert(version::HEADER, version::header());
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
