//! Looking past the horizon where dice fight: a judgement in the midst of a fight is of no use.

use super::{
    Evaluate, Score,
    tree::{Interrupted, Tree},
};

impl<G: Evaluate> Tree<'_, G> {
    /// The score of a position at the horizon, for the side to move: the judgement, or that of the best restless move.
    ///
    /// Nobody has to fight, so the judgement is the least that the side gets, and what is certain here is a win at once. No
    /// shorter one is overlooked, since all of those are restless.
    pub(super) fn quiesce(
        &mut self,
        position: &G,
        (mut alpha, beta): (Score, Score),
        ply: usize,
    ) -> Result<Score, Interrupted> {
        self.judged = true;
        let mut best = position.evaluate();
        if best >= beta {
            return Ok(best);
        }
        let wants_line = self.wants_line(alpha, beta);
        self.lines[ply + 1].clear();
        alpha = alpha.max(best);
        for (m, next) in position.restless() {
            self.visit()?;
            let known = self.at_once(&next, next.stage(), ply + 1);
            let score = known.unwrap_or_else(|| next.evaluate());
            let score = if next.turn() == position.turn() { score } else { -score };
            best = best.max(score);
            if score <= alpha {
                continue;
            }
            alpha = score;
            if wants_line {
                self.extend_line(m, ply);
            }
            if score >= beta {
                break;
            }
        }
        Ok(best)
    }
}
