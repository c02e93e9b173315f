//! The metrics of the service, for Prometheus.

use std::{
    fmt, fs, io,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

use actix_web::http::StatusCode;
use cublino_guard::CutCounter;
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{
        counter::{ConstCounter, Counter},
        family::Family,
        gauge::{ConstGauge, Gauge},
        histogram::Histogram,
        info::Info,
    },
    registry::Registry,
};
use rustix::{
    param::page_size,
    process::{Resource, getrlimit},
    time::{ClockId, clock_gettime},
};
use strum::VariantArray as _;

use super::{
    permits::{Permits, Pool},
    request::Labels,
};
use crate::{
    api::Code,
    queue::{Class, Ended, Queue, Stats},
    version,
};

/// The text format of OpenMetrics, which Prometheus and compatible systems read.
pub const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// The text format of Prometheus before OpenMetrics.
pub const CLASSIC: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The buckets of durations, in seconds: from the time for a list of moves to the longest search that the
/// settings allow, and its wait.
const DURATIONS: [f64; 24] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 7.5,
    10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0,
];

/// The buckets of waits, in seconds: from the time in which an idle thread wakes up to more than the usual
/// limit, and to the waits of background searches.
const WAITS: [f64; 13] = [0.000_1, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 10.0, 60.0, 600.0];

/// The metrics of requests. Their number depends neither on time nor on what callers send.
#[derive(Debug)]
pub struct Metrics {
    requests: Family<RequestLabels, Counter>,
    durations: Family<Label, Histogram, fn() -> Histogram>,
    waits: Family<Label, Histogram, fn() -> Histogram>,
    /// Requests that were received and not yet answered.
    pub in_flight: Gauge,
    /// How many connections are open.
    pub connections: Gauge,
    /// How many connections were cut off.
    pub connections_cut: CutCounter,
    /// Whether the service is about to stop.
    draining: AtomicBool,
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

/// All metrics at zero.
impl Default for Metrics {
    fn default() -> Self {
        let waits = Family::new_with_constructor((|| Histogram::new(WAITS)) as fn() -> Histogram);
        for class in Class::ALL {
            // It is exported even before the first such search.
            drop(waits.get_or_create(&[("class", class.into())]));
        }
        Self {
            requests: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(DURATIONS)),
            waits,
            in_flight: Gauge::default(),
            connections: Gauge::default(),
            connections_cut: CutCounter::default(),
            draining: AtomicBool::default(),
        }
    }
}

impl Metrics {
    /// Counts a request that was answered, with a problem if there is a code.
    pub fn count(&self, Labels { operation, game, code }: Labels, status: StatusCode, took: Duration) {
        let game = game.map_or("none", |game| game.about().id);
        let code = code.map_or("none", Code::name);
        let labels = RequestLabels { code, game, operation, status: status.as_u16() };
        self.requests.get_or_create(&labels).inc();
        self.durations.get_or_create(&[("operation", operation)]).observe(took.as_secs_f64());
    }

    /// Makes the service not ready: it still answers, but should get no new requests.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Whether the service is about to stop.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Counts how long a search has waited.
    pub fn count_wait(&self, class: Class, waited: Duration) {
        self.waits.get_or_create(&[("class", class.into())]).observe(waited.as_secs_f64());
    }
}

/// A gauge of the threads of a class: name, help text, and how to read it.
type Reading = (&'static str, &'static str, fn(&Stats) -> usize);

const READINGS: [Reading; 4] = [
    ("cublino_search_threads", "Search threads", |stats| stats.threads),
    ("cublino_searches_running", "Running searches", |stats| stats.running),
    ("cublino_searches_waiting", "Queued searches", |stats| stats.waiting),
    ("cublino_search_table_bytes", "Memory of the transposition tables, in bytes", |stats| stats.table_bytes),
];

/// All metrics in the format [`OPEN_METRICS`].
///
/// # Errors
/// A number is larger than the format allows.
pub fn text(metrics: &Metrics, queue: &Queue, permits: &Permits) -> Result<String, fmt::Error> {
    let Metrics { requests, durations, waits, in_flight, connections, connections_cut, .. } = metrics;
    let build = [
        ("version", version::VERSION),
        ("commit", version::COMMIT.unwrap_or_default()),
        ("sources", version::SOURCES),
    ];
    // The library ends each explanation with a full stop, and the names of counters with `_total`.
    let mut registry = Registry::default();
    registry.register("cublino_requests", "Answered requests", requests.clone());
    registry.register(
        "cublino_request_duration_seconds",
        "Time from the last byte of a request to the head of its answer",
        durations.clone(),
    );
    registry.register(
        "cublino_requests_in_flight",
        "Requests that were received and not yet answered",
        in_flight.clone(),
    );
    registry.register(
        "cublino_search_wait_seconds",
        "Time that searches waited in the queue, including those that timed out there",
        waits.clone(),
    );
    registry.register("cublino_build", "Always 1; the labels describe the build", Info::new(build));
    registry.register("cublino_connections", "Open connections", connections.clone());
    registry.register(
        "cublino_connections_cut",
        "Connections that the service cut, by reason",
        connections_cut.0.clone(),
    );
    register_permits(&mut registry, permits);
    let classes = Class::ALL.map(|class| (<&str>::from(class), queue.stats(class)));
    for (name, help, value) in READINGS {
        let gauges = Family::<Label, Gauge<u64, AtomicU64>>::default();
        for (class, stats) in &classes {
            gauges.get_or_create(&[("class", class)]).set(value(stats) as u64);
        }
        registry.register(name, help, gauges);
    }
    let nodes = Family::<Label, Counter>::default();
    let ended = Family::<[(&str, &str); 2], Counter>::default();
    for (class, stats) in classes {
        nodes.get_or_create(&[("class", class)]).inc_by(stats.nodes);
        for &way in Ended::VARIANTS {
            ended.get_or_create(&[("class", class), ("ended", way.into())]).inc_by(stats.ended[way as usize]);
        }
    }
    registry.register("cublino_search_nodes", "Nodes (positions) that searches visited", nodes);
    registry.register("cublino_searches_ended", "Ended searches, by how they ended", ended);
    if let Err(error) = register_process(&mut registry) {
        log::warn!("cannot read the metrics of the process: {error}");
    }
    let mut text = String::new();
    encode(&mut text, &registry)?;
    Ok(text)
}

/// Rewrites metrics in the format [`CLASSIC`]. There, a family has the name of its samples, no family is of
/// the type `info`, and the text has no end mark.
pub fn classic(text: &str) -> String {
    let mut classic = text.trim_end_matches("# EOF\n").to_owned();
    for line in text.lines() {
        let family = line.strip_prefix("# TYPE ").and_then(|family| family.split_once(' '));
        let (name, ending, kind) = match family {
            Some((name, "counter")) => (name, "_total", "counter"),
            Some((name, "info")) => (name, "_info", "gauge"),
            _ => continue,
        };
        classic = classic
            .replace(&format!("# HELP {name} "), &format!("# HELP {name}{ending} "))
            .replace(&format!("{line}\n"), &format!("# TYPE {name}{ending} {kind}\n"));
    }
    classic
}

/// Registers the permits of heavy requests, by pool.
fn register_permits(registry: &mut Registry, permits: &Permits) {
    let [free, held, waiting] = [(); 3].map(|()| Family::<Label, Gauge>::default());
    let refused = Family::<[(&str, &str); 2], Counter>::default();
    for &pool in Pool::VARIANTS {
        let (label, permits) = (("pool", pool.into()), permits.of(pool));
        free.get_or_create(&[label]).set(permits.free());
        held.get_or_create(&[label]).set(permits.held.get());
        waiting.get_or_create(&[label]).set(permits.waiting.get());
        for (reason, count) in [("share", &permits.over_share), ("none-free", &permits.unavailable)] {
            refused.get_or_create(&[label, ("reason", reason)]).inc_by(count.get());
        }
    }
    registry.register("cublino_permits_free", "Free permits for heavy requests", free);
    registry.register("cublino_permits_held", "Permits held by heavy requests", held);
    registry.register("cublino_permits_waiting", "Heavy requests that wait for a permit", waiting);
    registry.register("cublino_permits_refused", "Heavy requests that were refused a permit", refused);
}

/// Registers what this process uses now, from `/proc`.
fn register_process(registry: &mut Registry) -> io::Result<()> {
    let pages = fs::read_to_string("/proc/self/statm")?;
    let pages = pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    let pages = pages.ok_or_else(|| io::Error::other("cannot parse /proc/self/statm"))?;
    let open_files = fs::read_dir("/proc/self/fd")?.count() as u64;
    let cpu = Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).map_err(io::Error::other)?;
    registry.register(
        "process_cpu_seconds",
        "Total user and system CPU time spent in seconds",
        ConstCounter::new(cpu.as_secs_f64()),
    );
    registry.register("process_open_fds", "Number of open file descriptors", ConstGauge::new(open_files));
    if let Some(limit) = getrlimit(Resource::Nofile).current {
        registry.register(
            "process_max_fds",
            "Maximum number of open file descriptors",
            ConstGauge::new(limit),
        );
    }
    registry.register(
        "process_resident_memory_bytes",
        "Resident memory size in bytes",
        ConstGauge::new(pages * page_size() as u64),
    );
    Ok(())
}
