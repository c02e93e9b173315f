//! Many searches of one request.

use std::{fmt, sync::Arc};

use super::{caller::CallerId, job::BatchId, worker::Shared};

/// Leave to have many searches made for one request, in the background; clones share it. It ends when the
/// last clone and the last of its searches are dropped.
#[derive(Clone)]
pub struct Batch {
    pub(super) shared: Arc<Shared>,
    pub(super) caller: CallerId,
    pub(super) id: BatchId,
    /// The batch is open as long as this lives.
    pub(super) _open: Arc<()>,
}

/// Searches of a batch that should wait or run at a time, for each thread: so many that no thread has to wait
/// for the caller to bring the next one, and that one which takes long holds up few.
const WINDOW: usize = 4;

impl Batch {
    /// How many of its searches should wait or run at a time. More than that only take memory.
    #[must_use]
    pub fn window(&self) -> usize {
        WINDOW * self.shared.config.background_threads
    }
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("caller", &self.caller).field("id", &self.id).finish_non_exhaustive()
    }
}

/// For whom a search is made, which decides about its class.
#[derive(Clone, Copy, Debug)]
pub enum SearchFor<'a> {
    /// For somebody who asks this and nothing else.
    Caller(CallerId),
    /// For a batch.
    Batch(&'a Batch),
}

impl From<CallerId> for SearchFor<'_> {
    fn from(caller: CallerId) -> Self {
        Self::Caller(caller)
    }
}

impl<'a> From<&'a Batch> for SearchFor<'a> {
    fn from(batch: &'a Batch) -> Self {
        Self::Batch(batch)
    }
}
