//! What runs and what waits: who is accepted, whose turn it is, and who has to make way.
//!
//! - Interactive searches never wait for background ones, which have the processors that are left and pause
//!   when there are none.
//! - Searches that wait are taken in turn by caller.
//! - An interactive search is *long* if it counts for more than a search may wait. Long searches that are
//!   answered in full or not at all may hold all threads but one.
//! - Where long searches hold all threads, one that thinks for a time ends early as soon as somebody else
//!   waits who has no long search to make, or far fewer of them.

use std::{
    sync::{Arc, Condvar},
    time::{Duration, Instant},
};

use super::{
    batches::Batches,
    busy::{Busy, BusyCause},
    caller::CallerId,
    class::Class,
    config::PoolConfig,
    demand::work_of,
    job::{Job, Run, Summary, Ticket, Work},
    lane::Lane,
    stats::{Ended, PoolStats},
};
use crate::search::{Control, StoppedBy};

/// What runs, what waits, and what has become of the others. The time is told by whoever asks.
pub(super) struct Scheduler {
    pub config: PoolConfig,
    pub interactive: Lane,
    pub background: Lane,
    pub batches: Batches,
    closed: bool,
    pub next_id: u64,
    /// Threads for background searches wait for this: there is something for them to do.
    pub wake_background: Arc<Condvar>,
}

impl Scheduler {
    /// Nothing runs yet.
    pub fn new(config: PoolConfig, wake_background: Arc<Condvar>) -> Self {
        Self {
            config,
            interactive: Lane::new(config.threads),
            background: Lane::new(config.background_threads),
            batches: Batches::default(),
            closed: false,
            next_id: 0,
            wake_background,
        }
    }

    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Gives a thread the next search whose caller still waits for it.
    pub fn take(&mut self, class: Class, number: usize, now: Instant) -> Option<(Control, Work)> {
        let taken = loop {
            let Some(Job { mut ticket, turn, run }) = self.next(class) else { break None };
            let waited = now.saturating_duration_since(ticket.accepted);
            if let Some(busy) = self.too_late(&ticket, number, now) {
                // The caller may have gone away, and then nobody minds.
                let _gone = turn.send(Err(busy));
                continue;
            }
            if turn.send(Ok(waited)).is_err() {
                self.cancelled(&ticket);
                continue;
            }
            ticket.control = ticket.control.restarted();
            if !ticket.is_timed {
                ticket.control.stop_after(self.config.longest);
            }
            let control = ticket.control.clone();
            self.lane(class).running[number] = Some(Run::new(ticket, now));
            if class == Class::Interactive {
                self.make_way(now);
            }
            break Some((control, run));
        };
        self.share_processors();
        taken
    }

    /// The next search of a class that can be started.
    fn next(&mut self, class: Class) -> Option<Job> {
        match class {
            Class::Interactive => {
                let room = self.has_room_in_full();
                self.interactive.waiting.take(|job| room || !job.ticket.is_long_in_full(&self.config))
            }
            Class::Background if self.spare_processors() > 0 => self.background.waiting.take(|_| true),
            Class::Background => None,
        }
    }

    /// Why a search is not started whose turn has come, if that is so: it is too late if no thread was free
    /// in time. A free thread that has taken long to wake up is no reason.
    fn too_late(&mut self, ticket: &Ticket, number: usize, now: Instant) -> Option<Busy> {
        let Some(batch) = ticket.batch else {
            let free = self.interactive.idle_since[number];
            let is_late = free.saturating_duration_since(ticket.accepted) > self.config.max_wait;
            return is_late.then(|| self.expired(ticket, now));
        };
        let busy = self.batches.ended(batch)?;
        self.background.count(Ended::Refused);
        Some(busy)
    }

    /// What a thread has done has come to its end: whether there is a reason not to hand over what has been
    /// found.
    pub fn finish(
        &mut self,
        class: Class,
        number: usize,
        summary: Summary,
        abandoned: bool,
        now: Instant,
    ) -> Option<Busy> {
        let run = self.lane(class).end(number, now);
        let taken = run.taken(now);
        self.lane(class).count_finished(summary.nodes);
        let busy = if abandoned {
            self.cancelled(&run.ticket);
            None
        } else {
            let (ended, busy) = self.how_ended(&run, summary, taken);
            self.lane(class).count(ended);
            busy
        };
        if let Some(batch) = run.ticket.batch {
            // Not how long it took: how far a batch gets is to depend on what it asks, not on the machine.
            let work = if run.ticket.is_timed { run.ticket.work } else { work_of(summary.nodes) };
            self.batches.count(batch, work, &self.config);
        }
        self.share_processors();
        busy
    }

    /// How a search has ended that took so long, and whether there is a reason not to hand over what it has
    /// found.
    fn how_ended(&self, run: &Run, summary: Summary, taken: Duration) -> (Ended, Option<Busy>) {
        let Ticket { is_timed, ref control, .. } = run.ticket;
        let stopped = summary.stopped_by == StoppedBy::Time;
        // What ended it, if it was not itself: the pool closes.
        let from_outside =
            if is_timed { control.is_stopped() && !run.cut_short } else { taken < self.config.longest };
        if stopped && (!is_timed || summary.nodes == 0) {
            if from_outside {
                return (Ended::Refused, Some(Busy::CLOSING));
            }
            return (Ended::Overdue, Some(Busy { cause: BusyCause::Overdue, retry_after: taken }));
        }
        let cut_short = run.cut_short && stopped;
        (if cut_short { Ended::CutShort } else { Ended::Answered(summary.stopped_by) }, None)
    }

    /// What a thread has done has failed.
    pub fn fail(&mut self, class: Class, number: usize, now: Instant) {
        let run = self.lane(class).end(number, now);
        self.lane(class).count(Ended::Failed);
        if let Some(batch) = run.ticket.batch {
            self.batches.count(batch, run.ticket.work, &self.config);
        }
        self.share_processors();
    }

    /// The caller of a search does not wait for it any more.
    pub fn leave(&mut self, class: Class, caller: CallerId, id: u64) {
        if let Some(job) = self.lane(class).waiting.remove(caller, id) {
            self.cancelled(&job.ticket);
            self.share_processors();
        }
    }

    /// An interactive search has waited long enough; nothing if its turn has come, or comes as soon as an
    /// idle thread wakes up.
    pub fn expire(&mut self, caller: CallerId, id: u64, now: Instant) -> Option<Busy> {
        if self.about_to_run().any(|job| job.ticket.id == id) {
            return None;
        }
        let job = self.interactive.waiting.remove(caller, id)?;
        let busy = self.expired(&job.ticket, now);
        self.share_processors();
        Some(busy)
    }

    fn expired(&mut self, ticket: &Ticket, now: Instant) -> Busy {
        self.interactive.count(Ended::Expired);
        Busy { cause: BusyCause::Expired, retry_after: self.expected_wait(ticket, now) }
    }

    fn cancelled(&mut self, ticket: &Ticket) {
        self.lane(ticket.class()).count(Ended::Cancelled);
    }

    /// What the table of a thread holds now.
    pub fn set_table_bytes(&mut self, class: Class, number: usize, bytes: usize) {
        self.lane(class).set_table_bytes(number, bytes);
    }

    /// How busy the threads of a class are.
    pub fn stats(&self, class: Class) -> PoolStats {
        match class {
            Class::Interactive => self.interactive.stats(),
            Class::Background => self.background.stats(),
        }
    }

    /// Drops what waits, ends what runs, and makes no more searches of the batches that are open.
    pub fn hurry(&mut self) {
        self.interactive.hurry();
        self.background.hurry();
        self.batches.close();
        self.share_processors();
    }

    /// The same, and takes no more.
    pub fn close(&mut self) {
        self.closed = true;
        self.hurry();
    }

    pub fn lane(&mut self, class: Class) -> &mut Lane {
        match class {
            Class::Interactive => &mut self.interactive,
            Class::Background => &mut self.background,
        }
    }

    /// Whether one more long search may have a thread that is answered in full.
    pub fn has_room_in_full(&self) -> bool {
        let long = self.interactive.runs().filter(|run| run.ticket.is_long_in_full(&self.config));
        long.count() < self.places_in_full()
    }

    /// How many threads long searches may hold that are answered in full.
    pub fn places_in_full(&self) -> usize {
        (self.interactive.running.len() - 1).max(1)
    }
}
