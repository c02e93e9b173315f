//! In which order moves are searched.

use std::hash::Hash;

use super::{Solve, proofs::Fingerprint};
use crate::{game::Player, search::table::key};

/// A move that has to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch<G: Solve> {
    pub(super) m: G::Move,
    /// Its place in the list of legal moves.
    pub(super) index: u16,
    /// Higher is sooner.
    pub(super) rank: i32,
    /// The position after it.
    pub(super) next: G,
    pub(super) print: Fingerprint,
}

/// What has settled positions so far.
#[derive(Debug)]
pub(super) struct Order<M> {
    /// The two latest by plies left.
    killers: Vec<[Option<M>; 2]>,
    /// How often and how deep, by player and slot of the move.
    history: Vec<[i32; SLOTS]>,
}

/// Slots of the history for the moves of a player; moves that share one only disturb the order.
const SLOTS: usize = 4096;
/// The move that the table names comes first, whatever else is known.
const TABLE_RANK: i32 = 1 << 24;
/// Killers come before what only its history speaks for.
const KILLER_RANKS: [i32; 2] = [(1 << 20) + 1, 1 << 20];
/// History stays below this, so that it can be outweighed by what a game finds promising.
const HISTORY_LIMIT: i32 = 1 << 12;

impl<M: Copy + Eq + Hash> Order<M> {
    pub(super) fn new() -> Self {
        Self { killers: Vec::new(), history: vec![[0; SLOTS]; 2] }
    }

    /// Remembers that a move settled a position with so many plies left.
    pub(super) fn add(&mut self, player: Player, m: M, plies: u32) {
        let left = plies as usize;
        if self.killers.len() <= left {
            self.killers.resize(left + 1, [None; 2]);
        }
        let killers = &mut self.killers[left];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let bonus = ((plies * plies) as i32).min(HISTORY_LIMIT);
        let history = &mut self.history[player.index()][slot(m)];
        *history += bonus - *history * bonus / HISTORY_LIMIT;
    }

    /// Puts the legal moves on top of the branches, ranked. What follows them is not yet worked out.
    pub(super) fn list<G: Solve<Move = M>>(
        &self,
        position: &G,
        moves: &[M],
        table_move: Option<u16>,
        plies: u32,
        branches: &mut Vec<Branch<G>>,
    ) {
        let killers = self.killers.get(plies as usize).copied().unwrap_or_default();
        let history = &self.history[position.turn().index()];
        branches.extend(moves.iter().zip(0..).map(|(&m, index)| {
            let rank = if table_move == Some(index) {
                TABLE_RANK
            } else if let Some(killer) = killers.iter().position(|&killer| killer == Some(m)) {
                KILLER_RANKS[killer]
            } else {
                history[slot(m)] + position.promise(m)
            };
            Branch { m, index, rank, next: *position, print: Fingerprint::default() }
        }));
    }
}

/// Brings the best of the branches that are left to the front; of equals the one that was listed first.
pub(super) fn pick<G: Solve>(left: &mut [Branch<G>]) -> Branch<G> {
    let mut best = 0;
    for i in 1..left.len() {
        if (left[i].rank, left[best].index) > (left[best].rank, left[i].index) {
            best = i;
        }
    }
    left.swap(0, best);
    left[0]
}

fn slot(m: impl Hash) -> usize {
    key(&m) as usize % SLOTS
}
