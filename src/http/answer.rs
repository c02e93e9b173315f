//! Response bodies: whole, in pieces, or as a list that is streamed while it is computed. Long work yields
//! to other requests on its thread. What is the same for everybody is compressed once, a short answer in
//! one go if its operation says so, and a list or a stream never.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    convert::Infallible,
    future::poll_fn,
    io::Write as _,
    rc::Rc,
    sync::{Mutex, PoisonError},
    task::Poll,
    time::{Duration, Instant},
};

use actix_web::{
    Error, HttpMessage, HttpRequest, HttpResponse, ResponseError as _,
    body::SizedStream,
    http::header::{self, AcceptEncoding, CONTENT_TYPE, ContentEncoding, Encoding, HeaderValue},
    web::{self, Bytes},
};
use brotli::enc::BrotliEncoderParams;
use flate2::{Compression, write::GzEncoder};
use futures_util::stream::{self, Stream};
use serde::Serialize;
use tokio::task::yield_now;

use super::{
    extract::ListFormat,
    headers::{NO_STORE, Tag},
    permits::{LIGHT_ANSWER, Pool},
    problem::Problem,
    state::AppState,
};
use crate::api::{JSON, NDJSON, Pieces, Unanswered, to_json};

/// An answer in JSON.
pub fn json(body: &impl Serialize) -> HttpResponse {
    text(JSON, to_json(body).into_bytes())
}

/// An answer that is text already. A long one is sent in pieces: the library copies what it sends, and
/// keeps the memory for the next answer.
pub fn text(media: &'static str, text: impl Into<Bytes>) -> HttpResponse {
    let bytes = text.into();
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, HeaderValue::from_static(media)));
    let size = bytes.len();
    if size <= PIECE {
        return response.body(bytes);
    }
    let piece = move |start| Ok::<_, Infallible>(bytes.slice(start..size.min(start + PIECE)));
    response.body(SizedStream::new(size as u64, stream::iter((0..size).step_by(PIECE).map(piece))))
}

/// An answer that is the same for everybody, with its tag. It is compressed once for each coding, and all
/// answers share the bytes.
pub async fn stored<B: Into<Bytes>>(
    request: &HttpRequest,
    tag: Tag,
    media: &'static str,
    bytes: impl FnOnce() -> B,
) -> HttpResponse {
    /// There is an entry for each such answer and coding.
    static COMPRESSED: Mutex<BTreeMap<String, Bytes>> = Mutex::new(BTreeMap::new());
    let known = || COMPRESSED.lock().unwrap_or_else(PoisonError::into_inner);
    // Pictures are compressed already.
    let coding = chosen(request).filter(|_| media != PNG);
    let tag = tag.in_coding(coding);
    if let Some(response) = tag.not_modified(request) {
        return response;
    }
    let Some(coding) = coding else { return tag.attach(text(media, bytes())) };
    let found = known().get(&tag.text()).cloned();
    let bytes = if let Some(bytes) = found {
        bytes
    } else {
        let bytes = bytes().into();
        let compressed = web::block(move || Bytes::from(compress(coding, &bytes))).await;
        let Ok(compressed) = compressed else { return Problem::internal().error_response() };
        known().insert(tag.text(), compressed.clone());
        compressed
    };
    tag.attach(coded(text(media, bytes), coding))
}

/// Says that an answer is compressed.
fn coded(mut response: HttpResponse, coding: ContentEncoding) -> HttpResponse {
    response.headers_mut().insert(header::CONTENT_ENCODING, coding.to_header_value());
    response
}

/// Compresses bytes in one go.
fn compress(coding: ContentEncoding, bytes: &[u8]) -> Vec<u8> {
    /// Brotli is about as fast as gzip at this quality (of 11), and its window holds all answers but the
    /// largest.
    const QUALITY: i32 = 5;
    const WINDOW_BITS: i32 = 18;
    let mut compressed = Vec::new();
    let written = if coding == ContentEncoding::Brotli {
        let parameters = BrotliEncoderParams { quality: QUALITY, lgwin: WINDOW_BITS, ..Default::default() };
        brotli::BrotliCompress(&mut &*bytes, &mut compressed, &parameters).map(drop)
    } else {
        let mut encoder = GzEncoder::new(&mut compressed, Compression::default());
        encoder.write_all(bytes).and_then(|()| encoder.try_finish())
    };
    written.expect("writing to memory does not fail");
    compressed
}

/// A problem as JSON: the last line of a list that is cut short, or an entry without an answer.
pub fn problem_line(problem: &Problem) -> String {
    to_json(&Unanswered { problem: problem.body() })
}

/// An answer in pieces: whole if it is short, and compressed then if there is a coding; otherwise streamed
/// while it is computed. It yields to other requests in between. A long answer takes a permit first if it
/// needs one.
///
/// # Errors
/// The permit is not available.
pub async fn at_once(
    request: &HttpRequest,
    (media, coding): (&'static str, Option<ContentEncoding>),
    mut pieces: Pieces,
    turn: &Turn,
    needs_permit: bool,
) -> Result<HttpResponse, Problem> {
    // A text that grows is copied. The initial capacity suffices for most.
    let mut first = Vec::with_capacity(PIECE / 2);
    while pieces(&mut first) {
        if first.len() >= LIGHT_ANSWER {
            if needs_permit {
                AppState::of(request).permits.take(request, Pool::Short).await?;
            }
            return Ok(streamed(media, first, pieces));
        }
        turn.pass().await;
    }
    match coding {
        Some(coding) => Ok(coded(text(media, compress(coding, &first)), coding)),
        None => Ok(text(media, first)),
    }
}

/// The same, streamed piece by piece; `first` is what has been computed already.
pub fn streamed(media: &'static str, first: Vec<u8>, mut pieces: Pieces) -> HttpResponse {
    let mut first = Some(first);
    let pieces = move |piece: &mut Vec<u8>| match first.take() {
        Some(mut first) => {
            piece.append(&mut first);
            true
        }
        None => pieces(piece),
    };
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
            let piece = rest.split_to(rest.len().min(PIECE));
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
            if length >= PIECE { self.turn.end().await } else { self.turn.pass().await }
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

/// The size of a piece of an answer, in bytes: the connection keeps buffers of about this size.
const PIECE: usize = 16 * 1024;

/// The header of a response whose pieces must not be delayed: it stops buffering in reverse proxies.
pub const AT_ONCE: (&str, &str) = ("x-accel-buffering", "no");

/// The content codings of answers.
const CODINGS: [Encoding; 3] = [Encoding::identity(), Encoding::brotli(), Encoding::gzip()];

/// The media type of pictures that are compressed already.
pub const PNG: &str = "image/png";

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

    use actix_web::body::{BodySize, MessageBody as _, to_bytes};

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
                    text.resize(text.len() + PIECE, b'1');
                    *counter.borrow() < last
                };
                list.add(NO_FRAME, piece).await;
            }
        });
        let (mut body, mut sent) = (response.into_body(), 0);
        while sent < 20 * PIECE {
            let piece = poll_fn(|context| Pin::new(&mut body).poll_next(context)).await.unwrap().unwrap();
            sent += piece.len();
            assert!(piece.len() <= PIECE && *worked_out.borrow() <= sent.div_ceil(PIECE), "{sent}");
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

    #[actix_web::test]
    async fn the_pieces_of_a_body_are_the_body() {
        let whole: Vec<u8> = (0..=u8::MAX).cycle().take(PIECE * 5 / 2).collect();
        let mut pieces = text(JSON, whole.clone()).into_body();
        assert_eq!(pieces.size(), BodySize::Sized(whole.len() as u64));
        let (mut count, mut sent) = (0, Vec::new());
        while let Some(Ok(piece)) = poll_fn(|context| Pin::new(&mut pieces).poll_next(context)).await {
            count += 1;
            sent.extend_from_slice(&piece);
        }
        assert_eq!((count, sent == whole), (3, true));
    }
}
