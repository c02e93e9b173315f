//! In which order moves are tried: the sooner the best comes, the less is searched.

/// A legal move with its ordering score.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove<M> {
    pub(super) m: M,
    /// Its place in the list of legal moves.
    pub(super) index: u16,
    /// Higher is sooner.
    pub(super) score: i32,
}

impl<M> ScoredMove<M> {
    /// What comes last in this order is tried first: of equal scores the move that was listed first.
    #[inline]
    pub(super) const fn order(&self) -> i64 {
        (self.score as i64) << u16::BITS | (u16::MAX - self.index) as i64
    }
}

/// So many moves are picked one by one; if none of them is good enough, the others are sorted all at once.
/// Doubles of Mahbusa have more than a thousand.
const PICKED: usize = 16;

/// Brings the best of the moves that are left to the front, after so many that have been picked.
#[inline]
pub(super) fn pick<M: Copy>(left: &mut [ScoredMove<M>], picked: usize) -> ScoredMove<M> {
    if picked < PICKED {
        bring_best(left, ScoredMove::order);
    } else if picked == PICKED {
        left.sort_unstable_by_key(|scored| -scored.order());
    }
    left[0]
}

/// Brings what comes last in an order to the front; of equals the first.
#[inline]
pub(super) fn bring_best<T, K: Ord>(left: &mut [T], order: impl Fn(&T) -> K) {
    let (mut best, mut highest) = (0, order(&left[0]));
    for (i, scored) in left.iter().enumerate().skip(1) {
        let this = order(scored);
        if this > highest {
            (best, highest) = (i, this);
        }
    }
    left.swap(0, best);
}
