//! How long answers took.

use std::{fmt, time::Duration};

/// How long some answers took.
#[derive(Default)]
pub struct Times(pub Vec<Duration>);

/// The 99th percentile, as a share.
pub const P99: f64 = 0.99;

impl Times {
    /// The time within which a share of the answers came (a percentile).
    pub fn share(&self, share: f64) -> Duration {
        let mut times = self.0.clone();
        times.sort_unstable();
        let last = times.len().saturating_sub(1);
        times.get((last as f64 * share).round() as usize).copied().unwrap_or_default()
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, p99, most] = [0.5, P99, 1.0].map(|share| self.share(share).as_secs_f64() * 1000.0);
        write!(f, "median {median:.2} ms, p99 {p99:.2} ms, at most {most:.2} ms")
    }
}
