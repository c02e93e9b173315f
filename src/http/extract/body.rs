//! The body: JSON of a bounded size.

use std::{pin::Pin, time::Instant};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    dev::Payload,
    http::header::{self, HeaderMap},
    web::Data,
};
use serde::de::DeserializeOwned;
use tokio::time::{error::Elapsed, timeout};

use super::{
    query::{NoParameters, Query},
    receive::{Body, ReceiveError, receive},
    value::{MAX_DEPTH, Value, WrongValue},
};
use crate::{
    http::{problem::Problem, state::AppState},
    service::Code,
};

/// Codings of the body that are undone before it is read.
const CODINGS: [&str; 4] = ["identity", "gzip", "deflate", "br"];

/// When the body was received, or waiting for it ended: an extension of the request.
#[derive(Clone, Copy, Debug)]
pub struct Received(pub Instant);

/// What a JSON value takes besides its text while it is read, in bytes, as measured.
const VALUE: usize = 192;

/// What one takes in a question that has been read, and how many that holds at most: lists that have more
/// entries are refused, and each position is held as a text.
const KEPT: usize = 64;
const MOST_KEPT: usize = 2_000;

/// A body of JSON. What the question takes counts among the bytes in flight as long as the request lives, and
/// is then in the [extensions](HttpMessage::extensions_mut) of the request.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for Json<T> {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        // What such a request asks is in the body, and nothing in the query.
        let read = Query::<NoParameters>::read(request.query_string());
        if let Err(problem) = read.and_then(|_| check_media_type(request)) {
            return Box::pin(async { Err(problem) });
        }
        let state = request.app_data::<Data<AppState>>().expect("the application has its state").clone();
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let body = receive(&request, payload, state.limits.body_bytes, &state.in_flight);
            // The library does not limit the time of the body.
            let body = timeout(state.limits.body_time, body).await;
            request.extensions_mut().insert(Received(Instant::now()));
            let body = body.map_err(|_: Elapsed| late())?.map_err(|error| unreadable(&error))?;
            let Body { bytes, mut share } = body;
            let values = count_values(&bytes);
            share.set(bytes.len() + values * VALUE)?;
            let question = Self::read(&bytes)?;
            share.set(bytes.len() + values.min(MOST_KEPT) * KEPT)?;
            request.extensions_mut().insert(share);
            Ok(question)
        })
    }
}

impl<T: DeserializeOwned> Json<T> {
    /// What a body says.
    ///
    /// # Errors
    /// It is not JSON, or a member is wrong.
    pub fn read(body: &[u8]) -> Result<Self, Problem> {
        let text = str::from_utf8(body).map_err(|error| {
            let at = String::from_utf8_lossy(&body[..error.valid_up_to()]).chars().count();
            Problem::new(Code::MalformedJson, "the body is not UTF-8").at(at)
        })?;
        let value: Value = serde_json::from_str(text).map_err(|error| not_json(text, &error))?;
        T::deserialize(value).map(Self).map_err(Into::into)
    }
}

/// How many values a text has at most, if it is JSON: each but the first, and each name of a member, follows
/// a bracket, a comma or a colon that is in no string.
fn count_values(text: &[u8]) -> usize {
    let (mut is_string, mut is_escaped, mut count) = (false, false, 1);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_string = !is_string,
            b'[' | b'{' | b',' | b':' if !is_string => count += 1,
            _ => {}
        }
    }
    count
}

/// Bodies are JSON in UTF-8, in a coding that can be undone.
fn check_media_type(request: &HttpRequest) -> Result<(), Problem> {
    let wrong = |detail: String| Err(Problem::new(Code::UnsupportedMediaType, detail));
    match request.mime_type() {
        Ok(Some(media)) if media.essence_str() == "application/json" => {
            match media.get_param("charset").filter(|charset| *charset != "utf-8") {
                Some(charset) => {
                    wrong(format!("the body is announced in {charset}, and is read only in UTF-8"))
                }
                None => check_coding(request.headers()),
            }
        }
        Ok(Some(media)) => {
            wrong(format!("the body is announced as {media}, and is read only as application/json"))
        }
        Ok(None) => wrong("the header Content-Type is missing; it must be application/json".to_owned()),
        Err(_) => wrong("the header Content-Type cannot be read; it must be application/json".to_owned()),
    }
}

fn check_coding(headers: &HeaderMap) -> Result<(), Problem> {
    let Some(coding) = headers.get(header::CONTENT_ENCODING) else { return Ok(()) };
    let coding = String::from_utf8_lossy(coding.as_bytes());
    if CODINGS.iter().any(|known| known.eq_ignore_ascii_case(&coding)) {
        return Ok(());
    }
    let detail = format!("the body is coded as '{coding}', and only {} can be undone", CODINGS.join(", "));
    Err(Problem::new(Code::UnsupportedMediaType, detail))
}

/// The body has not come in time.
fn late() -> Problem {
    Problem::new(Code::RequestTimeout, "the body has not arrived in the time that this service waits for it")
}

/// The body could not be received. What the library says about it is about the library.
fn unreadable(error: &ReceiveError) -> Problem {
    match *error {
        ReceiveError::TooLarge => Problem::new(Code::PayloadTooLarge, error.to_string()),
        ReceiveError::Exhausted(exhausted) => exhausted.into(),
        ReceiveError::Broken(_) => {
            let detail = "the body is cut off, or is not coded as the headers Content-Encoding and \
                          Transfer-Encoding say";
            Problem::new(Code::MalformedJson, detail)
        }
    }
}

/// The body is not one JSON value.
fn not_json(text: &str, error: &serde_json::Error) -> Problem {
    let detail = if text.is_empty() {
        "the body is empty; it must be a JSON object".to_owned()
    } else if error.is_eof() {
        "the body ends before its JSON does".to_owned()
    } else if error.is_data() {
        format!("the body has lists or objects in each other over more than {MAX_DEPTH} levels")
    } else {
        format!("the body cannot be read as JSON at line {}, column {}", error.line(), error.column())
    };
    Problem::new(Code::MalformedJson, detail).at(place(text, error))
}

/// The index of the character at which reading stopped; that of the end if the text is cut off.
fn place(text: &str, error: &serde_json::Error) -> usize {
    if error.is_eof() {
        return text.chars().count();
    }
    let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    // Columns are counted in bytes from 1.
    let at = before + error.column().saturating_sub(1);
    text.char_indices().take_while(|&(i, _)| i < at).count()
}

impl From<WrongValue> for Problem {
    fn from(wrong: WrongValue) -> Self {
        let detail = wrong.to_string();
        let problem = match wrong.parameter() {
            Some(name) => Self::invalid_parameter(name, detail),
            None => Self::new(Code::InvalidParameter, detail),
        };
        match wrong.entry() {
            Some(index) => problem.at(index),
            None => problem,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_outside_of_strings() {
        for (text, count) in
            [("", 1), ("1", 1), (r#""[{,:""#, 1), (r#"["\\\"[,",0]"#, 3), (r#"{"a":["b,",{}]}"#, 6)]
        {
            assert_eq!(count_values(text.as_bytes()), count, "{text}");
        }
    }
}
