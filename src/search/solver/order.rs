//! In which order moves are searched.

use std::cmp::Reverse;

use super::proofs::Fingerprint;
use crate::search::{
    Evaluate,
    order::{Refutations, bring_best},
};

/// A move that has to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch<G: Evaluate> {
    pub(super) m: G::Move,
    /// Its place in the list of legal moves.
    pub(super) index: u16,
    /// Higher is sooner.
    pub(super) rank: i32,
    /// The position after it.
    pub(super) next: G,
    pub(super) print: Fingerprint,
}

/// Puts the legal moves on top of the branches, ranked by what has settled positions with so many plies left. What follows
/// them is not yet worked out.
pub(super) fn list<G: Evaluate>(
    refutations: &Refutations<G::Move>,
    position: &G,
    moves: &[G::Move],
    table_move: Option<u16>,
    plies: u32,
    branches: &mut Vec<Branch<G>>,
) {
    let ranks = refutations.ranks(position, moves, table_move, plies as usize);
    branches.extend(ranks.map(|(m, index, rank)| {
        let (next, print) = (*position, Fingerprint::default());
        Branch { m, index, rank, next, print }
    }));
}

/// Brings the best of the branches that are left to the front; of equals the one that was listed first.
pub(super) fn pick<G: Evaluate>(left: &mut [Branch<G>]) -> Branch<G> {
    bring_best(left, |branch| (branch.rank, Reverse(branch.index)));
    left[0]
}
