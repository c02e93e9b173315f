//! Which place a move has among the others.

use super::{RootMove, RootMoves};
use crate::search::{
    calibration::Meaning, evaluation::Evaluator, limits::Interrupted, playable::Playable, score::Score,
    tree::Tree, value::Value,
};

impl<G: Playable> RootMoves<'_, G> {
    /// The place of the named move among all, by what is expected: one more than the number of moves that are
    /// better, 1 for a move that is as good as the best.
    ///
    /// Another move is not better if its bound from the search says so; otherwise it is searched once more,
    /// to the same depth, with a null window at the score of the named move. Whatever has not been searched
    /// when a limit is reached counts as better. What is expected is what a search tells that has visited so
    /// many positions.
    pub(in crate::search) fn rank_of_named<E: Evaluator<G>>(
        &mut self,
        tree: &mut Tree<G, E>,
        nodes: u64,
    ) -> usize {
        let Some(named) = self.moves.iter().position(|root_move| self.named == Some(root_move.m)) else {
            return 1;
        };
        let score = self.moves[named].highest_alike(&self.meaning(tree.evaluator, nodes));
        let mut is_open = self.depth > 0;
        let mut better = 0;
        for i in 0..self.moves.len() {
            if i == named || self.moves[i].score <= score {
                continue;
            }
            if i < self.wanted || self.depth == 0 {
                better += 1;
                continue;
            }
            let answer = if is_open { self.is_better(tree, i, score) } else { Ok(true) };
            is_open &= answer.is_ok();
            better += usize::from(answer.unwrap_or(true));
        }
        better + 1
    }

    /// Whether a move of which only a bound is known is better than a score.
    fn is_better<E: Evaluator<G>>(
        &mut self,
        tree: &mut Tree<G, E>,
        i: usize,
        score: Score,
    ) -> Result<bool, Interrupted> {
        let (found, _) = tree.root_move(self.moves[i].m, (score, score.next()), self.depth)?;
        Ok(found > score)
    }
}

impl<G: Playable> RootMove<G> {
    /// The highest of the scores that stand for the same expected result: a win is a win, however late, and
    /// what lies between two values that are told is one of them.
    fn highest_alike(&self, meaning: &Meaning) -> Score {
        if self.score.is_win() {
            Score::WIN
        } else if self.score.is_loss() {
            Score::new(-Score::LIMIT).previous()
        } else {
            let expected = |units| Value::of(Score::new(units), meaning, 0.0, None).expected;
            let told = expected(self.score.units());
            let (mut alike, mut limit) = (self.score.units(), Score::LIMIT);
            while alike < limit {
                let middle = i32::midpoint(alike, limit + 1);
                if expected(middle) > told {
                    limit = middle - 1;
                } else {
                    alike = middle;
                }
            }
            Score::new(alike)
        }
    }
}
