//! The answer to a search that waits or runs.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use tokio::{
    sync::oneshot,
    time::{Instant as Timer, timeout_at},
};

use super::{
    batch::Batch,
    busy::{Busy, Unanswered},
    caller::CallerId,
    class::Class,
    worker::Shared,
};
use crate::search::Control;

/// A search that waits for its turn. Dropping it takes the search out of the queue.
#[derive(Debug)]
pub struct Waiting<T> {
    pub(super) turn: oneshot::Receiver<Result<Duration, Busy>>,
    pub(super) running: Running<T>,
    pub(super) place: Place,
}

/// A place in the queue, which is given up when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    pub shared: Arc<Shared>,
    pub class: Class,
    pub caller: CallerId,
    pub id: u64,
    /// How long it is kept, if not for as long as it takes.
    pub until: Option<Instant>,
}

/// An answer to come. Dropping it stops the search.
#[derive(Debug)]
pub struct Running<T> {
    answer: oneshot::Receiver<Result<T, Busy>>,
    control: Control,
    waited: Duration,
    /// What it belongs to is open for as long as this may still search.
    _batch: Option<Batch>,
}

impl<T> Waiting<T> {
    /// The class of the search.
    #[must_use]
    pub const fn class(&self) -> Class {
        self.place.class
    }

    /// Waits until the search runs: an interactive one for as long as a search may wait, one of a batch for
    /// as long as it takes.
    ///
    /// # Errors
    /// Its turn has not come by then, or will not come any more.
    pub async fn turn(mut self) -> Result<Running<T>, Busy> {
        let turn = match self.place.until {
            None => (&mut self.turn).await,
            Some(until) => match timeout_at(Timer::from_std(until), &mut self.turn).await {
                Ok(turn) => turn,
                Err(_) => match self.place.expire() {
                    Some(busy) => return Err(busy),
                    // It comes at this very moment.
                    None => (&mut self.turn).await,
                },
            },
        };
        // Who hears nothing has been dropped from the queue.
        self.running.waited = turn.unwrap_or(Err(Busy::CLOSING))?;
        Ok(self.running)
    }
}

impl Place {
    /// Gives the place up after too long a time; nothing if the search has started.
    fn expire(&self) -> Option<Busy> {
        self.shared.scheduler().expire(self.caller, self.id, Instant::now())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.shared.scheduler().leave(self.class, self.caller, self.id);
    }
}

impl<T> Running<T> {
    pub(super) const fn new(
        answer: oneshot::Receiver<Result<T, Busy>>,
        control: Control,
        batch: Option<Batch>,
    ) -> Self {
        Self { answer, control, waited: Duration::ZERO, _batch: batch }
    }

    /// How long the search has waited for its turn.
    #[must_use]
    pub const fn waited(&self) -> Duration {
        self.waited
    }

    /// Ends the search as soon as it next checks its limits; what it has found is its answer.
    pub fn stop(&self) {
        self.control.stop();
    }
}

impl<T> Future for Running<T> {
    type Output = Result<T, Unanswered>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.answer).poll(context).map(|answer| match answer {
            Ok(answer) => answer.map_err(Unanswered::from),
            Err(_) => Err(Unanswered::Failed),
        })
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.control.stop();
    }
}
