//! In which order moves are tried: the sooner the best comes, the less is searched.

use std::cmp::Reverse;

use super::{Evaluate, table::key};
use crate::game::Player;

/// A legal move with how soon it is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) m: M,
    /// Its place in the list of legal moves.
    pub(super) index: u16,
    /// Higher is sooner.
    pub(super) rank: i32,
}

/// What has refuted positions so far in a search.
#[derive(Debug)]
pub(super) struct Refutations<M> {
    /// The two latest by ply.
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

impl<M: Copy + Eq + std::hash::Hash> Refutations<M> {
    pub(super) fn new() -> Self {
        Self { killers: Vec::new(), history: vec![[0; SLOTS]; 2] }
    }

    /// Remembers that a move refuted a position.
    pub(super) fn add(&mut self, player: Player, m: M, depth: u32, ply: usize) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            killers[1] = killers[0];
            killers[0] = Some(m);
        }
        self.shift_history(player, m, (depth * depth) as i32);
    }

    /// Remembers that a move was tried before the one that refuted the position.
    pub(super) fn add_failure(&mut self, player: Player, m: M, depth: u32) {
        self.shift_history(player, m, -((depth * depth) as i32));
    }

    /// Moves the history towards its limit, by less the nearer it is.
    fn shift_history(&mut self, player: Player, m: M, bonus: i32) {
        let bonus = bonus.clamp(-HISTORY_LIMIT, HISTORY_LIMIT);
        let history = &mut self.history[player.index()][slot(m)];
        *history += bonus - *history * bonus.abs() / HISTORY_LIMIT;
    }

    /// The legal moves with their places in the list and their ranks; the higher, the sooner.
    pub(super) fn ranks<G: Evaluate<Move = M>>(
        &self,
        position: &G,
        moves: &[M],
        table_move: Option<u16>,
        ply: usize,
    ) -> impl Iterator<Item = (M, u16, i32)> {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let history = &self.history[position.turn().index()];
        moves.iter().zip(0..).map(move |(&m, index)| {
            let rank = if table_move == Some(index) {
                TABLE_RANK
            } else if let Some(killer) = killers.iter().position(|&killer| killer == Some(m)) {
                KILLER_RANKS[killer]
            } else {
                history[slot(m)] + position.promise(m)
            };
            (m, index, rank)
        })
    }

    /// Puts the legal moves on top of the candidates, ranked.
    pub(super) fn rank<G: Evaluate<Move = M>>(
        &self,
        position: &G,
        moves: &[M],
        table_move: Option<u16>,
        ply: usize,
        candidates: &mut Vec<Candidate<M>>,
    ) {
        let ranks = self.ranks(position, moves, table_move, ply);
        candidates.extend(ranks.map(|(m, index, rank)| Candidate { m, index, rank }));
    }
}

/// So many candidates are picked one by one; if none of them is good enough, the others are sorted all at once. Doubles
/// of Mahbusa have more than a thousand.
const PICKED: usize = 16;

/// Brings the best of the candidates that are left to the front, after so many that have been picked; of equals the
/// one that was listed first.
#[inline]
pub(super) fn pick<M: Copy>(left: &mut [Candidate<M>], picked: usize) -> Candidate<M> {
    if picked < PICKED {
        bring_best(left, |candidate| (candidate.rank, Reverse(candidate.index)));
    } else if picked == PICKED {
        left.sort_unstable_by_key(|candidate| (Reverse(candidate.rank), candidate.index));
    }
    left[0]
}

/// Brings what comes last in an order to the front; of equals the first.
#[inline]
pub(super) fn bring_best<T, K: Ord>(left: &mut [T], order: impl Fn(&T) -> K) {
    let mut best = 0;
    for i in 1..left.len() {
        if order(&left[i]) > order(&left[best]) {
            best = i;
        }
    }
    left.swap(0, best);
}

fn slot(m: impl std::hash::Hash) -> usize {
    key(&m) as usize % SLOTS
}
