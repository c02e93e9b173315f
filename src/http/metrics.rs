//! What the service counts, for Prometheus.

use std::time::Duration;

use actix_web::http::StatusCode;
use prometheus::{
    Encoder, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Registry,
    Result, TextEncoder,
    core::{Collector, Desc, Describer},
    proto::{MetricFamily, MetricType},
};

use crate::{
    games::GameId,
    search::pool::{Ended, Pool, PoolStats},
    service::Code,
};

/// Upper bounds of the classes of durations, in seconds: from what a list of moves takes to the longest search that can be
/// set up.
const DURATIONS: [f64; 24] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 7.5,
    10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0,
];

/// Those that a service needs: the last is longer than its longest search, so that waiting is seen as well.
fn durations(longest: Duration) -> Vec<f64> {
    let within = DURATIONS.iter().filter(|&&bound| bound <= longest.as_secs_f64()).count();
    DURATIONS[..DURATIONS.len().min(within + 1)].to_vec()
}

/// Upper bounds of the classes of waiting, in seconds: from what an idle thread takes to wake up to more than the usual limit.
const WAITS: [f64; 11] = [0.000_1, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 10.0];

/// What a request asks for, as metrics and the log call it: the name of a handler's module, so that there are only
/// a few.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation(pub &'static str);

impl Operation {
    /// What no handler answers.
    pub const NONE: Self = Self("none");
    /// A file of the documentation.
    pub const DOCS: Self = Self("docs");
}

/// What the service counts. Nothing grows with time or with what callers send.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    durations: HistogramVec,
    waits: Histogram,
    in_flight: IntGauge,
}

/// A request that is being answered, counted as long as this lives.
#[derive(Debug)]
pub struct InFlight(IntGauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    /// Counts from now on. `connections` are those that are open; no search is longer than `longest`.
    ///
    /// # Errors
    /// Never, unless two metrics have the same name.
    pub fn new(pool: Pool, connections: IntGauge, longest: Duration) -> Result<Self> {
        let registry = Registry::new();
        let requests = IntCounterVec::new(
            Opts::new("cublino_requests_total", "Requests that were answered."),
            &["operation", "game", "status", "code"],
        )?;
        let durations = HistogramVec::new(
            HistogramOpts::new(
                "cublino_request_duration_seconds",
                "Time from the end of a request, its body included, to the head of its answer.",
            )
            .buckets(durations(longest)),
            &["operation"],
        )?;
        let waits = Histogram::with_opts(
            HistogramOpts::new(
                "cublino_search_wait_seconds",
                "Time that searches waited for a thread, until they started or had waited too long.",
            )
            .buckets(WAITS.to_vec()),
        )?;
        let in_flight = IntGauge::new(
            "cublino_requests_in_flight",
            "Requests whose head has been read, and of whose answer nothing has been sent.",
        )?;
        let build = IntGauge::with_opts(
            Opts::new("cublino_build_info", "Always 1; the labels tell which service this is.")
                .const_label("version", crate::version::VERSION)
                .const_label("commit", crate::version::COMMIT.unwrap_or_default())
                .const_label("sources", crate::version::SOURCES),
        )?;
        build.set(1);
        registry.register(Box::new(requests.clone()))?;
        registry.register(Box::new(durations.clone()))?;
        registry.register(Box::new(in_flight.clone()))?;
        registry.register(Box::new(waits.clone()))?;
        registry.register(Box::new(build))?;
        registry.register(Box::new(connections))?;
        registry.register(Box::new(PoolCollector::new(pool)?))?;
        #[cfg(target_os = "linux")]
        registry.register(Box::new(prometheus::process_collector::ProcessCollector::for_self()))?;
        Ok(Self { registry, requests, durations, waits, in_flight })
    }

    /// Tells one metric more.
    ///
    /// # Errors
    /// Another has the same name.
    pub fn register(&self, metric: impl Collector + 'static) -> Result<()> {
        self.registry.register(Box::new(metric))
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
        operation: Operation,
        game: Option<GameId>,
        status: StatusCode,
        code: Option<Code>,
        took: Duration,
    ) {
        let Operation(operation) = operation;
        let game = game.map_or("none", |game| game.about().id);
        let code = code.map_or("none", Code::name);
        self.requests.with_label_values(&[operation, game, status.as_str(), code]).inc();
        self.durations.with_label_values(&[operation]).observe(took.as_secs_f64());
    }

    /// Counts how long a search has waited.
    pub fn count_wait(&self, waited: Duration) {
        self.waits.observe(waited.as_secs_f64());
    }

    /// All metrics in the text format of Prometheus.
    ///
    /// # Errors
    /// Never, unless a metric has no name.
    pub fn text(&self) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text)?;
        Ok(text)
    }
}

/// How many connections are open.
///
/// # Errors
/// Never: the name is one.
pub fn connections() -> Result<IntGauge> {
    IntGauge::new("cublino_connections", "Connections that are open.")
}

/// A number that a pool tells: name, help, kind, and where it stands.
type Reading = (&'static str, &'static str, MetricType, fn(&PoolStats) -> u64);

const READINGS: [Reading; 8] = [
    ("cublino_search_threads", "Search threads.", MetricType::GAUGE, |stats| stats.threads as u64),
    ("cublino_searches_running", "Searches that run.", MetricType::GAUGE, |stats| stats.running as u64),
    ("cublino_searches_waiting", "Searches that wait for a thread.", MetricType::GAUGE, |stats| {
        stats.waiting as u64
    }),
    ("cublino_searches_finished_total", "Searches that came to their end.", MetricType::COUNTER, |stats| {
        stats.finished
    }),
    ("cublino_searches_failed_total", "Searches that failed.", MetricType::COUNTER, |stats| stats.failed),
    ("cublino_searches_cancelled_total", "Searches whose caller left.", MetricType::COUNTER, |stats| {
        stats.abandoned
    }),
    ("cublino_searches_refused_total", "Searches that were not accepted.", MetricType::COUNTER, |stats| {
        stats.refused
    }),
    ("cublino_search_nodes_total", "Positions that searches visited.", MetricType::COUNTER, |stats| {
        stats.nodes
    }),
];

/// Asks the pool when somebody wants to know.
struct PoolCollector {
    pool: Pool,
    descriptions: Vec<Desc>,
    /// For the searches by how they have ended.
    ended: Opts,
}

/// The label that tells how searches have ended.
const ENDED: &str = "ended";

impl PoolCollector {
    fn new(pool: Pool) -> Result<Self> {
        let describe = |(name, help, ..): &Reading| Opts::new(*name, *help).describe();
        let ended = Opts::new("cublino_searches_ended_total", "Searches by how they ended.");
        let labelled = IntCounterVec::new(ended.clone(), &[ENDED])?;
        let mut descriptions: Vec<_> = READINGS.iter().map(describe).collect::<Result<_>>()?;
        descriptions.extend(labelled.desc().into_iter().cloned());
        Ok(Self { pool, descriptions, ended })
    }
}

impl Collector for PoolCollector {
    fn desc(&self) -> Vec<&Desc> {
        self.descriptions.iter().collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let stats = self.pool.stats();
        let read = |(name, help, kind, value): &Reading| {
            let (value, fits) = (value(&stats), "the names have been checked");
            if *kind == MetricType::COUNTER {
                let counter = IntCounter::new(*name, *help).expect(fits);
                counter.inc_by(value);
                counter.collect()
            } else {
                let gauge = IntGauge::new(*name, *help).expect(fits);
                gauge.set(value as i64);
                gauge.collect()
            }
        };
        let ended = IntCounterVec::new(self.ended.clone(), &[ENDED]).expect("the names have been checked");
        for way in Ended::ALL {
            ended.with_label_values(&[way.name()]).inc_by(stats.ended.of(way));
        }
        READINGS.iter().flat_map(read).chain(ended.collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_of_durations_reach_beyond_the_longest_search() {
        for (seconds, last) in [(1, 2.5), (2, 2.5), (10, 15.0), (20, 30.0), (600, 1200.0)] {
            assert_eq!(durations(Duration::from_secs(seconds)).last(), Some(&last), "{seconds}");
        }
        assert!(DURATIONS.is_sorted());
    }
}
