//! The requests of a connection, reported to its watchdog.

use std::{
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, ready},
};

use actix_http::{ConnectionType, Payload, Request, Response, Version, error::PayloadError, header};
use actix_service::Service;
use actix_web::{
    body::{BodySize, MessageBody},
    web::Bytes,
};
use futures_util::Stream;
use pin_project_lite::pin_project;

use super::{in_flight::Share, watchdog::Watchdog};

/// Answers a request, and reports to the watchdog of its connection how far it is.
pub fn watched<S, B>(
    mut request: Request,
    service: &S,
) -> impl Future<Output = Result<Response<WatchedBody<B>>, S::Error>> + use<S, B>
where
    S: Service<Request>,
    S::Response: Into<Response<B>>,
    B: MessageBody,
{
    let watchdog = request.conn_data::<Rc<Watchdog>>().expect("every connection has a watchdog").clone();
    let speaks_chunks = request.version() >= Version::HTTP_11;
    let payload = request.take_payload();
    let length = (!matches!(payload, Payload::None)).then(|| body_length(&request.head().headers));
    watchdog.request_began(length);
    if let Some(left) = length {
        let payload = WatchedPayload { payload, left, watchdog: watchdog.clone() };
        *request.payload() = Payload::Stream { payload: Box::pin(payload) };
    }
    let answer = service.call(request);
    async move {
        let mut response: Response<B> = match answer.await {
            Ok(response) => response.into(),
            Err(error) => {
                // What the library makes of it is short.
                watchdog.answered(!watchdog.owes_body());
                return Err(error);
            }
        };
        let length_is_unknown = response.body().size() == BodySize::Stream;
        let head = response.head_mut();
        if !speaks_chunks && length_is_unknown {
            // The end of the connection is the end of the body.
            head.no_chunking(true);
            head.set_connection_type(ConnectionType::Close);
        }
        // The library would wait for the rest of the body without end.
        if watchdog.owes_body() {
            head.set_connection_type(ConnectionType::Close);
        }
        let keep = head.connection_type() != ConnectionType::Close;
        let question = response.extensions_mut().remove();
        Ok(response.map_body(|_, body| WatchedBody {
            body,
            _answer: Answer { watchdog, keep },
            _question: question,
        }))
    }
}

/// The length of a body; that of one in chunks is not known.
fn body_length(headers: &header::HeaderMap) -> usize {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    length.unwrap_or(if headers.contains_key(header::TRANSFER_ENCODING) { usize::MAX } else { 0 })
}

/// The body of a request.
struct WatchedPayload {
    payload: Payload,
    /// How much of it is still to come.
    left: usize,
    watchdog: Rc<Watchdog>,
}

impl Stream for WatchedPayload {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = match Pin::new(&mut self.payload).poll_next(context) {
            // With `Upgrade: websocket`, which this service passes over, the library waits for more.
            Poll::Pending if self.left == 0 => return Poll::Ready(None),
            polled => ready!(polled),
        };
        match &polled {
            Some(Ok(bytes)) => {
                self.left = self.left.saturating_sub(bytes.len());
                self.watchdog.consumed(bytes.len());
            }
            Some(Err(_)) => {}
            None => self.watchdog.body_ended(),
        }
        Poll::Ready(polled)
    }
}

pin_project! {
    /// The body of an answer.
    #[derive(Debug)]
    pub struct WatchedBody<B> {
        #[pin]
        body: B,
        _answer: Answer,
        // What the body is worked out from, if that is held.
        _question: Option<Share>,
    }
}

impl<B: MessageBody> MessageBody for WatchedBody<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        self.project().body.poll_next(context)
    }
}

/// An answer that is complete when this is dropped.
#[derive(Debug)]
struct Answer {
    watchdog: Rc<Watchdog>,
    keep: bool,
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.watchdog.answered(self.keep);
    }
}
