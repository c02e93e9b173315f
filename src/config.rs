//! The settings of the service: flags, and a `CUBLINO_*` variable for each.
//!
//! Ranges are checked when settings are read: a service that starts has settings that make sense.

use std::{
    ffi::OsStr,
    fmt::{self, Display},
    net::{Ipv4Addr, SocketAddr, SocketAddrV4},
    num::NonZeroUsize,
    ops::RangeInclusive,
    path::PathBuf,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread::available_parallelism,
};

use clap::{Arg, Args, Command, ValueEnum, builder::TypedValueParser, error::ErrorKind};
use ipnet::IpNet;

/// The settings of the service.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Address and port to listen on; port 0 takes any that is free
    #[arg(long, env = "CUBLINO_LISTEN", value_name = "ADDRESS", default_value_t = LISTEN)]
    pub listen: SocketAddr,

    /// Address and port for probes and metrics, which are answered there whatever else the service does;
    /// /metrics is then only there
    #[arg(long, env = "CUBLINO_ADMIN_LISTEN", value_name = "ADDRESS")]
    pub admin_listen: Option<SocketAddr>,

    /// Threads that answer requests [default: one for each processor]
    #[arg(
        long, env = "CUBLINO_WORKERS", value_name = "N",
        default_value_t = processors(), hide_default_value = true,
        value_parser = within::<usize>(1..=256)
    )]
    pub workers: usize,

    /// Most connections that are open at a time, of all workers together; more wait to be accepted
    // With the bytes in flight, they fit into a pod of 256 MiB: docs/running.md has the formula.
    #[arg(
        long, env = "CUBLINO_MAX_CONNECTIONS", value_name = "N", default_value_t = 4_000,
        value_parser = within::<usize>(1..=1_000_000)
    )]
    pub max_connections: usize,

    /// Most bytes of requests and answers that are held at a time, of all connections together and beyond
    /// their buffers; more callers are told that the service is busy
    #[arg(
        long, env = "CUBLINO_MAX_IN_FLIGHT_BYTES", value_name = "BYTES", default_value_t = 33_554_432,
        value_parser = within::<usize>(1_048_576..=1_073_741_824)
    )]
    pub max_in_flight_bytes: usize,

    /// Bytes that the system holds for a connection, in each direction
    // Of an answer that nobody reads, the system takes megabytes by default, for each connection.
    #[arg(
        long, env = "CUBLINO_SOCKET_BUFFER_BYTES", value_name = "BYTES", default_value_t = 65_536,
        value_parser = within::<u32>(4_096..=16_777_216)
    )]
    pub socket_buffer_bytes: u32,

    /// Seconds that an idle connection is kept open; 0 closes it after each answer
    #[arg(
        long, env = "CUBLINO_KEEP_ALIVE_SECONDS", value_name = "SECONDS", default_value_t = 75,
        value_parser = within::<u64>(0..=3_600)
    )]
    pub keep_alive_seconds: u64,

    /// Milliseconds that a caller has to send the head of a request, from its first byte, or to close a
    /// connection
    #[arg(
        long, env = "CUBLINO_CLIENT_TIMEOUT_MS", value_name = "MS", default_value_t = 5_000,
        value_parser = within::<u64>(100..=600_000)
    )]
    pub client_timeout_ms: u64,

    /// Milliseconds that a caller has to send the body of a request, from the moment its head is read
    #[arg(
        long, env = "CUBLINO_BODY_TIMEOUT_MS", value_name = "MS", default_value_t = 10_000,
        value_parser = within::<u64>(10..=600_000)
    )]
    pub body_timeout_ms: u64,

    /// Milliseconds that a caller may lag behind the rate at which answers have to be read; who takes nothing
    /// is cut off after them
    #[arg(
        long, env = "CUBLINO_READ_TIMEOUT_MS", value_name = "MS", default_value_t = 30_000,
        value_parser = within::<u32>(10..=600_000)
    )]
    pub read_timeout_ms: u32,

    /// Bytes of an answer that a caller takes a second, at least
    #[arg(
        long, env = "CUBLINO_READ_RATE", value_name = "BYTES", default_value_t = 4_096,
        value_parser = within::<u32>(1..=1_073_741_824)
    )]
    pub read_rate: u32,

    /// Seconds that requests have to finish once the service stops; a second before their end, searches
    /// answer with what they have
    #[arg(
        long, env = "CUBLINO_SHUTDOWN_SECONDS", value_name = "SECONDS", default_value_t = 15,
        value_parser = within::<u64>(0..=3_600)
    )]
    pub shutdown_seconds: u64,

    /// Seconds that the service goes on answering after SIGTERM, while it says that it is not ready
    #[arg(
        long, env = "CUBLINO_DRAIN_SECONDS", value_name = "SECONDS", default_value_t = 5,
        value_parser = within::<u64>(0..=3_600)
    )]
    pub drain_seconds: u64,

    /// Threads that search for moves [default: one for each processor]
    #[arg(
        long, env = "CUBLINO_SEARCH_THREADS", value_name = "N",
        default_value_t = processors(), hide_default_value = true,
        value_parser = within::<usize>(1..=256)
    )]
    pub search_threads: usize,

    /// Threads that search for requests about many positions, when no other searches need the processors
    /// [default: as many as --search-threads]
    #[arg(
        long, env = "CUBLINO_BACKGROUND_THREADS", value_name = "N",
        value_parser = within::<usize>(1..=256)
    )]
    pub background_threads: Option<usize>,

    /// Longest that a search waits for a thread, in milliseconds; what would wait longer is told to come back
    /// later. Searches for requests about many positions wait for as long as it takes
    #[arg(
        long, env = "CUBLINO_MAX_WAIT_MS", value_name = "MS", default_value_t = 1_000,
        value_parser = within::<u64>(0..=600_000)
    )]
    pub max_wait_ms: u64,

    /// Most searches that wait for a thread, however short they are
    #[arg(
        long, env = "CUBLINO_SEARCH_QUEUE", value_name = "N", default_value_t = 1_024,
        value_parser = within::<usize>(0..=10_000)
    )]
    pub search_queue: usize,

    /// Most searches of one caller, by key or else by address, that run or wait
    #[arg(
        long, env = "CUBLINO_MAX_SEARCHES_PER_CALLER", value_name = "N", default_value_t = 128,
        value_parser = within::<usize>(1..=10_000)
    )]
    pub max_searches_per_caller: usize,

    /// Most requests about many positions of which a search runs or waits
    #[arg(
        long, env = "CUBLINO_MAX_BATCHES", value_name = "N", default_value_t = 64,
        value_parser = within::<usize>(1..=1_000)
    )]
    pub max_batches: usize,

    /// Most such requests of one caller, by key or else by address
    #[arg(
        long, env = "CUBLINO_MAX_BATCHES_PER_CALLER", value_name = "N", default_value_t = 4,
        value_parser = within::<usize>(1..=1_000)
    )]
    pub max_batches_per_caller: usize,

    /// Most work that one request may ask for, in milliseconds of searching: `/v1/limits` tells how to add it
    /// up. Searches that turn out to visit four times as many positions are ended
    // A thousand positions with the time that a search takes which is told no limit, and some to spare.
    #[arg(
        long, env = "CUBLINO_MAX_WORK_MS", value_name = "MS", default_value_t = 600_000,
        value_parser = within::<u64>(1..=86_400_000)
    )]
    pub max_work_ms: u64,

    /// Memory of each search thread for what it has seen, in MiB; threads for requests about many positions
    /// give theirs back when there are none
    #[arg(
        long, env = "CUBLINO_TABLE_MIB", value_name = "MIB", default_value_t = 16,
        value_parser = within::<usize>(1..=65_536)
    )]
    pub table_mib: usize,

    /// File with endgames of Wari to be used instead of those in the program, written by `cublino database
    /// wari`
    #[arg(long, env = "CUBLINO_WARI_DATABASE", value_name = "FILE")]
    pub wari_database: Option<PathBuf>,

    /// Whether the service starts only with that file; if not, and there is no use for it, the endgames in
    /// the program are used, a line of the log says why, and `/readyz` how many marbles are known
    #[arg(
        long, env = "CUBLINO_WARI_DATABASE_REQUIRED", value_name = "SWITCH", value_enum,
        default_value_t = Switch::On
    )]
    pub wari_database_required: Switch,

    /// Longest that a search thinks, in milliseconds; what is limited otherwise, and answered in full or not
    /// at all, has three times as long
    #[arg(
        long, env = "CUBLINO_MAX_TIME_MS", value_name = "MS", default_value_t = 10_000,
        value_parser = within::<u64>(1..=600_000)
    )]
    pub max_time_ms: u64,

    /// Deepest search, in plies, whatever else it is limited by
    #[arg(
        long, env = "CUBLINO_MAX_DEPTH", value_name = "PLIES", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..=100)
    )]
    pub max_depth: u32,

    /// Most positions that a search visits, whatever else it is limited by
    // At two million positions a second, the longest search.
    #[arg(
        long, env = "CUBLINO_MAX_NODES", value_name = "N", default_value_t = 20_000_000,
        value_parser = within::<u64>(1..=1_000_000_000)
    )]
    pub max_nodes: u64,

    /// Most best moves that a search tells apart
    #[arg(
        long, env = "CUBLINO_MAX_LINES", value_name = "N", default_value_t = 1_000,
        value_parser = within::<u64>(1..=10_000)
    )]
    pub max_lines: u64,

    /// Milliseconds after which a stream that has nothing to tell sends a comment, so that proxies keep it
    /// open
    #[arg(
        long, env = "CUBLINO_HEARTBEAT_MS", value_name = "MS", default_value_t = 10_000,
        value_parser = within::<u64>(10..=600_000)
    )]
    pub heartbeat_ms: u64,

    /// Longest path and query, in bytes
    // The HTTP library itself answers longer ones than 65,534 bytes, without a body.
    #[arg(
        long, env = "CUBLINO_URI_LIMIT", value_name = "BYTES", default_value_t = 8_192,
        value_parser = within::<usize>(1_024..=65_000)
    )]
    pub uri_limit: usize,

    /// Largest body of a request, in bytes, decompressed
    #[arg(
        long, env = "CUBLINO_BODY_LIMIT", value_name = "BYTES", default_value_t = 262_144,
        value_parser = within::<usize>(1_024..=16_777_216)
    )]
    pub body_limit: usize,

    /// Most moves in one list
    #[arg(
        long, env = "CUBLINO_MAX_MOVES", value_name = "N", default_value_t = 1_000,
        value_parser = within::<usize>(1..=1_000)
    )]
    pub max_moves: usize,

    /// Most positions in one request
    #[arg(
        long, env = "CUBLINO_MAX_POSITIONS", value_name = "N", default_value_t = 1_000,
        value_parser = within::<usize>(1..=1_000)
    )]
    pub max_positions: usize,

    /// Keys that open what is under /v1, separated by commas; without any, everybody may call
    #[arg(
        long,
        env = "CUBLINO_API_KEYS",
        value_name = "KEYS",
        value_delimiter = ',',
        hide_env_values = true,
        value_parser = KeyParser::default()
    )]
    pub api_keys: Vec<ApiKey>,

    /// A file with more such keys, one on a line; lines that begin with # are passed over
    #[arg(long, env = "CUBLINO_API_KEYS_FILE", value_name = "PATH")]
    pub api_keys_file: Option<PathBuf>,

    /// Requests under /v1 that each caller has a minute, by key or else by address; 0 sets no limit
    #[arg(
        long, env = "CUBLINO_RATE_LIMIT", value_name = "N", default_value_t = 0,
        value_parser = within::<u32>(0..=6_000_000)
    )]
    pub rate_limit: u32,

    /// Requests that a caller may send at once, before the limit a minute holds
    #[arg(
        long, env = "CUBLINO_RATE_BURST", value_name = "N", default_value_t = 60,
        value_parser = within::<u32>(1..=1_000_000)
    )]
    pub rate_burst: u32,

    /// Milliseconds of searching that each caller has a minute, by key or else by address; 0 sets no limit
    #[arg(
        long, env = "CUBLINO_THINK_MS_PER_MINUTE", value_name = "MS", default_value_t = 0,
        value_parser = within::<u32>(0..=6_000_000)
    )]
    pub think_ms_per_minute: u32,

    /// Networks of the proxies whose word is taken for the address of a caller, such as 10.0.0.0/8, separated
    /// by commas
    #[arg(long, env = "CUBLINO_TRUSTED_PROXIES", value_name = "NETWORKS", value_delimiter = ',')]
    pub trusted_proxies: Vec<IpNet>,

    /// The header in which these proxies say it
    #[arg(
        long, env = "CUBLINO_PROXY_HEADER", value_name = "HEADER",
        value_enum, default_value_t = ProxyHeader::XForwardedFor
    )]
    pub proxy_header: ProxyHeader,

    /// Origins whose pages may call the service, separated by commas; * for all
    #[arg(long, env = "CUBLINO_CORS_ORIGINS", value_name = "ORIGINS", value_delimiter = ',')]
    pub cors_origins: Vec<Origin>,

    /// Whether /metrics tells what the service counts
    #[arg(long, env = "CUBLINO_METRICS", value_name = "SWITCH", value_enum, default_value_t = Switch::On)]
    pub metrics: Switch,

    /// Whether there is a page under /play/ to play and to analyse on
    #[arg(long, env = "CUBLINO_PLAY", value_name = "SWITCH", value_enum, default_value_t = Switch::On)]
    pub play: Switch,
}

/// Whether something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// It is done
    On,
    /// It is not
    Off,
}

/// In which header a proxy says who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProxyHeader {
    /// A list of addresses
    XForwardedFor,
    /// The header of RFC 7239
    Forwarded,
}

/// Where the service listens by default: only callers on the same machine reach it.
pub const LISTEN: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 8080));

/// The settings when nothing is set, whatever the environment says.
impl Default for Config {
    fn default() -> Self {
        let command = Self::augment_args(clap::Command::new("cublino")).mut_args(|arg| arg.env(None::<&str>));
        let matches = command.get_matches_from(["cublino"]);
        clap::FromArgMatches::from_arg_matches(&matches).expect("all settings have defaults")
    }
}

/// The number of processors that this process may use.
fn processors() -> usize {
    available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Reads a number that is in a range. The type has to be said: clap takes the parser's word for it.
fn within<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: Clone + Display + FromStr + PartialOrd,
{
    let message = format!("a whole number from {} to {} is needed", range.start(), range.end());
    move |text| text.parse().ok().filter(|n| range.contains(n)).ok_or_else(|| message.clone())
}

/// A secret that a caller shows. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// How long a key is: long enough not to be guessed, short enough for a header.
    const CHARS: RangeInclusive<usize> = 16..=256;

    /// The key itself.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }
}

/// A text is not a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a key has {} to {} letters, digits or other visible ASCII characters, and no comma",
    ApiKey::CHARS.start(),
    ApiKey::CHARS.end()
)]
pub struct NotAnApiKey;

impl FromStr for ApiKey {
    type Err = NotAnApiKey;

    fn from_str(text: &str) -> Result<Self, NotAnApiKey> {
        let fits = |byte: u8| byte.is_ascii_graphic() && byte != b',';
        let sensible = Self::CHARS.contains(&text.len()) && text.bytes().all(fits);
        if sensible { Ok(Self(text.to_owned())) } else { Err(NotAnApiKey) }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// Reads keys from the settings. The parsers of clap print what they cannot read; this one counts, and says
/// which it is.
#[derive(Clone, Debug, Default)]
struct KeyParser {
    /// How many there have been before, which clap does not tell.
    before: Arc<AtomicUsize>,
}

impl TypedValueParser for KeyParser {
    type Value = ApiKey;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<ApiKey, clap::Error> {
        let number = self.before.fetch_add(1, Ordering::Relaxed) + 1;
        value.to_str().ok_or(NotAnApiKey).and_then(str::parse).map_err(|error| {
            let message = format!("key {number} of --api-keys (CUBLINO_API_KEYS) is not one: {error}\n");
            clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })
    }
}

/// Where the page comes from that calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Anywhere.
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
        let host =
            text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).ok_or(NotAnOrigin)?;
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.:[]".contains(&byte);
        let sensible = !host.is_empty() && host.bytes().all(fits);
        if sensible { Ok(Self::Exactly(text.to_owned())) } else { Err(NotAnOrigin) }
    }
}
