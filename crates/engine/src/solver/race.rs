//! Races, worked out before a search begins.

use crate::{
    control::Control,
    game_history::GameHistory,
    limits::{LimitChecker, SearchLimits},
    playable::SolverBounds,
    solved_race::SolvedRace,
};

/// What part of the time and of the positions of a search is spent on it at most.
const SHARE: u32 = 4;
/// Positions that are visited at most: a tenth of a second, and some ten megabytes.
const MOST_NODES: u64 = 100_000;

/// Works out a race with a part of what the limits of a search allow; how many positions were visited, too.
///
/// Nothing if there is no choice, if the depth is limited (so far the search looks itself), or if a position
/// that has occurred may occur again, since that counts as well.
pub(crate) fn solve_race<G: SolverBounds>(
    position: &G,
    game_history: &GameHistory,
    limits: &SearchLimits,
    control: &Control,
) -> (u64, Option<SolvedRace<G::Move>>) {
    if limits.depth.is_some() || !game_history.is_empty() || position.count_moves() == 1 {
        return (0, None);
    }
    let share = SearchLimits {
        time: limits.time.map(|time| time / SHARE),
        nodes: limits.nodes.map(|nodes| nodes / u64::from(SHARE)),
        depth: None,
    };
    let mut limits = LimitChecker::new(&share.with_nodes_at_most(MOST_NODES), control);
    // What is not known in time is not known.
    let race = position.solve_race(&mut limits).unwrap_or_default();
    (limits.nodes(), race)
}
