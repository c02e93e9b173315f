//! What the threads of one search tell each other besides the table: when it is over, and how many positions
//! they visit.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::control::Control;

/// What the threads of a search share besides the table. The numbers tell nothing about other memory, so they
/// need no order.
#[derive(Debug)]
pub(super) struct Team {
    /// Positions that the threads have been granted, of those that the search may visit.
    granted: AtomicU64,
    /// Positions that each helper has visited, as far as it has told.
    visited: Box<[AtomicU64]>,
    /// The search is over.
    is_over: AtomicBool,
}

/// The place of a thread in a team: 0 for the one that leads, then the helpers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member<'a> {
    team: &'a Team,
    number: usize,
}

impl Team {
    /// With so many helpers: with none, nothing depends on how fast they are.
    pub(super) fn with_helpers(helpers: usize) -> Self {
        Self {
            granted: AtomicU64::new(0),
            visited: (0..helpers).map(|_| AtomicU64::new(0)).collect(),
            is_over: AtomicBool::new(false),
        }
    }

    /// How many helpers there are at most.
    pub(super) fn helpers(&self) -> usize {
        self.visited.len()
    }

    /// The place of a thread: 0 for the one that leads.
    pub(super) const fn member(&self, number: usize) -> Member<'_> {
        Member { team: self, number }
    }

    /// Ends the search for the helpers.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

impl Member<'_> {
    /// Whether this is the thread that decides.
    pub(super) const fn leads(self) -> bool {
        self.number == 0
    }

    /// Whether the thread is to work no longer: the search is over, or others need the processor.
    pub(super) fn is_dismissed(self, control: &Control) -> bool {
        !self.leads() && (self.team.is_over.load(Ordering::Relaxed) || self.number > control.helpers())
    }

    /// Tells how many positions the thread has visited, and grants it some more, within what the threads of
    /// the search may visit together; 0 if there are none left.
    pub(super) fn reserve(self, visited: u64, wanted: u64, limit: u64) -> u64 {
        self.tell(visited);
        let granted = self.team.granted.fetch_add(wanted, Ordering::Relaxed);
        limit.saturating_sub(granted).min(wanted)
    }

    /// Tells how many positions the thread has visited; the one that leads tells it in its answer.
    pub(super) fn tell(self, visited: u64) {
        if let Some(helper) = self.number.checked_sub(1) {
            self.team.visited[helper].store(visited, Ordering::Relaxed);
        }
    }

    /// How many positions the other threads have visited, as far as they have told.
    pub(super) fn nodes_of_others(self) -> u64 {
        let told = self.team.visited.iter().enumerate().filter(|&(i, _)| i + 1 != self.number);
        told.map(|(_, nodes)| nodes.load(Ordering::Relaxed)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Interrupted, LimitChecker, SearchLimits, StoppedBy};

    #[test]
    fn a_helper_ends_when_the_search_is_over_and_when_its_thread_is_wanted_back() {
        let ends = |visited: Result<(), Interrupted>| visited.is_err_and(|end| end.0 == StoppedBy::Time);
        let (control, team) = (Control::new().with_threads(3), Team::with_helpers(2));
        let limits = LimitChecker::new(&SearchLimits::default(), &control);
        let visit = |number| limits.of_member(team.member(number)).visit();
        assert!((0..=2).all(|number| visit(number).is_ok()));
        control.set_helpers(1);
        assert!(visit(0).is_ok() && visit(1).is_ok() && ends(visit(2)));
        control.pause();
        assert!(ends(visit(1)));
        control.resume();
        team.end();
        assert!(visit(0).is_ok() && ends(visit(1)) && ends(visit(2)));
    }

    #[test]
    fn threads_visit_no_more_positions_together_than_the_search_may() {
        let control = Control::new().with_threads(2);
        for limit in [1, 127, 128, 1_000] {
            let (limits, team) =
                (SearchLimits { nodes: Some(limit), ..SearchLimits::default() }, Team::with_helpers(1));
            let limits = LimitChecker::new(&limits, &control);
            let mut threads = [0, 1].map(|number| limits.of_member(team.member(number)));
            while threads.iter_mut().any(|thread| thread.visit().is_ok()) {}
            assert_eq!(threads[0].nodes() + threads[1].nodes(), limit);
            assert_eq!(threads[0].nodes_of_all(), limit);
        }
    }
}
