//! What the service allows, by its settings.

use serde::{Deserialize, Serialize};

/// What the service allows. Whoever runs it sets these limits, and they stay the same while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ServiceLimits {
    /// What may be asked of each search.
    #[serde(flatten)]
    pub search: SearchAllowance,
    /// What a request may contain.
    #[serde(flatten)]
    pub request: RequestAllowance,
    /// How many searches are made for requests with a single question, and how long they wait.
    pub searches: SearchesAllowance,
    /// How much is searched for requests about many positions or whole games.
    pub batches: BatchAllowance,
    /// How often each caller may call, by key or else by address.
    pub caller: CallerAllowance,
}

/// What a request may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RequestAllowance {
    /// The longest path and query, in bytes; more is `uri-too-long`.
    #[cfg_attr(feature = "openapi", schema(minimum = 1024, example = 8192))]
    pub uri_bytes: usize,
    /// The largest body, in bytes, decompressed; more is `payload-too-large`.
    #[cfg_attr(feature = "openapi", schema(minimum = 1024, example = 262_144))]
    pub body_bytes: usize,
    /// How long the body may take to arrive, in milliseconds; longer is `request-timeout`.
    #[cfg_attr(feature = "openapi", schema(minimum = 10, example = 10_000))]
    pub body_ms: u64,
    /// The most moves in a list of moves.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1000, example = 1000))]
    pub moves: usize,
    /// The most positions that one request asks about, or has drawn.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1000, example = 1000))]
    pub positions: usize,
}

/// What may be asked of each search; more is `invalid-parameter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SearchAllowance {
    /// The longest time to think, in milliseconds.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 600_000, example = 10_000))]
    pub time_ms: u64,
    /// The deepest look ahead, in plies.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 100, example = 64))]
    pub depth: u32,
    /// The most positions to visit.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1_000_000_000, example = 20_000_000))]
    pub nodes: u64,
    /// The most best moves to tell apart.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 10_000, example = 1000))]
    pub lines: u64,
    /// The longest that a search without `time_ms` may take where it has another limit, in milliseconds: it
    /// is answered in full, or with `busy`.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, example = 30_000))]
    pub full_answer_ms: u64,
}

/// How many searches are made for requests with a single question, and how long they wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SearchesAllowance {
    /// The most searches that think at a time: the number of search threads. Those of batches count as well.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, example = 2))]
    pub at_a_time: usize,
    /// The most searches that wait for a thread; one more is `busy`.
    #[cfg_attr(feature = "openapi", schema(example = 1024))]
    pub waiting: usize,
    /// The most searches of one caller that think or wait; one more is `too-many-requests`.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, example = 128))]
    pub per_caller: usize,
    /// The longest that a search waits for a thread, in milliseconds; what has to wait longer is `busy`.
    #[cfg_attr(feature = "openapi", schema(example = 1000))]
    pub wait_ms: u64,
}

/// How much is searched for requests about many positions or whole games: a batch is what is searched for one
/// of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BatchAllowance {
    /// The most searches of batches that think at a time, while no other search needs the processors: the
    /// number of threads for them.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, example = 2))]
    pub searches_at_a_time: usize,
    /// The most batches at a time; one more is `busy`.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, example = 64))]
    pub at_a_time: usize,
    /// The most batches of one caller at a time; one more is `too-many-requests`.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, example = 4))]
    pub per_caller: usize,
    /// The longest that the searches of one batch may take together, in milliseconds, by an estimate before
    /// anything is searched; more is `too-much-work`.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, example = 600_000))]
    pub work_ms: u64,
}

/// How often each caller may call, by key or else by address; more is `too-many-requests`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallerAllowance {
    /// Requests a minute; null if they are not limited.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 1, example = 600))]
    pub requests_per_minute: Option<u32>,
    /// Requests that may come at once, before the limit a minute holds; null if they are not limited.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 1, example = 60))]
    pub requests_at_once: Option<u32>,
    /// Searching a minute, in milliseconds; null if it is not limited.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 1, example = 30_000))]
    pub search_ms_per_minute: Option<u32>,
}
