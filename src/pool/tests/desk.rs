//! A scheduler without threads, with a clock of the test's own.

use super::*;
use crate::pool::{
    job::{BatchId, Run},
    scheduler::Scheduler,
};

pub const SECOND: Duration = Duration::from_secs(1);
pub const MS: Duration = Duration::from_millis(1);

/// What a scheduler is asked, at a time that the test decides.
pub struct Desk {
    pub scheduler: Scheduler,
    pub now: Instant,
    /// Callers that wait to hear whether their turn has come.
    pub turns: Vec<oneshot::Receiver<Result<Duration, Busy>>>,
}

/// A batch that is open.
pub struct Opened {
    pub caller: u64,
    pub id: BatchId,
    _open: Arc<()>,
}

/// The limits of a search that thinks for a time.
pub fn thinking_for(time: Duration) -> SearchLimits {
    SearchLimits { time: Some(time), ..SearchLimits::default() }
}

/// Those of a search that takes so long, and is answered in full.
pub fn taking(time: Duration) -> SearchLimits {
    let nodes = u64::try_from(time.as_millis()).unwrap() * NODES_PER_MS;
    SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
}

pub fn demand(limits: SearchLimits) -> Demand {
    Demand::of::<Pur>(&Options::new(limits), 1)
}

impl Desk {
    pub fn new(threads: usize) -> Self {
        Self::with(PoolConfig { threads, max_wait: SECOND, longest: 30 * SECOND, ..PoolConfig::default() })
    }

    pub fn with(config: PoolConfig) -> Self {
        Self {
            scheduler: Scheduler::new(config.checked(), Arc::default()),
            now: Instant::now(),
            turns: Vec::new(),
        }
    }

    pub fn ask(&mut self, caller: u64, limits: SearchLimits) -> Result<(), Busy> {
        self.queue(caller, None, limits)
    }

    /// A search that thinks for a time.
    pub fn timed(&mut self, caller: u64, time: Duration) -> Result<(), Busy> {
        self.ask(caller, thinking_for(time))
    }

    /// A search that takes so long, and is answered in full.
    pub fn in_full(&mut self, caller: u64, time: Duration) -> Result<(), Busy> {
        self.ask(caller, taking(time))
    }

    /// Opens a batch of so many searches with these limits.
    pub fn begin(&mut self, caller: u64, limits: SearchLimits, count: usize) -> Result<Opened, NotBegun> {
        let searches = [(demand(limits), count)];
        let (id, open) = self.scheduler.begin_batch(CallerId(caller), &searches, self.now)?;
        Ok(Opened { caller, id, _open: open })
    }

    /// A search of a batch.
    pub fn ask_in(&mut self, batch: &Opened, limits: SearchLimits) -> Result<(), Busy> {
        self.queue(batch.caller, Some(batch.id), limits)
    }

    fn queue(&mut self, caller: u64, batch: Option<BatchId>, limits: SearchLimits) -> Result<(), Busy> {
        let (demand, id) = (demand(limits), self.scheduler.new_id());
        let (work, is_timed) = (demand.work(&self.scheduler.config), demand.is_timed());
        let (sender, turn) = oneshot::channel();
        self.turns.push(turn);
        let (caller, control) = (CallerId(caller), Control::new());
        let ticket = Ticket { id, caller, batch, work, is_timed, control, accepted: self.now };
        let run: Work = Box::new(|_, _| unreachable!("nothing is searched here"));
        self.scheduler.admit(Job { ticket, turn: sender, run }, self.now)
    }

    /// A thread takes the next search: whose it is.
    pub fn take(&mut self, thread: usize) -> Option<u64> {
        self.take_of(Class::Interactive, thread)
    }

    /// The same for a thread of a class.
    pub fn take_of(&mut self, class: Class, thread: usize) -> Option<u64> {
        let (_control, _work) = self.scheduler.take(class, thread, self.now)?;
        let CallerId(caller) = self.run(class, thread)?.ticket.caller;
        Some(caller)
    }

    /// The search of a thread is over.
    pub fn finish(&mut self, thread: usize, stopped_by: StoppedBy) {
        self.finish_of(Class::Interactive, thread, stopped_by);
    }

    /// The same for a thread of a class.
    pub fn finish_of(&mut self, class: Class, thread: usize, stopped_by: StoppedBy) -> Option<Busy> {
        let summary = Summary { nodes: 1_000, stopped_by };
        self.scheduler.finish(class, thread, summary, false, self.now)
    }

    /// Which of the background searches pause, by thread; nothing where none runs.
    pub fn paused(&self) -> Vec<Option<bool>> {
        self.scheduler.background.running.iter().map(|run| run.as_ref().map(|run| run.paused)).collect()
    }

    /// Whether the search of a thread is to end early.
    pub fn is_cut_short(&self, thread: usize) -> bool {
        self.run(Class::Interactive, thread).is_some_and(|run| run.cut_short)
    }

    fn run(&self, class: Class, thread: usize) -> Option<&Run> {
        let Scheduler { interactive, background, .. } = &self.scheduler;
        let lane = if class == Class::Interactive { interactive } else { background };
        lane.running[thread].as_ref()
    }

    pub fn pass(&mut self, time: Duration) {
        self.now += time;
    }
}
