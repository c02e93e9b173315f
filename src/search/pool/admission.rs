//! Who is accepted.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    busy::{Busy, BusyCause, NotBegun, TooMuchWork},
    caller::CallerId,
    class::Class,
    cost::Demand,
    job::{BatchId, Cost, Job, Ticket},
    lane::Lane,
    scheduler::{SHORT, Scheduler},
    stats::Ended,
};

impl Scheduler {
    /// A number that no other search has, and how long one will take that asks this.
    pub fn register(&mut self, demand: &Demand, now: Instant) -> (u64, Cost) {
        let expected = self.estimate(demand);
        // Long searches are longer than a search may wait, but no less than what a short one needs.
        let is_long = self.costs.worst(demand, now) > self.config.max_wait.max(SHORT);
        (self.new_id(), Cost { expected, is_long })
    }

    fn new_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// How long a search will take that asks this.
    pub fn estimate(&self, demand: &Demand) -> Duration {
        self.costs.estimate(demand).min(self.config.longest)
    }

    /// Opens a batch of so many searches of each kind. It is open as long as the second value lives.
    pub fn begin_batch(
        &mut self,
        caller: CallerId,
        searches: &[(Demand, usize)],
        now: Instant,
    ) -> Result<(BatchId, Arc<()>), NotBegun> {
        let estimates = searches.iter().map(|(demand, count)| {
            self.estimate(demand).saturating_mul(u32::try_from(*count).unwrap_or(u32::MAX))
        });
        let (estimate, limit) =
            (estimates.fold(Duration::ZERO, Duration::saturating_add), self.config.max_work);
        if estimate > limit {
            return Err(TooMuchWork { estimate, limit }.into());
        }
        if self.is_closed() {
            return Err(Busy::CLOSING.into());
        }
        let id = BatchId(self.new_id());
        let count = searches.iter().map(|(_, count)| count).sum();
        let open = self.batches.begin(id, caller, (estimate, count), &self.config, now)?;
        Ok((id, open))
    }

    /// Puts a search into the queue.
    pub fn admit(&mut self, job: Job, now: Instant) -> Result<(), Busy> {
        let class = job.ticket.class();
        if let Err(busy) = self.check(&job.ticket, now) {
            self.lane(class).count(Ended::Refused);
            return Err(busy);
        }
        self.lane(class).waiting.push(job);
        if class == Class::Interactive {
            self.make_way(now);
        }
        self.share_processors();
        Ok(())
    }

    fn check(&self, ticket: &Ticket, now: Instant) -> Result<(), Busy> {
        if self.is_closed() {
            return Err(Busy::CLOSING);
        }
        if let Some(batch) = ticket.batch {
            // It waits for as long as it takes.
            return self.batches.ended(batch).map_or(Ok(()), Err);
        }
        let wait = self.expected_wait(ticket, now);
        let refused = |cause, retry_after| Err(Busy { cause, retry_after });
        let Lane { waiting, .. } = &self.interactive;
        if self.interactive.held(ticket.caller) + waiting.count(ticket.caller) >= self.config.per_caller {
            let own = self.interactive.runs().filter(|run| run.ticket.caller == ticket.caller);
            return refused(BusyCause::Share, own.map(|run| run.left(now)).min().unwrap_or(wait));
        }
        if waiting.len() >= self.config.queue + self.interactive.idle() {
            return refused(BusyCause::Queue, wait);
        }
        if wait > self.config.max_wait {
            return refused(BusyCause::Wait, wait);
        }
        Ok(())
    }
}
