//! The bytes of requests and answers that the whole process holds at a time: a bound on the memory that
//! callers can take.

use prometheus_client::metrics::gauge::Gauge;

use super::peak_gauge::PeakGauge;

/// How many bytes of what is found for an answer are not counted: most answers have fewer.
pub const UNCOUNTED: usize = 8 * 1024;

/// The bytes that are held for callers, and how many may be.
#[derive(Clone, Debug)]
pub struct BytesInFlight {
    limit: i64,
    held: PeakGauge,
}

/// So many bytes more may not be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the service holds as many bytes of requests and answers as it may")]
pub struct Exhausted;

impl BytesInFlight {
    /// Nothing is held yet.
    pub fn new(limit: usize) -> Self {
        Self { limit: signed(limit), held: PeakGauge::default() }
    }

    /// The metric: the bytes that are held.
    pub fn gauge(&self) -> Gauge {
        self.held.metric()
    }

    /// The bytes that are held.
    pub fn held(&self) -> i64 {
        self.held.get()
    }

    /// The most that were held since this was last called.
    pub fn take_peak(&self) -> i64 {
        self.held.take_peak()
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
