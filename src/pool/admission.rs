//! Who is accepted.

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    busy::{Busy, BusyCause, NotBegun, TooMuchWork},
    caller::CallerId,
    class::Class,
    demand::Demand,
    job::{BatchId, Job, Ticket},
    lane::Lane,
    scheduler::Scheduler,
    stats::Ended,
};

impl Scheduler {
    /// A number that no other search or batch has.
    pub fn new_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// Opens a batch of so many searches of each kind. It is open as long as the second value lives.
    pub fn begin_batch(
        &mut self,
        caller: CallerId,
        searches: &[(Demand, usize)],
        now: Instant,
    ) -> Result<(BatchId, Arc<()>), NotBegun> {
        let each = searches.iter().map(|(demand, count)| {
            demand.work(&self.config).saturating_mul(u32::try_from(*count).unwrap_or(u32::MAX))
        });
        let (work, limit) = (each.fold(Duration::ZERO, Duration::saturating_add), self.config.max_work);
        if work > limit {
            return Err(TooMuchWork { work, limit }.into());
        }
        if self.is_closed() {
            return Err(Busy::CLOSING.into());
        }
        let id = BatchId(self.new_id());
        let count = searches.iter().map(|(_, count)| count).sum();
        let active = self.active_batches();
        let open = self.batches.begin(id, caller, (work, count), &active, &self.config, now)?;
        Ok((id, open))
    }

    /// The batches of which a search runs or waits. One whose caller reads slowly has none for a while, and
    /// keeps nobody else from searching.
    pub fn active_batches(&self) -> HashSet<BatchId> {
        let Lane { waiting, .. } = &self.background;
        let waiting = waiting.jobs().map(|job| &job.ticket);
        let tickets = waiting.chain(self.background.runs().map(|run| &run.ticket));
        tickets.filter_map(|ticket| ticket.batch).collect()
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
