//! The settings of the service: flags, and a `CUBLINO_*` variable for each.
//!
//! Ranges are checked when settings are read: a service that starts has settings that make sense.

use std::{
    fmt::Display,
    net::{Ipv4Addr, SocketAddr, SocketAddrV4},
    num::NonZeroUsize,
    ops::RangeInclusive,
    str::FromStr,
    thread::available_parallelism,
};

use clap::Args;

/// The settings of the service.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Address and port to listen on; port 0 takes any that is free
    #[arg(long, env = "CUBLINO_LISTEN", value_name = "ADDRESS", default_value_t = LISTEN)]
    pub listen: SocketAddr,

    /// Threads that answer requests [default: one for each processor]
    #[arg(long, env = "CUBLINO_WORKERS", value_name = "N", default_value_t = processors(), hide_default_value = true, value_parser = within::<usize>(1..=256))]
    pub workers: usize,

    /// Most connections that one worker keeps open
    #[arg(long, env = "CUBLINO_MAX_CONNECTIONS", value_name = "N", default_value_t = 25_000, value_parser = within::<usize>(1..=1_000_000))]
    pub max_connections: usize,

    /// Seconds that an idle connection is kept open; 0 closes it after each answer
    #[arg(long, env = "CUBLINO_KEEP_ALIVE_SECONDS", value_name = "SECONDS", default_value_t = 75, value_parser = within::<u64>(0..=3_600))]
    pub keep_alive_seconds: u64,

    /// Milliseconds that a caller has to send the head of a request, or to close a connection
    #[arg(long, env = "CUBLINO_CLIENT_TIMEOUT_MS", value_name = "MS", default_value_t = 5_000, value_parser = within::<u64>(100..=600_000))]
    pub client_timeout_ms: u64,

    /// Seconds that requests have to finish once the service stops
    #[arg(long, env = "CUBLINO_SHUTDOWN_SECONDS", value_name = "SECONDS", default_value_t = 15, value_parser = within::<u64>(0..=3_600))]
    pub shutdown_seconds: u64,

    /// Seconds that the service goes on answering after SIGTERM, while it says that it is not ready
    #[arg(long, env = "CUBLINO_DRAIN_SECONDS", value_name = "SECONDS", default_value_t = 5, value_parser = within::<u64>(0..=3_600))]
    pub drain_seconds: u64,

    /// Threads that search for moves [default: one for each processor]
    #[arg(long, env = "CUBLINO_SEARCH_THREADS", value_name = "N", default_value_t = processors(), hide_default_value = true, value_parser = within::<usize>(1..=256))]
    pub search_threads: usize,

    /// Most searches that wait for a thread; more are told to come back later
    #[arg(long, env = "CUBLINO_SEARCH_QUEUE", value_name = "N", default_value_t = 32, value_parser = within::<usize>(0..=10_000))]
    pub search_queue: usize,

    /// Memory of each search thread for what it has seen, in MiB
    #[arg(long, env = "CUBLINO_TABLE_MIB", value_name = "MIB", default_value_t = 16, value_parser = within::<usize>(1..=65_536))]
    pub table_mib: usize,

    /// Longest search, in milliseconds
    #[arg(long, env = "CUBLINO_MAX_TIME_MS", value_name = "MS", default_value_t = 10_000, value_parser = within::<u64>(1..=600_000))]
    pub max_time_ms: u64,

    /// Deepest search, in plies
    #[arg(long, env = "CUBLINO_MAX_DEPTH", value_name = "PLIES", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub max_depth: u32,

    /// Most positions that a search visits
    // At two million positions a second, a quarter of the longest search.
    #[arg(long, env = "CUBLINO_MAX_NODES", value_name = "N", default_value_t = 5_000_000, value_parser = within::<u64>(1..=1_000_000_000))]
    pub max_nodes: u64,

    /// Longest path and query, in bytes
    // The HTTP library itself answers longer ones than 65,534 bytes, without a body.
    #[arg(long, env = "CUBLINO_URI_LIMIT", value_name = "BYTES", default_value_t = 8_192, value_parser = within::<usize>(1_024..=65_000))]
    pub uri_limit: usize,

    /// Largest body of a request, in bytes, decompressed
    #[arg(long, env = "CUBLINO_BODY_LIMIT", value_name = "BYTES", default_value_t = 262_144, value_parser = within::<usize>(1_024..=16_777_216))]
    pub body_limit: usize,

    /// Most moves in one list
    #[arg(long, env = "CUBLINO_MAX_MOVES", value_name = "N", default_value_t = 1_000, value_parser = within::<usize>(1..=1_000))]
    pub max_moves: usize,
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
