//! What the service counts, for Prometheus.

use std::{fmt, fs, io, time::Duration};

use actix_web::http::StatusCode;
use cublino_guard::{BytesInFlight, CutCounter};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, text::encode},
    metrics::{
        MetricType,
        counter::{ConstCounter, Counter},
        family::{Family, MetricConstructor},
        gauge::{ConstGauge, Gauge},
        histogram::Histogram,
        info::Info,
    },
    registry::Registry,
};
use rustix::{
    param::{clock_ticks_per_second, page_size},
    process::{Resource, getrlimit},
};

use crate::{
    games::GameId,
    queue::{Class, Ended, Queue, Stats},
    service::Code,
    version,
};

/// The text format of OpenMetrics, which Prometheus and its kin read.
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the ranges of durations, in seconds: from what a list of moves takes to the longest
/// search that can be set up.
const DURATIONS: [f64; 24] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 7.5,
    10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0,
];

/// Those that a service needs: the last is longer than its longest search, so that waiting is seen as well.
fn durations(longest: Duration) -> &'static [f64] {
    let within = DURATIONS.iter().filter(|&&bound| bound <= longest.as_secs_f64()).count();
    &DURATIONS[..DURATIONS.len().min(within + 1)]
}

/// Upper bounds of the ranges of waiting, in seconds: from what an idle thread takes to wake up to more than
/// the usual limit, and to what a search in the background waits.
const WAITS: [f64; 13] = [0.000_1, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 10.0, 60.0, 600.0];

/// What a request asks for, as metrics and the log call it: the name of a handler's module, so that there are
/// only a few.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation(pub &'static str);

impl Operation {
    /// What no handler answers.
    pub const NONE: Self = Self("none");
    /// A file of the documentation.
    pub const DOCS: Self = Self("docs");
    /// The files of the page to play on.
    pub const PLAY: Self = Self("play");
}

/// What the service counts. Nothing grows with time or with what callers send.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<OperationLabel, Histogram, Buckets>,
    waits: Family<ClassLabel, Histogram, Buckets>,
    in_flight: Gauge,
}

/// The labels of an answered request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    code: &'static str,
    game: &'static str,
    operation: &'static str,
    status: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OperationLabel {
    operation: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ClassLabel {
    class: &'static str,
}

/// Makes histograms with these upper bounds.
#[derive(Clone, Copy, Debug)]
struct Buckets(&'static [f64]);

impl MetricConstructor<Histogram> for Buckets {
    fn new_metric(&self) -> Histogram {
        Histogram::new(self.0.iter().copied())
    }
}

/// A request that is being answered, counted as long as this lives.
#[derive(Debug)]
pub struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    /// Counts from now on, and reads what others count; no search is longer than `longest`.
    pub fn new(
        queue: Queue,
        connections: Gauge,
        connections_cut: &CutCounter,
        bytes_in_flight: &BytesInFlight,
        longest: Duration,
    ) -> Self {
        let requests = Family::default();
        let durations = Family::new_with_constructor(Buckets(durations(longest)));
        let waits = Family::new_with_constructor(Buckets(&WAITS));
        for class in Class::ALL {
            // It is told also before there was any such search.
            drop(waits.get_or_create(&ClassLabel { class: class.name() }));
        }
        let in_flight = Gauge::default();
        let build = [
            ("version", version::VERSION),
            ("commit", version::COMMIT.unwrap_or_default()),
            ("sources", version::SOURCES),
        ];
        // The library ends each explanation with a full stop, and the names of counters with `_total`.
        let mut registry = Registry::default();
        register_requests(&mut registry, &requests);
        registry.register(
            "cublino_request_duration_seconds",
            "Time from the end of a request, its body included, to the head of its answer",
            durations.clone(),
        );
        registry.register(
            "cublino_requests_in_flight",
            "Requests whose head has been read, and of whose answer nothing has been sent",
            in_flight.clone(),
        );
        registry.register(
            "cublino_search_wait_seconds",
            "Time that searches waited for a thread, until they started or had waited too long",
            waits.clone(),
        );
        registry.register(
            "cublino_build",
            "Always 1; the labels tell which service this is",
            Info::new(build),
        );
        registry.register("cublino_connections", "Connections that are open", connections);
        registry.register(
            "cublino_connections_cut",
            "Connections that the service cut off",
            connections_cut.metric(),
        );
        registry.register(
            "cublino_in_flight_bytes",
            "Bytes of requests and answers that are held, beyond the first buffers of their connections",
            bytes_in_flight.gauge(),
        );
        registry.register_collector(Box::new(QueueCollector(queue)));
        #[cfg(target_os = "linux")]
        registry.register_collector(Box::new(ProcessCollector));
        Self { registry, requests, durations, waits, in_flight }
    }

    /// What is told of one request, as an example.
    pub fn example() -> String {
        let (mut registry, requests) = (Registry::default(), Family::default());
        register_requests(&mut registry, &requests);
        let labels = RequestLabels { code: "none", game: "wari", operation: "legal_moves", status: 200 };
        requests.get_or_create(&labels).inc();
        let mut text = String::new();
        encode(&mut text, &registry).expect("writing to a String cannot fail");
        text
    }

    /// Counts a request as one that is being answered.
    #[must_use]
    pub fn begin(&self) -> InFlight {
        self.in_flight.inc();
        InFlight(self.in_flight.clone())
    }

    /// Counts a request that was answered, with a problem if there is a code.
    pub fn count(
        &self,
        Operation(operation): Operation,
        game: Option<GameId>,
        status: StatusCode,
        code: Option<Code>,
        took: Duration,
    ) {
        let game = game.map_or("none", |game| game.about().id);
        let code = code.map_or("none", Code::name);
        let labels = RequestLabels { code, game, operation, status: status.as_u16() };
        self.requests.get_or_create(&labels).inc();
        self.durations.get_or_create(&OperationLabel { operation }).observe(took.as_secs_f64());
    }

    /// Counts how long a search has waited.
    pub fn count_wait(&self, class: Class, waited: Duration) {
        self.waits.get_or_create(&ClassLabel { class: class.name() }).observe(waited.as_secs_f64());
    }

    /// All metrics in the format of [`MEDIA_TYPE`].
    ///
    /// # Errors
    /// A number is larger than the format knows.
    pub fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

fn register_requests(registry: &mut Registry, requests: &Family<RequestLabels, Counter>) {
    registry.register("cublino_requests", "Requests that were answered", requests.clone());
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_of_durations_reach_beyond_the_longest_search() {
        for (seconds, last) in [(1, 2.5), (2, 2.5), (10, 15.0), (20, 30.0), (600, 1200.0)] {
            assert_eq!(durations(Duration::from_secs(seconds)).last(), Some(&last), "{seconds}");
        }
        assert!(DURATIONS.is_sorted());
    }
}
