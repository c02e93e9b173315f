//! Extractors: what handlers take from a request, typed and checked; every failure is a
//! [`Problem`](super::problem::Problem).

use std::{
    borrow::Cow,
    cell::Cell,
    future::{Ready, ready},
    io::{self, Read},
    time::{Duration, Instant},
};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    dev::Payload,
    http::{
        Method,
        header::{self, Accept, Quality},
    },
    mime::Mime,
};
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use futures_util::{
    TryStreamExt as _,
    future::{Either, LocalBoxFuture},
};
use percent_encoding::percent_decode_str;
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned, IgnoredAny, Visitor},
};
use strum::VariantNames as _;
use tokio::time::timeout;

use super::{
    permits::{Permits, Pool},
    problem::Problem,
    request::{RequestContext, part},
};
use crate::{
    api::{Code, Failure, JSON, NDJSON, Object, limits::LIGHT_BODY},
    config::Config,
};

/// The query of a request that takes no parameters in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoParameters {}

/// Rejects what is not percent-encoded UTF-8; the form decoder would replace it silently.
fn check_encoding(parameter: &str) -> Result<(), Failure> {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let nameless = "a name in the query is not percent-encoded UTF-8";
    let name = decoded(name).ok_or_else(|| Failure::new(Code::InvalidParameter, nameless))?;
    decoded(value).map(drop).ok_or_else(|| {
        let detail = format!("the parameter '{name}' is wrong: it is not percent-encoded UTF-8");
        Failure::invalid_parameter(name, detail)
    })
}

/// Decodes a part of a query; `None` if it is not percent-encoded UTF-8.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    let has_digits = |rest: &str| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    let is_encoded = text.split('%').skip(1).all(has_digits);
    percent_decode_str(text).decode_utf8().ok().filter(|_| is_encoded)
}

/// The format of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListFormat {
    /// One JSON value, with the list in it.
    Json,
    /// One JSON value a line, each as soon as it is known.
    Lines,
}

impl ListFormat {
    /// Content negotiation: lines if the caller names NDJSON and gives it a higher quality than JSON. A
    /// caller that accepts neither gets JSON, which HTTP allows.
    pub fn wanted(request: &HttpRequest) -> Self {
        if prefers(request, NDJSON, JSON) { Self::Lines } else { Self::Json }
    }
}

/// Whether a caller names a media type, and gives it a higher quality than another.
pub fn prefers(request: &HttpRequest, media: &str, other: &str) -> bool {
    let quality_of = quality(request, media);
    quality_of > quality(request, other) && quality_of > Some(Quality::ZERO)
}

/// The quality that a caller gives a media type by its name; `*/*` stands for types that are not named.
pub fn quality(request: &HttpRequest, media: &str) -> Option<Quality> {
    let accept = request.get_header::<Accept>()?;
    let wanted = accept.iter().filter(|wanted| wanted.item.essence_str() == media);
    wanted.map(|wanted| wanted.quality).max()
}

/// A content coding of a request body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
enum Coding {
    Identity,
    #[strum(to_string = "gzip", serialize = "x-gzip")]
    Gzip,
    Deflate,
}

/// Extractor of a question: from the query with GET and HEAD, otherwise from a JSON body. A large body, or
/// one whose size is not known, takes a permit before it is read: from the [`Pool`] that the route names.
#[derive(Clone, Copy, Debug)]
pub struct Question<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for Question<T> {
    type Error = Problem;
    type Future = Either<Ready<Result<Self, Problem>>, LocalBoxFuture<'static, Result<Self, Problem>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let query = request.query_string();
        if [Method::GET, Method::HEAD].contains(request.method()) {
            RequestContext::of(request).parameters.set(members::<T>());
            return Either::Left(ready(Self::in_query(query)));
        }
        // A request with a body takes no query parameters.
        let read = Question::<NoParameters>::in_query(query);
        let coding = match read.and_then(|_| check_media_type(request)) {
            Ok(coding) => coding,
            Err(problem) => return Either::Left(ready(Err(problem))),
        };
        let (request, payload) = (request.clone(), payload.take());
        Either::Right(Box::pin(async move {
            let body = receive(&request, payload, coding).await;
            RequestContext::of(&request).complete.set(Instant::now());
            Self::in_body(&body?)
        }))
    }
}

/// The names of the members of a struct, in their order, as serde asks a deserializer for them.
pub fn members<T: DeserializeOwned>() -> &'static [&'static str] {
    struct Asked<'a>(&'a Cell<&'static [&'static str]>);

    impl<'de> Deserializer<'de> for Asked<'_> {
        type Error = de::value::Error;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
            Err(de::Error::custom(""))
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            members: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            self.0.set(members);
            self.deserialize_any(visitor)
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
            unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    let members = Cell::default();
    drop(T::deserialize(Asked(&members)));
    members.get()
}

impl<T: DeserializeOwned> Question<T> {
    /// Reads a query: form-encoded parameters, each at most once, and no unknown ones.
    ///
    /// # Errors
    /// A parameter is wrong.
    pub fn in_query(query: &str) -> Result<Self, Problem> {
        if query.contains('%') {
            query.split('&').try_for_each(check_encoding)?;
        }
        let parameters = || serde_urlencoded::Deserializer::new(form_urlencoded::parse(query.as_bytes()));
        // The slower deserializer is only needed to find the name of a wrong parameter.
        let read = T::deserialize(parameters()).or_else(|_| serde_path_to_error::deserialize(parameters()));
        read.map(Self).map_err(|error| Failure::unreadable("query", "parameter", &error).into())
    }

    /// Reads a body.
    ///
    /// # Errors
    /// It is not JSON, or a member is wrong.
    pub fn in_body(body: &[u8]) -> Result<Self, Problem> {
        let text = str::from_utf8(body).map_err(|error| {
            let at = String::from_utf8_lossy(&body[..error.valid_up_to()]).chars().count();
            Problem::from(Failure::new(Code::MalformedJson, "the body is not UTF-8").at(at))
        })?;
        // A syntax error anywhere takes precedence over a wrong member.
        serde_json::from_str::<IgnoredAny>(text).map_err(|error| not_json(text, &error))?;
        let read = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text));
        read.map(|Object(question)| Self(question)).map_err(|error| {
            if error.inner().is_data() {
                Failure::unreadable("body", "member", &error).into()
            } else {
                not_json(text, error.inner())
            }
        })
    }
}

/// Receives and decompresses a body.
async fn receive(request: &HttpRequest, mut payload: Payload, coding: Coding) -> Result<Vec<u8>, Problem> {
    let Config { body_limit, body_timeout_ms, .. } = ***part::<Config>(request);
    let headers = request.headers();
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let is_large = length.unwrap_or(0) > LIGHT_BODY || headers.contains_key(header::TRANSFER_ENCODING);
    if is_large || coding != Coding::Identity {
        let pool = request.app_data().copied().unwrap_or(Pool::Short);
        part::<Permits>(request).take(request, pool).await?;
    }
    let too_large = || Problem::new(Code::PayloadTooLarge, "the body is larger than the limit in /v1/limits");
    let broken = || {
        let detail = "the body is cut off, or does not match its Content-Encoding or Transfer-Encoding";
        Problem::new(Code::MalformedJson, detail)
    };
    let (mut body, limit) = (Vec::new(), body_limit);
    let received = async {
        while let Some(chunk) = payload.try_next().await.map_err(|_| broken())? {
            if body.len() + chunk.len() > limit {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(())
    };
    // The library does not limit the time of the body.
    let received = timeout(Duration::from_millis(body_timeout_ms), received).await;
    let late = "the body did not arrive within the limit in /v1/limits";
    received.map_err(|_| Problem::new(Code::RequestTimeout, late))??;
    let body = match coding {
        Coding::Identity => return Ok(body),
        Coding::Gzip => decompressed(MultiGzDecoder::new(&*body), limit),
        Coding::Deflate => decompressed(ZlibDecoder::new(&*body), limit),
    };
    let body = body.map_err(|_| broken())?;
    if body.len() > limit { Err(too_large()) } else { Ok(body) }
}

/// Decompresses a body, or as much of it as shows that it is larger than the limit.
fn decompressed(coded: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    coded.take(limit as u64 + 1).read_to_end(&mut body)?;
    Ok(body)
}

/// Checks that a body is declared as JSON in UTF-8, in a supported content coding.
fn check_media_type(request: &HttpRequest) -> Result<Coding, Problem> {
    let is_json = |media: Mime| {
        media.essence_str() == JSON && media.get_param("charset").is_none_or(|charset| charset == "utf-8")
    };
    let header = |name| request.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let detail = if request.mime_type().ok().flatten().is_some_and(is_json) {
        let Some(coding) = header(header::CONTENT_ENCODING) else { return Ok(Coding::Identity) };
        if let Ok(coding) = coding.parse() {
            return Ok(coding);
        }
        format!("the Content-Encoding '{coding}' is not supported, only {}", Coding::VARIANTS.join(", "))
    } else {
        let found = header(header::CONTENT_TYPE).map_or("missing".into(), |found| format!("'{found}'"));
        format!("the header Content-Type must be {JSON}, in UTF-8; it is {found}")
    };
    Err(Problem::new(Code::UnsupportedMediaType, detail))
}

/// The problem of a body that is not JSON, with the index of the character where parsing stopped.
fn not_json(text: &str, error: &serde_json::Error) -> Problem {
    let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    // Columns are counted in bytes from 1.
    let end = if error.is_eof() { text.len() } else { before + error.column().saturating_sub(1) };
    let at = text.char_indices().take_while(|&(i, _)| i < end).count();
    Failure::new(Code::MalformedJson, format!("the body is not JSON: {error}")).at(at).into()
}

#[cfg(test)]
mod tests {
    use actix_web::{http::header, test::TestRequest};

    use super::*;
    use crate::api::{RepetitionLimit, legal_moves::Spellings};

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Example {
        state: String,
        limit: Option<RepetitionLimit>,
        #[serde(default)]
        flip: bool,
        #[serde(default)]
        spellings: Spellings,
    }

    fn read(query: &str) -> Result<(String, Option<u64>), Problem> {
        let read = Question::in_query(query);
        read.map(|Question(Example { state, limit, .. })| (state, limit.map(RepetitionLimit::get)))
    }

    #[test]
    fn texts_and_numbers_are_read_in_any_order() {
        assert_eq!(read("limit=3&state=P%20%c3%A4+"), Ok(("P ä ".to_owned(), Some(3))));
        assert_eq!(read("&state=&"), Ok((String::new(), None)));
        assert_eq!(read("state"), Ok((String::new(), None)));
    }

    #[test]
    fn what_is_wrong_is_said_with_the_name_of_the_parameter() {
        for (query, name, detail) in [
            ("", "state", "missing field `state`"),
            ("state=P&state=P", "state", "duplicate field `state`"),
            ("state=P&start=P", "start", "unknown field `start`, expected one of `state`, `limit`, "),
            ("state=P&limit=11", "limit", "expected a whole number from 2 to 10"),
            ("state=P&limit=-1", "limit", "expected a whole number from 2 to 10"),
            ("state=P&flip=1", "flip", "provided string was not `true` or `false`"),
            ("state=P&spellings=some", "spellings", "unknown variant `some`, expected `usual` or `all`"),
            ("state=%", "state", "it is not percent-encoded UTF-8"),
            ("state=%4", "state", "it is not percent-encoded UTF-8"),
            ("state=%zz", "state", "it is not percent-encoded UTF-8"),
            ("state=%ff", "state", "it is not percent-encoded UTF-8"),
        ] {
            let problem = read(query).unwrap_err();
            let body = problem.body();
            assert_eq!(body.parameter.as_deref(), Some(name), "{query}");
            let sentence = format!("the parameter '{name}' is wrong: {detail}");
            assert!(body.detail.starts_with(&sentence), "{query}: {}", body.detail);
        }
        assert_eq!(read("%=P").unwrap_err().body().parameter, None);
    }

    #[test]
    fn lines_are_for_those_who_ask_for_them() {
        for (accept, expected) in [
            (None, ListFormat::Json),
            (Some("*/*"), ListFormat::Json),
            (Some("application/*"), ListFormat::Json),
            (Some("text/html"), ListFormat::Json),
            (Some("application/json, application/x-ndjson"), ListFormat::Json),
            (Some("application/x-ndjson;q=0"), ListFormat::Json),
            (Some("application/x-ndjson"), ListFormat::Lines),
            (Some("Application/X-NDJSON, */*"), ListFormat::Lines),
            (Some("application/json;q=0.5, application/x-ndjson;q=0.6"), ListFormat::Lines),
            (Some("???"), ListFormat::Json),
        ] {
            let mut request = TestRequest::default();
            if let Some(accept) = accept {
                request = request.insert_header((header::ACCEPT, accept));
            }
            assert_eq!(ListFormat::wanted(&request.to_http_request()), expected, "{accept:?}");
        }
    }
}
