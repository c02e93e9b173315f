//! Bodies that are a list, sent while it is worked out, however slowly they are read.

use std::{
    pin::{Pin, pin},
    time::{Duration, Instant},
};

use actix_web::{Error, HttpResponse, http::header, web::Bytes};
use futures_util::{FutureExt as _, Stream, StreamExt as _, stream};
use tokio::task::yield_now;

use super::{
    cache_control::NO_STORE,
    coding::Uncoded,
    extract::ListFormat,
    in_flight::{BytesInFlight, Exhausted, Share},
};

/// How long a list is worked on before others on the same thread have their turn: a few times what one other
/// request takes.
const SLICE: Duration = Duration::from_micros(100);

/// How many bytes are collected before they are sent.
const PIECE: usize = 32 * 1024;

/// What a list is in one JSON value: what stands before its items, and after them.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Up to the first item.
    pub opening: &'static str,
    /// From the last item on.
    pub closing: &'static str,
}

/// The frame of a list that is only ever sent line by line.
pub const NO_FRAME: Frame = Frame { opening: "", closing: "" };

/// One JSON value of a list.
pub trait Item {
    /// Works it out, and appends it to a text.
    fn append_to(self, text: &mut Vec<u8>);
}

/// A value that is JSON already.
impl Item for Vec<u8> {
    fn append_to(self, text: &mut Vec<u8>) {
        text.extend_from_slice(&self);
    }
}

impl<F: FnOnce(&mut Vec<u8>)> Item for F {
    fn append_to(self, text: &mut Vec<u8>) {
        self(text);
    }
}

/// An answer that is a list of JSON values. The next ones are worked out when those before have been sent, so
/// that no more than a piece of it and one item are in memory.
///
/// An item for which there is no memory is replaced by what `exhausted` makes of that.
pub fn respond(
    format: ListFormat,
    frame: Frame,
    in_flight: &BytesInFlight,
    items: impl Stream<Item: Item> + 'static,
    exhausted: fn(Exhausted) -> Vec<u8>,
) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response
        .content_type(format.media_type())
        .insert_header((header::CACHE_CONTROL, NO_STORE))
        .insert_header((header::VARY, "accept"));
    if format == ListFormat::Lines {
        // Reverse proxies would collect lines, and compression would too.
        response.insert_header(("X-Accel-Buffering", "no"));
        response.extensions_mut().insert(Uncoded);
    }
    let writer =
        Writer { format, frame, is_first: true, piece: Vec::new(), share: in_flight.share(), exhausted };
    let list = List { items: Some(Box::pin(items)), writer, has_begun: false };
    let pieces = stream::unfold(list, async |mut list| list.next().await.map(|piece| (piece, list)));
    response.streaming(Box::pin(pieces.map(Ok::<_, Error>)))
}

/// A list that is being sent.
struct List<S> {
    /// Those that have not been sent yet; nothing after the last.
    items: Option<Pin<Box<S>>>,
    writer: Writer,
    has_begun: bool,
}

impl<S: Stream<Item: Item>> List<S> {
    /// The next piece, with at least one item; nothing after the end.
    async fn next(&mut self) -> Option<Bytes> {
        if std::mem::replace(&mut self.has_begun, true) {
            yield_now().await;
        }
        let began = Instant::now();
        let items = self.items.as_mut()?;
        let mut next = items.next().await;
        loop {
            let Some(item) = next else {
                self.items = None;
                self.writer.end();
                break;
            };
            self.writer.add(item);
            if self.writer.piece.len() >= PIECE || began.elapsed() >= SLICE {
                break;
            }
            // What is not known yet keeps nothing back that is.
            let Some(known) = pin!(items.next()).now_or_never() else { break };
            next = known;
        }
        self.writer.take()
    }
}

/// Writes a list in one of the formats.
struct Writer {
    format: ListFormat,
    frame: Frame,
    is_first: bool,
    piece: Vec<u8>,
    /// Large items count among the bytes in flight, until the next piece is asked for.
    share: Share,
    exhausted: fn(Exhausted) -> Vec<u8>,
}

impl Writer {
    fn add(&mut self, item: impl Item) {
        if self.piece.capacity() == 0 {
            // Room for the item with which it is full, as most items are.
            self.piece.reserve(PIECE + PIECE / 4);
        }
        self.open();
        if !std::mem::replace(&mut self.is_first, false) && self.format == ListFormat::Json {
            self.piece.push(b',');
        }
        let before = self.piece.len();
        item.append_to(&mut self.piece);
        if let Err(exhausted) = self.share.set(self.piece.len().saturating_sub(PIECE)) {
            self.piece.truncate(before);
            self.piece.shrink_to(PIECE);
            self.piece.extend_from_slice(&(self.exhausted)(exhausted));
        }
        if self.format == ListFormat::Lines {
            self.piece.push(b'\n');
        }
    }

    fn open(&mut self) {
        if self.is_first && self.format == ListFormat::Json {
            self.piece.extend_from_slice(self.frame.opening.as_bytes());
        }
    }

    fn end(&mut self) {
        self.open();
        if self.format == ListFormat::Json {
            self.piece.extend_from_slice(self.frame.closing.as_bytes());
        }
    }

    /// What has been collected; nothing if that is empty, which the library would take for the end.
    fn take(&mut self) -> Option<Bytes> {
        let piece = std::mem::take(&mut self.piece);
        (!piece.is_empty()).then(|| piece.into())
    }
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;

    use super::*;

    const FRAME: Frame = Frame { opening: "{\"results\":[", closing: "]}" };

    async fn written(format: ListFormat, limit: usize, items: Vec<Vec<u8>>) -> String {
        let in_flight = BytesInFlight::new(limit);
        let response = respond(format, FRAME, &in_flight, stream::iter(items), |_| b"none".to_vec());
        let bytes = to_bytes(response.into_body()).await.unwrap();
        assert_eq!(in_flight.held(), 0);
        String::from_utf8(bytes.into()).unwrap()
    }

    #[actix_web::test]
    async fn a_list_is_one_value_or_one_a_line() {
        let items = |count: u8| (0..count).map(|i| i.to_string().into_bytes()).collect();
        for (count, json, lines) in [
            (0, "{\"results\":[]}", ""),
            (1, "{\"results\":[0]}", "0\n"),
            (3, "{\"results\":[0,1,2]}", "0\n1\n2\n"),
        ] {
            assert_eq!(written(ListFormat::Json, 0, items(count)).await, json);
            assert_eq!(written(ListFormat::Lines, 0, items(count)).await, lines);
        }
    }

    #[actix_web::test]
    async fn an_item_for_which_there_is_no_memory_is_replaced_and_the_others_stand() {
        let items = || vec![b"1".to_vec(), vec![b'2'; 2 * PIECE], b"3".to_vec()];
        assert_eq!(written(ListFormat::Lines, PIECE, items()).await, "1\nnone\n3\n");
        assert_eq!(written(ListFormat::Lines, 3 * PIECE, items()).await.len(), 2 * PIECE + 5);
    }
}
