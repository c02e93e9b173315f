//! Headers of answers: security, version, CORS, and caching. An answer that is a pure function of the request
//! has an entity tag before it is worked out.

use actix_cors::Cors;
use actix_web::{
    HttpMessage, HttpRequest, HttpResponse,
    http::{
        Method,
        header::{self, CACHE_CONTROL, EntityTag, HeaderMap, HeaderName, HeaderValue, IfNoneMatch},
    },
};
use twox_hash::XxHash3_128;

use super::{
    answer,
    context::{self, Digits},
    routes,
};
use crate::{
    config::Origin,
    version::{self, SOURCES},
};

/// What a page of ours may load and who may show it in a frame: what Swagger UI needs, and nothing from
/// elsewhere. It writes styles into its elements, and has small pictures in its style sheet.
const PAGES: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                     img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
                     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A picture styles itself, and does nothing else.
const PICTURES: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// Completes the headers of an answer.
pub fn complete(headers: &mut HeaderMap) {
    const CODING: HeaderValue = HeaderValue::from_static("accept-encoding");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(VERSION_HEADER, HeaderValue::from_static(version::FULL));
    // Whether an answer is compressed depends on the request, also where it is not.
    let is_coding = |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(CODING.as_bytes());
    if !headers.get_all(header::VARY).any(is_coding) {
        headers.append(header::VARY, CODING);
    }
    let policy = match headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes) {
        Some(media) if media.starts_with(b"text/html") => PAGES,
        Some(media) if media.starts_with(b"image/svg+xml") => PICTURES,
        _ => return,
    };
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}

/// How long a browser may remember what is allowed, in seconds.
const MAX_AGE: usize = 3_600;

/// Lets pages of these origins call, and see all that callers elsewhere see.
pub fn cors(origins: &[Origin]) -> Cors {
    let cors = Cors::default()
        .allowed_methods([Method::GET, Method::HEAD, Method::POST, routes::QUERY.clone()])
        .allow_any_header()
        .expose_headers(["*"])
        .max_age(MAX_AGE)
        .block_on_origin_mismatch(false);
    origins.iter().fold(cors, |cors, origin| match origin {
        Origin::Any => cors.allow_any_origin(),
        Origin::Exactly(origin) => cors.allowed_origin(origin),
    })
}

/// The header that tells version and commit.
pub const VERSION_HEADER: HeaderName = HeaderName::from_static("x-engine-version");

/// The strong entity tag of an answer, and how long the answer may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    name: Digits,
    /// How long the answer may be kept.
    pub cache_control: &'static str,
}

impl Tag {
    /// The tag of what is answered to the same request, by what else the answer depends on; it changes with
    /// the sources that decide the answer. It is compared with tags of the same URL only, which are as many
    /// as there have been programs: 128 bits tell them apart, and nobody gains by making two alike.
    pub fn of(request: &str, basis: impl AsRef<[u8]>) -> Self {
        let named = [SOURCES.as_bytes(), request.as_bytes(), basis.as_ref()].join(&b'\n');
        let name = context::digits(XxHash3_128::oneshot(&named));
        Self { name, cache_control: PUBLIC }
    }

    /// The same tag for an answer that describes the service itself.
    #[must_use]
    pub fn revalidated(self) -> Self {
        Self { cache_control: NO_CACHE, ..self }
    }

    /// The 304 for a caller who has the answer already, in the coding in which it would be sent.
    pub fn not_modified(self, request: &HttpRequest) -> Option<HttpResponse> {
        let held = request.get_header::<IfNoneMatch>()?;
        let bare = self.bare().to_owned();
        let name = answer::chosen(request).map_or(bare, |coding| in_coding(self.bare(), coding.as_str()));
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

    /// An answer with its tag, and how long it may be kept.
    pub fn attach(self, mut response: HttpResponse) -> HttpResponse {
        let headers = response.headers_mut();
        headers.insert(header::ETAG, quoted(self.bare()));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache_control));
        response
    }
}

/// A tag as the header has it.
fn quoted(tag: &str) -> HeaderValue {
    HeaderValue::try_from(["\"", tag, "\""].concat())
        .expect("a tag is hexadecimal digits, perhaps with the name of a coding")
}

/// The tag of an answer in a coding, by that of the answer uncoded: a strong tag stands for bytes.
fn in_coding(bare: &str, coding: &str) -> String {
    format!("{bare}-{coding}")
}

/// The answer with this tag: 304 if the caller has it already, and only otherwise what `answer` works out.
pub fn with_etag(request: &HttpRequest, tag: Tag, answer: impl FnOnce() -> HttpResponse) -> HttpResponse {
    tag.not_modified(request).unwrap_or_else(|| tag.attach(answer()))
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

/// For what has a digest of its bytes in its path: it never changes. A year is the usual maximum.
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
    fn a_tag_names_the_operation_and_the_request() {
        let tag = Tag::of("score", "P\n1");
        assert_eq!(tag, Tag::of("score", "P\n1"));
        assert_ne!(tag, Tag::of("score", "P1"));
        assert_ne!(tag, Tag::of("legal-moves", "P\n1"));
    }

    #[test]
    fn a_tag_is_found_in_a_list_and_under_the_star() {
        let answer = Tag::of("score", "P");
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
        let answer = Tag::of("score", "P");
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
        }
    }
}
