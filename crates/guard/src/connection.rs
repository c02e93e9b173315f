//! The bytes and the requests of a connection, and its watchdog.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    io::{self, ErrorKind},
    mem,
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, Waker, ready},
    time::Duration,
};

use actix_http::{
    ConnectionType, HttpMessage as _, Method, Payload, Request, Response, Version,
    error::{DispatchError, ParseError},
    header::{CONTENT_LENGTH, HeaderValue, TRANSFER_ENCODING},
};
use actix_web::{
    body::{BodySize, BodyStream, BoxBody, MessageBody, SizedStream},
    rt::net::TcpStream,
    web::Bytes,
};
use futures_util::{StreamExt as _, stream};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::{Notify, watch},
    time::{Instant, sleep_until},
};

/// How much the library gets at a time, in bytes: it decodes all requests that it has got before it answers
/// the first, and each takes 7 KiB.
const SLICE: usize = 256;

/// How much it gets at a time of a body whose length is known.
const PIECE: usize = 4_096;

/// The most that may come before a request begins, in bytes.
const CEILING: usize = 32 * 1_024;

/// The answer to more.
const TOO_LARGE: &[u8] = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n\r\n";

/// How long a connection may stay in each of its phases.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// For a head to arrive, and for a connection to close.
    pub head: Duration,
    /// Without a request (keep-alive). Zero closes it after each answer.
    pub idle: Duration,
    /// For a reader to take nothing of an answer, or to lag behind the rate.
    pub read: Duration,
    /// The rate at which a reader must take an answer, in bytes a second.
    pub read_rate: u32,
}

/// Where in a request a connection is, and with that: what is done with the bytes that come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// A head is arriving. The library gets it.
    Head,
    /// The request has a body, but nobody waits for it now. It stays with the system.
    Unread,
    /// The handler waits for so many bytes of the body. The library gets them.
    Wanted(usize),
    /// The request has no body, or that has been read. What comes is dropped: so the caller is seen to leave.
    Request,
    /// The answer is complete, but not yet sent. What comes is dropped, unless the caller owes a body.
    Answered { owes: bool },
    /// All has been sent, and nothing has come since.
    Idle,
    /// All has been sent. The library takes the body that nobody reads, so that the answer is not lost.
    Closing,
}

/// Guards one connection. It lives on one thread.
#[derive(Debug)]
pub struct Watchdog {
    limits: ConnectionLimits,
    phase: Cell<Phase>,
    /// When the connection is cut off unless something happens before, and why.
    due: Cell<Option<(Instant, Option<Cut>)>>,
    /// How much longer the reader may lag behind the rate.
    patience: Cell<Duration>,
    /// Bytes of a head, or of what should be one.
    ahead: Cell<usize>,
    /// Whether something was dropped, perhaps a request: the connection ends after the answer.
    has_dropped: Cell<bool>,
    /// Wakes the task that reads when the body is wanted.
    reader: RefCell<Waker>,
    /// What is kept until all answers have been sent or the connection ends.
    pub(crate) held: RefCell<Vec<Box<dyn Any>>>,
    /// How long the service has been waiting for the caller.
    pub lag: Arc<Lag>,
    /// The id of the last request whose answer had a head.
    pub request: RefCell<Option<HeaderValue>>,
}

impl Watchdog {
    /// Guards a connection that has just begun.
    pub fn new(limits: ConnectionLimits) -> Self {
        Self {
            limits,
            phase: Cell::new(Phase::Head),
            due: Cell::new(Some((Instant::now() + limits.head, Some(Cut::SlowHead)))),
            patience: Cell::new(limits.read),
            ahead: Cell::default(),
            has_dropped: Cell::default(),
            reader: RefCell::new(Waker::noop().clone()),
            held: RefCell::default(),
            lag: Arc::default(),
            request: RefCell::default(),
        }
    }

    /// Keeps an object, such as a permit, until all answers have been sent or the connection ends.
    pub fn hold(&self, held: Box<dyn Any>) {
        self.held.borrow_mut().push(held);
    }

    /// Resolves when the connection must be cut off: with the reason, unless nothing was expected of the
    /// caller.
    pub async fn expired(&self) -> Option<Cut> {
        loop {
            // No time that begins during this pause ends in it.
            let pause = Instant::now() + self.limits.head.min(self.limits.read);
            match self.due.get() {
                Some((due, cut)) if due <= Instant::now() => return cut,
                due => sleep_until(due.map_or(pause, |(due, _)| due.min(pause))).await,
            }
        }
    }

    fn wait(&self, phase: Phase, time: Duration, cut: Option<Cut>) {
        self.phase.set(phase);
        self.due.set(Some((Instant::now() + time, cut)));
    }

    /// Whether the caller owes a body, or the rest of one.
    fn owes(&self) -> bool {
        matches!(self.phase.get(), Phase::Unread | Phase::Wanted(_))
    }
}

/// How long the service has been waiting for a caller. Other threads can see that, and cut the connection.
#[derive(Debug, Default)]
pub struct Lag {
    since: watch::Sender<Option<Instant>>,
    /// Notified when the connection has to make way.
    pub(crate) cut: Notify,
}

impl Lag {
    /// Since when the service has been waiting for the caller: since a write stalled, until everything was
    /// taken; and since a handler waited for a body, until that ended.
    pub fn since(&self) -> Option<Instant> {
        *self.since.borrow()
    }

    /// Cuts the connection off, because others wait.
    pub fn cut(&self) {
        self.cut.notify_one();
    }

    fn begin(&self) {
        self.since.send_modify(|since| *since = since.or_else(|| Some(Instant::now())));
    }
}

/// A stream that hands on what comes in small slices, and only when it is wanted.
#[derive(Debug)]
pub struct WatchedStream {
    /// The connection.
    pub stream: TcpStream,
    /// Its watchdog.
    pub watchdog: Rc<Watchdog>,
    /// Whether the library has yet to handle a slice: it reads until there is nothing left before it does.
    pub is_full: bool,
}

impl AsyncRead for WatchedStream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context, buffer: &mut ReadBuf) -> Poll<io::Result<()>> {
        let Self { stream, watchdog, is_full } = self.get_mut();
        let phase = watchdog.phase.get();
        if phase == Phase::Idle && watchdog.has_dropped.get() {
            return Poll::Ready(Ok(()));
        } else if matches!(phase, Phase::Unread | Phase::Answered { owes: true }) {
            watchdog.reader.replace(cx.waker().clone());
            return Poll::Pending;
        } else if mem::take(is_full) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let most = if let Phase::Wanted(most) = phase { most } else { SLICE };
        let mut slice = [0; PIECE];
        let mut slice = ReadBuf::new(&mut slice[..most.min(buffer.remaining())]);
        ready!(Pin::new(&mut *stream).poll_read(cx, &mut slice))?;
        let count = slice.filled().len();
        match phase {
            Phase::Request | Phase::Answered { .. } if count > 0 => {
                watchdog.has_dropped.set(true);
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            Phase::Idle if count > 0 => watchdog.wait(Phase::Head, watchdog.limits.head, Some(Cut::SlowHead)),
            Phase::Head if watchdog.ahead.get() + count > CEILING => {
                stream.try_write(TOO_LARGE)?;
                return Poll::Ready(Err(ErrorKind::FileTooLarge.into()));
            }
            _ => {}
        }
        watchdog.ahead.set(watchdog.ahead.get() + count);
        buffer.put_slice(slice.filled());
        *is_full = true;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for WatchedStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(cx, bytes);
        let Watchdog { limits, due, patience, lag, .. } = &*self.watchdog;
        if let Poll::Ready(Ok(count)) = polled {
            let credit = Duration::from_secs(1) * u32::try_from(count).unwrap_or(u32::MAX) / limits.read_rate;
            let extend = |(due, cut)| (Instant::min(due + credit, Instant::now() + limits.read), cut);
            due.set(due.get().map(extend));
            patience.set((patience.get() + credit).min(limits.read));
        } else if polled.is_pending() && due.get().is_none() {
            due.set(Some((Instant::now() + patience.get(), Some(Cut::SlowReader))));
            lag.begin();
        }
        polled
    }

    /// The library flushes when all that it had has been written.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        let Watchdog { limits, phase, due, patience, ahead, held, lag, .. } = &*self.watchdog;
        if let Some((late, Some(Cut::SlowReader))) = due.get() {
            due.set(None);
            patience.set(late.saturating_duration_since(Instant::now()));
        }
        if phase.get() == Phase::Request {
            lag.since.send_replace(None);
        } else if let Phase::Answered { owes } = phase.get() {
            lag.since.send_replace(None);
            patience.set(limits.read);
            ahead.set(0);
            drop(held.take());
            if owes {
                self.watchdog.wait(Phase::Closing, limits.head, Some(Cut::SlowBody));
            } else {
                self.watchdog.wait(Phase::Idle, limits.idle, None);
            }
            // The library would not read again by itself.
            cx.waker().wake_by_ref();
        }
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Tells the watchdog of the connection that a request begins. Returns what to do with its answer.
pub fn watched<B: MessageBody + 'static>(
    mut request: Request,
) -> (Request, impl FnOnce(Response<B>) -> Response<BoxBody>) {
    let watchdog = request.conn_data::<Rc<Watchdog>>().expect("every connection has a watchdog").clone();
    let (is_old, is_head) = (request.version() < Version::HTTP_11, request.method() == Method::HEAD);
    let has_chunks = request.headers().contains_key(TRANSFER_ENCODING);
    let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let left = if has_chunks { usize::MAX } else { length.unwrap_or(0) };
    watchdog.due.set(None);
    watchdog.phase.set(if left > 0 { Phase::Unread } else { Phase::Request });
    // With `Upgrade`, every request has a payload.
    let payload = request.take_payload();
    if left > 0 {
        *request.payload() = watched_payload(payload, left, watchdog.clone());
    }
    let open = Open(watchdog);
    let finish = move |mut response: Response<B>| {
        let size = response.body().size();
        let head = response.head_mut();
        // The library takes the method of the request that it has decoded last for that of this one.
        if let (true, BodySize::Sized(length)) = (is_head, size) {
            head.headers_mut().insert(CONTENT_LENGTH, length.into());
        }
        // Callers who know no chunks take the end of the connection for the end of the body.
        let is_endless = is_old && size == BodySize::Stream;
        head.no_chunking(is_head || is_endless);
        if is_endless || has_chunks || open.0.owes() || open.0.has_dropped.get() {
            head.set_connection_type(ConnectionType::Close);
        }
        response.map_body(|_, body| watched_body(body, is_head, open))
    };
    (request, finish)
}

/// The body of a request. So many bytes of it, or of chunks, are still to come.
fn watched_payload(mut payload: Payload, mut left: usize, watchdog: Rc<Watchdog>) -> Payload {
    let most = if left == usize::MAX { SLICE } else { PIECE };
    let stream = stream::poll_fn(move |cx| {
        // With `Upgrade`, the library waits for more than the length of the body.
        if left == 0 {
            return Poll::Ready(None);
        }
        let polled = payload.poll_next_unpin(cx);
        match &polled {
            Poll::Pending => {
                watchdog.phase.set(Phase::Wanted(left.min(most)));
                watchdog.lag.begin();
            }
            Poll::Ready(Some(piece)) => {
                left = left.saturating_sub(piece.as_ref().map_or(0, Bytes::len));
                watchdog.phase.set(Phase::Unread);
            }
            Poll::Ready(None) => left = 0,
        }
        if left == 0 {
            watchdog.phase.set(Phase::Request);
            watchdog.lag.since.send_replace(None);
        }
        watchdog.reader.borrow().wake_by_ref();
        polled
    });
    Payload::Stream { payload: Box::pin(stream) }
}

/// The body of an answer. One to HEAD ends at once: the caller waits for none of it.
fn watched_body<B: MessageBody + 'static>(body: B, is_head: bool, open: Open) -> BoxBody {
    let size = body.size();
    let mut body = Box::pin(body);
    let stream = stream::poll_fn(move |cx| {
        let _open = &open;
        if is_head { Poll::Ready(None) } else { body.as_mut().poll_next(cx) }
    });
    match size {
        BodySize::None => BoxBody::new(actix_web::body::None::new()),
        BodySize::Sized(size) if !is_head => SizedStream::new(size, stream).boxed(),
        _ => BodyStream::new(stream).boxed(),
    }
}

/// An answer that is not complete. Dropped when it is.
struct Open(Rc<Watchdog>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.phase.set(Phase::Answered { owes: self.0.owes() });
    }
}

/// Why the service ended a connection that its caller would have kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Cut {
    /// A head did not arrive in time.
    SlowHead,
    /// The rest of a body, which the answer did not wait for, did not arrive in time.
    SlowBody,
    /// The caller took an answer too slowly.
    SlowReader,
    /// No request came in time, or the connection made room for new ones.
    Idle,
    /// Others waited for what the service held for a caller who kept it waiting.
    MadeWay,
    /// What came was not HTTP; the library answers 400 without a body.
    Malformed,
    /// Too much came before a request began, or too many headers; the answer is 431 without a body.
    LargeHead,
}

impl Cut {
    /// All reasons.
    pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The reason in the log and as a label of the metric.
    ///
    /// ```
    /// use cublino_guard::Cut;
    ///
    /// assert_eq!(Cut::SlowHead.name(), "slow-head");
    /// ```
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The reason behind an error of the HTTP library, if the service ended the connection.
    pub fn of(error: &DispatchError) -> Option<Self> {
        match error {
            DispatchError::Parse(ParseError::TooLarge) => Some(Self::LargeHead),
            // The caller has left in the middle.
            DispatchError::Parse(ParseError::Incomplete | ParseError::Io(_)) => None,
            DispatchError::Parse(_) => Some(Self::Malformed),
            DispatchError::Io(error) if error.kind() == ErrorKind::FileTooLarge => Some(Self::LargeHead),
            // `TCP_USER_TIMEOUT`: the caller acknowledged nothing of what was sent.
            DispatchError::Io(error) if error.kind() == ErrorKind::TimedOut => Some(Self::SlowReader),
            _ => None,
        }
    }
}
