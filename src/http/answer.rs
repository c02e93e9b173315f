//! Bodies of good answers.

use actix_web::{
    Error, HttpResponse,
    http::header::{CONTENT_TYPE, HeaderValue},
    web::Bytes,
};
use futures_util::stream;
use serde::Serialize;
use tokio::task::yield_now;

use super::{in_flight::UNCOUNTED, problem::Problem, state::AppState, turn::Turn};
use crate::service::{JSON, Pieces, Unanswered, to_json};

/// An answer in JSON.
pub fn json(body: &impl Serialize) -> HttpResponse {
    text(JSON, to_json(body).into_bytes())
}

/// An answer that is text already.
pub fn text(media: &'static str, text: Vec<u8>) -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, HeaderValue::from_static(media))).body(text)
}

/// The last line of a list, which says why there is no more, or an entry of one without an answer.
pub fn problem_line(problem: &Problem) -> String {
    to_json(&Unanswered { problem: problem.body() })
}

/// The text of some pieces. Others on the same thread have their turn while it is put together. What is short
/// needs no memory that is counted, so that it is answered whatever others hold.
///
/// # Errors
/// There is no memory for it.
pub async fn gathered(
    state: &AppState,
    media: &'static str,
    pieces: Pieces,
) -> Result<HttpResponse, Problem> {
    let (mut gathered, mut share, turn) = (Vec::new(), state.in_flight.share(), Turn::begin());
    for piece in pieces {
        gathered.extend_from_slice(&piece);
        share.set(gathered.len().saturating_sub(UNCOUNTED))?;
        turn.pass().await;
    }
    Ok(text(media, gathered))
}

/// The same in pieces that are put together by the caller.
pub fn pieces(media: &'static str, pieces: Pieces) -> HttpResponse {
    let pieces = stream::unfold(pieces, async |mut pieces| {
        loop {
            yield_now().await;
            let piece = pieces.next()?;
            // The library would take an empty one for the end.
            if !piece.is_empty() {
                return Some((Ok::<_, Error>(Bytes::from(piece)), pieces));
            }
        }
    });
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, HeaderValue::from_static(media))).streaming(Box::pin(pieces))
}

/// An answer whose body has an unknown length and is not wanted.
pub fn no_body(media: &'static str) -> HttpResponse {
    HttpResponse::Ok().content_type(media).streaming(stream::empty::<Result<Bytes, Error>>())
}
