//! Entity tags: an answer that is a pure function of the request has a name before it is worked out.

use std::fmt::{Display, Write};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderMap, HeaderValue},
};
use sha2::{Digest, Sha256};

use super::{
    hex::{self, Digits},
    problem::Problem,
    version,
};

/// How long an answer may be kept. It never changes while the service keeps its version; a day bounds how long an
/// answer outlives an upgrade.
const CACHE_CONTROL: &str = "public, max-age=86400";

/// For failures, and for what depends on chance or on the machine.
pub const NO_STORE: &str = "no-store";

/// What the codings that [`Compress`](actix_web::middleware::Compress) applies append to a tag.
const CODING_SUFFIXES: [&str; 3] = ["-gzip", "-br", "-deflate"];

/// For what describes the service itself: kept, but asked for again each time, so that nobody reads the description of
/// the version before.
const REVALIDATED: &str = "no-cache";

/// The strong entity tag of an answer, and how long the answer may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    name: Digits,
    cache_control: &'static str,
}

impl Tag {
    /// The tag of what an operation answers to the same canonical request; it changes with the version of the
    /// service. Half of a digest is enough: no two answers ever share 128 bits of it.
    pub fn of(operation: &str, request: &[&dyn Display]) -> Self {
        /// Room for most requests.
        const USUAL: usize = 192;
        let mut named = String::with_capacity(USUAL);
        named.push_str(&version::ENGINE);
        named.push('\n');
        named.push_str(operation);
        for part in request {
            // No canonical text has a line break, so no two requests are written the same.
            write!(named, "\n{part}").expect("writing to a String cannot fail");
        }
        let digest = Sha256::digest(named);
        let (tag, _) = digest.split_first_chunk().expect("a digest is longer than a tag");
        Self { name: hex::digits(u128::from_be_bytes(*tag)), cache_control: CACHE_CONTROL }
    }

    /// The same tag for an answer that describes the service itself.
    #[must_use]
    pub fn revalidated(self) -> Self {
        Self { cache_control: REVALIDATED, ..self }
    }

    /// The 304 for a caller who has the answer already.
    pub fn not_modified(self, request: &HttpRequest) -> Option<HttpResponse> {
        self.is_known_to(request).then(|| self.attach(HttpResponse::NotModified().finish()))
    }

    /// An answer that says its tag, and how long it may be kept.
    pub fn attach(self, mut response: HttpResponse) -> HttpResponse {
        let mut quoted = [b'"'; 34];
        quoted[1..33].copy_from_slice(&self.name);
        let quoted = HeaderValue::from_bytes(&quoted).expect("a tag is hexadecimal digits in quotes");
        let headers = response.headers_mut();
        headers.insert(header::ETAG, quoted);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache_control));
        response
    }

    /// Whether the caller has the answer already, in whatever coding.
    fn is_known_to(self, request: &HttpRequest) -> bool {
        let known = |value: &HeaderValue| {
            value.to_str().is_ok_and(|list| list.split(',').any(|tag| self.is_named(tag.trim())))
        };
        request.headers().get_all(header::IF_NONE_MATCH).any(known)
    }

    fn is_named(self, tag: &str) -> bool {
        if tag == "*" {
            return true;
        }
        let opaque = tag.strip_prefix("W/").unwrap_or(tag).trim_matches('"');
        let bare = CODING_SUFFIXES.iter().find_map(|suffix| opaque.strip_suffix(suffix)).unwrap_or(opaque);
        bare.as_bytes() == self.name
    }
}

/// The answer with this tag: 304 if the caller has it already, and only otherwise what `answer` works out.
///
/// # Errors
/// Passes on the failure of `answer`.
pub fn tagged(
    request: &HttpRequest,
    tag: Tag,
    answer: impl FnOnce() -> Result<HttpResponse, Problem>,
) -> Result<HttpResponse, Problem> {
    match tag.not_modified(request) {
        Some(response) => Ok(response),
        None => Ok(tag.attach(answer()?)),
    }
}

/// An answer that nobody should keep: another time it would be another.
pub fn unkept(mut response: HttpResponse) -> HttpResponse {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(NO_STORE));
    response
}

/// Gives a compressed answer a tag of its own: a strong tag stands for bytes.
pub fn distinguish_coding(headers: &mut HeaderMap) {
    let (Some(tag), Some(coding)) = (headers.get(header::ETAG), headers.get(header::CONTENT_ENCODING)) else {
        return;
    };
    let (Ok(tag), Ok(coding)) = (tag.to_str(), coding.to_str()) else { return };
    let distinct = format!("{}-{coding}\"", tag.trim_end_matches('"'));
    let distinct = HeaderValue::try_from(distinct).expect("a coding is a word");
    headers.insert(header::ETAG, distinct);
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn knows(header: &str) -> bool {
        let request = TestRequest::get().insert_header((header::IF_NONE_MATCH, header)).to_http_request();
        Tag::of("score", &[&"P"]).is_known_to(&request)
    }

    #[test]
    fn a_tag_names_the_operation_and_each_part_of_the_request() {
        let tag = Tag::of("score", &[&"P", &1]);
        assert_eq!(tag, Tag::of("score", &[&"P", &1]));
        assert_ne!(tag, Tag::of("score", &[&"P1"]));
        assert_ne!(tag, Tag::of("legal-moves", &[&"P", &1]));
    }

    #[test]
    fn a_tag_is_found_in_a_list_in_any_coding_and_under_the_star() {
        let bare = str::from_utf8(&Tag::of("score", &[&"P"]).name).unwrap().to_owned();
        let tag = format!("\"{bare}\"");
        assert!(knows(&tag));
        assert!(knows(&format!("\"other\", W/{tag}")));
        assert!(knows(&format!("\"{bare}-gzip\"")));
        assert!(knows("*"));
        assert!(!knows("\"other\""));
    }
}
