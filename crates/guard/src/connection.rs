//! The bytes and the requests of a connection, reported to its watchdog.

use std::{
    io,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, ready},
};

use actix_http::{
    ConnectionType, Payload, Request, RequestHead, Response, Uri, Version, error::PayloadError, header,
};
use actix_service::Service;
use actix_web::{
    body::{BodySize, MessageBody},
    rt::{net::TcpStream, time::Sleep},
    web::Bytes,
};
use futures_util::Stream;
use pin_project_lite::pin_project;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf, Take},
    time::{Instant, sleep_until},
};

use super::watchdog::{Cut, Watchdog};

/// The library's buffer grows when it has less room than this, in bytes.
const SPARE: usize = 1_024;

/// A stream that fails when its watchdog finds that it has lived too long. Whatever the library waits for, it
/// polls the stream, so the timer always wakes it.
#[derive(Debug)]
pub struct WatchedStream {
    stream: Take<TcpStream>,
    /// The watchdog of the connection.
    pub watchdog: Rc<Watchdog>,
    /// Set lazily: it may be early, but is never late.
    timer: Pin<Box<Sleep>>,
    /// Whether there is more to read once the library has handled what it got last.
    filled: bool,
    /// Bytes that have arrived, but are not wanted yet: mostly pipelined requests.
    early: Vec<u8>,
}

impl WatchedStream {
    /// Watches a stream that has just been opened.
    pub fn new(stream: TcpStream, watchdog: Rc<Watchdog>) -> Self {
        let due = watchdog.due().unwrap_or_else(Instant::now);
        let timer = Box::pin(sleep_until(due));
        Self { stream: stream.take(0), watchdog, timer, filled: false, early: Vec::new() }
    }

    /// Fails if the deadline has passed; otherwise the task is woken when it does.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        let Some(due) = self.watchdog.due() else { return Ok(()) };
        if due < self.timer.deadline() {
            self.timer.as_mut().reset(due);
        }
        while self.timer.as_mut().poll(context).is_ready() {
            if Instant::now() >= due {
                return Err(failure(self.watchdog.expire()));
            }
            self.timer.as_mut().reset(due);
        }
        Ok(())
    }
}

fn failure(cut: Cut) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, cut.name())
}

impl AsyncRead for WatchedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check(context)?;
        // The library reads until there is nothing left, into a buffer that grows to 128 KiB and never
        // shrinks. So it gets as much as fits, and more once it has handled that.
        if self.filled {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let (room, before) = (buffer.remaining(), buffer.filled().len());
        let room = if room > 2 * SPARE { room - SPARE } else { room };
        let Self { stream, watchdog, early, .. } = &mut *self;
        if early.is_empty() {
            stream.set_limit(room as u64);
            ready!(Pin::new(&mut *stream).poll_read(context, buffer))?;
            let arrived = &buffer.filled()[before..];
            watchdog.received(arrived.len()).map_err(failure)?;
            if arrived.is_empty() {
                return Poll::Ready(Ok(()));
            }
            let wanted = watchdog.wanted(arrived);
            early.extend_from_slice(&arrived[wanted..]);
            buffer.set_filled(before + wanted);
        } else {
            let wanted = watchdog.wanted(&early[..room.min(early.len())]);
            buffer.put_slice(&early[..wanted]);
            early.drain(..wanted);
        }
        if buffer.filled().len() == before {
            // The task is woken when the answer has been sent.
            return Poll::Pending;
        }
        self.filled = !early.is_empty() || stream.limit() == 0;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for WatchedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.filled = false;
        let polled = Pin::new(self.stream.get_mut()).poll_write(context, bytes);
        match polled {
            Poll::Ready(Ok(count)) => self.watchdog.sent(count),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.watchdog.stalled(),
        }
        self.check(context)?;
        polled
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The library flushes when all that it had has been written.
        if self.watchdog.flushed(self.early.len()) && !self.early.is_empty() {
            context.waker().wake_by_ref();
        }
        self.filled = false;
        self.check(context)?;
        Pin::new(self.stream.get_mut()).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(self.stream.get_mut()).poll_shutdown(context)
    }
}

/// Answers a request, and reports its progress to the watchdog of its connection.
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
        unshare(request.head_mut());
        let payload = WatchedPayload { payload, left, watchdog: watchdog.clone() };
        *request.payload() = Payload::Stream { payload: Box::pin(payload) };
    }
    let answer = service.call(request);
    async move {
        let mut response: Response<B> = match answer.await {
            Ok(response) => response.into(),
            Err(error) => {
                // The library's answer to an error is short.
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
        // The library would wait for the rest of the body for ever.
        if watchdog.owes_body() {
            head.set_connection_type(ConnectionType::Close);
        }
        let keep = head.connection_type() != ConnectionType::Close;
        Ok(response.map_body(|_, body| WatchedBody { body, _answer: Answer { watchdog, keep } }))
    }
}

/// Copies what a head shares with its read buffer into one piece, and its headers into a map of their size.
/// The library pools some hundred heads of answered requests with their headers, and would keep the buffer of
/// each. Requests without a body rarely overlap, so that it pools few of theirs.
fn unshare(head: &mut RequestHead) {
    let (uri, headers) = (head.uri.to_string(), &head.headers);
    let mut bytes = uri.as_bytes().to_vec();
    headers.iter().for_each(|(_, value)| bytes.extend_from_slice(value.as_bytes()));
    let mut bytes = Bytes::from(bytes);
    let mut copies = header::HeaderMap::with_capacity(headers.len_keys());
    let Ok(uri) = Uri::from_maybe_shared(bytes.split_to(uri.len())) else { return };
    for (name, value) in headers {
        let Ok(copy) = header::HeaderValue::from_maybe_shared(bytes.split_to(value.len())) else { return };
        copies.append(name.clone(), copy);
    }
    (head.uri, head.headers) = (uri, copies);
}

/// The length of a body; `usize::MAX` for a chunked one.
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
            // With `Upgrade: websocket`, which this service ignores, the library waits for more.
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

/// Reports an answer as complete when dropped.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_that_was_copied_keeps_no_buffer() {
        let buffer = Bytes::from(b"/v1/games?x=1 text/plain".to_vec());
        let mut head = RequestHead::default();
        head.uri = Uri::from_maybe_shared(buffer.slice(..13)).unwrap();
        let value = header::HeaderValue::from_maybe_shared(buffer.slice(14..)).unwrap();
        head.headers.append(header::ACCEPT, value.clone());
        head.headers.append(header::ACCEPT, value);
        unshare(&mut head);
        assert!(head.headers.capacity() < 8);
        assert!(buffer.is_unique());
        assert_eq!(head.uri, "/v1/games?x=1");
        assert!(head.headers.get_all(header::ACCEPT).eq(["text/plain"; 2]));
    }
}
