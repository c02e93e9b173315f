//! What the service counts, for Prometheus.

#[cfg(target_os = "linux")]
mod process;
mod queue;

use std::{fmt, time::Duration};

use actix_web::http::StatusCode;
use cublino_guard::{BytesInFlight, CutCounter};
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{
        counter::Counter,
        family::{Family, MetricConstructor},
        gauge::Gauge,
        histogram::Histogram,
        info::Info,
    },
    registry::Registry,
};

use self::queue::QueueCollector;
use crate::{
    games::GameId,
    queue::{Class, Queue},
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
    /// A message of a language model's client that calls no tool.
    pub const MCP: Self = Self("mcp");
}

/// What a request asks for where the path does not say it: an extension of the request.
#[derive(Clone, Copy, Debug)]
pub struct Called {
    /// What it asks for.
    pub operation: Operation,
    /// About which game.
    pub game: Option<GameId>,
    /// Why it was refused, where the status does not say it.
    pub code: Option<Code>,
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
            bytes_in_flight.held.metric(),
        );
        registry.register_collector(Box::new(QueueCollector(queue)));
        #[cfg(target_os = "linux")]
        registry.register_collector(Box::new(process::ProcessCollector));
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
