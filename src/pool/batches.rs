//! The batches that are open: how many there may be with something to search, how long each may take, and
//! when the next one ends.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

use super::{
    busy::{Busy, BusyCause},
    caller::CallerId,
    config::PoolConfig,
    job::BatchId,
};

/// The batches that are open.
#[derive(Debug, Default)]
pub(super) struct Batches {
    open: HashMap<BatchId, Open>,
}

/// A batch that was opened.
#[derive(Debug)]
struct Open {
    /// It is open as long as somebody has this.
    held: Weak<()>,
    caller: CallerId,
    began: Instant,
    /// What its searches count for together, and how many they are.
    work: Duration,
    searches: usize,
    /// How many of them are over, and what work they did.
    over: usize,
    done: Duration,
    /// Why no more of its searches are made.
    ended: Option<Busy>,
}

impl Batches {
    /// Opens a batch, for as long as what is returned lives, unless there are too many that are active.
    pub fn begin(
        &mut self,
        id: BatchId,
        caller: CallerId,
        (work, searches): (Duration, usize),
        active: &HashSet<BatchId>,
        config: &PoolConfig,
        now: Instant,
    ) -> Result<Arc<()>, Busy> {
        self.open.retain(|_, batch| batch.held.strong_count() > 0);
        let all = || active.iter().filter_map(|id| self.open.get(id));
        let own = || all().filter(|batch| batch.caller == caller);
        let left = |batch: &Open| batch.left(active.len(), config.background_threads, now);
        let refuse =
            |cause, first: Option<Duration>| Err(Busy { cause, retry_after: first.unwrap_or_default() });
        if own().count() >= config.batches_per_caller {
            return refuse(BusyCause::BatchShare, own().map(left).min());
        }
        if active.len() >= config.batches {
            return refuse(BusyCause::Batches, all().map(left).min());
        }
        let (holder, over, done, ended) = (Arc::new(()), 0, Duration::ZERO, None);
        let held = Arc::downgrade(&holder);
        self.open.insert(id, Open { held, caller, began: now, work, searches, over, done, ended });
        Ok(holder)
    }

    /// Counts a search that is over.
    pub fn count(&mut self, id: BatchId, work: Duration, config: &PoolConfig) {
        // Its caller may have left.
        if let Some(batch) = self.open.get_mut(&id) {
            batch.over += 1;
            batch.done += work;
            if batch.done >= config.last_work() {
                batch.ended.get_or_insert(Busy::WORK);
            }
        }
    }

    /// Why no more searches of a batch are made, if that is so.
    pub fn ended(&self, id: BatchId) -> Option<Busy> {
        self.open.get(&id).map_or(Some(Busy::CLOSING), |batch| batch.ended)
    }

    /// Makes no more searches of those that are open.
    pub fn close(&mut self) {
        for batch in self.open.values_mut() {
            batch.ended.get_or_insert(Busy::CLOSING);
        }
    }
}

impl Open {
    /// How long it will still be active, beside so many. What has been done tells that best: how fast it goes
    /// depends on everybody else, and on how fast its caller reads.
    fn left(&self, batches: usize, threads: usize, now: Instant) -> Duration {
        let left = self.searches.saturating_sub(self.over);
        let times =
            |time: Duration, many: usize| time.saturating_mul(u32::try_from(many).unwrap_or(u32::MAX));
        match u32::try_from(self.over) {
            Ok(over @ 1..) => times((now - self.began) / over, left),
            _ => times(self.work, batches) / u32::try_from(threads).unwrap_or(u32::MAX),
        }
    }
}
