//! What all questions with a search have in common: their limits, and the report on the search.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Failure, Ranged, limits::SearchAllowance};
use cublino_engine::{Options, SearchLimits, StoppedBy};

/// Time, in milliseconds.
pub type TimeMs = Ranged<1, 600_000>;
/// Plies to look ahead.
pub type Depth = Ranged<1, 100>;
/// Positions to visit.
pub type Nodes = Ranged<1, 1_000_000_000>;

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
    /// A limit is above that of the service.
    pub(super) fn options(
        &self,
        time: Option<TimeMs>,
        depth: Option<u32>,
        nodes: Option<Nodes>,
        is_limited: bool,
    ) -> Result<Options, Failure> {
        let (time, nodes) = (time.map(TimeMs::get), nodes.map(Nodes::get));
        check("time_ms", time, self.time_ms)?;
        check("depth", depth.map(u64::from), self.depth.into())?;
        check("nodes", nodes, self.nodes)?;

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

/// Checks that a limit is not above that of the service.
fn check(name: &str, asked: Option<u64>, max: u64) -> Result<(), Failure> {
    let Some(asked) = asked.filter(|&asked| asked > max) else { return Ok(()) };
    let detail =
        format!("the parameter '{name}' is wrong: {asked} is more than {max}, the limit of this service");
    Err(Failure::invalid_parameter(name, detail))
}
