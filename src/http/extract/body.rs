//! The body: JSON of a bounded size.

use std::{pin::Pin, time::Instant};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    dev::{Decompress, Payload},
    http::header,
    mime::Mime,
    web::Data,
};
use futures_util::TryStreamExt as _;
use serde::de::{DeserializeOwned, IgnoredAny};
use tokio::time::timeout;

use super::head::{NoParameters, Query};
use crate::{
    http::{
        in_flight::{BytesInFlight, Share},
        problem::Problem,
        state::AppState,
    },
    service::{Code, Failure, JSON, Object},
};

/// Codings of the body that are undone before it is read.
const CODINGS: [&str; 4] = ["identity", "gzip", "deflate", "br"];

/// When the body was received, or waiting for it ended: an extension of the request.
#[derive(Clone, Copy, Debug)]
pub struct Received(pub Instant);

/// The size of the blocks in which a body is held, in bytes. A buffer that grows is copied, and leaves holes
/// behind that only smaller ones fill.
const BLOCK: usize = 16 * 1024;

/// What a request takes besides its body for as long as that is received, in bytes, as measured.
const REQUEST: usize = 16 * 1024;

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
            let late = "the body has not arrived in the time that this service waits for it";
            let (bytes, mut share) = body.map_err(|_| Problem::new(Code::RequestTimeout, late))??;
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
        // Members are read only if the whole is JSON.
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

/// Receives a body, decompressed. It is counted among the bytes in flight as bytes come, for as long as it is
/// held: who only announces a large body holds nothing.
async fn receive(
    request: &HttpRequest,
    payload: Payload,
    limit: usize,
    in_flight: &BytesInFlight,
) -> Result<(Vec<u8>, Share), Problem> {
    let too_large = || Problem::new(Code::PayloadTooLarge, "the body is larger than this service reads");
    let headers = request.headers();
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    // Compressed, it is only larger than that.
    if announced.is_some_and(|length: usize| length > limit) {
        return Err(too_large());
    }
    let (mut blocks, mut length) = (Vec::new(), 0);
    let mut share = in_flight.share();
    share.set(REQUEST)?;
    let mut chunks = Decompress::from_headers(payload, headers);
    let broken = |_| {
        let detail = "the body is cut off, or is not coded as the headers Content-Encoding and \
                      Transfer-Encoding say";
        Problem::new(Code::MalformedJson, detail)
    };
    while let Some(chunk) = chunks.try_next().await.map_err(broken)? {
        length += chunk.len();
        if length > limit {
            return Err(too_large());
        }
        share.set(REQUEST + length.next_multiple_of(BLOCK))?;
        append(&mut blocks, &chunk);
    }
    // For a moment it is there twice, but only one at a time in each worker.
    Ok((blocks.concat(), share))
}

/// Appends bytes to blocks, of which only the last has room.
fn append(blocks: &mut Vec<Vec<u8>>, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        if blocks.last().is_none_or(|block| block.len() == BLOCK) {
            blocks.push(Vec::with_capacity(BLOCK));
        }
        let block = blocks.last_mut().expect("there is one now");
        let (now, later) = bytes.split_at(bytes.len().min(BLOCK - block.len()));
        block.extend_from_slice(now);
        bytes = later;
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
    let is_json = |media: Mime| {
        media.essence_str() == JSON && media.get_param("charset").is_none_or(|charset| charset == "utf-8")
    };
    let header = |name| request.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let coding = header(header::CONTENT_ENCODING).unwrap_or(CODINGS[0].into());
    let detail = if !request.mime_type().ok().flatten().is_some_and(is_json) {
        let found = header(header::CONTENT_TYPE).map_or("missing".into(), |found| format!("'{found}'"));
        format!("the header Content-Type must be {JSON}, in UTF-8; it is {found}")
    } else if !CODINGS.iter().any(|known| known.eq_ignore_ascii_case(&coding)) {
        format!("the body is coded as '{coding}', and only {} can be undone", CODINGS.join(", "))
    } else {
        return Ok(());
    };
    Err(Problem::new(Code::UnsupportedMediaType, detail))
}

/// The body is not one JSON value; the place is that of the character at which reading stopped, or the end.
fn not_json(text: &str, error: &serde_json::Error) -> Problem {
    let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    // Columns are counted in bytes from 1.
    let end = if error.is_eof() { text.len() } else { before + error.column().saturating_sub(1) };
    let at = text.char_indices().take_while(|&(i, _)| i < end).count();
    Problem::new(Code::MalformedJson, format!("the body is not JSON: {error}")).at(at)
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

    #[test]
    fn blocks_hold_what_was_appended_in_its_order() {
        let whole: Vec<u8> = (0..251).cycle().take(BLOCK * 3 + 5).collect();
        for size in [1, 7, BLOCK - 1, BLOCK, BLOCK + 1, whole.len()] {
            let mut blocks = Vec::new();
            whole.chunks(size).for_each(|chunk| append(&mut blocks, chunk));
            assert!(blocks.iter().all(|block| block.len() <= BLOCK), "{size}");
            assert_eq!((blocks.len(), blocks.concat() == whole), (4, true), "{size}");
        }
    }
}
