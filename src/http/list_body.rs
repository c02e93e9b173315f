//! Bodies that are a list, sent while it is worked out, however slowly they are read.

use std::{cell::RefCell, future::poll_fn, pin::Pin, rc::Rc, task::Poll};

use actix_web::{Error, HttpResponse, http::header, web::Bytes};
use futures_util::{StreamExt as _, stream};
use tokio::task::yield_now;

use super::{cache_control::NO_STORE, coding::Uncoded, extract::ListFormat, turn::Turn};

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

/// An answer that is a list of JSON values, which `write` adds one after the other. It goes on when what it
/// has added so far has been sent, so that no more than a piece of it is in memory.
pub fn respond(
    format: ListFormat,
    frame: Frame,
    write: impl AsyncFnOnce(&mut List) + 'static,
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
    let piece = Rc::new(RefCell::new(Vec::new()));
    let mut list = List { format, frame, is_first: true, piece: piece.clone(), turn: Turn::begin() };
    let work = async move {
        write(&mut list).await;
        list.end();
    };
    let pieces = Pieces { work: Some(Box::pin(work)), piece, has_begun: false };
    let pieces = stream::unfold(pieces, async |mut pieces| pieces.next().await.map(|piece| (piece, pieces)));
    response.streaming(Box::pin(pieces.map(Ok::<_, Error>)))
}

/// A list that is being written in one of the formats.
#[derive(Debug)]
pub struct List {
    format: ListFormat,
    frame: Frame,
    is_first: bool,
    /// What has not been sent yet.
    piece: Rc<RefCell<Vec<u8>>>,
    /// The turn of those who write it.
    pub turn: Turn,
}

impl List {
    /// Adds a value, given as parts of its JSON. Each is worked out when those before have been sent, or are
    /// few.
    pub async fn add(&mut self, parts: impl IntoIterator<Item: AsRef<[u8]>>) {
        self.open(",");
        for part in parts {
            for chunk in part.as_ref().chunks(PIECE) {
                self.push(chunk);
                if self.piece.borrow().len() >= PIECE {
                    self.turn.end().await;
                }
            }
            self.turn.pass().await;
        }
        if self.format == ListFormat::Lines {
            self.push(b"\n");
        }
    }

    /// Writes what stands before a value, or before the end.
    fn open(&mut self, separator: &'static str) {
        let is_first = std::mem::replace(&mut self.is_first, false);
        if self.format == ListFormat::Json {
            self.push(if is_first { self.frame.opening } else { separator }.as_bytes());
        }
    }

    fn end(&mut self) {
        self.open("");
        if self.format == ListFormat::Json {
            self.push(self.frame.closing.as_bytes());
        }
    }

    fn push(&self, bytes: &[u8]) {
        self.piece.borrow_mut().extend_from_slice(bytes);
    }
}

/// The pieces of a list.
struct Pieces<F> {
    /// Writes the list; nothing after its end.
    work: Option<Pin<Box<F>>>,
    piece: Rc<RefCell<Vec<u8>>>,
    has_begun: bool,
}

impl<F: Future<Output = ()>> Pieces<F> {
    /// What has been written when the work pauses: what is not known yet keeps nothing back that is. Nothing
    /// after the end.
    async fn next(&mut self) -> Option<Bytes> {
        if std::mem::replace(&mut self.has_begun, true) {
            yield_now().await;
        }
        poll_fn(|context| {
            if self.work.as_mut().is_some_and(|work| work.as_mut().poll(context).is_ready()) {
                self.work = None;
            }
            // The library would take an empty piece for the end.
            let piece = std::mem::take(&mut *self.piece.borrow_mut());
            match (piece.is_empty(), &self.work) {
                (false, _) => Poll::Ready(Some(piece.into())),
                (true, Some(_)) => Poll::Pending,
                (true, None) => Poll::Ready(None),
            }
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use actix_web::body::{MessageBody as _, to_bytes};

    use super::*;

    const FRAME: Frame = Frame { opening: "{\"results\":[", closing: "]}" };

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
                        list.add([i.to_string()]).await;
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
            let part = |_| {
                *counter.borrow_mut() += 1;
                vec![b'1'; PIECE]
            };
            for _ in 0..2 {
                list.add((0..10).map(part)).await;
            }
        });
        let mut body = response.into_body();
        for pieces in 1..=20 {
            let piece = poll_fn(|context| Pin::new(&mut body).poll_next(context)).await.unwrap().unwrap();
            assert!(piece.len() <= PIECE + 1 && *worked_out.borrow() == pieces, "{pieces}");
        }
    }
}
