//! Why a search is not made, or not answered, and why a batch is not begun.

use std::time::Duration;

/// A search is not made now, but could be later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{cause}; try again in {} ms", .retry_after.as_millis())]
pub struct Busy {
    /// Why.
    pub cause: BusyCause,
    /// When the search would get a thread, as far as that can be told.
    pub retry_after: Duration,
}

/// Why a search is not made now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum BusyCause {
    /// Those before it take too long.
    #[error("all search threads are busy for longer than a search may wait")]
    Wait,
    /// There is no room for it.
    #[error("as many searches wait as there is room for")]
    Queue,
    /// The caller has too many.
    #[error("the caller has as many searches running and waiting as one caller may have")]
    Share,
    /// There are too many batches.
    #[error("as many requests about many positions are answered as the service answers at a time")]
    Batches,
    /// The caller has too many batches.
    #[error("the caller has as many requests about many positions as one caller may have at a time")]
    BatchShare,
    /// The batch has had its share.
    #[error("the searches of the request have visited more positions than those of one request may")]
    Work,
    /// Its turn has not come.
    #[error("the search has waited for a thread for as long as a search may wait")]
    Expired,
    /// It cannot be answered in part, and not in full in the time that there is.
    #[error("the machine is too busy to finish the search in the time that it may take")]
    Overdue,
    /// The pool makes no more searches.
    #[error("the service is shutting down")]
    Closing,
}

impl Busy {
    /// The pool makes no more searches.
    pub(super) const CLOSING: Self = Self { cause: BusyCause::Closing, retry_after: Duration::ZERO };
    /// The batch has had its share: it need not come back.
    pub(super) const WORK: Self = Self { cause: BusyCause::Work, retry_after: Duration::ZERO };
}

/// The searches of a batch count for too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the searches of the request count for {} ms together, and the limit of this service is {} ms",
    .work.as_secs_f64() * 1_000.0, .limit.as_millis()
)]
pub struct TooMuchWork {
    /// What they count for.
    pub work: Duration,
    /// What those of a batch may count for.
    pub limit: Duration,
}

/// A batch is not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotBegun {
    /// It could be begun later.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// It never can.
    #[error(transparent)]
    TooMuchWork(#[from] TooMuchWork),
}

/// A search has ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// It could be made later.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// It has failed.
    #[error("the search has failed")]
    Failed,
}
