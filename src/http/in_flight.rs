//! The bytes of requests and answers that the whole process holds at a time: a bound on the memory that callers can take.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use prometheus_client::metrics::gauge::Gauge;

/// The bytes that are held for callers, and how many may be.
#[derive(Clone, Debug)]
pub struct BytesInFlight(Arc<Account>);

#[derive(Debug)]
struct Account {
    limit: usize,
    held: AtomicUsize,
    /// The most that was held since somebody asked.
    peak: AtomicUsize,
    /// What is held, for the metrics.
    gauge: Gauge,
}

/// So many bytes more may not be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the service holds as many bytes of requests and answers as it may")]
pub struct Exhausted;

impl BytesInFlight {
    /// Nothing is held yet.
    pub fn new(limit: usize) -> Self {
        let (held, peak, gauge) = (AtomicUsize::new(0), AtomicUsize::new(0), Gauge::default());
        Self(Arc::new(Account { limit, held, peak, gauge }))
    }

    /// The metric that tells what is held.
    pub fn gauge(&self) -> Gauge {
        self.0.gauge.clone()
    }

    /// The bytes that are held.
    pub fn held(&self) -> usize {
        self.0.held.load(Ordering::Relaxed)
    }

    /// The most that were held since this was last asked.
    pub fn take_peak(&self) -> usize {
        self.0.peak.swap(0, Ordering::Relaxed)
    }

    /// A share that is empty so far.
    pub fn share(&self) -> Share {
        Share { account: self.clone(), bytes: 0 }
    }
}

/// Bytes that are held for one purpose; given back when dropped.
#[derive(Debug)]
pub struct Share {
    account: BytesInFlight,
    bytes: usize,
}

impl Share {
    /// Holds so many bytes in all from now on.
    ///
    /// # Errors
    /// There are not that many left; what was held before still is.
    pub fn set(&mut self, bytes: usize) -> Result<(), Exhausted> {
        let Account { limit, held, peak, gauge } = &*self.account.0;
        if bytes > self.bytes {
            let more = bytes - self.bytes;
            let fits = |held: usize| held.checked_add(more).filter(|sum| sum <= limit);
            let before =
                held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).map_err(|_| Exhausted)?;
            peak.fetch_max(before + more, Ordering::Relaxed);
            gauge.inc_by(more as i64);
        } else if bytes < self.bytes {
            let less = self.bytes - bytes;
            held.fetch_sub(less, Ordering::Relaxed);
            gauge.dec_by(less as i64);
        }
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.set(0).expect("less always fits");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_held_than_allowed_and_what_is_dropped_is_free_again() {
        let in_flight = BytesInFlight::new(100);
        let (mut one, mut two) = (in_flight.share(), in_flight.share());
        assert_eq!(one.set(60), Ok(()));
        assert_eq!(two.set(41), Err(Exhausted));
        assert_eq!(two.set(40), Ok(()));
        assert_eq!(one.set(usize::MAX), Err(Exhausted));
        assert_eq!(in_flight.gauge().get(), 100);
        assert_eq!(one.set(10), Ok(()));
        assert_eq!(two.set(90), Ok(()));
        drop((one, two));
        assert_eq!((in_flight.gauge().get(), in_flight.held()), (0, 0));
        assert_eq!((in_flight.take_peak(), in_flight.take_peak()), (100, 0));
    }
}
