//! Searches that wait, taken in turn by caller.

use std::collections::VecDeque;

use super::{caller::CallerId, job::Job};

/// Searches that wait. Each caller has a queue; the callers are asked for the first of theirs one after the
/// other.
#[derive(Default)]
pub(super) struct Ring {
    /// Never an empty queue. The first caller is the next.
    callers: VecDeque<(CallerId, VecDeque<Job>)>,
    len: usize,
}

impl Ring {
    pub const fn len(&self) -> usize {
        self.len
    }

    /// How many searches of a caller wait.
    pub fn count(&self, caller: CallerId) -> usize {
        self.callers.iter().find(|(other, _)| *other == caller).map_or(0, |(_, jobs)| jobs.len())
    }

    /// Puts a search at the end of its caller's queue.
    pub fn push(&mut self, job: Job) {
        let caller = job.ticket.caller;
        self.len += 1;
        match self.callers.iter_mut().find(|(other, _)| *other == caller) {
            Some((_, jobs)) => jobs.push_back(job),
            None => self.callers.push_back((caller, VecDeque::from([job]))),
        }
    }

    /// Takes the next search that can be started; its caller then comes after all others.
    pub fn take(&mut self, can_start: impl Fn(&Job) -> bool) -> Option<Job> {
        let mut found = self.callers.iter().enumerate().filter_map(|(caller, (_, jobs))| {
            let job = jobs.iter().position(&can_start)?;
            Some((caller, job))
        });
        let (caller, job) = found.next()?;
        let (id, mut jobs) = self.callers.remove(caller)?;
        let taken = jobs.remove(job)?;
        self.len -= 1;
        if !jobs.is_empty() {
            self.callers.push_back((id, jobs));
        }
        Some(taken)
    }

    /// Takes a certain search, if it still waits.
    pub fn remove(&mut self, caller: CallerId, id: u64) -> Option<Job> {
        let at = self.callers.iter().position(|(other, _)| *other == caller)?;
        let (_, jobs) = &mut self.callers[at];
        let removed = jobs.iter().position(|job| job.ticket.id == id).and_then(|i| jobs.remove(i))?;
        self.len -= 1;
        if jobs.is_empty() {
            self.callers.remove(at);
        }
        Some(removed)
    }

    /// Takes all.
    pub fn clear(&mut self) -> Vec<Job> {
        self.len = 0;
        self.callers.drain(..).flat_map(|(_, jobs)| jobs).collect()
    }

    /// All of them, in the order in which they are taken.
    pub fn jobs(&self) -> impl Iterator<Item = &Job> {
        let rounds = self.callers.iter().map(|(_, jobs)| jobs.len()).max().unwrap_or(0);
        (0..rounds).flat_map(|round| self.callers.iter().filter_map(move |(_, jobs)| jobs.get(round)))
    }

    /// The first search of each caller, the next caller first.
    pub fn firsts(&self) -> impl Iterator<Item = &Job> {
        self.callers.iter().filter_map(|(_, jobs)| jobs.front())
    }

    /// What would be taken before a search that this caller puts in now, in that order.
    pub fn before(&self, caller: CallerId) -> impl Iterator<Item = &Job> {
        let place = self.callers.iter().position(|(other, _)| *other == caller);
        let (place, round) = place.map_or((self.callers.len(), 0), |at| (at, self.callers[at].1.len()));
        (0..=round).flat_map(move |now| {
            let callers = if now < round { self.callers.len() } else { place };
            self.callers.iter().take(callers).filter_map(move |(_, jobs)| jobs.get(now))
        })
    }
}
