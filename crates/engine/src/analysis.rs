//! What a search has found.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::value::Value;

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<M> {
    /// The best moves, best first; at least one.
    pub lines: Vec<Line<M>>,
    /// The depth to which the lines were searched, in plies; 0 if they are those of the static evaluation, or
    /// were looked up.
    pub depth: u32,
    /// Whether all moves were searched to that depth. If a limit ended the search before, the line is the
    /// best of those that were.
    pub complete: bool,
    /// How many positions were visited.
    pub nodes: u64,
    /// How long it took, from its start and without its pauses.
    pub time: Duration,
    /// What ended it.
    pub stopped_by: StoppedBy,
}

impl<M: Copy> Analysis<M> {
    /// The move to play.
    #[must_use]
    pub fn best(&self) -> M {
        self.lines
            .first()
            .and_then(|line| line.pv.first())
            .copied()
            .expect("an analysis has a line with a move")
    }
}

/// A move and what follows if both sides play their best.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M> {
    /// The moves; at least one. With dice the line ends where they are rolled.
    pub pv: Vec<M>,
    /// What the first move is worth to the side that plays it.
    pub value: Value,
}

/// What ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum StoppedBy {
    /// The time was up, or nobody wants the answer any more.
    Time,
    /// The depth was reached.
    Depth,
    /// The positions were used up.
    Nodes,
    /// The result is certain.
    Proven,
    /// There is only one legal move.
    OnlyMove,
    /// The position was looked up.
    Database,
}
