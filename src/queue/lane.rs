//! A lane: the queue of the searches of a class, scheduled round robin by caller, and its idle threads.

use std::{
    collections::VecDeque,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

use super::{Delivery, Ended, QueueError, Stats};
use crate::{
    api::limits::SearchesAllowance,
    caller::Caller,
    engine::{Control, TranspositionTable},
};

/// The work of a search thread, which lends it the thread's transposition table.
pub(super) type Task = Box<dyn FnOnce(&mut TranspositionTable) -> Delivery + Send>;

/// Gives a thread a search: its number, and the work.
pub(super) type Thread = Box<dyn Fn(u64, Task) + Send>;

/// What the lane knows about a search.
pub(super) struct Ticket {
    /// Unique in the lane, which sets it.
    pub id: u64,
    pub caller: Caller,
    /// Whether it is long: long searches leave a thread to the others.
    pub is_long: bool,
    pub control: Control,
}

/// A search that waits.
pub(super) struct Job {
    pub ticket: Ticket,
    /// Notifies the caller that the search has a thread.
    pub begun: oneshot::Sender<()>,
    pub task: Task,
}

/// The waiting and running searches of a class, and the threads that are idle.
#[derive(Default)]
pub(super) struct Lane {
    /// All statistics except the numbers of running and waiting searches.
    totals: Stats,
    /// The waiting callers, the next one first, each with its waiting searches: at least one.
    waiting: VecDeque<(Caller, VecDeque<Job>)>,
    running: Vec<(Ticket, Thread)>,
    idle: Vec<Thread>,
    last_id: u64,
    is_closed: bool,
}

impl Lane {
    /// Adds a thread that has just started.
    pub fn add_thread(&mut self, thread: Thread) {
        self.totals.threads += 1;
        self.idle.push(thread);
    }

    /// Puts a search into the queue, within some limits, and returns its number.
    pub fn push(&mut self, mut job: Job, limits: Option<&SearchesAllowance>) -> Result<u64, QueueError> {
        let caller = job.ticket.caller;
        if let Err(refused) = self.check(caller, limits) {
            self.count(Ended::Refused);
            return Err(refused);
        }
        self.last_id += 1;
        job.ticket.id = self.last_id;
        match self.waiting.iter_mut().find(|(other, _)| *other == caller) {
            Some((_, jobs)) => jobs.push_back(job),
            None => self.waiting.push_back((caller, VecDeque::from([job]))),
        }
        self.start();
        Ok(self.last_id)
    }

    fn check(&self, caller: Caller, limits: Option<&SearchesAllowance>) -> Result<(), QueueError> {
        if self.is_closed {
            return Err(QueueError::Closing);
        }
        // A batch has a permit, and queues only a window of searches at a time.
        let Some(limits) = limits else { return Ok(()) };
        let tickets = self.jobs().map(|job| &job.ticket).chain(self.running.iter().map(|(ticket, _)| ticket));
        if tickets.filter(|ticket| ticket.caller == caller).count() >= limits.per_caller {
            return Err(QueueError::Share);
        }
        if self.jobs().count() >= limits.waiting + self.idle.len() {
            return Err(QueueError::Queue);
        }
        Ok(())
    }

    /// Gives idle threads the next searches that may run. Their callers then come after all others.
    fn start(&mut self) {
        while !self.idle.is_empty()
            && let Some((place, next)) = self.next()
            && let Some(thread) = self.idle.pop()
        {
            let Some((caller, mut jobs)) = self.waiting.remove(place) else { return };
            let next = jobs.remove(next);
            if !jobs.is_empty() {
                self.waiting.push_back((caller, jobs));
            }
            let Some(Job { ticket, begun, task }) = next else { return };
            // The caller may have left; its search then stops at once.
            let _is_there = begun.send(());
            thread(ticket.id, task);
            self.running.push((ticket, thread));
        }
    }

    /// The next search that may have a thread: the places of its caller and among the caller's searches. Long
    /// ones get all threads but one, or the only one.
    fn next(&self) -> Option<(usize, usize)> {
        let long = self.running.iter().filter(|(ticket, _)| ticket.is_long).count();
        let may_be_long = long < (self.totals.threads - 1).max(1);
        let may_run = |job: &Job| may_be_long || !job.ticket.is_long;
        let mut found = self.waiting.iter().map(|(_, jobs)| jobs.iter().position(may_run)).enumerate();
        found.find_map(|(place, next)| Some((place, next?)))
    }

    /// Takes a search out of the queue, if it still waits.
    pub fn remove(&mut self, id: u64, ended: Ended) -> Option<Job> {
        let job = self.waiting.iter_mut().find_map(|(_, jobs)| {
            let job = jobs.iter().position(|job| job.ticket.id == id)?;
            jobs.remove(job)
        })?;
        self.waiting.retain(|(_, jobs)| !jobs.is_empty());
        self.count(ended);
        Some(job)
    }

    /// Records the end of a running search, and gives its thread the next one.
    pub fn end(&mut self, id: u64, delivery: &Delivery) {
        self.totals.nodes += delivery.nodes;
        self.totals.table_bytes += delivery.table_bytes;
        self.count(delivery.ended);
        let ended = self.running.iter().position(|(ticket, _)| ticket.id == id);
        let thread = ended.map(|ended| self.running.swap_remove(ended).1);
        if !self.is_closed {
            self.idle.extend(thread);
            self.start();
        }
    }

    /// Closes the lane: stops the running searches, dismisses the threads, and returns the waiting searches.
    pub fn close(&mut self) -> VecDeque<(Caller, VecDeque<Job>)> {
        self.is_closed = true;
        self.idle.clear();
        for (ticket, _) in &self.running {
            ticket.control.stop();
        }
        self.totals.ended[Ended::Refused as usize] += self.jobs().count() as u64;
        mem::take(&mut self.waiting)
    }

    pub fn stats(&self) -> Stats {
        Stats { running: self.running.len(), waiting: self.jobs().count(), ..self.totals }
    }

    fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.waiting.iter().flat_map(|(_, jobs)| jobs)
    }

    fn count(&mut self, ended: Ended) {
        self.totals.ended[ended as usize] += 1;
    }
}

/// A lane, shared by its threads and the callers.
#[derive(Default)]
pub(super) struct SharedLane(Mutex<Lane>);

impl SharedLane {
    /// Locks the lane, even after a panic: no code that holds the lock can leave the state half changed.
    pub fn lock(&self) -> MutexGuard<'_, Lane> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the end of a search, and then delivers its result.
    pub fn end(&self, id: u64, delivery: Delivery) {
        self.lock().end(id, &delivery);
        (delivery.hand_over)();
    }
}
