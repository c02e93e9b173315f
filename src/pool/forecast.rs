//! When a thread will be free, and which one is to be free sooner.

use std::time::{Duration, Instant};

use super::{
    config::SHORT,
    job::{Run, Ticket},
    scheduler::Scheduler,
};

/// A thread that is busy for a while, in a forecast.
#[derive(Clone, Copy, Debug)]
struct Thread {
    free_in: Duration,
    /// With a long search that is answered in full.
    in_full: bool,
}

impl Scheduler {
    /// How long a search that is accepted now would wait for a thread, if all goes as expected.
    pub fn expected_wait(&self, newcomer: &Ticket, now: Instant) -> Duration {
        let thread = |running: &Option<Run>| {
            let free_in = running.as_ref().map_or(Duration::ZERO, |run| run.left(now));
            Thread {
                free_in,
                in_full: running.as_ref().is_some_and(|run| run.ticket.is_long_in_full(&self.config)),
            }
        };
        let mut threads: Vec<_> = self.interactive.running.iter().map(thread).collect();
        if let Some(number) = self.to_make_way(newcomer, now)
            && let Some(run) = &self.interactive.running[number]
        {
            threads[number].free_in = self.guaranteed().saturating_sub(now - run.started);
        }
        for job in self.interactive.waiting.before(newcomer.caller) {
            self.place(&job.ticket, &mut threads);
        }
        self.place(newcomer, &mut threads)
    }

    /// Gives a search the first thread that it can have, in a forecast: when that is.
    fn place(&self, ticket: &Ticket, threads: &mut [Thread]) -> Duration {
        let in_full = ticket.is_long_in_full(&self.config);
        let no_room =
            in_full && threads.iter().filter(|thread| thread.in_full).count() >= self.places_in_full();
        let free = threads.iter_mut().filter(|thread| !no_room || thread.in_full);
        let first = free.min_by_key(|thread| thread.free_in).expect("a pool has threads");
        let start = first.free_in;
        *first = Thread { free_in: start.saturating_add(ticket.work), in_full };
        start
    }

    /// Where long searches hold all threads and somebody waits who has a right to one, ends one of them
    /// early.
    pub fn make_way(&mut self, now: Instant) {
        let waiting: Vec<&Ticket> = self.interactive.waiting.firsts().map(|job| &job.ticket).collect();
        let Some(number) = waiting.into_iter().find_map(|ticket| self.to_make_way(ticket, now)) else {
            return;
        };
        let guaranteed = self.guaranteed();
        if let Some(run) = &mut self.interactive.running[number] {
            run.cut_short = true;
            run.ends = now.max(run.started + guaranteed);
            run.ticket.control.stop_after(run.ends - run.started);
        }
    }

    /// The thread whose search is to end early for this one: one with a limit on time, of a caller who holds
    /// as many threads as any, that has thought the longest.
    fn to_make_way(&self, waiting: &Ticket, now: Instant) -> Option<usize> {
        let all_long = self.interactive.running.iter().all(|running| {
            running.as_ref().is_some_and(|run| {
                run.ticket.is_long(&self.config) && !run.cut_short && run.left(now) > self.guaranteed()
            })
        });
        if !all_long {
            return None;
        }
        let fewest =
            if waiting.is_long(&self.config) { self.interactive.held(waiting.caller) + 2 } else { 1 };
        let runs = self
            .interactive
            .running
            .iter()
            .enumerate()
            .filter_map(|(number, running)| Some((number, running.as_ref()?)));
        let may_end = runs.filter(|(_, run)| {
            let Ticket { caller, is_timed, .. } = &run.ticket;
            *is_timed && *caller != waiting.caller && self.interactive.held(*caller) >= fewest
        });
        let most =
            may_end.max_by_key(|(_, run)| (self.interactive.held(run.ticket.caller), now - run.started));
        most.map(|(number, _)| number)
    }

    /// What a search that thinks for a time has of it in any case, also if others wait.
    fn guaranteed(&self) -> Duration {
        (self.config.max_wait / 2).max(SHORT)
    }
}
