//! The answer to a search that runs or waits.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::sync::oneshot;

use crate::search::Control;

/// A search ended without an answer: it failed, or the pool was shut down before its turn came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search ended without an answer")]
pub struct SearchFailed;

/// An answer to come. Dropping it stops the search.
#[derive(Debug)]
pub struct Running<T> {
    answer: oneshot::Receiver<T>,
    control: Control,
}

impl<T> Running<T> {
    pub(super) const fn new(answer: oneshot::Receiver<T>, control: Control) -> Self {
        Self { answer, control }
    }

    /// Ends the search as soon as it next looks up; what it has found is its answer.
    pub fn stop(&self) {
        self.control.stop();
    }
}

impl<T> Future for Running<T> {
    type Output = Result<T, SearchFailed>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.answer).poll(context).map_err(|_| SearchFailed)
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.control.stop();
    }
}
