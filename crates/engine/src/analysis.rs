//! The result of a search: the best moves and their lines.

use std::time::Duration;

use crate::{StoppedBy, Value};

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<M> {
    /// The best moves, best first; at least one.
    pub lines: Vec<Line<M>>,
    /// The depth of the search, in plies; 0 for a static evaluation or a table lookup.
    pub depth: u32,
    /// Whether all moves were searched to this depth. If not, the line is that of the best searched move.
    pub complete: bool,
    /// How many nodes (positions) were visited.
    pub nodes: u64,
    /// How long it took, from its start.
    pub time: Duration,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

impl<M: Copy> Analysis<M> {
    /// The move to play.
    pub fn best(&self) -> M {
        self.lines[0].pv[0]
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
