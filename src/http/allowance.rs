//! What a service with some settings allows.

use crate::{
    config::Config,
    games::GameId,
    queue::{NODES_AT_DEPTH_0, NODES_PER_MS, SEVERAL_LINES},
    search::Playable,
    service::limits::{
        BatchAllowance, CallerAllowance, DepthGrowth, PRICES, RequestAllowance, SearchAllowance,
        SearchesAllowance, ServiceLimits, WorkPrices,
    },
    with_game,
};

/// How many times as long as one that thinks for a time a search may take that is answered in full or not at
/// all: the limit on positions ends it long before, unless the machine is overloaded.
pub const TIMES_IN_FULL: u32 = 3;

/// What a service with these settings allows.
impl From<&Config> for ServiceLimits {
    fn from(config: &Config) -> Self {
        Self {
            request: RequestAllowance {
                uri_bytes: config.uri_limit,
                body_bytes: config.body_limit,
                body_ms: config.body_timeout_ms,
                moves: config.max_moves,
                positions: config.max_positions,
            },
            search: SearchAllowance {
                time_ms: config.max_time_ms,
                depth: config.max_depth,
                nodes: config.max_nodes,
                lines: config.max_lines,
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
                at_a_time: config.max_batches,
                per_caller: config.max_batches_per_caller,
                work_ms: config.max_work_ms,
                work: work_prices(),
            },
            caller: allowance_of_callers(config),
        }
    }
}

fn work_prices() -> WorkPrices {
    let growth = |&game: &GameId| DepthGrowth { game, growth: with_game!(game, G => G::GROWTH) };
    WorkPrices {
        nodes_per_ms: NODES_PER_MS,
        nodes_at_depth_0: NODES_AT_DEPTH_0,
        several_lines: SEVERAL_LINES,
        growth: GameId::ALL.iter().map(growth).collect(),
    }
}

fn allowance_of_callers(config: &Config) -> CallerAllowance {
    let limited = |rate: u32| (rate > 0).then_some(rate);
    let requests_per_minute = limited(config.rate_limit);
    CallerAllowance {
        prices: PRICES,
        requests_per_minute,
        requests_at_once: requests_per_minute.map(|_| config.rate_burst),
        search_ms_per_minute: limited(config.think_ms_per_minute),
    }
}
