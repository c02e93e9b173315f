//! What the process uses, under the names that all services have for it.

use std::{fmt, fs, io};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};
use rustix::{
    param::{clock_ticks_per_second, page_size},
    process::{Resource, getrlimit},
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
    /// What this process uses now, or nothing if `/proc` does not say.
    #[expect(clippy::cast_precision_loss, reason = "clock ticks of centuries are told apart")]
    fn now() -> io::Result<Option<Self>> {
        let (stat, system) = (fs::read_to_string("/proc/self/stat")?, fs::read_to_string("/proc/stat")?);
        let boot = system.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse::<u64>().ok());
        // The name of the program, in brackets, may have spaces. After it comes field 3 of proc_pid_stat(5).
        let fields: Vec<&str> =
            stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace().collect();
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        let open_files = fs::read_dir("/proc/self/fd")?.count() as u64;
        let ticks = clock_ticks_per_second();
        Ok((|| {
            Some(Self {
                cpu_seconds: (field(14)? + field(15)?) as f64 / ticks as f64,
                start_seconds: boot? + field(22)? / ticks,
                virtual_bytes: field(23)?,
                resident_bytes: field(24)? * page_size() as u64,
                threads: field(20)?,
                open_files,
                max_files: getrlimit(Resource::Nofile).current,
            })
        })())
    }
}

impl Collector for ProcessCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let usage = match Usage::now() {
            Ok(Some(usage)) => usage,
            Ok(None) => return Ok(()),
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
