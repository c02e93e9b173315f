//! The bodies of answers: counted as long as they are held, and sent piece by piece.
//!
//! The library copies a body into its buffer as a whole, where it stays until a slow reader has taken it.

use std::{
    convert::Infallible,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
};

use actix_web::{
    Error,
    body::{BodySize, BoxBody, EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::header::{CONTENT_ENCODING, ContentEncoding, HeaderValue},
    middleware::Next,
    web::Bytes,
};

use super::{coding, connection::Watchdog, in_flight::Exhausted, problem::Problem};

/// The size of a piece, in bytes. A smaller body is one.
const PIECE: usize = 16 * 1024;

/// Among the extensions of an answer: all answers share its body, so that holding it takes no memory.
#[derive(Clone, Copy, Debug)]
pub struct Static;

/// What coders take as long as their answer is not complete, in bytes, as measured: that of brotli has a
/// window for answers of more than one piece.
const DEFLATE: usize = 384 * 1024;
const BROTLI: usize = 384 * 1024;
const BROTLI_WINDOW: usize = 2_560 * 1024;

/// The size of bodies that the library codes on the spot, in bytes.
const SMALL: usize = 1_024;

/// What coding a body takes.
fn coder(coding: Option<ContentEncoding>, size: usize) -> usize {
    match coding {
        None | Some(ContentEncoding::Identity) => 0,
        _ if size <= SMALL => 0,
        Some(ContentEncoding::Brotli) if size < PIECE => BROTLI,
        Some(ContentEncoding::Brotli) => BROTLI_WINDOW,
        Some(_) => DEFLATE,
    }
}

/// Counts the body of an answer among the bytes in flight, with what its coder takes, and has large ones sent
/// in pieces. Where there is no memory for a coder the answer is not compressed.
pub async fn bound<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<EitherBody<B, Pieces>, BoxBody>>, Error> {
    let watchdog = request.conn_data::<Rc<Watchdog>>().cloned();
    let coding = coding::chosen(&request);
    let mut response = next.call(request).await?;
    let size = match response.response().body().size() {
        BodySize::Sized(size) => usize::try_from(size).unwrap_or(usize::MAX),
        BodySize::Stream => PIECE,
        BodySize::None => 0,
    };
    let is_shared = response.response().extensions().contains::<Static>();
    // What is sent is copied; a large body stays until all of it has been.
    let (collected, body) = (size.min(2 * PIECE), if is_shared || size <= PIECE { 0 } else { size });
    let is_coded = response.headers().contains_key(CONTENT_ENCODING);
    let coder = if is_coded { 0 } else { coder(coding, size) };
    if let Some(watchdog) = watchdog
        && watchdog.answer_holds(collected, body + coder).is_err()
    {
        if coder > 0 && watchdog.answer_holds(collected, body).is_ok() {
            let identity = HeaderValue::from_static(ContentEncoding::Identity.as_str());
            response.headers_mut().insert(CONTENT_ENCODING, identity);
        } else {
            let problem = Problem::from(Exhausted);
            return Ok(response.error_response(problem).map_into_right_body());
        }
    }
    Ok(response.map_body(|_, body| {
        EitherBody::left(if size > PIECE {
            body.try_into_bytes().map_or_else(EitherBody::left, |bytes| EitherBody::right(Pieces(bytes)))
        } else {
            EitherBody::left(body)
        })
    }))
}

/// A body that is sent in pieces.
#[derive(Debug)]
pub struct Pieces(Bytes);

impl MessageBody for Pieces {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.0.len() as u64)
    }

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        if self.0.is_empty() {
            return Poll::Ready(None);
        }
        let piece = self.0.len().min(PIECE);
        Poll::Ready(Some(Ok(self.0.split_to(piece))))
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    #[test]
    fn coders_are_counted_by_what_they_take() {
        use ContentEncoding::{Brotli, Gzip, Identity};
        for (coding, size, taken) in [
            (None, 1_000_000, 0),
            (Some(Identity), 1_000_000, 0),
            (Some(Brotli), SMALL, 0),
            (Some(Gzip), 1_000_000, DEFLATE),
            (Some(Brotli), PIECE - 1, BROTLI),
            (Some(Brotli), PIECE, BROTLI_WINDOW),
        ] {
            assert_eq!(coder(coding, size), taken, "{coding:?} {size}");
        }
    }

    #[actix_web::test]
    async fn the_pieces_of_a_body_are_the_body() {
        let whole: Vec<u8> = (0..=u8::MAX).cycle().take(PIECE * 5 / 2).collect();
        let mut pieces = Pieces(whole.clone().into());
        assert_eq!(pieces.size(), BodySize::Sized(whole.len() as u64));
        let (mut count, mut sent) = (0, Vec::new());
        while let Some(Ok(piece)) = poll_fn(|context| Pin::new(&mut pieces).poll_next(context)).await {
            count += 1;
            sent.extend_from_slice(&piece);
        }
        assert_eq!((count, sent == whole), (3, true));
    }
}
