//! The memory of a process.

use std::time::{Duration, Instant};

use actix_web::rt::time::sleep;

use crate::service::resident_kib;

/// The resident memory of a process over time, in KiB.
pub struct Memory {
    process: u32,
    began: Instant,
    samples: Vec<(Duration, u64)>,
}

impl Memory {
    /// Starts to measure a process.
    pub fn of(process: u32) -> Self {
        Self { process, began: Instant::now(), samples: Vec::new() }
    }

    /// Takes ten samples a second.
    pub async fn watch(mut self, length: Duration) -> Self {
        while self.began.elapsed() < length {
            let now = resident_kib(self.process).expect("the service runs");
            self.samples.push((self.began.elapsed(), now));
            sleep(Duration::from_millis(100)).await;
        }
        self
    }

    /// The first sample.
    pub fn first(&self) -> u64 {
        self.samples[0].1
    }

    /// The largest sample.
    pub fn most(&self) -> u64 {
        self.samples.iter().map(|&(_, kib)| kib).max().unwrap_or_default()
    }

    /// The mean over a tenth of the time, after a beginning and at the end.
    pub fn growth(&self, beginning: Duration) -> (u64, u64) {
        let start = self.samples.partition_point(|&(at, _)| at < beginning);
        let window = (self.samples.len() / 10).max(1);
        let mean = |samples: &[(Duration, u64)]| {
            samples.iter().map(|&(_, kib)| kib).sum::<u64>() / samples.len() as u64
        };
        (mean(&self.samples[start..start + window]), mean(&self.samples[self.samples.len() - window..]))
    }
}
