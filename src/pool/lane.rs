//! The threads of a class: what they work on, what waits for them, and what has become of the others.

use std::time::Instant;

use super::{
    caller::CallerId,
    job::Run,
    ring::Ring,
    stats::{Ended, EndedCounts, PoolStats},
};

/// The threads of a class: what they work on, what waits for them, and what has become of the others.
pub(super) struct Lane {
    pub waiting: Ring,
    /// What each thread works on.
    pub running: Vec<Option<Run>>,
    /// Since when each thread has had nothing to do, if it has.
    pub idle_since: Vec<Instant>,
    /// What the table of each thread holds.
    table_bytes: Vec<usize>,
    finished: u64,
    nodes: u64,
    ended: EndedCounts,
}

impl Lane {
    /// Nothing runs yet.
    pub fn new(threads: usize) -> Self {
        Self {
            waiting: Ring::default(),
            running: vec![None; threads],
            idle_since: vec![Instant::now(); threads],
            table_bytes: vec![0; threads],
            finished: 0,
            nodes: 0,
            ended: EndedCounts::default(),
        }
    }

    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.running.iter().flatten()
    }

    /// How many threads a caller holds.
    pub fn held(&self, caller: CallerId) -> usize {
        self.runs().filter(|run| run.ticket.caller == caller).count()
    }

    /// Takes what a thread has worked on, which has come to its end.
    pub fn end(&mut self, number: usize, now: Instant) -> Run {
        self.idle_since[number] = now;
        self.running[number].take().expect("what ends has run")
    }

    /// How many threads have nothing to do.
    pub fn idle(&self) -> usize {
        self.running.iter().filter(|running| running.is_none()).count()
    }

    /// Counts a search that ended in this way.
    pub fn count(&mut self, ended: Ended) {
        self.ended.add(ended, 1);
    }

    /// Counts what a thread has done that came to its end.
    pub fn count_finished(&mut self, nodes: u64) {
        self.finished += 1;
        self.nodes += nodes;
    }

    pub fn set_table_bytes(&mut self, number: usize, bytes: usize) {
        self.table_bytes[number] = bytes;
    }

    /// Drops what waits, and ends what runs.
    pub fn hurry(&mut self) {
        let dropped = self.waiting.clear();
        self.ended.add(Ended::Refused, dropped.len());
        for run in self.runs() {
            run.ticket.control.stop();
        }
    }

    pub fn stats(&self) -> PoolStats {
        PoolStats {
            threads: self.running.len(),
            running: self.runs().count(),
            paused: self.runs().filter(|run| run.paused).count(),
            waiting: self.waiting.len(),
            table_bytes: self.table_bytes.iter().sum(),
            finished: self.finished,
            nodes: self.nodes,
            ended: self.ended,
        }
    }
}
