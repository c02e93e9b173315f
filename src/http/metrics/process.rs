//! What the process uses, under the names that all services have for it.

use std::fmt;

use procfs::{
    ProcResult, WithCurrentSystemInfo as _, boot_time_secs,
    process::{LimitValue, Process},
    ticks_per_second,
};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};

/// Reads `/proc` when the metrics are asked for.
#[derive(Debug)]
pub struct ProcessCollector;

/// What a process uses.
struct Usage {
    cpu_seconds: f64,
    start_seconds: u64,
    virtual_bytes: u64,
    resident_bytes: u64,
    threads: u64,
    open_files: u64,
    /// Nothing if there is no limit.
    max_files: Option<u64>,
}

impl Usage {
    /// What this process uses now.
    #[expect(clippy::cast_precision_loss, reason = "clock ticks of centuries are told apart")]
    fn now() -> ProcResult<Self> {
        let process = Process::myself()?;
        let stat = process.stat()?;
        let ticks = ticks_per_second();
        Ok(Self {
            cpu_seconds: (stat.utime + stat.stime) as f64 / ticks as f64,
            start_seconds: boot_time_secs()? + stat.starttime / ticks,
            virtual_bytes: stat.vsize,
            resident_bytes: stat.rss_bytes().get(),
            threads: stat.num_threads.unsigned_abs(),
            open_files: process.fd_count()? as u64,
            max_files: match process.limits()?.max_open_files.soft_limit {
                LimitValue::Value(files) => Some(files),
                LimitValue::Unlimited => None,
            },
        })
    }
}

impl Collector for ProcessCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let usage = match Usage::now() {
            Ok(usage) => usage,
            Err(error) => {
                log::warn!("the metrics lack what the process uses: {error}");
                return Ok(());
            }
        };
        let (name, help) = ("process_cpu_seconds", "Total user and system CPU time spent in seconds.");
        let cpu = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
        ConstCounter::new(usage.cpu_seconds).encode(cpu)?;
        let start_help = "Start time of the process since unix epoch in seconds.";
        for (name, help, value) in [
            ("process_open_fds", "Number of open file descriptors.", Some(usage.open_files)),
            ("process_max_fds", "Maximum number of open file descriptors.", usage.max_files),
            ("process_virtual_memory_bytes", "Virtual memory size in bytes.", Some(usage.virtual_bytes)),
            ("process_resident_memory_bytes", "Resident memory size in bytes.", Some(usage.resident_bytes)),
            ("process_start_time_seconds", start_help, Some(usage.start_seconds)),
            ("process_threads", "Number of OS threads in the process.", Some(usage.threads)),
        ] {
            if let Some(value) = value {
                let gauge = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
                ConstGauge::new(value).encode(gauge)?;
            }
        }
        Ok(())
    }
}
