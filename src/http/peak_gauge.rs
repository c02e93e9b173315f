//! A gauge that remembers its highest value.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use prometheus_client::metrics::gauge::Gauge;

/// A gauge that remembers its highest value. Clones are the same gauge.
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
