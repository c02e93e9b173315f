//! The answer to a search, and why there is none.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use tokio::sync::oneshot;

use super::{Class, Ended, worker::Shared};
use crate::{
    search::{Control, StoppedBy},
    service::Found,
};

/// Why a search is not made or not answered, or a batch not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// There is no room for it.
    #[error("too many searches are waiting for a thread")]
    Queue,
    /// The caller has too many.
    #[error("you have too many searches running or waiting")]
    Share,
    /// There are too many batches.
    #[error("too many requests about many positions are being answered")]
    Batches,
    /// The caller has too many batches.
    #[error("you have too many requests about many positions at the same time")]
    BatchShare,
    /// Its turn has not come.
    #[error("the search waited too long for a thread")]
    Expired,
    /// It cannot be answered in part, and not in full in the time that there is.
    #[error("the machine is too busy to finish the search in time")]
    Overdue,
    /// The queue is closed.
    #[error("the service is shutting down")]
    Closing,
    /// It has failed.
    #[error("the search has failed")]
    Failed,
}

/// An answer to come. Dropping it stops the search.
#[derive(Debug)]
pub struct Running<T> {
    answer: oneshot::Receiver<Result<Found<T>, Unanswered>>,
    control: Control,
    pub(super) waited: Duration,
}

impl<T> Running<T> {
    pub(super) const fn new(
        answer: oneshot::Receiver<Result<Found<T>, Unanswered>>,
        control: Control,
    ) -> Self {
        Self { answer, control, waited: Duration::ZERO }
    }

    /// How long the search has waited for its turn.
    #[must_use]
    pub const fn waited(&self) -> Duration {
        self.waited
    }
}

impl<T> Future for Running<T> {
    type Output = Result<Found<T>, Unanswered>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.answer).poll(context).map(|answer| answer.unwrap_or(Err(Unanswered::Failed)))
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.control.stop();
    }
}

/// A search that may wait. Dropping it takes the search out of the queue.
pub(super) struct Waiting<'a> {
    pub shared: &'a Arc<Shared>,
    pub class: Class,
    pub id: u64,
}

impl Waiting<'_> {
    /// Gives up, unless the search has a thread or is about to have one.
    pub fn expire(&self) -> bool {
        // What the search holds is dropped without the lock.
        let job = self.shared.lane(self.class).expire(self.id);
        job.is_some()
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let job = self.shared.lane(self.class).remove(self.id, Ended::Cancelled);
        drop(job);
    }
}

/// What has been found, to be handed over when the thread counts as free again.
pub(super) struct Delivery {
    pub nodes: u64,
    /// Nobody waits for it any more.
    pub is_abandoned: bool,
    /// It is what was asked for, and not what was known when the search had to stop.
    pub is_answer: bool,
    /// Gives it to the caller, or says why not.
    pub hand_over: Box<dyn FnOnce(Option<Unanswered>) + Send>,
}

impl Delivery {
    pub fn of<T: Send + 'static>(
        found: Found<T>,
        is_timed: bool,
        sender: oneshot::Sender<Result<Found<T>, Unanswered>>,
    ) -> Self {
        Self {
            nodes: found.nodes,
            is_abandoned: sender.is_closed(),
            is_answer: found.stopped_by != StoppedBy::Time || is_timed && found.nodes > 0,
            // The caller may have gone away, and then nobody minds.
            hand_over: Box::new(move |why_not| drop(sender.send(why_not.map_or(Ok(found), Err)))),
        }
    }
}
