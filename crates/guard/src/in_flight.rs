//! The bytes of requests and answers that the whole process holds at a time: a bound on the memory that
//! callers can take.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use prometheus_client::metrics::gauge::Gauge;

/// The bytes that are held for callers, and how many may be.
///
/// ```
/// use cublino_guard::{BytesInFlight, Exhausted};
///
/// let in_flight = BytesInFlight::new(100);
/// let (mut one, mut two) = (in_flight.share(), in_flight.share());
/// assert_eq!((one.set(60), two.set(41)), (Ok(()), Err(Exhausted)));
/// drop(one);
/// assert_eq!((two.set(41), in_flight.held.get()), (Ok(()), 41));
/// ```
#[derive(Clone, Debug)]
pub struct BytesInFlight {
    limit: i64,
    /// The bytes that are held.
    pub held: PeakGauge,
}

/// So many bytes more may not be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the service has no memory left for another request or answer")]
pub struct Exhausted;

impl BytesInFlight {
    /// Nothing is held yet.
    pub fn new(limit: usize) -> Self {
        Self { limit: signed(limit), held: PeakGauge::default() }
    }

    /// A share that is empty so far.
    pub fn share(&self) -> Share {
        Share { in_flight: self.clone(), bytes: 0 }
    }
}

/// Bytes that are held for one purpose; given back when dropped.
#[derive(Debug)]
pub struct Share {
    in_flight: BytesInFlight,
    bytes: i64,
}

impl Share {
    /// Holds so many bytes in all from now on.
    ///
    /// # Errors
    /// There are not that many left; what was held before still is.
    pub fn set(&mut self, bytes: usize) -> Result<(), Exhausted> {
        let BytesInFlight { limit, held } = &self.in_flight;
        let bytes = signed(bytes);
        if bytes <= self.bytes {
            held.sub(self.bytes - bytes);
        } else if !held.add_within(*limit, bytes - self.bytes) {
            return Err(Exhausted);
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

/// A number of bytes as gauges have it; more than there can be is more than any limit allows.
fn signed(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// A gauge that remembers its highest value. Clones are the same gauge.
///
/// ```
/// let gauge = cublino_guard::PeakGauge::default();
/// gauge.add(3);
/// gauge.sub(2);
/// assert_eq!((gauge.get(), gauge.take_peak()), (1, 3));
/// ```
#[derive(Clone, Debug, Default)]
pub struct PeakGauge {
    gauge: Gauge,
    /// The highest value since somebody asked for it.
    peak: Arc<AtomicI64>,
}

impl PeakGauge {
    /// The metric.
    pub fn metric(&self) -> Gauge {
        self.gauge.clone()
    }

    /// The value.
    pub fn get(&self) -> i64 {
        self.gauge.get()
    }

    /// The highest value since this was last called.
    pub fn take_peak(&self) -> i64 {
        self.peak.swap(self.get(), Ordering::Relaxed)
    }

    /// Adds to the value, unless it would then be above a limit; whether it did.
    pub fn add_within(&self, limit: i64, amount: i64) -> bool {
        let fits = |value: i64| value.checked_add(amount).filter(|&sum| sum <= limit);
        let added = self.gauge.inner().fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits);
        if let Ok(before) = added {
            self.peak.fetch_max(before + amount, Ordering::Relaxed);
        }
        added.is_ok()
    }

    /// Adds to the value.
    pub fn add(&self, amount: i64) {
        let before = self.gauge.inc_by(amount);
        self.peak.fetch_max(before + amount, Ordering::Relaxed);
    }

    /// Takes from the value.
    pub fn sub(&self, amount: i64) {
        self.gauge.dec_by(amount);
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
        assert_eq!(in_flight.held.get(), 100);
        assert_eq!(one.set(10), Ok(()));
        assert_eq!(two.set(90), Ok(()));
        drop((one, two));
        assert_eq!((in_flight.held.metric().get(), in_flight.held.get()), (0, 0));
        assert_eq!((in_flight.held.take_peak(), in_flight.held.take_peak()), (100, 0));
    }

    #[test]
    fn the_peak_is_the_highest_value_since_it_was_last_asked_for() {
        let gauge = PeakGauge::default();
        gauge.add(3);
        gauge.sub(2);
        assert_eq!((gauge.get(), gauge.take_peak(), gauge.take_peak()), (1, 3, 1));
        assert!(gauge.add_within(10, 9));
        assert!(!gauge.add_within(10, 1) && !gauge.add_within(10, i64::MAX));
        gauge.sub(10);
        assert_eq!((gauge.get(), gauge.take_peak(), gauge.take_peak()), (0, 10, 0));
    }
}
