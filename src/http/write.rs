//! Answers as bytes. Values are written whole; lists, lines and events while they are computed, with
//! backpressure: no more than a piece is in memory. Only this module knows the brackets of JSON around the
//! entries of a list. Long work yields to other requests on its thread.
//!
//! What is the same for everybody is compressed once, a short answer in one go if its operation says so, and
//! a list or a stream never. So the ETag of an answer to a question needs no body.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    convert::Infallible,
    future::poll_fn,
    io::Write as _,
    mem,
    rc::Rc,
    sync::{Arc, Mutex, PoisonError},
    task::Poll,
    time::{Duration, Instant},
};

use actix_web::{
    Error, HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder, ResponseError as _,
    body::SizedStream,
    http::header::{
        self, AcceptEncoding, CACHE_CONTROL, CONTENT_TYPE, ContentEncoding, Encoding, EntityTag, HeaderValue,
        IfNoneMatch,
    },
    web::{self, Bytes},
};
use flate2::{Compression, write::GzEncoder};
use futures_util::stream::{self, Stream};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use tokio::{
    select,
    sync::{OnceCell, watch},
    task::yield_now,
    time::sleep,
};

use super::{
    permits::{Permits, Pool},
    problem::Problem,
    read::ListFormat,
    request::part,
};
use crate::{
    api::{Answer, EVENTS, JSON, NDJSON, Operation, limits::LIGHT_ANSWER, to_json},
    version::SOURCES,
};

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

/// The answer to a question, compressed if there is a coding and it is short. A list that gets long is sent
/// while it is made; it takes a permit first if it needs one.
///
/// # Errors
/// The permit is not available.
pub async fn answer<O: Operation>(
    request: &HttpRequest,
    answer: Answer<O>,
    coding: Option<ContentEncoding>,
    needs_permit: bool,
) -> Result<HttpResponse, Problem> {
    let mut list = List::new(ListFormat::Json);
    match answer {
        Answer::Value(value) => list.push(value.write().as_bytes()),
        Answer::List(head, mut items) => {
            list.begin(&head);
            while let Some(item) = items.next() {
                list.add(&item);
                if list.length() >= LIGHT_ANSWER {
                    if needs_permit {
                        part::<Permits>(request).take(request, Pool::Short).await?;
                    }
                    let head = &mut HttpResponse::Ok();
                    return Ok(list.send(head.content_type(O::MEDIA), async |list| list.finish(items).await));
                }
                list.turn.pass().await;
            }
            list.end();
        }
    }
    let whole = list.buffer.take();
    Ok(match coding {
        Some(coding) => coded(text(O::MEDIA, compress(&whole)), coding),
        None => text(O::MEDIA, whole),
    })
}

/// A list that is being written in one of the formats: entries of a JSON list, or lines.
#[derive(Clone, Debug)]
pub struct List {
    format: ListFormat,
    has_entries: bool,
    /// What has not been sent yet.
    buffer: Rc<RefCell<Vec<u8>>>,
    /// The time slice of the work that writes it.
    turn: Turn,
}

/// The initial capacity of a list, in bytes, which suffices for most. When that is used up, it doubles: so
/// the longest light answer, with an entry more, fits without half of its memory being empty.
const CAPACITY: usize = (LIGHT_ANSWER + 4 * 1024) / 8;

/// The end of an answer whose last member is an empty list.
const END: &[u8] = b"]}";

impl List {
    /// A list without entries.
    pub fn new(format: ListFormat) -> Self {
        let buffer = Rc::new(RefCell::new(Vec::with_capacity(CAPACITY)));
        Self { format, has_entries: false, buffer, turn: Turn::begin() }
    }

    /// Begins an answer whose last member is a list, empty so far. Lines stand alone.
    pub fn begin(&mut self, head: &impl Serialize) {
        if self.format == ListFormat::Json {
            self.push_json(head);
            let begun = self.length() - END.len();
            self.buffer.borrow_mut().truncate(begun);
        }
    }

    /// Adds an entry.
    pub fn add(&mut self, entry: &impl Serialize) {
        self.open();
        self.push_json(entry);
        self.close();
    }

    /// Adds the answer about a position, like an [`Answered`](crate::api::Answered), and yields in between.
    pub async fn add_answer<O: Operation>(&mut self, answer: Answer<O>) {
        self.open();
        self.push(br#"{"answer":"#);
        match answer {
            Answer::Value(value) => self.push_json(&value),
            Answer::List(head, items) => {
                let mut inner = Self { format: ListFormat::Json, has_entries: false, ..self.clone() };
                inner.begin(&head);
                inner.finish(items).await;
            }
        }
        self.push(b"}");
        self.close();
    }

    /// Adds the remaining entries of an answer, yields in between, and ends it.
    async fn finish(&mut self, entries: impl Iterator<Item: Serialize>) {
        for entry in entries {
            self.add(&entry);
            self.pause().await;
        }
        self.end();
    }

    /// Ends an answer whose last member is the list.
    pub fn end(&mut self) {
        if self.format == ListFormat::Json {
            self.push(END);
        }
    }

    /// Yields, so that what has been written can be sent: always if that is enough, and otherwise if the time
    /// slice is used up.
    pub async fn pause(&self) {
        if self.length() >= PIECE { self.turn.end().await } else { self.turn.pass().await }
    }

    /// The answer whose last member is the list, and is empty in `head`.
    pub fn within(self, head: &impl Serialize) -> Vec<u8> {
        let mut whole = Self::new(ListFormat::Json);
        whole.begin(head);
        whole.push(&self.buffer.borrow());
        whole.end();
        whole.buffer.take()
    }

    /// A response whose body is what has been written and what `write` adds. The work continues only when all
    /// that was written has been sent.
    pub fn send(
        mut self,
        head: &mut HttpResponseBuilder,
        write: impl AsyncFnOnce(&mut Self) + 'static,
    ) -> HttpResponse {
        let buffer = self.buffer.clone();
        let work = async move { write(&mut self).await };
        head.streaming(Box::pin(pieces(buffer, work)))
    }

    fn open(&mut self) {
        if mem::replace(&mut self.has_entries, true) && self.format == ListFormat::Json {
            self.push(b",");
        }
    }

    fn close(&self) {
        if self.format == ListFormat::Lines {
            self.push(b"\n");
        }
    }

    fn push(&self, bytes: &[u8]) {
        self.buffer.borrow_mut().extend_from_slice(bytes);
    }

    fn push_json(&self, value: &impl Serialize) {
        let written = serde_json::to_writer(&mut *self.buffer.borrow_mut(), value);
        written.expect("answers have no maps with odd keys");
    }

    fn length(&self) -> usize {
        self.buffer.borrow().len()
    }
}

/// The head of an answer that is a list.
pub fn list_head(format: ListFormat) -> HttpResponseBuilder {
    let mut head = HttpResponse::Ok();
    head.insert_header((CACHE_CONTROL, NO_STORE)).insert_header((header::VARY, "accept"));
    match format {
        ListFormat::Json => head.content_type(JSON),
        ListFormat::Lines => head.content_type(NDJSON).insert_header(AT_ONCE),
    };
    head
}

/// The body that some work writes into a buffer, in pieces. Entries never wait for later ones: what has been
/// written is sent when the work pauses.
fn pieces(
    buffer: Rc<RefCell<Vec<u8>>>,
    work: impl Future<Output = ()>,
) -> impl Stream<Item = Result<Bytes, Error>> {
    let parts = (Some(Box::pin(work)), true, Bytes::new());
    stream::unfold(parts, move |(mut work, is_first, mut rest)| {
        let buffer = buffer.clone();
        async move {
            if !is_first {
                yield_now().await;
            }
            let written = poll_fn(|context| {
                if work.as_mut().is_some_and(|work| work.as_mut().poll(context).is_ready()) {
                    work = None;
                }
                // The library would take an empty piece for the end.
                match (buffer.take(), &work) {
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

/// The head of a response with server-sent events.
pub fn event_stream() -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response.content_type(EVENTS).insert_header((CACHE_CONTROL, NO_STORE)).insert_header(AT_ONCE);
    response
}

/// The latest progress, as an event.
pub type LatestEvent = watch::Receiver<Option<Bytes>>;

/// Progress events, a comment after each `silence`, and at the end the answer. Only the latest progress is
/// kept: a slow reader misses some, but never the end. Dropping it drops the answer.
pub fn events(
    progress: LatestEvent,
    answer: impl Future<Output = Bytes>,
    silence: Duration,
) -> impl Stream<Item = Result<Bytes, Error>> {
    /// The heartbeat: a comment, which readers of events ignore.
    const COMMENT: Bytes = Bytes::from_static(b": still searching\n\n");
    stream::unfold((progress, Some(Box::pin(answer))), move |(mut progress, mut answer)| async move {
        let waiting = answer.as_mut()?;
        let event = select! {
            biased;
            Ok(()) = progress.changed() => progress.borrow_and_update().clone().unwrap_or_default(),
            last = waiting => {
                answer = None;
                // Progress that was made meanwhile comes first.
                let latest = progress.borrow_and_update();
                let made = if latest.has_changed() { latest.clone() } else { None };
                [made.unwrap_or_default(), last].concat().into()
            }
            () = sleep(silence) => COMMENT,
        };
        Some((Ok(event), (progress, answer)))
    })
}

/// An event as it is sent: the value has a member `event` with its name, `data`, and perhaps an `id`.
pub fn event(value: &impl Serialize) -> Bytes {
    #[derive(Deserialize)]
    struct Event<'a> {
        #[serde(rename = "event")]
        name: &'a str,
        id: Option<&'a str>,
        #[serde(borrow)]
        data: &'a RawValue,
    }
    let json = to_json(value);
    let Event { name, id, data } = serde_json::from_str(&json).expect("events have a name and data");
    json_event(name, id, data.get())
}

/// An event with data in JSON, which has no line breaks.
pub fn json_event(name: &str, id: Option<&str>, json: &str) -> Bytes {
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    format!("event: {name}\n{id}data: {json}\n\n").into()
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
    static COMPRESSED: Mutex<BTreeMap<String, Arc<OnceCell<Bytes>>>> = Mutex::new(BTreeMap::new());
    // Pictures are compressed already.
    let coding = chosen(request).filter(|_| media != PNG);
    let tag = tag.in_coding(coding);
    if let Some(response) = tag.not_modified(request) {
        return response;
    }
    let Some(coding) = coding else { return tag.attach(text(media, bytes())) };
    // Those who ask while it is compressed wait for it: copies of their own would add up.
    let all = || COMPRESSED.lock().unwrap_or_else(PoisonError::into_inner);
    let entry = all().entry(tag.text()).or_default().clone();
    let compressed = entry.get_or_try_init(|| {
        let bytes = bytes().into();
        web::block(move || Bytes::from(compress(&bytes)))
    });
    match compressed.await {
        Ok(compressed) => tag.attach(coded(text(media, compressed.clone()), coding)),
        Err(_) => Problem::internal().error_response(),
    }
}

/// Says that an answer is compressed.
fn coded(mut response: HttpResponse, coding: ContentEncoding) -> HttpResponse {
    response.headers_mut().insert(header::CONTENT_ENCODING, coding.to_header_value());
    response
}

/// Compresses bytes in one go.
fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let compressed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    compressed.expect("writing to memory does not fail")
}

/// The strong ETag of an answer, and its Cache-Control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    name: String,
    /// The content coding of the answer: a strong tag identifies exact bytes.
    coding: Option<ContentEncoding>,
    /// The value of Cache-Control.
    pub cache_control: &'static str,
}

impl Tag {
    /// The tag of the answer to a request; `basis` is what else the answer depends on. The tag changes with
    /// the sources that determine answers. It is compared only with tags of the same URL, one for each
    /// version of the service: 128 bits suffice, and nobody gains by a forged collision.
    pub fn of(request: &str, basis: impl AsRef<[u8]>) -> Self {
        let named = [SOURCES.as_bytes(), request.as_bytes(), basis.as_ref()].join(&b'\n');
        let digest = Sha256::digest(&named);
        let half = digest.first_chunk().copied().map_or(0, u128::from_be_bytes);
        let name = format!("{half:032x}");
        Self { name, coding: None, cache_control: PUBLIC }
    }

    /// The same tag for an answer that must be revalidated, because it describes the service itself.
    #[must_use]
    pub fn revalidated(self) -> Self {
        Self { cache_control: NO_CACHE, ..self }
    }

    /// The tag of the same answer in a content coding.
    #[must_use]
    pub fn in_coding(self, coding: Option<ContentEncoding>) -> Self {
        Self { coding, ..self }
    }

    /// The 304 for a caller that has the answer already.
    pub fn not_modified(&self, request: &HttpRequest) -> Option<HttpResponse> {
        let tag = EntityTag::new_strong(self.text());
        let is_held = match request.get_header::<IfNoneMatch>()? {
            IfNoneMatch::Any => true,
            // Weak comparison, as for every `If-None-Match` (RFC 9110, section 13.1.2).
            IfNoneMatch::Items(tags) => tags.iter().any(|held| held.weak_eq(&tag)),
        };
        is_held.then(|| self.attach(HttpResponse::NotModified().finish()))
    }

    /// The tag as text.
    pub fn text(&self) -> String {
        let Self { name, coding, .. } = self;
        coding.map_or(name.clone(), |coding| format!("{name}-{}", coding.as_str()))
    }

    /// Sets ETag and Cache-Control.
    pub fn attach(&self, mut response: HttpResponse) -> HttpResponse {
        let tag = HeaderValue::try_from(format!("\"{}\"", self.text()))
            .expect("a tag is hexadecimal digits, perhaps with the name of a coding");
        let headers = response.headers_mut();
        headers.insert(header::ETAG, tag);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache_control));
        response
    }
}

/// Cache-Control of pure functions of the request. They change only with the version of the service; a day
/// bounds how long a cached answer outlives an upgrade.
pub const PUBLIC: &str = "public, max-age=86400";

/// Cache-Control of answers that describe the service itself: cached, but revalidated each time, so that
/// nobody reads the description of an older version.
pub const NO_CACHE: &str = "no-cache";

/// Cache-Control of a path with a digest of its bytes: it never changes. A year is the usual maximum.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Cache-Control of failures, and of answers that depend on chance or on the machine.
pub const NO_STORE: &str = "no-store";

/// Forbids caching an answer that may be different next time.
pub fn no_store(mut response: HttpResponse) -> HttpResponse {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(NO_STORE));
    response
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

/// The size of a piece of an answer, in bytes: the connection keeps buffers of about this size.
const PIECE: usize = 16 * 1024;

/// The header of a response whose pieces must not be delayed: it stops buffering in reverse proxies.
pub const AT_ONCE: (&str, &str) = ("x-accel-buffering", "no");

/// The content codings of answers.
const CODINGS: [Encoding; 2] = [Encoding::identity(), Encoding::gzip()];

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

    use actix_web::{
        body::{BodySize, MessageBody as _, to_bytes},
        test::TestRequest,
    };
    use futures_util::{StreamExt as _, future::join_all};

    use super::*;

    /// A list of numbers.
    #[derive(Serialize)]
    struct Numbers {
        results: [u8; 0],
    }

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
                let response =
                    List::new(format).send(&mut list_head(format), async move |list: &mut List| {
                        list.begin(&Numbers { results: [] });
                        for i in 0..count {
                            list.add(&i);
                            list.pause().await;
                        }
                        list.end();
                    });
                assert_eq!(written(response).await, expected);
            }
        }
    }

    #[actix_web::test]
    async fn nothing_is_worked_out_before_what_comes_first_has_been_taken() {
        let worked_out = Rc::new(RefCell::new(0));
        let counter = worked_out.clone();
        let mut head = list_head(ListFormat::Lines);
        let response = List::new(ListFormat::Lines).send(&mut head, async move |list: &mut List| {
            for _ in 0..20 {
                *counter.borrow_mut() += 1;
                list.add(&"1".repeat(PIECE));
                list.pause().await;
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
        let mut head = list_head(ListFormat::Lines);
        let response = List::new(ListFormat::Lines).send(&mut head, async move |list: &mut List| {
            for _ in 0..10 {
                let began = Instant::now();
                while began.elapsed() < SLICE {}
                counter.set(counter.get() + 1);
                list.pause().await;
            }
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

    #[actix_web::test]
    async fn what_many_ask_for_at_once_is_compressed_once_and_kept_once() {
        let request = TestRequest::get().insert_header((header::ACCEPT_ENCODING, "gzip")).to_http_request();
        let made = Cell::new(0);
        let ask = async || {
            let bytes = || {
                made.set(made.get() + 1);
                vec![b'a'; 20 * PIECE]
            };
            let response = stored(&request, Tag::of("once", ""), JSON, bytes).await;
            response.into_body().try_into_bytes().unwrap()
        };
        let answers = join_all((0..50).map(|_| ask())).await;
        assert_eq!(made.get(), 1);
        assert!(answers.iter().all(|answer| answer.as_ptr() == answers[0].as_ptr()));
    }

    #[actix_web::test]
    async fn progress_that_is_made_while_the_answer_is_comes_before_it() {
        let (sender, progress) = watch::channel(None);
        let answer = async move {
            for event in ["1", "2", "3"] {
                sender.send_replace(Some(event.into()));
            }
            "answer".into()
        };
        let events: Vec<_> = events(progress, answer, Duration::MAX).collect().await;
        assert_eq!(events.into_iter().map(Result::unwrap).collect::<Vec<_>>().concat(), b"3answer");
    }

    /// The tag of the 304 response, if there is one.
    fn known(tag: &Tag, if_none_match: &str, accept_encoding: &str) -> Option<String> {
        let mut request = TestRequest::get().insert_header((header::IF_NONE_MATCH, if_none_match));
        if !accept_encoding.is_empty() {
            request = request.insert_header((header::ACCEPT_ENCODING, accept_encoding));
        }
        let request = request.to_http_request();
        let response = tag.clone().in_coding(chosen(&request)).not_modified(&request)?;
        Some(response.headers().get(header::ETAG).unwrap().to_str().unwrap().to_owned())
    }

    #[test]
    fn a_tag_names_the_operation_and_the_request() {
        let tag = Tag::of("score", "P\n1");
        assert_eq!(tag, Tag::of("score", "P\n1"));
        assert_ne!(tag, Tag::of("score", "P1"));
        assert_ne!(tag, Tag::of("legal-moves", "P\n1"));
    }

    #[test]
    fn a_tag_is_found_in_a_list_and_under_the_star() {
        let answer = Tag::of("score", "P");
        let bare = answer.name.clone();
        let tag = format!("\"{bare}\"");
        for header in [&tag, &format!("\"other\", W/{tag}"), &format!("W/{tag} ,\"a,b\""), "*", " * "] {
            assert_eq!(known(&answer, header, ""), Some(tag.clone()), "{header}");
        }
        for header in ["", "\"other\"", &bare, &format!("\"{bare}"), &format!("\"x,{bare}\""), "\"*\"", "w/*"]
        {
            assert_eq!(known(&answer, header, ""), None, "{header}");
        }
    }

    #[test]
    fn only_the_tag_of_the_coding_that_would_be_chosen_counts() {
        let answer = Tag::of("score", "P");
        let tag = |suffix: &str| format!("\"{}{suffix}\"", answer.name.clone());
        let codings = ["", "-gzip"];
        for (accepted, suffix) in [
            ("", ""),
            ("identity", ""),
            ("*", ""),
            ("gzip", "-gzip"),
            ("br", ""),
            ("deflate", ""),
            ("gzip;q=0.5, br", "-gzip"),
            ("gzip;q=0, identity", ""),
        ] {
            for held in codings {
                let expected = (held == suffix).then(|| tag(suffix));
                assert_eq!(known(&answer, &tag(held), accepted), expected, "{held} {accepted}");
                assert_eq!(
                    known(&answer, &format!("W/{}", tag(held)), accepted),
                    expected,
                    "{held} {accepted}"
                );
            }
            assert_eq!(known(&answer, "*", accepted), Some(tag(suffix)));
        }
    }
}
