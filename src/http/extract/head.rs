//! The head: the path, the query and the format of the answer.

use std::{
    future::{Ready, ready},
    str::FromStr,
};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    dev::Payload,
    http::header::{Accept, Quality},
    mime::Mime,
};
use percent_encoding::percent_decode_str;
use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    games::GameId,
    http::problem::Problem,
    service::{Code, Failure, JSON, NDJSON},
};

/// The one variable segment of a path, read as a `T`.
#[derive(Clone, Copy, Debug)]
pub struct Path<T>(pub T);

impl<T: FromStr<Err: Into<Problem>>> FromRequest for Path<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let segment = request.match_info().iter().next().map_or("", |(_, segment)| segment);
        ready(segment.parse().map(Self).map_err(Into::into))
    }
}

/// The game of a path: its routes know it.
#[derive(Clone, Copy, Debug)]
pub struct GameOfPath(pub GameId);

impl FromRequest for GameOfPath {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let &game = request.app_data().expect("the routes of a game know it");
        ready(Ok(Self(game)))
    }
}

/// The parameters in the query: form-encoded, each at most once, none that is not known.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(pub T);

/// The query of a request that takes no parameters in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoParameters {}

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::read(request.query_string()))
    }
}

impl<T: DeserializeOwned> Query<T> {
    /// What a query says.
    ///
    /// # Errors
    /// A parameter is wrong.
    pub fn read(query: &str) -> Result<Self, Problem> {
        query.split('&').try_for_each(check_encoding)?;
        let parameters = serde_urlencoded::Deserializer::new(form_urlencoded::parse(query.as_bytes()));
        let read = serde_path_to_error::deserialize(parameters);
        read.map(Self).map_err(|error| Failure::unreadable("query", "parameter", &error).into())
    }
}

/// The reader replaces what is not percent-encoded UTF-8; here it is refused.
fn check_encoding(parameter: &str) -> Result<(), Problem> {
    let is_encoded = |text: &str| {
        let has_digits = |rest: &str| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
        text.split('%').skip(1).all(has_digits) && percent_decode_str(text).decode_utf8().is_ok()
    };
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    if !is_encoded(name) {
        return Err(Problem::new(Code::InvalidParameter, "a name in the query is not percent-encoded UTF-8"));
    }
    if !is_encoded(value) {
        let name = percent_decode_str(name).decode_utf8_lossy();
        let detail = format!("the parameter '{name}' is wrong: it is not percent-encoded UTF-8");
        return Err(Problem::invalid_parameter(name, detail));
    }
    Ok(())
}

/// The format of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListFormat {
    /// One JSON value, with the list in it.
    Json,
    /// One JSON value a line, each as soon as it is known.
    Lines,
}

impl FromRequest for ListFormat {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(request.get_header::<Accept>().map_or(Self::Json, |accept| Self::preferred(&accept))))
    }
}

impl ListFormat {
    /// Lines are for those who ask for them by name and would not rather have JSON. A caller who accepts
    /// neither gets JSON, which HTTP allows.
    fn preferred(accept: &Accept) -> Self {
        let quality = |is_wanted: fn(&Mime) -> bool| {
            let wanted = accept.iter().filter(|wanted| is_wanted(&wanted.item));
            wanted.map(|wanted| wanted.quality).max()
        };
        let lines = quality(|media| media.essence_str() == NDJSON);
        // `*/*` beside a name is for what nobody has named.
        let json = quality(|media| media.essence_str() == JSON);
        if lines > json && lines > Some(Quality::ZERO) { Self::Lines } else { Self::Json }
    }

    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json => JSON,
            Self::Lines => NDJSON,
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::{http::header, test::TestRequest};

    use super::*;
    use crate::service::{RepetitionLimit, legal_moves::Spellings};

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
        Query::read(query).map(|Query(Example { state, limit, .. })| (state, limit.map(RepetitionLimit::get)))
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

    #[actix_web::test]
    async fn lines_are_for_those_who_ask_for_them() {
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
            let request = request.to_http_request();
            let format = ListFormat::from_request(&request, &mut Payload::None).await.unwrap();
            assert_eq!(format, expected, "{accept:?}");
        }
    }
}
