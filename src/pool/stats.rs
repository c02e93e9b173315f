//! How busy a pool is, and what has become of its searches.

use crate::search::StoppedBy;

/// How busy the threads of a class are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolStats {
    /// Search threads.
    pub threads: usize,
    /// Searches that have a thread.
    pub running: usize,
    /// Those of them that pause, because interactive searches need the processors.
    pub paused: usize,
    /// Searches that wait for a thread.
    pub waiting: usize,
    /// Bytes that the threads hold for what they have seen.
    pub table_bytes: usize,
    /// Searches that came to their end since the start, stopped ones included.
    pub finished: u64,
    /// Positions that have been visited since the start, by the searches that came to their end.
    pub nodes: u64,
    /// How searches have ended since the start.
    pub ended: EndedCounts,
}

/// How a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ended {
    /// It has been answered, and this ended it.
    Answered(StoppedBy),
    /// It has been answered before its time was over, because others waited.
    CutShort,
    /// Its caller has left.
    Cancelled,
    /// It was not accepted; or its batch or the pool was closed before its end.
    Refused,
    /// It has waited too long.
    Expired,
    /// It could not be answered in part, and not in full in the time that there was.
    Overdue,
    /// It has failed.
    Failed,
}

impl Ended {
    /// All ways to end, in the order in which they are counted.
    pub const ALL: [Self; 12] = [
        Self::Answered(StoppedBy::Time),
        Self::Answered(StoppedBy::Depth),
        Self::Answered(StoppedBy::Nodes),
        Self::Answered(StoppedBy::Proven),
        Self::Answered(StoppedBy::OnlyMove),
        Self::Answered(StoppedBy::Database),
        Self::CutShort,
        Self::Cancelled,
        Self::Refused,
        Self::Expired,
        Self::Overdue,
        Self::Failed,
    ];

    /// The name for programs: kebab-case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answered(StoppedBy::Time) => "time",
            Self::Answered(StoppedBy::Depth) => "depth",
            Self::Answered(StoppedBy::Nodes) => "nodes",
            Self::Answered(StoppedBy::Proven) => "proven",
            Self::Answered(StoppedBy::OnlyMove) => "only-move",
            Self::Answered(StoppedBy::Database) => "database",
            Self::CutShort => "cut-short",
            Self::Cancelled => "cancelled",
            Self::Refused => "refused",
            Self::Expired => "expired",
            Self::Overdue => "overdue",
            Self::Failed => "failed",
        }
    }
}

/// How many searches have ended in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndedCounts([u64; Ended::ALL.len()]);

impl EndedCounts {
    pub(super) fn add(&mut self, ended: Ended, count: usize) {
        self.0[Self::index(ended)] += count as u64;
    }

    /// How many have ended in one way.
    #[must_use]
    pub fn of(&self, ended: Ended) -> u64 {
        self.0[Self::index(ended)]
    }

    fn index(ended: Ended) -> usize {
        Ended::ALL.iter().position(|&other| other == ended).expect("every way to end is listed")
    }
}
