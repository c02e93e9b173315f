//! What a search counts for: a sum that callers can add up.

use std::time::Duration;

use crate::search::{Options, Playable, limits_of};

/// Nodes that count as a millisecond of searching. A search takes half as long on a core of its own; at this
/// speed the usual limits on nodes and on time mean the same.
pub const NODES_PER_MS: u64 = 2_000;
/// Nodes for a depth of 0. Each ply multiplies them by [`Playable::GROWTH`].
pub const NODES_AT_DEPTH_0: u32 = 50;
/// How many times as many nodes count for a depth where several lines are told apart: what all of them took
/// in positions of games.
pub const SEVERAL_LINES: u64 = 6;

/// A search that counts for more is long: such searches leave a thread to the others.
const LONG: Duration = Duration::from_secs(1);

/// What is asked of a search. It depends on the question and the settings alone, not on how fast other
/// searches were.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// What it counts for: its time, or less if its nodes are visited sooner.
    pub work: Duration,
    /// It thinks for a time, so any answer will do; otherwise it is answered in full or not at all.
    pub(super) is_timed: bool,
}

impl Demand {
    /// So many searches, one after the other, each to the depth that is asked for. They share the time and
    /// the nodes. Without a limit on time they take no longer than `longest`.
    #[must_use]
    pub fn of<G: Playable>(options: &Options, searches: usize, longest: Duration) -> Self {
        const NANOS_PER_NODE: u64 = 1_000_000 / NODES_PER_MS;
        let limits = limits_of::<G>(options);
        let times = searches as u64 * if options.lines > 1 { SEVERAL_LINES } else { 1 };
        let by_depth = limits.depth.map_or(u64::MAX, nodes_to_depth::<G>).saturating_mul(times);
        let nodes = limits.nodes.unwrap_or(u64::MAX).min(by_depth);
        let by_nodes = Duration::from_nanos(nodes.saturating_mul(NANOS_PER_NODE));
        Self { work: by_nodes.min(limits.time.unwrap_or(longest)), is_timed: limits.time.is_some() }
    }

    pub(super) fn is_long(&self) -> bool {
        self.work > LONG
    }
}

/// How many nodes a search to a depth counts for.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is positive; too large is the most"
)]
fn nodes_to_depth<G: Playable>(depth: u32) -> u64 {
    (f64::from(NODES_AT_DEPTH_0) * G::GROWTH.powi(depth.cast_signed())).ceil() as u64
}
