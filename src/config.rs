//! The settings of the service: flags, and a `CUBLINO_*` variable for each.
//!
//! Ranges are checked when settings are read: a service that starts has settings that make sense.

use std::{
    fmt::Display,
    net::{Ipv4Addr, SocketAddr, SocketAddrV4},
    num::NonZeroUsize,
    ops::RangeInclusive,
    path::PathBuf,
    str::FromStr,
    thread::available_parallelism,
};

use clap::{Arg, ArgAction, Args, builder::BoolishValueParser};
use ipnet::IpNet;
use url::Url;

use crate::{
    api::{
        Bounds, NODES_AT_DEPTH_0, NODES_PER_MS, SEVERAL_LINES,
        limits::{
            BatchAllowance, CallerAllowance, DepthGrowth, LIGHT_BODY, LIGHT_LINES, LIGHT_MOVES, LIGHT_PLIES,
            MAX_LINES, MAX_MOVES, MAX_POSITIONS, PRICES, PermitAllowance, RequestAllowance, SearchAllowance,
            SearchesAllowance, ServiceLimits, WorkPrices,
        },
    },
    engine::{Playable, Tablebases},
    games::GameId,
    with_game,
};

/// Restricts a numeric argument to a range, which the help shows.
pub(crate) trait Within: Into<Arg> {
    /// Accepts only numbers in this range. Its bounds must have the type of the setting, which clap checks
    /// only at run time.
    fn within<T>(self, range: RangeInclusive<T>) -> Arg
    where
        T: Clone + Display + FromStr + PartialOrd + Send + Sync + 'static,
    {
        let (least, most) = (range.start(), range.end());
        let message = format!("a whole number from {least} to {most} is needed");
        self.into().value_name(format!("{least}-{most}")).value_parser(move |text: &str| {
            text.parse().ok().filter(|n| range.contains(n)).ok_or_else(|| message.clone())
        })
    }
}

impl Within for Arg {}

/// The settings of the service, and after them what is the same everywhere but in tests.
#[derive(Args, Clone, derive_more::Debug, PartialEq, Eq)]
pub struct Config {
    /// Address and port to listen on; port 0 takes any free port
    #[arg(long, env = "CUBLINO_LISTEN", value_name = "ADDRESS", default_value_t = LISTEN)]
    pub listen: SocketAddr,

    /// A second address for /healthz, /readyz and /metrics, which stays responsive under load; /metrics moves
    /// there
    #[arg(long, env = "CUBLINO_ADMIN_LISTEN", value_name = "ADDRESS")]
    pub admin_listen: Option<SocketAddr>,

    /// Threads that answer requests [default: one per processor]
    #[arg(
        long, env = "CUBLINO_WORKERS", default_value_t = processors(), hide_default_value = true,
        within(1..=256_usize)
    )]
    pub workers: usize,

    /// Threads for searches [default: one per processor]; batches have as many of their own, which use idle
    /// processors
    #[arg(
        long, env = "CUBLINO_SEARCH_THREADS", default_value_t = processors(), hide_default_value = true,
        within(1..=256_usize)
    )]
    pub search_threads: usize,

    /// Transposition table of each search thread, in MiB
    #[arg(long, env = "CUBLINO_TABLE_MIB", default_value_t = 16, within(1..=65_536_usize))]
    pub table_mib: usize,

    /// File with more endgames of Wari, made by `cublino endgames wari`
    #[arg(long, env = "CUBLINO_WARI_DATABASE", value_name = "FILE")]
    pub wari_database: Option<PathBuf>,

    /// Refuse to start if that file cannot be used; if off, log why and use the built-in endgames
    #[arg(
        long, env = "CUBLINO_WARI_DATABASE_REQUIRED", value_name = "on|off", default_value = "on",
        action = ArgAction::Set, value_parser = BoolishValueParser::new(), hide_possible_values = true
    )]
    pub wari_database_required: bool,

    /// Maximum time of a search, in milliseconds; three times as long if it is limited by depth or nodes
    #[arg(long, env = "CUBLINO_MAX_TIME_MS", default_value_t = 10_000, within(1..=600_000_u64))]
    pub max_time_ms: u64,

    /// Maximum nodes (positions) of a search
    // The longest search, at two million nodes per second.
    #[arg(long, env = "CUBLINO_MAX_NODES", default_value_t = 20_000_000, within(1..=1_000_000_000_u64))]
    pub max_nodes: u64,

    /// Maximum work of one request, in milliseconds of searching; /v1/limits says how to add it up
    // A thousand positions with the default time of a search, and some to spare.
    #[arg(long, env = "CUBLINO_MAX_WORK_MS", default_value_t = 600_000, within(1..=86_400_000_u64))]
    pub max_work_ms: u64,

    /// Maximum wait of a search for a thread, in milliseconds; after that, the caller gets `busy`. Batches
    /// wait without limit
    #[arg(long, env = "CUBLINO_MAX_WAIT_MS", default_value_t = 1_000, within(0..=600_000_u64))]
    pub max_wait_ms: u64,

    /// Maximum queued searches; beyond it, callers get `busy`
    #[arg(long, env = "CUBLINO_SEARCH_QUEUE", default_value_t = 1_024, within(0..=10_000_usize))]
    pub search_queue: usize,

    /// Maximum running and queued searches of one caller (an API key, or else an address); beyond it, that
    /// caller gets `too-many-requests`
    #[arg(long, env = "CUBLINO_MAX_SEARCHES_PER_CALLER", default_value_t = 128, within(1..=10_000_usize))]
    pub max_searches_per_caller: usize,

    /// Maximum open connections; more wait to be accepted
    #[arg(long, env = "CUBLINO_MAX_CONNECTIONS", default_value_t = 1_000, within(1..=1_000_000_usize))]
    pub max_connections: usize,

    /// Maximum heavy requests of each kind: large bodies or long answers, and streams or batches. Beyond it,
    /// callers get `busy`. One caller may have a quarter
    #[arg(long, env = "CUBLINO_PERMITS", default_value_t = 32, within(4..=10_000_usize))]
    pub permits: usize,

    /// Seconds that an idle connection stays open; 0 closes it after each answer
    #[arg(long, env = "CUBLINO_KEEP_ALIVE_SECONDS", default_value_t = 75, within(0..=3_600_u64))]
    pub keep_alive_seconds: u64,

    /// Seconds after SIGTERM in which the service still answers, while /readyz says that it is not ready
    #[arg(long, env = "CUBLINO_DRAIN_SECONDS", default_value_t = 5, within(0..=3_600_u64))]
    pub drain_seconds: u64,

    /// Seconds after `--drain-seconds` for running requests to finish; in the last second, searches answer
    /// with what they have
    #[arg(long, env = "CUBLINO_SHUTDOWN_SECONDS", default_value_t = 15, within(0..=3_600_u64))]
    pub shutdown_seconds: u64,

    /// API keys for /v1 and /mcp, separated by commas; without any, the service is open to all
    #[arg(
        long,
        env = "CUBLINO_API_KEYS",
        value_name = "KEYS",
        value_delimiter = ',',
        hide_env_values = true
    )]
    #[debug("…")]
    pub api_keys: Vec<String>,

    /// File with API keys, one per line; lines that begin with # are comments
    #[arg(long, env = "CUBLINO_API_KEYS_FILE", value_name = "FILE")]
    pub api_keys_file: Option<PathBuf>,

    /// Requests per minute that each caller may send to /v1 and /mcp; 0 is no limit. Batches and long games
    /// count as several: see /v1/limits
    #[arg(long, env = "CUBLINO_RATE_LIMIT", default_value_t = 0, within(0..=6_000_000_u32))]
    pub rate_limit: u32,

    /// Requests that a caller may send at once, before the limit per minute applies
    #[arg(long, env = "CUBLINO_RATE_BURST", default_value_t = 60, within(1..=1_000_000_u32))]
    pub rate_burst: u32,

    /// Search time per minute of each caller, in milliseconds; 0 is no limit
    #[arg(long, env = "CUBLINO_THINK_MS_PER_MINUTE", default_value_t = 0, within(0..=6_000_000_u32))]
    pub think_ms_per_minute: u32,

    /// Networks of trusted proxies, such as 10.0.0.0/8, separated by commas; their header X-Forwarded-For
    /// names the caller
    #[arg(long, env = "CUBLINO_TRUSTED_PROXIES", value_name = "NETWORKS", value_delimiter = ',')]
    pub trusted_proxies: Vec<IpNet>,

    /// Origins whose web pages may call the service (CORS), separated by commas; * allows all
    #[arg(long, env = "CUBLINO_CORS_ORIGINS", value_name = "ORIGINS", value_delimiter = ',')]
    pub cors_origins: Vec<Origin>,

    /// Serve the page /play/ to play and analyse games
    #[arg(
        long, env = "CUBLINO_PLAY", value_name = "on|off", default_value = "on", action = ArgAction::Set,
        value_parser = BoolishValueParser::new(), hide_possible_values = true
    )]
    pub play: bool,

    /// Serve tools for language models under /mcp (Model Context Protocol)
    #[arg(
        long, env = "CUBLINO_MCP", value_name = "on|off", default_value = "on", action = ArgAction::Set,
        value_parser = BoolishValueParser::new(), hide_possible_values = true
    )]
    pub mcp: bool,

    /// Maximum depth of a search, in plies. The limits on time and nodes end a search much earlier, unless
    /// the game tree is nearly exhausted.
    #[arg(skip = 64_u32)]
    pub max_depth: u32,

    /// Maximum length of path and query, in bytes: the usual limit of proxies; no state is longer than 512.
    /// Beyond 65,534 bytes the HTTP library itself answers, without a body.
    #[arg(skip = 8_192_usize)]
    pub uri_limit: usize,

    /// Maximum body of a request, in bytes, decompressed: 1,000 positions fit into it.
    #[arg(skip = 262_144_usize)]
    pub body_limit: usize,

    /// Heartbeat: a stream that is silent for this many milliseconds sends a comment. Proxies time out later.
    #[arg(skip = 10_000_u64)]
    pub heartbeat_ms: u64,

    /// Milliseconds that a caller has to send the head of a request, from its first byte, or to close a
    /// connection. Slow mobile connections need less; a slowloris attack needs more.
    #[arg(skip = 5_000_u64)]
    pub client_timeout_ms: u64,

    /// Milliseconds that a caller has to send the body of a request, from the moment its head is read.
    #[arg(skip = 10_000_u64)]
    pub body_timeout_ms: u64,

    /// Milliseconds that a caller may lag behind `read_rate`. A caller that reads nothing is disconnected
    /// after this time.
    #[arg(skip = 30_000_u32)]
    pub read_timeout_ms: u32,

    /// The slowest rate at which a caller may read an answer, in bytes per second: a slow modem manages it.
    #[arg(skip = 4_096_u32)]
    pub read_rate: u32,

    /// Socket buffer of a connection in each direction, in bytes. The system's default buffers megabytes of
    /// an answer that nobody reads.
    #[arg(skip = 65_536_u32)]
    pub socket_buffer_bytes: u32,
}

/// Flags that were removed, each with its successor.
pub const REMOVED: [(&str, &str); 2] =
    [("--max-in-flight-bytes", "--permits"), ("--max-batches", "--permits")];

/// The environment variable of a flag.
pub fn variable(flag: &str) -> String {
    format!("CUBLINO_{}", flag.trim_start_matches('-').replace('-', "_").to_uppercase())
}

/// Where the service listens by default: only callers on the same machine reach it.
pub const LISTEN: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 8080));

/// The default settings, without environment variables.
impl Default for Config {
    fn default() -> Self {
        let command = Self::augment_args(clap::Command::new("cublino")).mut_args(|arg| arg.env(None::<&str>));
        let matches = command.get_matches_from(["cublino"]);
        clap::FromArgMatches::from_arg_matches(&matches).expect("all settings have defaults")
    }
}

impl Config {
    /// The limits, the table size and the tablebases for all questions.
    pub fn bounds(&self, tablebases: Tablebases) -> Bounds {
        let ServiceLimits { search, .. } = self.into();
        Bounds { search, table_bytes: self.table_mib << 20, tablebases }
    }

    /// How many permits of each kind one caller may hold.
    pub fn permits_per_caller(&self) -> usize {
        self.permits / 4
    }
}

/// The number of processors that this process may use.
fn processors() -> usize {
    available_parallelism().map_or(1, NonZeroUsize::get)
}

/// A web origin whose pages may call the service (CORS).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Any origin.
    Any,
    /// This scheme, host and port, as browsers write them.
    Exactly(String),
}

/// A text is not an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an origin is a scheme and a host, such as https://example.org, with a port if it is not the usual one; \
     or *"
)]
pub struct NotAnOrigin;

impl FromStr for Origin {
    type Err = NotAnOrigin;

    fn from_str(text: &str) -> Result<Self, NotAnOrigin> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let is_origin =
            |url: Url| matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == text;
        let fits = Url::parse(text).is_ok_and(is_origin);
        if fits { Ok(Self::Exactly(text.to_owned())) } else { Err(NotAnOrigin) }
    }
}

/// The longest time of a search that must be answered in full, as a multiple of that of a search with a time
/// limit: its limit on nodes ends it much earlier, unless the machine is overloaded.
const TIMES_IN_FULL: u32 = 3;

/// The limits of a service with these settings.
impl From<&Config> for ServiceLimits {
    fn from(config: &Config) -> Self {
        let growth = |&game: &GameId| {
            let (growth, verifying) = with_game!(game, G => (G::TUNING.growth, G::TUNING.verifying));
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
