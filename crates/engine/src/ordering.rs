//! Move ordering: killer and history moves, which have caused cutoffs in a search, and the ordering scores.

use cublino_rules::game::Player;

use crate::{Playable, playable::HISTORY_SLOTS};

/// The killer and history moves of a search.
#[derive(Debug)]
pub(super) struct MoveHistory<G: Playable> {
    /// The two latest moves that caused a cutoff, by ply.
    killers: Vec<[Option<G::Move>; 2]>,
    /// The history scores (how often and how deep a move caused cutoffs), by player and slot of the move.
    history: Vec<[i32; HISTORY_SLOTS]>,
}

/// What killers have in addition to their other scores: less than a good capture.
const KILLERS: [i32; 2] = [2_500, 2_000];
/// The bound of history scores, low enough that the ordering score of the game can outweigh them.
const HISTORY_LIMIT: i32 = 1 << 12;

impl<G: Playable> MoveHistory<G> {
    pub(super) fn new() -> Self {
        Self { killers: Vec::new(), history: vec![[0; HISTORY_SLOTS]; 2] }
    }

    /// Adds a move that caused a cutoff.
    pub(super) fn add_cutoff(&mut self, player: Player, m: G::Move, depth: u32, ply: u32) {
        let ply = ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            killers[1] = killers[0];
            killers[0] = Some(m);
        }
        self.add_bonus(player, m, (depth * depth).cast_signed());
    }

    /// Adds a bonus to the history of a move: the less, the nearer the history is to its limit. A move that
    /// was tried before the one that caused a cutoff gets a malus: a bonus below 0.
    pub(super) fn add_bonus(&mut self, player: Player, m: G::Move, bonus: i32) {
        let bonus = bonus.clamp(-HISTORY_LIMIT, HISTORY_LIMIT);
        let history = &mut self.history[player.index()][G::history_slot(m)];
        *history += bonus - *history * bonus.abs() / HISTORY_LIMIT;
    }

    /// The ordering scores of moves.
    pub(super) fn scores(&self, position: &G, ply: u32) -> impl Fn(G::Move) -> i32 {
        let killers = self.killers.get(ply as usize).copied().unwrap_or_default();
        // The slots are computed anyway, and those of most moves differ from the killers'.
        let slots = killers.map(|killer| killer.map(G::history_slot));
        let history = &self.history[position.turn().index()];
        move |m| {
            let slot = G::history_slot(m);
            let is_killer = |i: usize| slots[i] == Some(slot) && killers[i] == Some(m);
            let killer = (0..2).find(|&i| is_killer(i)).map_or(0, |i| KILLERS[i]);
            killer + history[slot] + position.ordering_score(m)
        }
    }
}

/// A legal move with its ordering score.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove<M> {
    pub(super) m: M,
    /// Its place in the list of legal moves.
    pub(super) index: u16,
    /// Moves with a higher score are tried sooner.
    pub(super) score: i32,
}

impl<M> ScoredMove<M> {
    /// The sort key: the greatest is tried first; of equal scores the move that was listed first.
    pub(super) const fn order(&self) -> i64 {
        (self.score as i64) << u16::BITS | (u16::MAX - self.index) as i64
    }
}

/// This many moves are picked one by one; if none of them causes a cutoff, the others are sorted all at once.
/// Doubles of Mahbusa have more than a thousand.
const PICKED: usize = 16;

/// Brings the best of the remaining moves to the front, after `picked` moves.
pub(super) fn pick<M: Copy>(left: &mut [ScoredMove<M>], picked: usize) -> ScoredMove<M> {
    if picked < PICKED {
        bring_best(left, ScoredMove::order);
    } else if picked == PICKED {
        left.sort_unstable_by_key(|scored| -scored.order());
    }
    left[0]
}

/// Brings the element with the greatest key to the front; of equal ones the first.
pub(super) fn bring_best<T, K: Ord>(left: &mut [T], order: impl Fn(&T) -> K) {
    let mut best = 0;
    let mut highest = order(&left[0]);
    for (i, scored) in left.iter().enumerate().skip(1) {
        let this = order(scored);
        if this > highest {
            (best, highest) = (i, this);
        }
    }
    left.swap(0, best);
}
