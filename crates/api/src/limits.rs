//! What the service allows, by its settings.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use cublino_rules::games::GameId;

/// Maximum best moves in an answer: more than any position has.
pub const MAX_LINES: u64 = 10_000;
/// Maximum moves in one list: longer than nearly all games.
pub const MAX_MOVES: usize = 1_000;
/// No position has more legal moves: a double in Mahbusa shares four steps among fifteen checkers.
pub const MOST_LEGAL_MOVES: usize = 3_060;
/// Maximum positions in one request: usually the limits on work and on the body are reached earlier.
pub const MAX_POSITIONS: usize = 1_000;

/// The limits of this service. They stay the same while it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServiceLimits {
    /// Limits of each search.
    #[serde(flatten)]
    pub search: SearchAllowance,
    /// Limits of each request.
    #[serde(flatten)]
    pub request: RequestAllowance,
    /// Limits of searches for requests with a single question.
    pub searches: SearchesAllowance,
    /// Limits of searches for requests about many positions or whole games.
    pub batches: BatchAllowance,
    /// Limits of heavy requests.
    pub permits: PermitAllowance,
    /// Limits of each caller, identified by API key, or else by address.
    pub caller: CallerAllowance,
}

/// Limits of each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RequestAllowance {
    /// Maximum length of path and query, in bytes. More is `uri-too-long`.
    #[schema(minimum = 1024, example = 8192)]
    pub uri_bytes: usize,
    /// Maximum size of a body, in bytes, decompressed. More is `payload-too-large`.
    #[schema(minimum = 1024, example = 262_144)]
    pub body_bytes: usize,
    /// Maximum time for a body to arrive, in milliseconds. Then the answer is `request-timeout`.
    #[schema(minimum = 10, example = 10_000)]
    pub body_ms: u64,
    /// Maximum moves in a list.
    #[schema(minimum = 1, maximum = 1000, example = 1000)]
    pub moves: usize,
    /// Maximum positions in a request, and in an answer of `random-positions`.
    #[schema(minimum = 1, maximum = 1000, example = 1000)]
    pub positions: usize,
}

/// Limits of each search. More is `invalid-parameter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchAllowance {
    /// Maximum time of a search, in milliseconds.
    #[schema(minimum = 1, maximum = 600_000, example = 10_000)]
    pub time_ms: u64,
    /// Maximum depth of a search, in plies.
    #[schema(minimum = 1, maximum = 100, example = 64)]
    pub depth: u32,
    /// Maximum nodes of a search.
    #[schema(minimum = 1, maximum = 1_000_000_000, example = 20_000_000)]
    pub nodes: u64,
    /// Maximum best moves in an answer.
    #[schema(minimum = 1, maximum = 10_000, example = 10_000)]
    pub lines: u64,
    /// Maximum time of a search without `time_ms`, in milliseconds. Then the answer is `busy`.
    #[schema(minimum = 1, example = 30_000)]
    pub full_answer_ms: u64,
}

/// Limits of heavy requests, which may take much memory. They need a permit; all others are light.
///
/// There are two pools with the same number of permits. One is for bodies of more than `body_bytes`,
/// compressed or of unknown length, and for long answers: more than `lines` lines, more than `plies` plies of
/// `apply`, a position after more than `moves` moves, or more than 64 KiB with `spellings=all`. The other is
/// for streams and batches: requests about several positions, whole games and random positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PermitAllowance {
    /// Permits in each pool. A request that gets none within a second is `busy`.
    #[schema(minimum = 1, example = 32)]
    pub at_a_time: usize,
    /// Maximum permits of one caller in each pool. More is `too-many-requests`.
    #[schema(minimum = 1, example = 8)]
    pub per_caller: usize,
    /// Maximum body of a light request, in bytes.
    #[schema(minimum = 1, example = 16_384)]
    pub body_bytes: usize,
    /// Maximum lines of a light request.
    #[schema(minimum = 1, example = 100)]
    pub lines: usize,
    /// Maximum plies that `apply` returns to a light request.
    #[schema(minimum = 1, example = 64)]
    pub plies: usize,
    /// Maximum moves before the position of a light request.
    #[schema(minimum = 1, example = 250)]
    pub moves: usize,
}

/// Limits of searches for requests with a single question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchesAllowance {
    /// Search threads. A search of more than a second never takes the last one, unless it is the only one.
    /// Batches have their own.
    #[schema(minimum = 1, example = 2)]
    pub at_a_time: usize,
    /// Maximum queued searches. More is `busy`.
    #[schema(example = 1024)]
    pub waiting: usize,
    /// Maximum running and queued searches of one caller. More is `too-many-requests`.
    #[schema(minimum = 1, example = 128)]
    pub per_caller: usize,
    /// Maximum wait for a thread, in milliseconds. Then the answer is `busy`.
    #[schema(example = 1000)]
    pub wait_ms: u64,
}

/// Limits of batches. A batch is the searches for one request about many positions or a whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BatchAllowance {
    /// Threads for batches. They run when the processors are idle.
    #[schema(minimum = 1, example = 2)]
    pub searches_at_a_time: usize,
    /// Maximum work of one request, in milliseconds. More is `too-much-work`. `work` says how to add it up.
    #[schema(minimum = 1, example = 600_000)]
    pub work_ms: u64,
    /// How to compute the work of a search.
    pub work: WorkPrices,
}

/// How to compute the work of a search, in milliseconds: the least of its time, its nodes and its depth.
///
/// Its time is `time_ms`; 500 if the request has neither a limit nor a level; otherwise `full_answer_ms`. Its
/// nodes count for nodes / `nodes_per_ms`. Its depth counts for (`nodes_at_depth_0` × growth ^ depth) nodes,
/// rounded up; for several lines, or an analysed move, `several_lines` times as many. Without a limit on
/// nodes or depth, that of the service counts. A level has its own limits, and the lower one counts.
///
/// Every position of a request counts as one search, and so does every ply of an analysed game. Before a
/// roll, `evaluation` and `analysis` search once for each roll, so multiply the nodes of the depth by 21, the
/// number of rolls. `random-positions` counts `count` × `plies.to` searches, limited by depth only: that of
/// level 4 for good play, 0 for random play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WorkPrices {
    /// Nodes that count as a millisecond.
    #[schema(minimum = 1, example = 2000)]
    pub nodes_per_ms: u64,
    /// Nodes that a search to depth 0 counts as.
    #[schema(minimum = 1, example = 50)]
    pub nodes_at_depth_0: u32,
    /// Factor for a search of several lines.
    #[schema(minimum = 1, example = 6)]
    pub several_lines: u64,
    /// Factor for each ply of depth, by game.
    pub growth: Vec<DepthGrowth>,
}

/// The factor by which each ply of depth multiplies the nodes in a game, and how verdicts are verified.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DepthGrowth {
    /// The game.
    pub game: GameId,
    /// The factor.
    #[schema(minimum = 1, example = 2.5)]
    pub growth: f64,
    /// Factor for the nodes that `analysis` spends to verify a mistake, a blunder or a proof. With `time_ms`
    /// it takes four times the time, with `depth` two plies more. That does not count as work.
    #[schema(minimum = 1, example = 8)]
    pub verifying: u64,
}

/// Limits of each caller, identified by API key, or else by address. More is `too-many-requests`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CallerAllowance {
    /// How many requests an expensive request counts as.
    pub prices: RequestPrices,
    /// Requests per minute; null if there is no limit.
    #[schema(required, minimum = 1, example = 600)]
    pub requests_per_minute: Option<u32>,
    /// Requests that may come at once, before the limit per minute applies; null if there is no limit.
    #[schema(required, minimum = 1, example = 60)]
    pub requests_at_once: Option<u32>,
    /// Search time per minute, in milliseconds; null if there is no limit.
    #[schema(required, minimum = 1, example = 30_000)]
    pub search_ms_per_minute: Option<u32>,
}

/// How many requests a single request counts as.
///
/// It counts 1 for each position: the entries of `positions`, the moves and rolls in `analysis`, the `count`
/// of `random-positions`; at least 1. It counts 1 more for every `moves` moves played. A caller with one
/// request left may send a more expensive one, and then waits until `requests_per_minute` has paid for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RequestPrices {
    /// Requests that a position counts as with `spellings=all`.
    #[schema(minimum = 1, example = 20)]
    pub all_spellings: u32,
    /// Played moves and rolls that count as one request. Fewer are free. `random-positions` plays `count` ×
    /// `plies.to` moves.
    #[schema(minimum = 1, example = 100)]
    pub moves: u32,
}

/// Maximum body of a light request, in bytes. Its length is known, and it is not compressed.
pub const LIGHT_BODY: usize = 16 * 1024;
/// The longest answer to a light request, in bytes. A longer one is sent while it is computed, or is heavy.
pub const LIGHT_ANSWER: usize = 64 * 1024;
/// Maximum lines of a light request. Each takes some hundred bytes, so all of them fit into 64 KiB.
pub const LIGHT_LINES: usize = 100;
/// Maximum plies in the answer to a light request. Nearly all such answers fit into 64 KiB.
pub const LIGHT_PLIES: usize = 64;
/// Maximum moves before the position of a light request: longer than most games. A search keeps some hundred
/// bytes of each.
pub const LIGHT_MOVES: usize = 250;

/// The prices. A cheap question takes about as long as a hundred moves take to play; there are up to twenty
/// times as many spellings as moves.
pub const PRICES: RequestPrices = RequestPrices { all_spellings: 20, moves: 100 };

impl RequestPrices {
    /// How many requests a request counts as, from its number of positions and of moves to play.
    ///
    /// ```
    /// use cublino_api::limits::PRICES;
    ///
    /// assert_eq!(PRICES.of(1, 99), 1);
    /// assert_eq!(PRICES.of(7, 1_000), 17);
    /// ```
    pub fn of(self, positions: usize, moves: usize) -> u32 {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        number(positions.max(1)).saturating_add(number(moves) / self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_costs_what_its_positions_and_moves_do() {
        for (positions, moves, price) in
            [(0, 0, 1), (1, 99, 1), (1, 100, 2), (1_000, 0, 1_000), (7, 1_000, 17)]
        {
            assert_eq!(PRICES.of(positions, moves), price, "{positions} {moves}");
        }
        assert_eq!(PRICES.of(usize::MAX, usize::MAX), u32::MAX);
    }
}
