//! What the search threads count.

use std::fmt;

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};

use crate::pool::{Class, Ended, Pool, PoolStats};

/// A number of the threads of a class: name, help, and where it stands.
type Reading = (&'static str, &'static str, fn(&PoolStats) -> u64);

const GAUGES: [Reading; 5] = [
    ("cublino_search_threads", "Search threads.", |stats| stats.threads as u64),
    ("cublino_searches_running", "Searches that have a thread.", |stats| stats.running as u64),
    ("cublino_searches_paused", "Running searches that pause for others.", |stats| stats.paused as u64),
    ("cublino_searches_waiting", "Searches that wait for a thread.", |stats| stats.waiting as u64),
    ("cublino_search_table_bytes", "Memory for what was seen.", |stats| stats.table_bytes as u64),
];

const COUNTERS: [Reading; 5] = [
    ("cublino_searches_finished", "Searches that came to their end.", |stats| stats.finished),
    ("cublino_searches_failed", "Searches that failed.", |stats| stats.ended.of(Ended::Failed)),
    ("cublino_searches_cancelled", "Searches whose caller left.", |stats| stats.ended.of(Ended::Cancelled)),
    ("cublino_searches_refused", "Searches that were not accepted.", |stats| stats.ended.of(Ended::Refused)),
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
        let stats = Class::ALL.map(|class| (class.name(), self.0.stats(class)));
        for (name, help, value) in GAUGES {
            let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (class, stats) in &stats {
                ConstGauge::new(value(stats)).encode(family.encode_family(&[("class", *class)])?)?;
            }
        }
        for (name, help, value) in COUNTERS {
            let mut family = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
            for (class, stats) in &stats {
                ConstCounter::new(value(stats)).encode(family.encode_family(&[("class", *class)])?)?;
            }
        }
        let (name, help) = ("cublino_searches_ended", "Searches by how they ended.");
        let mut family = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (class, stats) in &stats {
            for way in Ended::ALL {
                let labels = [("class", *class), ("ended", way.name())];
                ConstCounter::new(stats.ended.of(way)).encode(family.encode_family(&labels)?)?;
            }
        }
        let (name, help) = ("cublino_batches", "Requests about many positions whose searches are made.");
        let metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
        ConstGauge::new(self.0.active_batches() as u64).encode(metric)?;
        Ok(())
    }
}
