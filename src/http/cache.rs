//! Caching: `ETag` and `Cache-Control`. An answer that is a pure function of the request has a name before it
//! is worked out.

use std::fmt::{Display, Write};

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse,
    http::header::{self, CACHE_CONTROL, EntityTag, HeaderMap, HeaderValue, IfNoneMatch},
};
use twox_hash::XxHash3_128;

use super::{
    compression::{self, Uncoded},
    context::{self, Digits},
    problem::Problem,
};
use crate::version;

/// The strong entity tag of an answer, and how long the answer may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    name: Digits,
    cache_control: &'static str,
    /// Whether the answer is compressed for callers who want that.
    coded: bool,
}

impl Tag {
    /// The tag of what an operation answers to the same canonical request; it changes with the sources that
    /// decide the answer. It is compared with tags of the same URL only, which are as many as there have been
    /// programs: 128 bits tell them apart, and nobody gains by making two alike.
    pub fn of(operation: &str, request: &[&dyn Display]) -> Self {
        /// Room for most requests.
        const USUAL: usize = 256;
        let mut named = String::with_capacity(USUAL);
        named.push_str(version::SOURCES);
        named.push('\n');
        named.push_str(operation);
        for part in request {
            // No canonical text has a line break, so no two requests are written the same.
            write!(named, "\n{part}").expect("writing to a String cannot fail");
        }
        let name = context::digits(XxHash3_128::oneshot(named.as_bytes()));
        Self { name, cache_control: PUBLIC, coded: true }
    }

    /// The same tag for an answer that describes the service itself.
    #[must_use]
    pub fn revalidated(self) -> Self {
        Self { cache_control: NO_CACHE, ..self }
    }

    /// The same tag for an answer under a name that never stands for another.
    #[must_use]
    pub fn immutable(self) -> Self {
        Self { cache_control: IMMUTABLE, ..self }
    }

    /// The same tag for an answer that is compressed for nobody.
    #[must_use]
    pub fn uncoded(self) -> Self {
        Self { coded: false, ..self }
    }

    /// The 304 for a caller who has the answer already, in the coding in which it would be sent.
    pub fn not_modified(self, request: &HttpRequest) -> Option<HttpResponse> {
        let held = match request.get_header::<IfNoneMatch>()? {
            IfNoneMatch::Items(tags) if tags.is_empty() => return None,
            held => held,
        };
        let coding = compression::chosen(request).filter(|_| self.coded);
        let name = match coding {
            Some(coding) => in_coding(self.bare(), coding.as_str()),
            None => self.bare().to_owned(),
        };
        let tag = EntityTag::new_strong(name);
        let is_held = match held {
            IfNoneMatch::Any => true,
            // A weak tag names the strong one (RFC 9110, section 13.1.2).
            IfNoneMatch::Items(tags) => tags.iter().any(|held| held.weak_eq(&tag)),
        };
        is_held.then(|| {
            let mut response = self.attach(HttpResponse::NotModified().finish());
            response.headers_mut().insert(header::ETAG, quoted(tag.tag()));
            response
        })
    }

    /// The tag of the answer uncoded.
    fn bare(&self) -> &str {
        str::from_utf8(&self.name).expect("hexadecimal digits are ASCII")
    }

    /// The tag of the answer uncoded, as the header has it. Formatting would do the same for more, with every
    /// answer.
    fn to_header(self) -> HeaderValue {
        let mut quoted = [b'"'; 34];
        quoted[1..33].copy_from_slice(&self.name);
        HeaderValue::from_bytes(&quoted).expect("a tag is hexadecimal digits in quotes")
    }

    /// An answer with its tag, and how long it may be kept.
    pub fn attach(self, mut response: HttpResponse) -> HttpResponse {
        let headers = response.headers_mut();
        headers.insert(header::ETAG, self.to_header());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache_control));
        if !self.coded {
            response.extensions_mut().insert(Uncoded);
        }
        response
    }
}

/// A tag as the header has it.
fn quoted(tag: &str) -> HeaderValue {
    HeaderValue::try_from(format!("\"{tag}\""))
        .expect("a tag is hexadecimal digits, perhaps with the name of a coding")
}

/// The tag of an answer in a coding, by that of the answer uncoded: a strong tag stands for bytes.
fn in_coding(bare: &str, coding: &str) -> String {
    format!("{bare}-{coding}")
}

/// The answer with this tag: 304 if the caller has it already, and only otherwise what `answer` works out.
///
/// # Errors
/// Passes on the failure of `answer`.
pub fn with_etag(
    request: &HttpRequest,
    tag: Tag,
    answer: impl FnOnce() -> Result<HttpResponse, Problem>,
) -> Result<HttpResponse, Problem> {
    match tag.not_modified(request) {
        Some(response) => Ok(response),
        None => Ok(tag.attach(answer()?)),
    }
}

/// Gives a compressed answer a tag of its own.
pub fn distinguish_coding(headers: &mut HeaderMap) {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let (Some(tag), Some(coding)) = (text(header::ETAG), text(header::CONTENT_ENCODING)) else { return };
    let distinct = quoted(&in_coding(tag.trim_matches('"'), coding));
    headers.insert(header::ETAG, distinct);
}

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

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    /// The tag of the 304, if it is one.
    fn known(tag: Tag, if_none_match: &str, accept_encoding: &str) -> Option<String> {
        let mut request = TestRequest::get().insert_header((header::IF_NONE_MATCH, if_none_match));
        if !accept_encoding.is_empty() {
            request = request.insert_header((header::ACCEPT_ENCODING, accept_encoding));
        }
        let response = tag.not_modified(&request.to_http_request())?;
        Some(response.headers().get(header::ETAG).unwrap().to_str().unwrap().to_owned())
    }

    #[test]
    fn a_tag_names_the_operation_and_each_part_of_the_request() {
        let tag = Tag::of("score", &[&"P", &1]);
        assert_eq!(tag, Tag::of("score", &[&"P", &1]));
        assert_ne!(tag, Tag::of("score", &[&"P1"]));
        assert_ne!(tag, Tag::of("legal-moves", &[&"P", &1]));
    }

    #[test]
    fn a_tag_is_found_in_a_list_and_under_the_star() {
        let answer = Tag::of("score", &[&"P"]);
        let bare = str::from_utf8(&answer.name).unwrap();
        let tag = format!("\"{bare}\"");
        for header in [&tag, &format!("\"other\", W/{tag}"), &format!("W/{tag} ,\"a,b\""), "*", " * "] {
            assert_eq!(known(answer, header, ""), Some(tag.clone()), "{header}");
        }
        for header in ["", "\"other\"", bare, &format!("\"{bare}"), &format!("\"x,{bare}\""), "\"*\"", "w/*"]
        {
            assert_eq!(known(answer, header, ""), None, "{header}");
        }
    }

    #[test]
    fn only_the_tag_of_the_coding_that_would_be_chosen_counts() {
        let answer = Tag::of("score", &[&"P"]);
        let tag = |suffix: &str| format!("\"{}{suffix}\"", str::from_utf8(&answer.name).unwrap());
        let codings = ["", "-gzip", "-br", "-deflate"];
        for (accepted, suffix) in [
            ("", ""),
            ("identity", ""),
            ("*", ""),
            ("gzip", "-gzip"),
            ("br", "-br"),
            ("deflate", "-deflate"),
            ("gzip;q=0.5, deflate", "-deflate"),
            ("gzip;q=0, identity", ""),
        ] {
            for held in codings {
                let expected = (held == suffix).then(|| tag(suffix));
                assert_eq!(known(answer, &tag(held), accepted), expected, "{held} {accepted}");
                assert_eq!(
                    known(answer, &format!("W/{}", tag(held)), accepted),
                    expected,
                    "{held} {accepted}"
                );
            }
            assert_eq!(known(answer, "*", accepted), Some(tag(suffix)));
            assert_eq!(known(answer.uncoded(), &tag(""), accepted), Some(tag("")));
        }
    }
}
