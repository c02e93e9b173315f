//! Progress of a long call: notifications, as server-sent events, and after them the answer.

use std::{pin::Pin, time::Duration};

use actix_web::{Error, HttpResponse, http::header, web::Bytes};
use futures_util::stream;
use serde_json::json;
use tokio::{
    select,
    sync::mpsc,
    time::{Instant, Interval, interval_at},
};

use super::{
    super::{cache::NO_STORE, compression::Uncoded, events::COMMENT},
    Id,
};
use crate::service::{EVENTS, to_json};

/// How many notifications wait for a slow reader; what comes then is not told.
const KEPT: usize = 32;

/// Tells a client how far its call has come, if it wants to know.
#[derive(Clone, Debug)]
pub struct Progress {
    wanted: Option<(Id, mpsc::Sender<Bytes>)>,
    /// What was told last: clients expect it to grow.
    last: usize,
}

impl Progress {
    /// For a client that has sent a token, with what it is told.
    pub fn new(token: Option<Id>) -> (Self, Option<mpsc::Receiver<Bytes>>) {
        let (wanted, told) = token
            .map(|token| {
                let (sender, told) = mpsc::channel(KEPT);
                ((token, sender), told)
            })
            .unzip();
        (Self { wanted, last: 0 }, told)
    }

    /// Tells how far the call has come, of how much if that is known.
    pub fn tell(&mut self, progress: usize, total: Option<usize>, message: impl FnOnce() -> String) {
        let Some((token, told)) = self.wanted.as_ref().filter(|_| progress > self.last) else { return };
        let mut params = json!({"progressToken": token, "progress": progress, "message": message()});
        if let Some(total) = total {
            params["total"] = json!(total);
        }
        let notification = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
        // The client may have left or read slowly: it can do without.
        drop(told.try_send(event(&to_json(&notification))));
        self.last = progress;
    }
}

fn event(json: &str) -> Bytes {
    format!("event: message\ndata: {json}\n\n").into()
}

/// A call that is told while it is answered. Dropping it stops the call.
struct Told<F> {
    /// Nothing when all has been sent.
    answer: Option<Pin<Box<F>>>,
    progress: mpsc::Receiver<Bytes>,
    heartbeat: Interval,
}

/// Streams progress, and in the end the answer.
pub fn stream(
    answer: impl Future<Output = String> + 'static,
    progress: mpsc::Receiver<Bytes>,
    silence: Duration,
) -> HttpResponse {
    let heartbeat = interval_at(Instant::now() + silence, silence);
    let told = Told { answer: Some(Box::pin(answer)), progress, heartbeat };
    let events = stream::unfold(told, async |mut told| {
        let answer = told.answer.as_mut()?;
        let event = select! {
            biased;
            Some(event) = told.progress.recv() => event,
            answer = answer => {
                told.answer = None;
                event(&answer)
            }
            _ = told.heartbeat.tick() => COMMENT,
        };
        told.heartbeat.reset();
        Some((Ok::<_, Error>(event), told))
    });
    let mut response = HttpResponse::Ok();
    response
        .content_type(EVENTS)
        .insert_header((header::CACHE_CONTROL, NO_STORE))
        // Reverse proxies would collect events, and compression would too.
        .insert_header(("X-Accel-Buffering", "no"));
    response.extensions_mut().insert(Uncoded);
    response.streaming(Box::pin(events))
}
