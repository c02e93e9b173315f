//! What all questions with a search have in common: their limits, and the report on the search.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{PartialSchema, ToSchema, openapi};

use super::{Effort, Failure, OutOfRange, Ranged, json::whole_number, limits::SearchAllowance};
use cublino_engine::{Options, Playable, SearchLimits, StoppedBy, limits_of};

/// A limit of a search, in a range that no service exceeds. Any number is read: the service checks it against
/// its own limit, and names that.
///
/// ```
/// use cublino_api::Depth;
///
/// assert!(Depth::try_from(100).is_ok() && Depth::try_from(101).is_err());
/// assert!(serde_json::from_str::<Depth>("101").is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SearchLimit<const MIN: u64, const MAX: u64>(u64);

/// Time, in milliseconds.
pub type TimeMs = SearchLimit<1, 600_000>;
/// Plies to look ahead.
pub type Depth = SearchLimit<1, 100>;
/// Positions to visit.
pub type Nodes = SearchLimit<1, 1_000_000_000>;

impl<const MIN: u64, const MAX: u64> SearchLimit<MIN, MAX> {
    /// The number, if it is no more than the service allows.
    fn checked(self, name: &str, max: u64) -> Result<u64, Failure> {
        if (MIN..=max).contains(&self.0) {
            return Ok(self.0);
        }
        let detail = format!(
            "the parameter '{name}' is wrong: {} is not a number from {MIN} to {max}, the limit of this \
             service",
            self.0
        );
        Err(Failure::invalid_parameter(name, detail))
    }
}

impl<const MIN: u64, const MAX: u64> TryFrom<u64> for SearchLimit<MIN, MAX> {
    type Error = OutOfRange;

    fn try_from(number: u64) -> Result<Self, OutOfRange> {
        Ranged::<MIN, MAX>::try_from(number).map(|number| Self(number.get()))
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for SearchLimit<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        whole_number(deserializer).map(Self)
    }
}

impl<const MIN: u64, const MAX: u64> PartialSchema for SearchLimit<MIN, MAX> {
    fn schema() -> openapi::RefOr<openapi::Schema> {
        Ranged::<MIN, MAX>::schema()
    }
}

impl<const MIN: u64, const MAX: u64> ToSchema for SearchLimit<MIN, MAX> {}

/// Nodes that count as a millisecond of searching. A search with a core of its own takes half as long; at
/// this speed, the usual limits on nodes and on time are equivalent.
pub const NODES_PER_MS: u64 = 2_000;
/// Nodes for a depth of 0. Each ply multiplies them by [`Tuning::growth`](cublino_engine::Tuning::growth).
pub const NODES_AT_DEPTH_0: u32 = 50;
/// Factor on the nodes of a depth for several lines (MultiPV): measured for all lines of game positions.
pub const SEVERAL_LINES: u64 = 6;

impl Effort {
    /// The work that the searches ask for: the time limit, or less if the nodes are visited sooner. They
    /// share the time and the nodes. Without a time limit they take no longer than `longest`.
    ///
    /// It depends only on the question and the settings, not on how fast other searches were.
    pub fn work<G: Playable>(&self, longest: Duration) -> Duration {
        const NANOS_PER_NODE: u64 = 1_000_000 / NODES_PER_MS;
        let limits = limits_of::<G>(&self.options);
        let times = self.searches as u64 * if self.options.lines > 1 { SEVERAL_LINES } else { 1 };
        let by_depth = limits.depth.map_or(u64::MAX, nodes_to_depth::<G>).saturating_mul(times);
        let nodes = limits.nodes.unwrap_or(u64::MAX).min(by_depth);
        let by_nodes = Duration::from_nanos(nodes.saturating_mul(NANOS_PER_NODE));
        by_nodes.min(limits.time.unwrap_or(longest))
    }
}

/// How many nodes a search to a depth counts for.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is positive, and the cast saturates"
)]
fn nodes_to_depth<G: Playable>(depth: u32) -> u64 {
    (f64::from(NODES_AT_DEPTH_0) * G::TUNING.growth.powi(depth.cast_signed())).ceil() as u64
}

/// A report on a search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SearchReport {
    /// The depth of the search, in plies; 0 for a static evaluation or a table lookup.
    #[schema(example = 11)]
    pub depth: u32,
    /// Whether all moves were searched to this depth. If not, the line is the best of those that were.
    #[schema(example = true)]
    pub complete: bool,
    /// How many nodes (positions) were visited.
    #[schema(example = 1_830_211)]
    pub nodes: u64,
    /// How long it took, in milliseconds; null in a reproducible answer.
    #[schema(required, example = 498)]
    pub time_ms: Option<u64>,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

/// The time of a search in milliseconds, for an answer; `None` in a reproducible answer.
pub(super) fn time_ms(time: Duration, is_reproducible: bool) -> Option<u64> {
    (!is_reproducible).then(|| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

/// The time of a search without a limit or a level.
const DEFAULT_TIME: Duration = Duration::from_millis(500);

impl SearchAllowance {
    /// The options of a search, within the bounds. Without a time limit, the answer depends on nothing but
    /// the question. A question with limits of its own, such as a level, gets no default time.
    ///
    /// # Errors
    /// A limit is not in the range of the service.
    pub(super) fn options<const LEAST: u64, const MOST: u64>(
        &self,
        time: Option<TimeMs>,
        depth: Option<SearchLimit<LEAST, MOST>>,
        nodes: Option<Nodes>,
        is_limited: bool,
    ) -> Result<Options, Failure> {
        let time = time.map(|time| time.checked("time_ms", self.time_ms)).transpose()?;
        let depth = depth.map(|depth| depth.checked("depth", self.depth.into())).transpose()?;
        let depth = depth.and_then(|depth| u32::try_from(depth).ok());
        let nodes = nodes.map(|nodes| nodes.checked("nodes", self.nodes)).transpose()?;

        let is_reproducible = time.is_none() && (depth.is_some() || nodes.is_some() || is_limited);
        let longest = Duration::from_millis(self.time_ms);
        let default_time = (!is_reproducible).then_some(DEFAULT_TIME.min(longest));
        Ok(Options::new(SearchLimits {
            time: time.map(Duration::from_millis).or(default_time),
            depth: Some(depth.unwrap_or(self.depth)),
            nodes: Some(nodes.unwrap_or(self.nodes)),
        }))
    }
}
