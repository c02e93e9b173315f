//! Looking past the horizon where dice fight: a static evaluation in the midst of a fight is of no use.

use super::{
    evaluation::Evaluator, options::Interrupted, options::Technique, playable::Playable, score::Score,
    tree::Tree,
};

impl<G: Playable, E: Evaluator<G>> Tree<'_, G, E> {
    /// The score of a position at the horizon, for the side to move: the static evaluation, or that of the
    /// best noisy move.
    ///
    /// Nobody has to fight, so the static evaluation is the least that the side gets, and what is exact here
    /// is a win at once. No shorter one is overlooked, since all of those are noisy.
    pub(super) fn quiesce(
        &mut self,
        position: &G,
        (mut alpha, beta): (Score, Score),
        ply: u32,
    ) -> Result<Score, Interrupted> {
        self.is_heuristic = true;
        let mut best = self.evaluator.evaluate(position);
        if best >= beta || !self.techniques.has(Technique::Quiescence) {
            return Ok(best);
        }
        let wants_pv = self.wants_pv(alpha, beta);
        self.pv_table[ply as usize + 1].clear();
        alpha = alpha.max(best);
        for (m, next) in position.noisy_moves() {
            self.limits.visit()?;
            let known = self.score_without_search(&next, next.stage(), ply + 1)?;
            let score = known.unwrap_or_else(|| self.evaluator.evaluate(&next));
            let score = if next.turn() == position.turn() { score } else { -score };
            best = best.max(score);
            if score <= alpha {
                continue;
            }
            alpha = score;
            if wants_pv {
                self.extend_pv(m, ply);
            }
            if score >= beta {
                break;
            }
        }
        Ok(best)
    }
}
