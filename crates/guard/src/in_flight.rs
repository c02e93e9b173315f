//! The bytes of requests and answers that the whole process holds at a time: a bound on the memory that
//! callers can take.

use std::sync::atomic::Ordering;

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
    pub held: Gauge,
}

/// The bytes would exceed the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the service has no memory left for another request or answer")]
pub struct Exhausted;

impl BytesInFlight {
    /// A limit in bytes, with nothing held yet.
    pub fn new(limit: usize) -> Self {
        Self { limit: signed(limit), held: Gauge::default() }
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
    /// Sets the size of the share, in bytes.
    ///
    /// # Errors
    /// The limit would be exceeded; the share keeps its size.
    pub fn set(&mut self, bytes: usize) -> Result<(), Exhausted> {
        let BytesInFlight { limit, held } = &self.in_flight;
        let bytes = signed(bytes);
        if bytes <= self.bytes {
            held.dec_by(self.bytes - bytes);
        } else {
            let more = bytes - self.bytes;
            let fits = |held: i64| held.checked_add(more).filter(|sum| sum <= limit);
            let held = held.inner().fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits);
            held.map_err(|_| Exhausted)?;
        }
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.set(0).expect("a smaller share always fits");
    }
}

/// Converts bytes to the type of gauges; a number that is too large saturates.
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
        assert_eq!(in_flight.held.get(), 100);
        assert_eq!(one.set(10), Ok(()));
        assert_eq!(two.set(90), Ok(()));
        drop((one, two));
        assert_eq!(in_flight.held.get(), 0);
    }
}
