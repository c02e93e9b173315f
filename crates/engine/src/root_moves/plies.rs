//! In how many plies the results come that have been proven.

use super::{RootMove, RootMoves};
use crate::{
    Control, Playable, Score, SearchLimits,
    solver::{Solver, TABLE_BYTES},
};

impl<G: Playable> RootMoves<'_, G> {
    /// Counts the plies to the results that have been proven, within some limits; how many positions it
    /// visited.
    ///
    /// The search proves that a win takes a number of plies at most: it searches less deep where that hardly
    /// matters, and so may have overlooked a shorter one. The solver finds the shortest.
    pub(crate) fn count_plies(&mut self, limits: &SearchLimits, control: &Control) -> u64 {
        let to_count = |m: &RootMove<G>| m.plies.is_none() && m.score.is_counted();
        if !self.told().any(to_count) {
            return 0;
        }
        let mut solver = Solver::new(limits, control, TABLE_BYTES).in_game(&self.root.history);
        for i in 0..self.wanted {
            if !to_count(&self.moves[i]) {
                continue;
            }
            let counted = if i == 0 && self.tells_of_position() {
                self.count_best(&mut solver)
            } else {
                self.moves[i].count(&self.root.position, &mut solver)
            };
            if counted.is_none() {
                break;
            }
        }
        solver.nodes()
    }

    /// Counts the plies to the result of the position, and puts a move first that brings it about in so many;
    /// nothing if a limit was reached before.
    fn count_best(&mut self, solver: &mut Solver<G>) -> Option<()> {
        let position = &self.root.position;
        let RootMove { score, ref pv, .. } = self.moves[0];
        let (winner, at_most) = (score.winner(position), score.plies());
        let plies = solver.shortest_win(position, winner, at_most)?;
        let is_known_line = plies == at_most && score.is_win() && pv.len() == plies as usize;
        let pv = if is_known_line { pv.clone() } else { solver.line(position, winner, plies) };
        if G::ROLLS.is_empty() && pv.len() != plies as usize {
            return None;
        }
        let after = position.after(*pv.first()?);
        let first = self.moves.iter().position(|root_move| position.after(root_move.m) == after)?;
        self.moves[..=first].rotate_right(1);
        let best = &mut self.moves[0];
        let result = if score.is_win() { 1 } else { -1 };
        // The line is spelled with the root move itself: another could lead to the same position.
        let pv = std::iter::once(best.m).chain(pv.into_iter().skip(1)).collect();
        (best.score, best.plies, best.pv) = (Score::over(result, plies), Some(plies), pv);
        Some(())
    }
}

impl<G: Playable> RootMove<G> {
    /// Counts the plies to the result after this move; nothing if a limit was reached before.
    fn count(&mut self, position: &G, solver: &mut Solver<G>) -> Option<()> {
        let (winner, at_most) = (self.score.winner(position), self.score.plies() - 1);
        let next = position.after(self.m);
        let plies = solver.shortest_win(&next, winner, at_most)?;
        if plies < at_most || self.pv.len() != plies as usize + 1 {
            let line = solver.line(&next, winner, plies);
            if G::ROLLS.is_empty() && line.len() != plies as usize {
                return None;
            }
            self.pv = std::iter::once(self.m).chain(line).collect();
        }
        let result = if self.score.is_win() { 1 } else { -1 };
        (self.score, self.plies) = (Score::over(result, plies + 1), Some(plies + 1));
        Some(())
    }
}
