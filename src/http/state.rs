//! The state that all workers share, and the limits of the service by its settings.

use std::{
    fs, io,
    sync::atomic::{AtomicBool, Ordering},
};

use actix_web::{HttpRequest, web::Data};
use cublino_guard::CutCounter;
use prometheus_client::metrics::gauge::Gauge;
use rustix::process::{Resource, getrlimit};

use super::{
    access::Access,
    mcp::Calls,
    metrics::Metrics,
    permits::{LIGHT_BODY, Permits},
};
use crate::{
    api::{
        Bounds,
        limits::{
            BatchAllowance, CallerAllowance, DepthGrowth, LIGHT_LINES, LIGHT_MOVES, LIGHT_PLIES, MAX_LINES,
            MAX_MOVES, MAX_POSITIONS, PRICES, PermitAllowance, RequestAllowance, SearchAllowance,
            SearchesAllowance, ServiceLimits, WorkPrices,
        },
    },
    config::Config,
    engine::{Learned, Playable, Tablebases},
    games::GameId,
    queue::{NODES_AT_DEPTH_0, NODES_PER_MS, Queue, SEVERAL_LINES},
    with_game,
};

/// The limits, the table size and the tablebases for all questions.
pub fn bounds(config: &Config, tablebases: Tablebases) -> Bounds {
    let ServiceLimits { search, .. } = config.into();
    Bounds { search, table_bytes: config.table_mib << 20, tablebases }
}

/// The state that all workers share.
#[derive(Debug)]
pub struct AppState {
    /// The settings.
    pub config: Config,
    /// The limits, the table size and the tablebases for all questions.
    pub bounds: Bounds,
    /// The search threads.
    pub queue: Queue,
    /// API keys, rate limits and search time quotas.
    pub access: Access,
    /// How many connections are open.
    pub connections: Gauge,
    /// How many connections were cut off.
    pub connections_cut: CutCounter,
    /// The permits of heavy requests.
    pub permits: Permits,
    /// The metrics of requests.
    pub metrics: Metrics,
    /// The calls of model tools that run.
    pub calls: Calls,
    draining: AtomicBool,
}

/// The tablebases that the settings ask for.
fn tablebases(config: &Config) -> io::Result<Tablebases> {
    let Some(path) = &config.wari_database else { return Ok(Tablebases::built_in()) };
    Tablebases::with_wari_database(path).or_else(|error| {
        let detail = format!("{error} (--wari-database, CUBLINO_WARI_DATABASE)");
        if config.wari_database_required {
            return Err(io::Error::other(detail));
        }
        log::warn!("only the endgames of Wari in the program are used: {detail}");
        Ok(Tablebases::built_in())
    })
}

impl AppState {
    /// The state of a service with these settings that has just started.
    ///
    /// # Errors
    /// The transposition tables do not fit into memory, the search threads cannot be started, or a file of
    /// the settings cannot be used.
    pub fn new(config: &Config) -> io::Result<Self> {
        check_memory(config)?;
        let bounds = bounds(config, tablebases(config)?);
        // The learned evaluations are loaded and checked now, so that no search has to wait for them.
        for &game in GameId::ALL {
            with_game!(game, G => Learned::built_in::<G>());
        }
        let queue = Queue::new(config.into(), bounds.table_bytes).map_err(|error| {
            let detail = format!(
                "cannot start the search threads (--search-threads, CUBLINO_SEARCH_THREADS): {error}"
            );
            io::Error::new(error.kind(), detail)
        })?;
        Ok(Self {
            config: config.clone(),
            bounds,
            queue,
            access: Access::new(config)?,
            connections: Gauge::default(),
            connections_cut: CutCounter::default(),
            permits: Permits::new(config.permits, config.permits_per_caller()),
            metrics: Metrics::default(),
            calls: Calls::default(),
            draining: AtomicBool::new(false),
        })
    }

    /// The state of the application that got a request.
    pub fn of(request: &HttpRequest) -> &Data<Self> {
        request.app_data().expect("the application has its state")
    }

    /// Makes the service not ready: it still answers, but should get no new requests.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Whether the service is about to stop.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }
}

/// Memory of the program and of its caches, of a connection, and of a heavy request, in KiB, as measured:
/// docs/running.md says how.
const PROGRAM_KIB: usize = 64 << 10;
const CONNECTION_KIB: usize = 176;
const PERMIT_KIB: usize = 2 << 10;

/// Checks that everything that the settings allow at a time fits into memory.
fn check_memory(config: &Config) -> io::Result<()> {
    let Config { max_connections, permits, search_threads, table_mib, .. } = *config;
    // A search thread of each class has a table, and there are two pools of permits.
    let tables = 2 * search_threads * table_mib;
    let others = PROGRAM_KIB + max_connections * CONNECTION_KIB + 2 * permits * PERMIT_KIB;
    let needed = tables + (others >> 10);
    match memory_limit_mib() {
        Some(limit) if needed > limit => Err(io::Error::other(format!(
            "the settings allow the service to take {needed} MiB, more than the {limit} MiB that it may \
             have: {tables} MiB for the tables of the search threads (--table-mib, CUBLINO_TABLE_MIB), {} \
             MiB for connections (--max-connections, CUBLINO_MAX_CONNECTIONS) and {} MiB for heavy requests \
             (--permits, CUBLINO_PERMITS)",
            (max_connections * CONNECTION_KIB) >> 10,
            (2 * permits * PERMIT_KIB) >> 10,
        ))),
        _ => Ok(()),
    }
}

/// The memory that the process may have, in MiB: that of the machine, of its control group, or of its address
/// space, whichever is the least. `None` if the system does not report it.
fn memory_limit_mib() -> Option<usize> {
    let machine = fs::read_to_string("/proc/meminfo").ok()?;
    let total = machine.lines().find_map(|line| line.strip_prefix("MemTotal:")?.strip_suffix(" kB"))?;
    let machine = total.trim().parse::<usize>().ok()? >> 10;
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|bytes| Some(bytes.trim().parse::<usize>().ok()? >> 20));
    let space = getrlimit(Resource::As).current.and_then(|bytes| usize::try_from(bytes >> 20).ok());
    [group, space].into_iter().flatten().chain([machine]).min()
}

/// The longest time of a search that must be answered in full, as a multiple of that of a search with a time
/// limit: its limit on nodes ends it much earlier, unless the machine is overloaded.
pub const TIMES_IN_FULL: u32 = 3;

/// The limits of a service with these settings.
impl From<&Config> for ServiceLimits {
    fn from(config: &Config) -> Self {
        let growth = |&game: &GameId| {
            let (growth, verifying) = with_game!(game, G => (G::GROWTH, G::VERIFYING));
            DepthGrowth { game, growth, verifying }
        };
        let limited = |rate: u32| (rate > 0).then_some(rate);
        let requests_per_minute = limited(config.rate_limit);
        Self {
            request: RequestAllowance {
                uri_bytes: config.uri_limit,
                body_bytes: config.body_limit,
                body_ms: config.body_timeout_ms,
                moves: MAX_MOVES,
                positions: MAX_POSITIONS,
            },
            search: SearchAllowance {
                time_ms: config.max_time_ms,
                depth: config.max_depth,
                nodes: config.max_nodes,
                lines: MAX_LINES,
                full_answer_ms: config.max_time_ms * u64::from(TIMES_IN_FULL),
            },
            searches: SearchesAllowance {
                at_a_time: config.search_threads,
                waiting: config.search_queue,
                per_caller: config.max_searches_per_caller,
                wait_ms: config.max_wait_ms,
            },
            batches: BatchAllowance {
                searches_at_a_time: config.search_threads,
                work_ms: config.max_work_ms,
                work: WorkPrices {
                    nodes_per_ms: NODES_PER_MS,
                    nodes_at_depth_0: NODES_AT_DEPTH_0,
                    several_lines: SEVERAL_LINES,
                    growth: GameId::ALL.iter().map(growth).collect(),
                },
            },
            permits: PermitAllowance {
                at_a_time: config.permits,
                per_caller: config.permits_per_caller(),
                body_bytes: LIGHT_BODY,
                lines: LIGHT_LINES,
                plies: LIGHT_PLIES,
                moves: LIGHT_MOVES,
            },
            caller: CallerAllowance {
                prices: PRICES,
                requests_per_minute,
                requests_at_once: requests_per_minute.map(|_| config.rate_burst),
                search_ms_per_minute: limited(config.think_ms_per_minute),
            },
        }
    }
}
