//! Response bodies: whole, in pieces, or as a list that is streamed while it is computed. Long work yields to
//! other requests on its thread. Bodies are compressed, except for those whose pieces must not be delayed.
//! They count as bytes in flight while they are held, unless all answers share them.

use std::{
    cell::{Cell, RefCell},
    convert::Infallible,
    future::{poll_fn, ready},
    rc::Rc,
    task::Poll,
    time::{Duration, Instant},
};

use actix_http::encoding::Encoder;
use actix_web::{
    Error, HttpMessage, HttpResponse,
    body::{BodySize, BoxBody, MessageBody, SizedStream},
    dev::{Service, ServiceRequest, ServiceResponse},
    http::header::{self, AcceptEncoding, CONTENT_TYPE, ContentEncoding, Encoding, HeaderValue},
    web::Bytes,
};
use cublino_guard::{Exhausted, Watchdog};
use futures_util::{
    future::Either,
    stream::{self, Stream},
};
use serde::Serialize;
use tokio::task::yield_now;

use super::{
    extract::ListFormat,
    headers::{self, NO_STORE},
    problem::Problem,
    state::AppState,
};
use crate::api::{Code, JSON, NDJSON, Pieces, Unanswered, to_json};

/// How many bytes of an answer do not count among the bytes in flight: most answers are smaller.
pub const UNCOUNTED: usize = 8 * 1024;

/// An answer in JSON.
pub fn json(body: &impl Serialize) -> HttpResponse {
    text(JSON, to_json(body).into_bytes())
}

/// An answer that is text already.
pub fn text(media: &'static str, text: Vec<u8>) -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, HeaderValue::from_static(media))).body(text)
}

/// A problem as JSON: the last line of a list that is cut short, or an entry without an answer.
pub fn problem_line(problem: &Problem) -> String {
    to_json(&Unanswered { problem: problem.body() })
}

/// Collects pieces into one body, and yields to other requests in between. A short body takes no counted
/// memory, so it is answered even if the limit on bytes in flight is reached.
///
/// # Errors
/// The limit on bytes in flight is reached.
pub async fn gathered(
    state: &AppState,
    media: &'static str,
    mut pieces: Pieces,
    turn: &Turn,
) -> Result<HttpResponse, Problem> {
    // A text that grows is copied. The initial capacity suffices for most.
    let (mut gathered, mut share) = (Vec::with_capacity(UNCOUNTED), state.in_flight.share());
    loop {
        let has_more = pieces(&mut gathered);
        share.set(gathered.len().saturating_sub(UNCOUNTED))?;
        if !has_more {
            return Ok(text(media, gathered));
        }
        turn.pass().await;
    }
}

/// The same, streamed piece by piece.
pub fn pieces(media: &'static str, pieces: Pieces) -> HttpResponse {
    let written =
        written(ListFormat::Json, NO_FRAME, async |list: &mut List| list.add(NO_FRAME, pieces).await);
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, HeaderValue::from_static(media)))
        .streaming(Box::pin(written))
}

/// The text before and after something, such as around the items of a JSON list.
pub type Frame = [&'static str; 2];

/// The frame of a list that is always sent line by line.
pub const NO_FRAME: Frame = ["", ""];

/// An answer that is a list of JSON values, which `write` adds one after the other.
pub fn respond(
    format: ListFormat,
    frame: Frame,
    write: impl AsyncFnOnce(&mut List) + 'static,
) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, NO_STORE)).insert_header((header::VARY, "accept"));
    match format {
        ListFormat::Json => response.content_type(JSON),
        ListFormat::Lines => response.content_type(NDJSON).insert_header(AT_ONCE),
    };
    response.streaming(Box::pin(written(format, frame, write)))
}

/// The body of a list, with backpressure: work continues only when what was written has been sent, so that no
/// more than a piece of it is in memory.
fn written(
    format: ListFormat,
    frame: Frame,
    write: impl AsyncFnOnce(&mut List) + 'static,
) -> impl Stream<Item = Result<Bytes, Error>> {
    let piece = Rc::new(RefCell::new(Vec::new()));
    let mut list = List { format, frame, is_first: true, piece: piece.clone(), turn: Turn::begin() };
    let work = async move {
        write(&mut list).await;
        list.end();
    };
    // Items never wait for later ones: what has been written is sent when the work pauses.
    let parts = (Some(Box::pin(work)), true, Bytes::new());
    stream::unfold(parts, move |(mut work, is_first, mut rest)| {
        let piece = piece.clone();
        async move {
            if !is_first {
                yield_now().await;
            }
            let written = poll_fn(|context| {
                if work.as_mut().is_some_and(|work| work.as_mut().poll(context).is_ready()) {
                    work = None;
                }
                // The library would take an empty piece for the end.
                match (piece.take(), &work) {
                    (piece, Some(_)) if piece.is_empty() => Poll::Pending,
                    (piece, _) => Poll::Ready(Some(piece).filter(|piece| !piece.is_empty())),
                }
            });
            if rest.is_empty() {
                rest = written.await?.into();
            }
            let piece = rest.split_to(rest.len().min(MOST));
            Some((Ok(piece), (work, false, rest)))
        }
    })
}

/// A list that is being written in one of the formats.
#[derive(Debug)]
pub struct List {
    format: ListFormat,
    frame: Frame,
    is_first: bool,
    /// What has not been sent yet.
    piece: Rc<RefCell<Vec<u8>>>,
    /// The time slice of the work that writes it.
    pub turn: Turn,
}

impl List {
    /// Adds a value: the text before its pieces, the pieces, and the text after them. It yields between
    /// pieces, always when enough has been written to be sent.
    pub async fn add(&mut self, [before, after]: Frame, mut pieces: impl FnMut(&mut Vec<u8>) -> bool) {
        self.open(",");
        self.push(before.as_bytes());
        let mut has_more = true;
        while has_more {
            has_more = pieces(&mut self.piece.borrow_mut());
            if !has_more {
                self.push(after.as_bytes());
            }
            let length = self.piece.borrow().len();
            if length >= WHOLE { self.turn.end().await } else { self.turn.pass().await }
        }
        if self.format == ListFormat::Lines {
            self.push(b"\n");
        }
    }

    /// Adds a value as a text.
    pub async fn add_text(&mut self, text: String) {
        self.add(NO_FRAME, one_piece(text)).await;
    }

    /// Writes what separates a value, or the end, from what was written before.
    fn open(&mut self, separator: &'static str) {
        let is_first = std::mem::replace(&mut self.is_first, false);
        if self.format == ListFormat::Json {
            self.push(if is_first { self.frame[0] } else { separator }.as_bytes());
        }
    }

    fn end(&mut self) {
        self.open("");
        if self.format == ListFormat::Json {
            self.push(self.frame[1].as_bytes());
        }
    }

    fn push(&self, bytes: &[u8]) {
        self.piece.borrow_mut().extend_from_slice(bytes);
    }
}

/// How long work runs before it yields to other requests on its thread: a few times as long as another
/// request takes.
const SLICE: Duration = Duration::from_micros(100);

/// The time slice of some work on its thread (cooperative scheduling).
#[derive(Clone, Debug)]
pub struct Turn(Cell<Instant>);

impl Turn {
    /// A time slice that begins now.
    pub fn begin() -> Self {
        Self(Cell::new(Instant::now()))
    }

    /// Yields to other requests if the time slice is used up.
    pub async fn pass(&self) {
        if self.0.get().elapsed() >= SLICE {
            self.end().await;
        }
    }

    /// Yields to other requests, and begins a new time slice.
    pub async fn end(&self) {
        yield_now().await;
        self.0.set(Instant::now());
    }
}

/// A text as one piece.
pub fn one_piece(mut text: String) -> Pieces {
    Box::new(move |piece| {
        piece.extend_from_slice(std::mem::take(&mut text).as_bytes());
        false
    })
}

/// The size of a piece, in bytes.
const PIECE: usize = 16 * 1024;

/// The largest body that is sent as a whole, in bytes. Of a body in pieces, as much is buffered.
const WHOLE: usize = 2 * PIECE;

/// The most that is sent of a list at a time, in bytes: the connection keeps a buffer of that size.
const MOST: usize = 2 * WHOLE;

/// An extension of responses whose body is shared by all of them, so that it takes no memory of its own.
#[derive(Clone, Copy, Debug)]
pub struct Static;

/// Memory of a compressor until its response is complete, in bytes, as measured. That of brotli has a window
/// if the body has a piece or more.
const CODER: usize = 384 * 1024;
const BROTLI_WINDOW: usize = 2_560 * 1024;

/// The largest body that the library compresses on the spot, in bytes.
const SMALL: usize = 1_024;

/// The memory of a compressor for a body of this size, in bytes.
fn coder(coding: ContentEncoding, size: usize) -> usize {
    match coding {
        _ if size <= SMALL => 0,
        ContentEncoding::Brotli if size >= PIECE => BROTLI_WINDOW,
        _ => CODER,
    }
}

/// Middleware that refuses a path and query that are too long.
///
/// It counts a response body among the bytes in flight, with the memory of its compressor, compresses it if
/// the caller accepts that, and sends large ones in pieces. Without memory for a compressor, the response is
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
        None => Either::Left(service.call(request)),
        Some(problem) => Either::Right(ready(Ok(request.error_response(problem)))),
    };
    async move { Ok(bounded(answer.await?, watchdog.as_deref(), wanted)) }
}

fn uri_too_long(request: &ServiceRequest) -> Option<Problem> {
    let limit = AppState::of(request.request()).config.uri_limit;
    let length = request.uri().path_and_query().map_or(0, |text| text.as_str().len());
    let detail = || format!("path and query have {length} bytes, and no more than {limit} are read");
    (length > limit).then(|| Problem::new(Code::UriTooLong, detail()))
}

fn bounded(
    response: ServiceResponse,
    watchdog: Option<&Watchdog>,
    wanted: Option<ContentEncoding>,
) -> ServiceResponse {
    let size = match response.response().body().size() {
        BodySize::Sized(size) => usize::try_from(size).unwrap_or(usize::MAX),
        BodySize::Stream => PIECE,
        BodySize::None => 0,
    };
    let is_shared = response.response().extensions().contains::<Static>();
    let mut coding = wanted.filter(|_| size > 0 && !response.headers().contains_key(AT_ONCE.0));
    // Sending copies the body; a large one is held until all of it has been sent.
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

/// Splits a body into pieces, unless it is a stream already.
fn in_pieces(body: BoxBody) -> BoxBody {
    let bytes = match body.try_into_bytes() {
        Ok(bytes) => bytes,
        Err(body) => return body,
    };
    let (size, starts) = (bytes.len(), (0..bytes.len()).step_by(PIECE));
    let piece = move |start| Ok::<_, Infallible>(bytes.slice(start..size.min(start + PIECE)));
    SizedStream::new(size as u64, stream::iter(starts.map(piece))).boxed()
}

/// The header of a response whose pieces must not be delayed: it stops buffering in reverse proxies. As
/// compression buffers, too, such a response is never compressed.
pub const AT_ONCE: (&str, &str) = ("x-accel-buffering", "no");

/// The content codings that the library supports in this build.
const CODINGS: [Encoding; 4] =
    [Encoding::identity(), Encoding::brotli(), Encoding::gzip(), Encoding::deflate()];

/// The content coding of the response to a request; `None` if it is sent uncompressed, which HTTP allows even
/// if the caller refuses that.
pub fn chosen(request: &impl HttpMessage) -> Option<ContentEncoding> {
    match request.get_header::<AcceptEncoding>()?.negotiate(CODINGS.iter())? {
        Encoding::Known(ContentEncoding::Identity) | Encoding::Unknown(_) => None,
        Encoding::Known(coding) => Some(coding),
    }
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, pin::Pin};

    use actix_web::body::{MessageBody as _, to_bytes};

    use super::*;

    const FRAME: Frame = ["{\"results\":[", "]}"];

    async fn written(response: HttpResponse) -> String {
        String::from_utf8(to_bytes(response.into_body()).await.unwrap().into()).unwrap()
    }

    #[actix_web::test]
    async fn a_list_is_one_value_or_one_a_line() {
        for (count, json, lines) in [
            (0_u8, "{\"results\":[]}", ""),
            (1, "{\"results\":[0]}", "0\n"),
            (3, "{\"results\":[0,1,2]}", "0\n1\n2\n"),
        ] {
            for (format, expected) in [(ListFormat::Json, json), (ListFormat::Lines, lines)] {
                let response = respond(format, FRAME, async move |list: &mut List| {
                    for i in 0..count {
                        list.add_text(i.to_string()).await;
                    }
                });
                assert_eq!(written(response).await, expected);
            }
        }
    }

    #[actix_web::test]
    async fn nothing_is_worked_out_before_what_comes_first_has_been_taken() {
        let worked_out = Rc::new(RefCell::new(0));
        let counter = worked_out.clone();
        let response = respond(ListFormat::Lines, FRAME, async move |list: &mut List| {
            for last in [10, 20] {
                let piece = |text: &mut Vec<u8>| {
                    *counter.borrow_mut() += 1;
                    text.resize(text.len() + WHOLE, b'1');
                    *counter.borrow() < last
                };
                list.add(NO_FRAME, piece).await;
            }
        });
        let mut body = response.into_body();
        for pieces in 1..=20 {
            let piece = poll_fn(|context| Pin::new(&mut body).poll_next(context)).await.unwrap().unwrap();
            assert!(piece.len() <= MOST && *worked_out.borrow() == pieces, "{pieces}");
        }
    }

    #[actix_web::test]
    async fn work_that_takes_long_gives_others_their_turn_after_each_slice() {
        let worked_out = Rc::new(Cell::new(0));
        let counter = worked_out.clone();
        let response = respond(ListFormat::Lines, FRAME, async move |list: &mut List| {
            list.add(NO_FRAME, |_| {
                let began = Instant::now();
                while began.elapsed() < SLICE {}
                counter.set(counter.get() + 1);
                counter.get() < 10
            })
            .await;
        });
        let mut body = response.into_body();
        for turns in 1..=10 {
            let is_pending =
                poll_fn(|context| Poll::Ready(Pin::new(&mut body).poll_next(context).is_pending())).await;
            assert!(is_pending && worked_out.get() == turns, "{turns}: {}", worked_out.get());
        }
    }

    #[test]
    fn coders_are_counted_by_what_they_take() {
        use ContentEncoding::{Brotli, Gzip};
        for (coding, size, taken) in [
            (Brotli, SMALL, 0),
            (Gzip, 1_000_000, CODER),
            (Brotli, PIECE - 1, CODER),
            (Brotli, PIECE, BROTLI_WINDOW),
        ] {
            assert_eq!(coder(coding, size), taken, "{coding:?} {size}");
        }
    }

    #[actix_web::test]
    async fn the_pieces_of_a_body_are_the_body() {
        let whole: Vec<u8> = (0..=u8::MAX).cycle().take(PIECE * 5 / 2).collect();
        let mut pieces = in_pieces(BoxBody::new(whole.clone()));
        assert_eq!(pieces.size(), BodySize::Sized(whole.len() as u64));
        let (mut count, mut sent) = (0, Vec::new());
        while let Some(Ok(piece)) = poll_fn(|context| Pin::new(&mut pieces).poll_next(context)).await {
            count += 1;
            sent.extend_from_slice(&piece);
        }
        assert_eq!((count, sent == whole), (3, true));
    }
}
