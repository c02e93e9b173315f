//! What waits for the threads of a class, in turn by caller, and what runs on them.

use std::{
    collections::{HashMap, VecDeque},
    mem,
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use super::{CallerId, Ended, SearchFor, Stats, Unanswered, worker::Task};
use crate::{search::Control, service::limits::ServiceLimits};

/// A search that waits.
pub(super) struct Job {
    pub ticket: Ticket,
    pub accepted: Instant,
    /// Tells its caller that it has a thread, and after how long.
    pub begun: oneshot::Sender<Duration>,
    pub task: Task,
}

/// What is known of a search from outside.
#[derive(Clone, Debug)]
pub(super) struct Ticket {
    /// No other search of the lane has this number.
    pub id: u64,
    pub whom: SearchFor,
    /// Such searches leave a thread to the others.
    pub is_long: bool,
    pub control: Control,
}

/// What waits for the threads of a class, and what runs on them.
#[derive(Default)]
pub(super) struct Lane {
    threads: usize,
    /// The callers who wait, the next one first, and what each of them waits for: never nothing.
    waiting: VecDeque<(CallerId, VecDeque<Job>)>,
    running: Vec<Ticket>,
    last_id: u64,
    pub is_closed: bool,
    nodes: u64,
    ended: [u64; Ended::ALL.len()],
}

impl Lane {
    pub fn new(threads: usize) -> Self {
        Self { threads, ..Self::default() }
    }

    /// A number that no other search or batch has.
    pub fn new_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Puts a search into the queue.
    pub fn push(&mut self, job: Job, limits: &ServiceLimits) -> Result<(), Unanswered> {
        if let Err(refused) = self.check(&job.ticket, limits) {
            self.count(Ended::Refused);
            return Err(refused);
        }
        let caller = job.ticket.whom.caller;
        match self.waiting.iter_mut().find(|(other, _)| *other == caller) {
            Some((_, jobs)) => jobs.push_back(job),
            None => self.waiting.push_back((caller, VecDeque::from([job]))),
        }
        Ok(())
    }

    fn check(&self, ticket: &Ticket, limits: &ServiceLimits) -> Result<(), Unanswered> {
        if self.is_closed {
            return Err(Unanswered::Closing);
        }
        if ticket.whom.batch.is_some() {
            // The caller brings only a few at a time, and they wait for as long as it takes.
            return Ok(());
        }
        let own = self.tickets().filter(|other| other.whom.caller == ticket.whom.caller);
        if own.count() >= limits.searches.per_caller {
            return Err(Unanswered::Share);
        }
        if self.jobs().count() >= limits.searches.waiting + self.idle() {
            return Err(Unanswered::Queue);
        }
        Ok(())
    }

    /// A number for a batch, if there may be one more: those count of which a search runs or waits. A batch
    /// whose caller reads slowly has none for a while, and keeps nobody else from searching.
    pub fn begin_batch(&mut self, caller: CallerId, limits: &ServiceLimits) -> Result<u64, Unanswered> {
        let active = self.batches();
        if self.is_closed {
            return Err(Unanswered::Closing);
        }
        if active.values().filter(|&&other| other == caller).count() >= limits.batches.per_caller {
            return Err(Unanswered::BatchShare);
        }
        if active.len() >= limits.batches.at_a_time {
            return Err(Unanswered::Batches);
        }
        Ok(self.new_id())
    }

    /// The batches with a search that runs or waits, and their callers.
    pub fn batches(&self) -> HashMap<u64, CallerId> {
        self.tickets().filter_map(|ticket| Some((ticket.whom.batch?, ticket.whom.caller))).collect()
    }

    /// Gives a thread to the next search that may have one. Its caller then comes after all others.
    pub fn take(&mut self) -> Option<Job> {
        let mut found = self.waiting.iter().enumerate().filter_map(|(caller, (_, jobs))| {
            let job = jobs.iter().position(|job| self.may_run(&job.ticket))?;
            Some((caller, job))
        });
        let (caller, job) = found.next()?;
        let (id, mut jobs) = self.waiting.remove(caller)?;
        let job = jobs.remove(job)?;
        if !jobs.is_empty() {
            self.waiting.push_back((id, jobs));
        }
        self.running.push(job.ticket.clone());
        Some(job)
    }

    /// A search has come to its end.
    pub fn end(&mut self, id: u64, ended: Ended, nodes: u64) {
        self.running.retain(|ticket| ticket.id != id);
        self.nodes += nodes;
        self.count(ended);
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

    /// The same for one that has waited long enough, unless a thread is about to wake up for it: on a busy
    /// machine that may take long.
    pub fn expire(&mut self, id: u64) -> Option<Job> {
        let job = self.jobs().find(|job| job.ticket.id == id)?;
        if self.idle() > 0 && self.may_run(&job.ticket) {
            return None;
        }
        self.remove(id, Ended::Expired)
    }

    /// Takes no more, stops what runs, and hands back what waits.
    pub fn close(&mut self) -> VecDeque<(CallerId, VecDeque<Job>)> {
        self.is_closed = true;
        for ticket in &self.running {
            ticket.control.stop();
        }
        self.ended[Ended::Refused as usize] += self.jobs().count() as u64;
        mem::take(&mut self.waiting)
    }

    pub fn stats(&self, table_bytes: usize) -> Stats {
        Stats {
            threads: self.threads,
            running: self.running.len(),
            waiting: self.jobs().count(),
            table_bytes,
            nodes: self.nodes,
            ended: self.ended,
        }
    }

    fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.waiting.iter().flat_map(|(_, jobs)| jobs)
    }

    fn tickets(&self) -> impl Iterator<Item = &Ticket> {
        self.jobs().map(|job| &job.ticket).chain(&self.running)
    }

    fn idle(&self) -> usize {
        self.threads - self.running.len()
    }

    /// Long searches hold all threads but one, or the only one.
    fn may_run(&self, ticket: &Ticket) -> bool {
        let long = self.running.iter().filter(|ticket| ticket.is_long).count();
        !ticket.is_long || long < (self.threads - 1).max(1)
    }

    fn count(&mut self, ended: Ended) {
        self.ended[ended as usize] += 1;
    }
}
