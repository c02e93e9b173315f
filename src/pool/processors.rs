//! How the two classes share the processors.

use super::{
    job::{Job, Run},
    scheduler::Scheduler,
};

impl Scheduler {
    /// Divides the processors: interactive searches have those that they need, and background searches what
    /// is left, the oldest first. Is called after everything that changes what interactive searches need.
    pub fn share_processors(&mut self) {
        let left = self.config.threads - self.needed_by_interactive();
        let mut runs: Vec<&mut Run> = self.background.running.iter_mut().flatten().collect();
        runs.sort_unstable_by_key(|run| run.ticket.id);
        for (place, run) in runs.into_iter().enumerate() {
            run.set_paused(place >= left);
        }
        if self.spare_processors() > 0 && self.background.waiting.len() > 0 {
            self.wake_background.notify_one();
        }
    }

    /// Processors that no search needs.
    pub fn spare_processors(&self) -> usize {
        let needed = self.needed_by_interactive() + self.background.runs().count();
        self.config.threads.saturating_sub(needed)
    }

    /// Processors for interactive searches that run, or are about to because a thread is idle.
    fn needed_by_interactive(&self) -> usize {
        self.interactive.runs().count() + self.about_to_run().count()
    }

    /// Interactive searches for which a thread is idle: it only has to wake up.
    pub fn about_to_run(&self) -> impl Iterator<Item = &Job> {
        let room = self.has_room_in_full();
        let can_start = move |job: &&Job| room || !job.ticket.is_long_in_full(&self.config);
        self.interactive.waiting.jobs().filter(can_start).take(self.interactive.idle())
    }
}
