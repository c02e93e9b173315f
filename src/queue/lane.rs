//! A lane: the queue of the searches of a class, scheduled round robin by caller, and its search threads.

use std::{
    collections::VecDeque,
    io::{self, Read as _, Write as _},
    mem,
    os::unix::net::UnixStream,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
};

use actix_web::rt;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net,
    sync::{Notify, oneshot},
};

use super::{Class, Delivery, Ended, QueueError, Stats};
use crate::{
    api::limits::ServiceLimits,
    caller::Caller,
    engine::{Control, TranspositionTable},
};

/// The work of a search thread, which lends it the thread's transposition table.
pub(super) type Task = Box<dyn FnOnce(&mut TranspositionTable) -> Delivery + Send>;

/// A search in the queue.
pub(super) struct Job {
    pub ticket: Ticket,
    /// Notifies the caller that the search has a thread.
    pub begun: oneshot::Sender<()>,
    pub task: Task,
}

/// What the queue knows about a search.
#[derive(Clone, Debug)]
pub(super) struct Ticket {
    /// Unique in the lane.
    pub id: u64,
    pub caller: Caller,
    pub class: Class,
    /// Whether it is long: long searches leave a thread to the others.
    pub is_long: bool,
    pub control: Control,
}

/// The waiting and running searches of a class.
#[derive(Default)]
pub(super) struct Lane {
    /// All statistics except the numbers of running and waiting searches.
    totals: Stats,
    /// The waiting callers, the next one first, each with its waiting searches: at least one.
    waiting: VecDeque<(Caller, VecDeque<Job>)>,
    running: Vec<Ticket>,
    last_id: u64,
    is_closed: bool,
}

impl Lane {
    pub fn new(threads: usize) -> Self {
        Self { totals: Stats { threads, ..Stats::default() }, ..Self::default() }
    }

    /// A number that no other search has.
    pub fn new_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Puts a search into the queue.
    pub fn push(&mut self, job: Job, limits: &ServiceLimits) -> Result<(), QueueError> {
        if let Err(refused) = self.check(&job.ticket, limits) {
            self.count(Ended::Refused);
            return Err(refused);
        }
        let caller = job.ticket.caller;
        match self.waiting.iter_mut().find(|(other, _)| *other == caller) {
            Some((_, jobs)) => jobs.push_back(job),
            None => self.waiting.push_back((caller, VecDeque::from([job]))),
        }
        Ok(())
    }

    fn check(&self, ticket: &Ticket, limits: &ServiceLimits) -> Result<(), QueueError> {
        if self.is_closed {
            return Err(QueueError::Closing);
        }
        if ticket.class == Class::Background {
            // A batch has a permit, and queues only a window of searches at a time.
            return Ok(());
        }
        let own = self.tickets().filter(|other| other.caller == ticket.caller);
        if own.count() >= limits.searches.per_caller {
            return Err(QueueError::Share);
        }
        if self.jobs().count() >= limits.searches.waiting + self.idle() {
            return Err(QueueError::Queue);
        }
        Ok(())
    }

    /// Starts the next search that may run. Its caller then comes after all others.
    pub fn take(&mut self) -> Option<Job> {
        let mut found = self.waiting.iter().enumerate().filter_map(|(place, (_, jobs))| {
            let job = jobs.iter().position(|job| self.may_run(&job.ticket))?;
            Some((place, job))
        });
        let (place, job) = found.next()?;
        let (caller, mut jobs) = self.waiting.remove(place)?;
        let job = jobs.remove(job)?;
        if !jobs.is_empty() {
            self.waiting.push_back((caller, jobs));
        }
        self.running.push(job.ticket.clone());
        Some(job)
    }

    /// Records the end of a running search.
    pub fn end(&mut self, id: u64, ended: Ended, nodes: u64, table_bytes: usize) {
        self.running.retain(|ticket| ticket.id != id);
        self.totals.nodes += nodes;
        self.totals.table_bytes += table_bytes;
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

    /// Removes a search that has waited too long, unless an idle thread is about to take it: on a busy
    /// machine it may take a while to wake up.
    pub fn expire(&mut self, id: u64) -> Option<Job> {
        let job = self.jobs().find(|job| job.ticket.id == id)?;
        if self.idle() > 0 && self.may_run(&job.ticket) {
            return None;
        }
        self.remove(id, Ended::Expired)
    }

    /// Closes the lane: stops the running searches, and returns the waiting ones.
    pub fn close(&mut self) -> VecDeque<(Caller, VecDeque<Job>)> {
        self.is_closed = true;
        for ticket in &self.running {
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

    fn tickets(&self) -> impl Iterator<Item = &Ticket> {
        self.jobs().map(|job| &job.ticket).chain(&self.running)
    }

    fn idle(&self) -> usize {
        self.totals.threads - self.running.len()
    }

    /// Whether a search may have a thread: long ones get all threads but one, or the only one.
    fn may_run(&self, ticket: &Ticket) -> bool {
        let long = self.running.iter().filter(|ticket| ticket.is_long).count();
        !ticket.is_long || long < (self.totals.threads - 1).max(1)
    }

    fn count(&mut self, ended: Ended) {
        self.totals.ended[ended as usize] += 1;
    }
}

/// A lane, shared by its threads and the callers.
#[derive(Default)]
pub(super) struct SharedLane {
    lane: Mutex<Lane>,
    /// Wakes a thread that waits for a search.
    thread: Condvar,
    /// Wakes a task that waits for a search to hand out.
    task: Notify,
}

impl SharedLane {
    pub fn new(threads: usize) -> Self {
        Self { lane: Mutex::new(Lane::new(threads)), ..Self::default() }
    }

    /// Locks the lane, even after a panic: no code that holds the lock can leave the state half changed.
    pub fn lock(&self) -> MutexGuard<'_, Lane> {
        self.lane.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a search into the queue, and wakes whoever takes it.
    pub fn push(&self, job: Job, limits: &ServiceLimits) -> Result<(), QueueError> {
        self.lock().push(job, limits)?;
        self.thread.notify_one();
        self.task.notify_one();
        Ok(())
    }

    /// Closes the lane: its threads and tasks end, and waiting searches are dropped.
    pub fn close(&self) {
        // They are dropped after the lock is released.
        let dropped = self.lock().close();
        drop(dropped);
        self.thread.notify_all();
        self.task.notify_waiters();
    }

    /// Waits for a search on this thread; `None` if the lane is closed.
    fn next(&self) -> Option<Job> {
        let mut lane = self.lock();
        loop {
            if lane.is_closed {
                return None;
            }
            if let Some(job) = lane.take() {
                return Some(job);
            }
            lane = self.thread.wait(lane).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for a search in a task; `None` if the lane is closed.
    async fn next_in_task(&self) -> Option<Job> {
        loop {
            let woken = self.task.notified();
            {
                let mut lane = self.lock();
                if lane.is_closed {
                    return None;
                }
                if let Some(job) = lane.take() {
                    return Some(job);
                }
            }
            woken.await;
        }
    }

    fn end(&self, id: u64, Delivery { ended, nodes, table_bytes, hand_over }: Delivery) {
        self.lock().end(id, ended, nodes, table_bytes);
        hand_over();
    }
}

/// Starts `count` search threads for each lane. They end when the lane is closed. The runtime of the caller
/// hands out the searches of the background.
pub(super) fn start(count: usize, table_size: usize, lanes: &[Arc<SharedLane>; 2]) -> io::Result<()> {
    let [interactive, background] = lanes;
    for number in 0..count {
        let lane = Arc::clone(interactive);
        spawn(format!("search-{number}"), move || {
            // The event loop goes first. On Linux, the nice value is per thread.
            set_nice(5);
            let mut table = TranspositionTable::new(table_size);
            while let Some(Job { ticket, begun, task }) = lane.next() {
                // The caller may have left; its search then stops at once.
                let _is_there = begun.send(());
                lane.end(ticket.id, task(&mut table));
            }
        })?;
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let thread = (mpsc::channel(), mpsc::channel());
        let ((tasks, to_do), (done, found)) = thread;
        spawn(format!("batch-{number}"), move || {
            lowest_priority();
            search_in_background(TranspositionTable::new(table_size), theirs, &to_do, &done);
        })?;
        let thread = BackgroundThread { wake: net::UnixStream::from_std(ours)?, tasks, found };
        rt::spawn(thread.hand_out(Arc::clone(background)));
    }
    Ok(())
}

/// A thread of the kernel's idle class, as the event loop sees it.
///
/// The kernel may preempt such a thread at any moment for a long time. If it held a lock then, the event loop
/// would wait for it (priority inversion). So the two share no lock: they wake each other by a byte through a
/// socket, and a channel on which nobody blocks has none either.
struct BackgroundThread {
    wake: net::UnixStream,
    tasks: mpsc::Sender<Task>,
    found: mpsc::Receiver<Delivery>,
}

impl BackgroundThread {
    /// Hands out one search after the other, until the lane is closed.
    async fn hand_out(mut self, lane: Arc<SharedLane>) {
        while let Some(Job { ticket, begun, task }) = lane.next_in_task().await {
            match self.search(begun, task).await {
                Ok(delivery) => lane.end(ticket.id, delivery),
                Err(error) => {
                    log::error!("a batch thread has ended: {error}");
                    lane.lock().end(ticket.id, Ended::Failed, 0, 0);
                    return;
                }
            }
        }
    }

    async fn search(&mut self, begun: oneshot::Sender<()>, task: Task) -> io::Result<Delivery> {
        // If the thread has ended, the other end of the socket is closed, too.
        let _is_there = self.tasks.send(task);
        self.wake.write_u8(0).await?;
        // The caller may have left; its search then stops at once.
        let _is_waiting = begun.send(());
        self.wake.read_u8().await?;
        self.found.try_recv().map_err(io::Error::other)
    }
}

/// The loop of a background thread: one task for each byte, until the other end is closed.
fn search_in_background(
    mut table: TranspositionTable,
    mut wake: UnixStream,
    to_do: &mpsc::Receiver<Task>,
    done: &mpsc::Sender<Delivery>,
) {
    while wake.read_exact(&mut [0]).is_ok()
        && let Ok(task) = to_do.try_recv()
        && done.send(task(&mut table)).is_ok()
        && wake.write_all(&[0]).is_ok()
    {}
}

fn spawn(name: String, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name).spawn(work).map(drop)
}

/// Gives the thread the lowest priority: the idle class of Linux, or else the highest nice value.
fn lowest_priority() {
    let parameters = libc::sched_param { sched_priority: 0 };
    #[expect(unsafe_code, reason = "nothing in safe Rust chooses the class, and it was measured")]
    // SAFETY: the function only reads the parameters, which live until it returns.
    let done = unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const parameters) };
    if done != 0 {
        set_nice(19);
    }
}

fn set_nice(nice: i32) {
    if let Err(error) = rustix::process::setpriority_process(None, nice) {
        log::debug!("the priority of a thread stays as it is: {error}");
    }
}
