//! Permits: how many heavy requests the service answers at a time, so that the memory that callers can make
//! it take is a product of constants (docs/running.md has the formula).
//!
//! A request is heavy if it may hold more than a connection's buffers: a large or compressed body, many
//! positions, a stream, a long answer. It takes a permit before it holds anything, and its connection keeps
//! the permit until all of the answer has been sent.

use std::{
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use actix_web::{HttpMessage as _, HttpRequest};
use cublino_guard::{Counted, Lag, Watchdog};
use prometheus_client::metrics::{counter::Counter, gauge::Gauge};
use tokio::{
    sync::Notify,
    time::{Instant, timeout_at},
};

use super::{problem::Problem, request::RequestContext};
use crate::{api::Code, caller::Caller};

/// A pool of permits. Its text is the label in metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Pool {
    /// For large bodies, and for long answers that are sent as fast as they are read.
    Short,
    /// For streams and batches, which take as long as their searches.
    Long,
}

/// The permits of the service.
#[derive(Debug)]
pub struct Permits([Arc<Permitted>; 2]);

/// The permits of a pool.
#[derive(Debug, Default)]
pub struct Permitted {
    size: usize,
    /// How many permits one caller may hold.
    share: usize,
    holders: Mutex<Vec<Arc<Holder>>>,
    /// Notified when a permit is given back.
    freed: Notify,
    /// Permits that are held.
    pub held: Gauge,
    /// Requests that wait for a permit.
    pub waiting: Gauge,
    /// Requests that got none, because their caller holds its share.
    pub over_share: Counter,
    /// Requests that got none in time.
    pub unavailable: Counter,
}

/// Who holds a permit.
#[derive(Debug)]
struct Holder {
    caller: Caller,
    /// Since when the service has been waiting for this caller.
    lag: Arc<Lag>,
}

impl Permits {
    /// Two pools of `size` permits each, of which a caller may hold `share`.
    pub fn new(size: usize, share: usize) -> Self {
        Self([(); 2].map(|()| Arc::new(Permitted { size, share, ..Permitted::default() })))
    }

    /// The permits of a pool.
    pub fn of(&self, pool: Pool) -> &Arc<Permitted> {
        &self.0[pool as usize]
    }

    /// Takes a permit for a request, unless it has one already. The connection keeps it until all of the
    /// answer has been sent.
    ///
    /// # Errors
    /// The caller holds its share, or no permit is free in time.
    pub async fn take(&self, request: &HttpRequest, pool: Pool) -> Result<(), Problem> {
        let context = RequestContext::of(request);
        if context.has_permit.get() {
            return Ok(());
        }
        let watchdog = request.conn_data::<Rc<Watchdog>>();
        let lag = watchdog.map_or_else(Arc::default, |watchdog| watchdog.lag.clone());
        let permit = self.of(pool).take(Holder { caller: context.caller, lag }).await?;
        context.has_permit.set(true);
        match watchdog {
            Some(watchdog) => watchdog.hold(Box::new(permit)),
            // Only requests of tests have no connection.
            None => drop(request.extensions_mut().insert(permit)),
        }
        Ok(())
    }
}

impl Permitted {
    async fn take(self: &Arc<Self>, holder: Holder) -> Result<Permit, Problem> {
        /// How long a request waits for a permit.
        const WAIT: Duration = Duration::from_secs(1);
        let (holder, deadline) = (Arc::new(holder), Instant::now() + WAIT);
        let mut waiting = None;
        loop {
            let freed = self.freed.notified();
            let more_patience = {
                let mut holders = self.lock();
                let own = holders.iter().filter(|other| other.caller == holder.caller).count();
                if own >= self.share {
                    self.over_share.inc();
                    let detail = "you have too many large requests, streams or batches at the same time";
                    return Err(Problem::later(Code::TooManyRequests, detail, WAIT));
                }
                if holders.len() < self.size {
                    holders.push(holder.clone());
                    self.held.inc();
                    return Ok(Permit { pool: self.clone(), holder });
                }
                cut_slowest(&holders)
            };
            waiting.get_or_insert_with(|| Counted::new(&self.waiting));
            let until = deadline.min(Instant::now() + more_patience);
            if timeout_at(until, freed).await.is_err() && until == deadline {
                self.unavailable.inc();
                let detail = "too many large requests, streams or batches are being answered";
                return Err(Problem::later(Code::Busy, detail, WAIT));
            }
        }
    }

    /// How many permits nobody holds.
    pub fn free(&self) -> i64 {
        i64::try_from(self.size).unwrap_or(i64::MAX) - self.held.get()
    }

    /// Locks the holders, even after a panic: no code that holds the lock can leave them half changed.
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Holder>>> {
        self.holders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Cuts the connection of the slowest holder off if it has been slow for too long, now that somebody else
/// waits for its permit. Otherwise returns when that will be the case at the earliest.
fn cut_slowest(holders: &[Arc<Holder>]) -> Duration {
    /// How long a holder may make others wait: a piece of 16 KiB takes as long at the slowest rate of reading
    /// that is allowed.
    const PATIENCE: Duration = Duration::from_secs(4);
    let slow = holders.iter().filter_map(|holder| Some((holder.lag.since()?.elapsed(), holder)));
    match slow.max_by_key(|&(lag, _)| lag) {
        Some((lag, holder)) if lag >= PATIENCE => {
            holder.lag.cut();
            PATIENCE
        }
        Some((lag, _)) => PATIENCE.saturating_sub(lag),
        None => PATIENCE,
    }
}

/// A permit. Dropping it gives it back.
#[derive(Debug)]
struct Permit {
    pool: Arc<Permitted>,
    holder: Arc<Holder>,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.pool.lock().retain(|holder| !Arc::ptr_eq(holder, &self.holder));
        self.pool.held.dec();
        self.pool.freed.notify_waiters();
    }
}
