//! What the service counts, for Prometheus.

use std::{fmt, fs, io, path::Path, time::Duration};

use actix_web::http::StatusCode;
use cublino_guard::{BytesInFlight, CutCounter};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, text::encode},
    metrics::{
        MetricType,
        counter::{ConstCounter, Counter},
        family::Family,
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
/// time for a search that can be set up, and its wait.
const DURATIONS: [f64; 24] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 7.5,
    10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0,
];

/// Upper bounds of the ranges of waiting, in seconds: from what an idle thread takes to wake up to more than
/// the usual limit, and to what a search in the background waits.
const WAITS: [f64; 13] = [0.000_1, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 10.0, 60.0, 600.0];

/// What the service counts. Nothing grows with time or with what callers send.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<Label, Histogram, fn() -> Histogram>,
    waits: Family<Label, Histogram, fn() -> Histogram>,
    /// Requests that are being answered.
    pub in_flight: Gauge,
}

/// The labels of an answered request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    code: &'static str,
    game: &'static str,
    operation: &'static str,
    status: u16,
}

/// A label and its value.
type Label = [(&'static str, &'static str); 1];

impl Metrics {
    /// Counts from now on, and reads what others count.
    pub fn new(
        queue: Queue,
        connections: Gauge,
        connections_cut: &CutCounter,
        bytes_in_flight: &BytesInFlight,
    ) -> Self {
        let requests = Family::default();
        let durations = Family::new_with_constructor((|| Histogram::new(DURATIONS)) as fn() -> Histogram);
        let waits = Family::new_with_constructor((|| Histogram::new(WAITS)) as fn() -> Histogram);
        for class in Class::ALL {
            // It is listed even before the first such search.
            drop(waits.get_or_create(&[("class", class.into())]));
        }
        let in_flight = Gauge::default();
        let build = [
            ("version", version::VERSION),
            ("commit", version::COMMIT.unwrap_or_default()),
            ("sources", version::SOURCES),
        ];
        // The library ends each explanation with a full stop, and the names of counters with `_total`.
        let mut registry = Registry::default();
        registry.register("cublino_requests", "Requests that were answered", requests.clone());
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
            connections_cut.0.clone(),
        );
        registry.register(
            "cublino_in_flight_bytes",
            "Bytes of requests and answers that are held, beyond the first buffers of their connections",
            bytes_in_flight.held.clone(),
        );
        registry.register_collector(Box::new(QueueCollector(queue)));
        if Path::new("/proc/self/stat").exists() {
            registry.register_collector(Box::new(ProcessCollector));
        }
        Self { registry, requests, durations, waits, in_flight }
    }

    /// Counts a request that was answered, with a problem if there is a code.
    pub fn count(
        &self,
        operation: &'static str,
        game: Option<GameId>,
        status: StatusCode,
        code: Option<Code>,
        took: Duration,
    ) {
        let game = game.map_or("none", |game| game.about().id);
        let code = code.map_or("none", Code::name);
        let labels = RequestLabels { code, game, operation, status: status.as_u16() };
        self.requests.get_or_create(&labels).inc();
        self.durations.get_or_create(&[("operation", operation)]).observe(took.as_secs_f64());
    }

    /// Counts how long a search has waited.
    pub fn count_wait(&self, class: Class, waited: Duration) {
        self.waits.get_or_create(&[("class", class.into())]).observe(waited.as_secs_f64());
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
struct QueueCollector(Queue);

impl Collector for QueueCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let stats = Class::ALL.map(|class| (<&str>::from(class), self.0.stats(class)));
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
                let labels = [("class", *class), ("ended", way.into())];
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
struct ProcessCollector;

/// The CPU time of this process in seconds, and what it uses now: name, help and value of each gauge, if the
/// system has a limit where it tells one.
type Usage = (f64, [(&'static str, &'static str, Option<u64>); 3]);

#[expect(clippy::cast_precision_loss, reason = "clock ticks of centuries are told apart")]
fn usage() -> io::Result<Usage> {
    let own = fs::read_to_string("/proc/self/stat")?;
    // The name of the program, in brackets, may have spaces. After it comes field 3 of proc_pid_stat(5).
    let after = own.rsplit_once(')').map_or("", |(_, fields)| fields);
    let fields: Vec<&str> = after.split_whitespace().collect();
    let field = |place: usize| {
        let number = fields.get(place - 3).and_then(|text| text.parse::<u64>().ok());
        number.ok_or_else(|| io::Error::other("/proc has no number where it should"))
    };
    let ticks = clock_ticks_per_second();
    let resident = field(24)? * page_size() as u64;
    let open_files = fs::read_dir("/proc/self/fd")?.count() as u64;
    let max_files = getrlimit(Resource::Nofile).current;
    let gauges = [
        ("process_open_fds", "Number of open file descriptors.", Some(open_files)),
        ("process_max_fds", "Maximum number of open file descriptors.", max_files),
        ("process_resident_memory_bytes", "Resident memory size in bytes.", Some(resident)),
    ];
    Ok(((field(14)? + field(15)?) as f64 / ticks as f64, gauges))
}

impl Collector for ProcessCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let (cpu_seconds, gauges) = match usage() {
            Ok(usage) => usage,
            Err(error) => {
                log::warn!("the metrics lack what the process uses: {error}");
                return Ok(());
            }
        };
        let (name, help) = ("process_cpu_seconds", "Total user and system CPU time spent in seconds.");
        let cpu = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
        ConstCounter::new(cpu_seconds).encode(cpu)?;
        for (name, help, value) in gauges {
            if let Some(value) = value {
                let gauge = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
                ConstGauge::new(value).encode(gauge)?;
            }
        }
        Ok(())
    }
}
