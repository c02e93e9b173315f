//! Response headers: security, version, CORS and caching. The ETag of an answer that is a pure function of
//! the request is known before the answer is computed.

use actix_cors::Cors;
use actix_web::{
    Error, HttpMessage, HttpRequest, HttpResponse,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method,
        header::{
            self, CACHE_CONTROL, ContentEncoding, EntityTag, HeaderMap, HeaderName, HeaderValue, IfNoneMatch,
        },
    },
    middleware::Next,
};
use twox_hash::XxHash3_128;

use super::{
    context::{self, Digits},
    mcp,
    problem::Problem,
    routes,
};
use crate::{
    api::Failure,
    config::Origin,
    version::{self, SOURCES},
};

/// The content security policy of HTML pages: what they need, from this origin only. Swagger UI uses inline
/// styles, and small pictures in its style sheet (`data:`); `/play/` has a manifest.
const PAGES: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                     img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
                     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The content security policy of SVG pictures: inline styles only.
const PICTURES: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// Completes the headers of an answer.
pub fn complete(headers: &mut HeaderMap) {
    const CODING: HeaderValue = HeaderValue::from_static("accept-encoding");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(VERSION_HEADER, HeaderValue::from_static(version::FULL));
    // The choice of a content coding depends on the request, even if the answer is not compressed.
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

/// The request headers that have one value. Two lines could mean one thing to a proxy, and another here.
const SINGLE: [HeaderName; 8] = [
    header::AUTHORIZATION,
    header::CONTENT_ENCODING,
    header::CONTENT_TYPE,
    header::HOST,
    header::ORIGIN,
    mcp::METHOD_HEADER,
    mcp::NAME_HEADER,
    mcp::VERSION_HEADER,
];

/// Middleware that refuses requests in which a header with one value has several lines.
pub async fn single<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse, Error> {
    let repeated = SINGLE.into_iter().find(|name| request.headers().get_all(name).nth(1).is_some());
    let Some(name) = repeated else { return Ok(next.call(request).await?.map_into_boxed_body()) };
    let detail = format!("the header {name} may be there only once");
    Ok(request.error_response(Problem::from(Failure::invalid_parameter(name.as_str(), detail))))
}

/// How long a browser may cache the answer to a CORS preflight, in seconds.
const MAX_AGE: usize = 3_600;

/// CORS: lets pages of these origins call the service, and read all response headers.
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

/// The header with version and commit.
pub const VERSION_HEADER: HeaderName = HeaderName::from_static("x-engine-version");

/// The strong ETag of an answer, and its Cache-Control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    name: Digits,
    /// The content coding of the answer: a strong tag identifies exact bytes.
    coding: Option<ContentEncoding>,
    /// The value of Cache-Control.
    pub cache_control: &'static str,
}

impl Tag {
    /// The tag of the answer to a request; `basis` is what else the answer depends on. The tag changes with
    /// the sources that determine answers. It is compared only with tags of the same URL, one for each
    /// version of the service: 128 bits suffice, and nobody gains by a forged collision.
    pub fn of(request: &str, basis: impl AsRef<[u8]>) -> Self {
        let named = [SOURCES.as_bytes(), request.as_bytes(), basis.as_ref()].join(&b'\n');
        let name = context::digits(XxHash3_128::oneshot(&named));
        Self { name, coding: None, cache_control: PUBLIC }
    }

    /// The same tag for an answer that must be revalidated, because it describes the service itself.
    #[must_use]
    pub fn revalidated(self) -> Self {
        Self { cache_control: NO_CACHE, ..self }
    }

    /// The tag of the same answer in a content coding.
    #[must_use]
    pub fn in_coding(self, coding: Option<ContentEncoding>) -> Self {
        Self { coding, ..self }
    }

    /// The 304 for a caller that has the answer already.
    pub fn not_modified(self, request: &HttpRequest) -> Option<HttpResponse> {
        let tag = EntityTag::new_strong(self.text());
        let is_held = match request.get_header::<IfNoneMatch>()? {
            IfNoneMatch::Any => true,
            // Weak comparison, as for every `If-None-Match` (RFC 9110, section 13.1.2).
            IfNoneMatch::Items(tags) => tags.iter().any(|held| held.weak_eq(&tag)),
        };
        is_held.then(|| self.attach(HttpResponse::NotModified().finish()))
    }

    /// The tag as text.
    pub fn text(&self) -> String {
        let name = str::from_utf8(&self.name).expect("hexadecimal digits are ASCII");
        self.coding.map_or(name.to_owned(), |coding| format!("{name}-{}", coding.as_str()))
    }

    /// Sets ETag and Cache-Control.
    pub fn attach(self, mut response: HttpResponse) -> HttpResponse {
        let tag = HeaderValue::try_from(format!("\"{}\"", self.text()))
            .expect("a tag is hexadecimal digits, perhaps with the name of a coding");
        let headers = response.headers_mut();
        headers.insert(header::ETAG, tag);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache_control));
        response
    }
}

/// Cache-Control of pure functions of the request. They change only with the version of the service; a day
/// bounds how long a cached answer outlives an upgrade.
pub const PUBLIC: &str = "public, max-age=86400";

/// Cache-Control of answers that describe the service itself: cached, but revalidated each time, so that
/// nobody reads the description of an older version.
pub const NO_CACHE: &str = "no-cache";

/// Cache-Control of a path with a digest of its bytes: it never changes. A year is the usual maximum.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Cache-Control of failures, and of answers that depend on chance or on the machine.
pub const NO_STORE: &str = "no-store";

/// Forbids caching an answer that may be different next time.
pub fn no_store(mut response: HttpResponse) -> HttpResponse {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(NO_STORE));
    response
}

/// Forbids shared caches to store an answer for callers with a key.
pub fn make_private(headers: &mut HeaderMap) {
    let Some(rest) = headers.get(CACHE_CONTROL).and_then(|value| value.to_str().ok()?.strip_prefix("public"))
    else {
        return;
    };
    let private = HeaderValue::try_from(format!("private{rest}")).expect("the rest is valid");
    headers.insert(CACHE_CONTROL, private);
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;
    use crate::http::answer;

    /// The tag of the 304 response, if there is one.
    fn known(tag: Tag, if_none_match: &str, accept_encoding: &str) -> Option<String> {
        let mut request = TestRequest::get().insert_header((header::IF_NONE_MATCH, if_none_match));
        if !accept_encoding.is_empty() {
            request = request.insert_header((header::ACCEPT_ENCODING, accept_encoding));
        }
        let request = request.to_http_request();
        let response = tag.in_coding(answer::chosen(&request)).not_modified(&request)?;
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
        let codings = ["", "-gzip", "-br"];
        for (accepted, suffix) in [
            ("", ""),
            ("identity", ""),
            ("*", ""),
            ("gzip", "-gzip"),
            ("br", "-br"),
            ("deflate", ""),
            ("gzip;q=0.5, br", "-br"),
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
