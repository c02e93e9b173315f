//! What the search threads count.

use std::fmt;

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};

use crate::search::pool::{Ended, Pool, PoolStats};

/// A number of a pool: name, help, and where it stands.
type Reading = (&'static str, &'static str, fn(&PoolStats) -> u64);

const GAUGES: [Reading; 3] = [
    ("cublino_search_threads", "Search threads.", |stats| stats.threads as u64),
    ("cublino_searches_running", "Searches that run.", |stats| stats.running as u64),
    ("cublino_searches_waiting", "Searches that wait for a thread.", |stats| stats.waiting as u64),
];

const COUNTERS: [Reading; 5] = [
    ("cublino_searches_finished", "Searches that came to their end.", |stats| stats.finished),
    ("cublino_searches_failed", "Searches that failed.", |stats| stats.failed),
    ("cublino_searches_cancelled", "Searches whose caller left.", |stats| stats.abandoned),
    ("cublino_searches_refused", "Searches that were not accepted.", |stats| stats.refused),
    ("cublino_search_nodes", "Positions that searches visited.", |stats| stats.nodes),
];

/// Asks the pool when the metrics are asked for.
#[derive(Debug)]
pub struct PoolCollector(Pool);

impl PoolCollector {
    /// Asks this pool.
    pub fn new(pool: Pool) -> Self {
        Self(pool)
    }
}

impl Collector for PoolCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let stats = self.0.stats();
        for (name, help, value) in GAUGES {
            let metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            ConstGauge::new(value(&stats)).encode(metric)?;
        }
        for (name, help, value) in COUNTERS {
            let metric = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
            ConstCounter::new(value(&stats)).encode(metric)?;
        }
        let (name, help) = ("cublino_searches_ended", "Searches by how they ended.");
        let mut family = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
        for way in Ended::ALL {
            let labels = [("ended", way.name())];
            ConstCounter::new(stats.ended.of(way)).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }
}
