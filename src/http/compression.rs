//! The bodies of answers: counted as long as they are held, compressed, and sent piece by piece.
//!
//! The library copies a body into its buffer as a whole, where it stays until a slow reader has taken it.

use std::{
    convert::Infallible,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
};

use actix_http::encoding::Encoder;
use actix_web::{
    Error, HttpMessage,
    body::{BodySize, BoxBody, MessageBody},
    dev::{Service, ServiceRequest, ServiceResponse},
    http::header::{AcceptEncoding, ContentEncoding, Encoding},
    web::{Bytes, Data},
};
use cublino_guard::{Exhausted, Share, Watchdog};

use super::{headers, problem::Problem, state::AppState};
use crate::service::Code;

/// The size of a piece, in bytes.
const PIECE: usize = 16 * 1024;

/// The largest body that is sent as a whole, in bytes: what is collected of one in pieces is as much.
const WHOLE: usize = 2 * PIECE;

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
fn coder(coding: ContentEncoding, size: usize) -> usize {
    match coding {
        _ if size <= SMALL => 0,
        ContentEncoding::Brotli if size < PIECE => BROTLI,
        ContentEncoding::Brotli => BROTLI_WINDOW,
        _ => DEFLATE,
    }
}

/// Refuses a path and query that are too long.
///
/// Counts the body of an answer among the bytes in flight, with what its coder takes, has it compressed if
/// the caller wants that, and large ones sent in pieces. Where there is no memory for a coder the answer is
/// not compressed.
pub fn bound<S>(
    request: ServiceRequest,
    service: &S,
) -> impl Future<Output = Result<ServiceResponse, Error>> + use<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse, Error = Error>,
{
    let watchdog = request.conn_data::<Rc<Watchdog>>().cloned();
    let wanted = chosen(&request);
    let answer = match uri_too_long(&request) {
        None => Ok(service.call(request)),
        Some(problem) => Err(request.error_response(problem)),
    };
    async move {
        let answer = match answer {
            Ok(answer) => answer.await?,
            Err(refusal) => refusal,
        };
        Ok(bounded(answer, watchdog.as_deref(), wanted))
    }
}

fn uri_too_long(request: &ServiceRequest) -> Option<Problem> {
    let limit = request.app_data::<Data<AppState>>().expect("the application has its state").config.uri_limit;
    let length = request.uri().path_and_query().map_or(0, |text| text.as_str().len());
    let detail = || format!("path and query have {length} bytes, and no more than {limit} are read");
    (length > limit).then(|| Problem::new(Code::UriTooLong, detail()))
}

fn bounded(
    mut response: ServiceResponse,
    watchdog: Option<&Watchdog>,
    wanted: Option<ContentEncoding>,
) -> ServiceResponse {
    let size = match response.response().body().size() {
        BodySize::Sized(size) => usize::try_from(size).unwrap_or(usize::MAX),
        BodySize::Stream => PIECE,
        BodySize::None => 0,
    };
    // What a list is worked out from is held until it is complete; other answers need nothing more.
    let question = response.request().extensions_mut().remove::<Share>();
    if let (BodySize::Stream, Some(question)) = (response.response().body().size(), question) {
        response.response_mut().extensions_mut().insert(question);
    }
    let is_shared = response.response().extensions().contains::<Static>();
    let mut coding = wanted.filter(|_| size > 0 && !response.response().extensions().contains::<Uncoded>());
    // What is sent is copied; a large body stays until all of it has been.
    let (collected, body) = (size.min(WHOLE), if is_shared || size <= WHOLE { 0 } else { size });
    if let Some(watchdog) = watchdog
        && watchdog.answer_holds(collected, body + coding.map_or(0, |coding| coder(coding, size))).is_err()
        && (coding.take().is_none() || watchdog.answer_holds(collected, body).is_err())
    {
        return response.error_response(Problem::from(Exhausted));
    }
    response.map_body(|head, body| {
        let body = if size > WHOLE { in_pieces(body) } else { body };
        let Some(coding) = coding else { return body };
        let body = Encoder::response(coding, head, body).boxed();
        headers::distinguish_coding(head.headers_mut());
        body
    })
}

/// A body that is sent in pieces, if it is not a stream already.
fn in_pieces(body: BoxBody) -> BoxBody {
    body.try_into_bytes().map_or_else(|body| body, |bytes| Pieces(bytes).boxed())
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

/// Among the extensions of an answer: it is compressed for nobody.
#[derive(Clone, Copy, Debug)]
pub struct Uncoded;

/// The codings that there are, as the library is built here.
const CODINGS: [Encoding; 4] =
    [Encoding::identity(), Encoding::brotli(), Encoding::gzip(), Encoding::deflate()];

/// The coding in which the caller who sent the request gets an answer; nothing if it is sent uncoded, which
/// HTTP allows also where the caller refuses that.
pub fn chosen(request: &impl HttpMessage) -> Option<ContentEncoding> {
    match request.get_header::<AcceptEncoding>()?.negotiate(CODINGS.iter())? {
        Encoding::Known(ContentEncoding::Identity) | Encoding::Unknown(_) => None,
        Encoding::Known(coding) => Some(coding),
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    #[test]
    fn coders_are_counted_by_what_they_take() {
        use ContentEncoding::{Brotli, Gzip};
        for (coding, size, taken) in [
            (Brotli, SMALL, 0),
            (Gzip, 1_000_000, DEFLATE),
            (Brotli, PIECE - 1, BROTLI),
            (Brotli, PIECE, BROTLI_WINDOW),
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
