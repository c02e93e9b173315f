//! What runs and what waits: who is accepted, whose turn it is, and who has to make way.
//!
//! - Searches that wait are taken in turn by caller.
//! - A search is *long* if it may take longer than a search may wait, by its time or by what the like of it
//!   have taken. Long searches that are answered in full or not at all may hold all threads but one.
//! - Where long searches hold all threads, one that thinks for a time ends early as soon as somebody else
//!   waits who has no long search to make, or far fewer of them.

use std::time::{Duration, Instant};

use super::{
    busy::{Busy, BusyCause},
    caller::CallerId,
    config::PoolConfig,
    cost::{Costs, Demand},
    job::{Cost, Job, Run, Summary, Ticket, Work},
    ring::Ring,
    stats::{Ended, EndedCounts, PoolStats},
};
use crate::search::{Control, StoppedBy};

/// What is short in any case: as long as a search takes that is told no limit.
pub(super) const SHORT: Duration = Duration::from_millis(500);

/// What runs, what waits, and what has become of the others. The time is told by whoever asks.
pub(super) struct Scheduler {
    pub config: PoolConfig,
    costs: Costs,
    pub waiting: Ring,
    /// What each thread works on.
    pub running: Vec<Option<Run>>,
    closed: bool,
    next_id: u64,
    finished: u64,
    nodes: u64,
    abandoned: u64,
    ended: EndedCounts,
}

impl Scheduler {
    /// Nothing runs yet.
    pub fn new(config: PoolConfig) -> Self {
        Self {
            config,
            costs: Costs::default(),
            waiting: Ring::default(),
            running: vec![None; config.threads],
            closed: false,
            next_id: 0,
            finished: 0,
            nodes: 0,
            abandoned: 0,
            ended: EndedCounts::default(),
        }
    }

    /// A number that no other search has, and how long one will take that asks this.
    pub fn register(&mut self, demand: &Demand, now: Instant) -> (u64, Cost) {
        self.next_id += 1;
        let expected = self.costs.estimate(demand).min(self.config.longest);
        // Long searches are longer than a search may wait, but no less than what a short one needs.
        let is_long = self.costs.worst(demand, now) > self.config.max_wait.max(SHORT);
        (self.next_id, Cost { expected, is_long })
    }

    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Puts a search into the queue.
    pub fn admit(&mut self, job: Job, now: Instant) -> Result<(), Busy> {
        if let Err(busy) = self.check(&job.ticket, now) {
            self.ended.add(Ended::Refused, 1);
            return Err(busy);
        }
        self.waiting.push(job);
        self.make_way(now);
        Ok(())
    }

    fn check(&self, ticket: &Ticket, now: Instant) -> Result<(), Busy> {
        if self.closed {
            return Err(Busy::CLOSING);
        }
        let wait = self.expected_wait(ticket, now);
        let refused = |cause, retry_after| Err(Busy { cause, retry_after });
        if self.held(ticket.caller) + self.waiting.count(ticket.caller) >= self.config.per_caller {
            let own = self.runs().filter(|run| run.ticket.caller == ticket.caller);
            return refused(BusyCause::Share, own.map(|run| run.left(now)).min().unwrap_or(wait));
        }
        let idle = self.running.iter().filter(|running| running.is_none()).count();
        if self.waiting.len() >= self.config.queue + idle {
            return refused(BusyCause::Queue, wait);
        }
        if wait > self.config.max_wait {
            return refused(BusyCause::Wait, wait);
        }
        Ok(())
    }

    /// Gives a thread the next search whose caller still waits for it.
    pub fn take(&mut self, number: usize, now: Instant) -> Option<(Control, Work)> {
        loop {
            let room = self.runs().filter(|run| is_long_in_full(&run.ticket)).count() < self.places_in_full();
            let can_start = |job: &Job| room || !is_long_in_full(&job.ticket);
            let Job { mut ticket, turn, run } = self.waiting.take(can_start)?;
            let waited = now.saturating_duration_since(ticket.accepted);
            if waited > self.config.patience() {
                let busy = self.expired(&ticket, now);
                // The caller may have gone away, and then nobody minds.
                let _gone = turn.send(Err(busy));
                continue;
            }
            if turn.send(Ok(waited)).is_err() {
                self.cancelled();
                continue;
            }
            ticket.control = ticket.control.restarted();
            if !ticket.demand.is_timed() {
                ticket.control.stop_after(self.config.longest);
            }
            self.running[number] = Some(Run::new(ticket.clone(), now));
            self.make_way(now);
            return Some((ticket.control, run));
        }
    }

    /// What a thread has done has come to its end: whether there is a reason not to hand over what has been
    /// found.
    pub fn finish(&mut self, number: usize, summary: Summary, abandoned: bool, now: Instant) -> Option<Busy> {
        let run = self.running[number].take().expect("what ends has run");
        let took = now.saturating_duration_since(run.started);
        let demand = &run.ticket.demand;
        let stopped = summary.stopped_by == StoppedBy::Time;
        self.finished += 1;
        self.nodes += summary.nodes;
        if abandoned {
            self.cancelled();
            return None;
        }
        // What ended it, if it was not itself: the pool closes.
        let from_outside = if demand.is_timed() {
            run.ticket.control.is_stopped() && !run.cut_short
        } else {
            took < self.config.longest
        };
        if !(stopped && from_outside) {
            self.costs.learn(demand, summary.nodes, took, now);
        }
        if stopped && (!demand.is_timed() || summary.nodes == 0) {
            let overdue = Busy { cause: BusyCause::Overdue, retry_after: took };
            let (ended, busy) =
                if from_outside { (Ended::Refused, Busy::CLOSING) } else { (Ended::Overdue, overdue) };
            self.ended.add(ended, 1);
            return Some(busy);
        }
        let cut_short = run.cut_short && stopped;
        self.ended.add(if cut_short { Ended::CutShort } else { Ended::Answered(summary.stopped_by) }, 1);
        None
    }

    /// What a thread has done has failed.
    pub fn fail(&mut self, number: usize) {
        self.running[number] = None;
        self.ended.add(Ended::Failed, 1);
    }

    /// The caller of a search does not wait for it any more.
    pub fn leave(&mut self, caller: CallerId, id: u64) {
        if self.waiting.remove(caller, id).is_some() {
            self.cancelled();
        }
    }

    /// A search has waited long enough; nothing if its turn has come.
    pub fn expire(&mut self, caller: CallerId, id: u64, now: Instant) -> Option<Busy> {
        let job = self.waiting.remove(caller, id)?;
        Some(self.expired(&job.ticket, now))
    }

    fn expired(&mut self, ticket: &Ticket, now: Instant) -> Busy {
        self.ended.add(Ended::Expired, 1);
        Busy { cause: BusyCause::Expired, retry_after: self.expected_wait(ticket, now) }
    }

    fn cancelled(&mut self) {
        self.abandoned += 1;
        self.ended.add(Ended::Cancelled, 1);
    }

    /// How busy the threads are.
    pub fn stats(&self) -> PoolStats {
        PoolStats {
            threads: self.running.len(),
            running: self.runs().count(),
            waiting: self.waiting.len(),
            finished: self.finished,
            failed: self.ended.of(Ended::Failed),
            abandoned: self.abandoned,
            refused: self.ended.of(Ended::Refused),
            expired: self.ended.of(Ended::Expired),
            nodes: self.nodes,
            ended: self.ended,
        }
    }

    /// Drops what waits, and ends what runs.
    pub fn hurry(&mut self) {
        let dropped = self.waiting.clear();
        self.ended.add(Ended::Refused, dropped.len());
        for run in self.runs() {
            run.ticket.control.stop();
        }
    }

    /// The same, and takes no more.
    pub fn close(&mut self) {
        self.closed = true;
        self.hurry();
    }

    /// Whose search a thread works on.
    #[cfg(test)]
    pub fn caller_of(&self, number: usize) -> Option<CallerId> {
        self.running[number].as_ref().map(|run| run.ticket.caller)
    }

    /// Whether the search of a thread is to end early.
    #[cfg(test)]
    pub fn is_cut_short(&self, number: usize) -> bool {
        self.running[number].as_ref().is_some_and(|run| run.cut_short)
    }

    fn runs(&self) -> impl Iterator<Item = &Run> {
        self.running.iter().flatten()
    }

    /// How many threads a caller holds.
    pub fn held(&self, caller: CallerId) -> usize {
        self.runs().filter(|run| run.ticket.caller == caller).count()
    }

    /// How many threads long searches may hold that are answered in full.
    pub fn places_in_full(&self) -> usize {
        (self.running.len() - 1).max(1)
    }
}

/// Whether a search may take long, and is answered in full or not at all.
pub(super) const fn is_long_in_full(ticket: &Ticket) -> bool {
    ticket.cost.is_long && !ticket.demand.is_timed()
}
