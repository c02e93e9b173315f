//! What the search threads count.

use std::fmt;

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};

use crate::queue::{Class, Ended, Queue, Stats};

/// A number of the threads of a class: name, help, and where it stands.
type Reading = (&'static str, &'static str, fn(&Stats) -> usize);

const GAUGES: [Reading; 4] = [
    ("cublino_search_threads", "Search threads.", |stats| stats.threads),
    ("cublino_searches_running", "Searches that have a thread.", |stats| stats.running),
    ("cublino_searches_waiting", "Searches that wait for a thread.", |stats| stats.waiting),
    ("cublino_search_table_bytes", "Memory for what was seen.", |stats| stats.table_bytes),
];

/// Asks the queue when the metrics are asked for.
#[derive(Debug)]
pub struct QueueCollector(pub Queue);

impl Collector for QueueCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let stats = Class::ALL.map(|class| (class.name(), self.0.stats(class)));
        for (name, help, value) in GAUGES {
            let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (class, stats) in &stats {
                ConstGauge::new(value(stats) as u64).encode(family.encode_family(&[("class", *class)])?)?;
            }
        }
        let (name, help) = ("cublino_search_nodes", "Positions that searches visited.");
        let mut family = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (class, stats) in &stats {
            ConstCounter::new(stats.nodes).encode(family.encode_family(&[("class", *class)])?)?;
        }
        let (name, help) = ("cublino_searches_ended", "Searches by how they ended.");
        let mut family = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (class, stats) in &stats {
            for way in Ended::ALL {
                let labels = [("class", *class), ("ended", way.name())];
                ConstCounter::new(stats.ended(way)).encode(family.encode_family(&labels)?)?;
            }
        }
        let (name, help) = ("cublino_batches", "Requests about many positions whose searches are made.");
        let metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
        ConstGauge::new(self.0.active_batches() as u64).encode(metric)?;
        Ok(())
    }
}
