//! Looking on past the horizon where dice fight: a judgement in the midst of a fight is of no use.

use super::{
    Evaluate, Score,
    tree::{Interrupted, Tree},
};

/// The most plies past the horizon. What that is worth was measured: see MEASURED.md.
pub(super) const RESTLESS_PLIES: usize = 4;

impl<G: Evaluate> Tree<'_, G> {
    /// The score of a position at the horizon or past it, for the side to move, after so many restless plies.
    ///
    /// Nobody has to fight, so the judgement is the least that it gets. For the same reason a loss is never found here, and
    /// the only win is one at once: it is as certain, and as near, as a search to the next depth would say.
    pub(super) fn quiesce(
        &mut self,
        position: &G,
        (mut alpha, beta): (Score, Score),
        restless: usize,
        ply: usize,
    ) -> Result<Score, Interrupted> {
        self.judged = true;
        let mut best = position.evaluate();
        if best >= beta || restless == RESTLESS_PLIES {
            return Ok(best);
        }
        let wants_line = self.wants_line(alpha, beta);
        alpha = alpha.max(best);
        for (m, next) in position.restless() {
            let score = if next.turn() == position.turn() {
                self.restless_node(&next, (alpha, beta), restless + 1, ply + 1)?
            } else {
                -self.restless_node(&next, (-beta, -alpha), restless + 1, ply + 1)?
            };
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

    /// The score of a position past the horizon, for the side to move.
    fn restless_node(
        &mut self,
        position: &G,
        window: (Score, Score),
        restless: usize,
        ply: usize,
    ) -> Result<Score, Interrupted> {
        self.visit()?;
        self.lines[ply].clear();
        match self.at_once(position, position.stage(), ply) {
            Some(score) => Ok(score),
            None => self.quiesce(position, window, restless, ply),
        }
    }
}
