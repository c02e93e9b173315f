//! The root moves: the legal moves of the position that a search starts from, with what is known about each.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use crate::{
    Control, GameResult, Learned, Line, Options, Playable, RootPosition, Score, SearchLimits, Value,
    limits::Searched,
    options::errors_of,
    playable::{possible, possible_after},
    solver::{Solver, TABLE_BYTES},
    tablebase::Tablebase,
    tree::Tree,
    value::Meaning,
};

/// The position that a search starts from, with what is known about its moves.
pub(super) struct RootMoves<'a, G: Playable> {
    root: &'a RootPosition<G>,
    /// The uncalibrated draw share of the position.
    draw_share: f64,
    /// Contempt: how far below 0 a draw scores for the player, in units of the score.
    pub(super) contempt: i32,
    /// The `wanted` best moves in order, then the others.
    moves: Vec<RootMove<G>>,
    /// How many of the best moves the search ranks (multiple principal variations).
    wanted: usize,
    /// Whether a level plays: not the best move, but the one that the level takes for the best.
    is_level: bool,
    /// The number of legal moves that lead to different positions.
    pub(super) legal: usize,
    /// The depth to which the wanted moves were searched, in plies.
    pub(super) depth: u32,
    /// Whether all moves were searched to that depth.
    pub(super) is_complete: bool,
    /// Whether no heuristic score has gone into the scores of the last searched depth.
    is_exact: bool,
    /// The result of all moves, if it is known.
    pub(super) known_result: Option<GameResult>,
    /// The tablebase that is probed, if any.
    tablebase: Option<&'a dyn Tablebase<G>>,
}

/// A legal move with what is known about it.
#[derive(Clone)]
struct RootMove<G: Playable> {
    m: G::Move,
    /// For the side that plays it: exact for moves that are among the best, an upper bound for the others.
    score: Score,
    /// What makes a move look better or worse than its score.
    bias: Bias,
    /// Whether no heuristic score has gone into the score.
    is_exact: bool,
    /// The exact number of plies to a win or a loss, if that is known.
    plies: Option<u32>,
    /// The principal variation, this move included.
    pv: Vec<G::Move>,
}

impl<'a, G: Playable> RootMoves<'a, G> {
    /// The moves to search, ordered by their static scores. If one line is wanted, a move of nearly equal
    /// value that makes progress may be preferred.
    pub(super) fn new(
        root: &'a RootPosition<G>,
        evaluator: &Learned,
        options: &Options,
        prefers_progress: bool,
        tablebase: Option<&'a dyn Tablebase<G>>,
    ) -> Self {
        let position = &root.position;
        let mut listed = position.legal_moves();
        if !G::DISTINCT_MOVES {
            let mut seen = HashSet::new();
            listed.retain(|&m| seen.insert(position.after(m)));
        }
        let legal = listed.len();
        if let Some(moves) = &root.moves {
            // The caller may have passed another of the moves that lead to the same position.
            let searched: HashMap<_, _> = moves.iter().rev().map(|&m| (position.after(m), m)).collect();
            listed = listed.iter().filter_map(|&m| searched.get(&position.after(m)).copied()).collect();
        }
        let wanted = options.lines.clamp(1, listed.len());
        // With several lines the values decide; with one line the move is played, so progress counts.
        let prefers_progress = wanted == 1 && prefers_progress;

        // A player who cannot win any more is content with a draw.
        let has_contempt = prefers_progress && position.best_result(position.turn()) > 0;
        let contempt = if has_contempt { G::TUNING.contempt } else { 0 };

        let is_level = options.level.is_some();
        let nearly_equal = if is_level { NEARLY_EQUAL_FOR_LEVEL } else { NEARLY_EQUAL };

        let mut errors = errors_of(options, position);
        let mut moves: Vec<_> = listed
            .into_iter()
            .map(|m| {
                let error = errors.next().expect("there is an error for every move");
                let cost = if prefers_progress && !position.makes_progress(m) { nearly_equal } else { 0.0 };
                let next = position.after(m);
                let (score, is_exact) = match root.history.recurrence(&next, contempt) {
                    Some(recurrence) => {
                        let (score, is_exact) = recurrence.score(&next, 1);
                        (if next.turn() == position.turn() { score } else { -score }, is_exact)
                    }
                    None => (evaluator.static_score(position, m), next.stage().outcome().is_some()),
                };
                let bias = Bias { error, cost };
                let plies = score.trivial_plies();
                let pv = vec![m];
                RootMove { m, score, bias, is_exact, plies, pv }
            })
            .collect();
        moves.sort_by_key(|m| Reverse(m.rank()));
        Self {
            root,
            draw_share: evaluator.draw_share(position),
            contempt,
            moves,
            wanted,
            is_level,
            legal,
            depth: 0,
            is_complete: true,
            is_exact: false,
            known_result: None,
            tablebase,
        }
    }

    /// Leaves only the moves that keep a known result.
    pub(super) fn keep(&mut self, result: GameResult, moves: &[G::Move]) {
        self.moves.retain(|root_move| moves.contains(&root_move.m));
        self.wanted = self.wanted.min(self.moves.len());
        self.known_result = Some(result);
    }

    /// Searches all moves a ply deeper.
    ///
    /// # Errors
    /// Fails when the search is interrupted. The results of the moves searched by then are kept where they
    /// can be relied on; see [`Self::after_interruption`].
    pub(super) fn deepen(&mut self, tree: &mut Tree<G>) -> Searched<()> {
        let depth = self.depth + 1;
        let before = self.moves.clone();
        let mut searched = 0;
        let mut all_exact = true;
        self.is_exact = false;
        while searched < self.moves.len() && !self.is_won() {
            match self.search_move(tree, depth, searched) {
                Ok(is_exact) => all_exact &= is_exact,
                Err(interrupted) => {
                    if let Some(moves) = self.after_interruption(&before, searched) {
                        self.moves = moves;
                    } else {
                        (self.depth, self.is_complete) = (depth, false);
                    }
                    return Err(interrupted);
                }
            }
            searched += 1;
        }
        (self.depth, self.is_complete, self.is_exact) =
            (depth, true, all_exact && searched == self.moves.len());
        Ok(())
    }

    /// Whether a win has been found where only one line is wanted: no move is better. A shorter win is found
    /// when its plies are counted.
    fn is_won(&self) -> bool {
        self.wanted == 1 && self.depth > 0 && self.moves[0].score.is_win()
    }

    /// Searches move `i`, when all before it have been searched to this depth, and inserts it among those in
    /// order. Returns whether its score is exact, or an exact bound.
    fn search_move(&mut self, tree: &mut Tree<G>, depth: u32, i: usize) -> Searched<bool> {
        let RootMove { m, bias, .. } = self.moves[i];
        let mut window = (-Score::INFINITY, Score::INFINITY);
        let mut bound = None;
        if i >= self.wanted {
            // To be among the best, it must score higher than the last of those; usually it does not.
            let last = bias.score_for(self.moves[self.wanted - 1].rank());
            let null_window = (last, last.next());
            let reduction = tree.techniques.root_reduction::<G>(depth, i - self.wanted);
            if reduction > 0 {
                let (score, is_exact) = tree.root_move(m, null_window, depth - reduction)?;
                if score <= last {
                    self.moves[i].set_bound(score);
                    return Ok(is_exact);
                }
            }
            let (score, is_exact) = tree.root_move(m, null_window, depth)?;
            if score <= last {
                self.moves[i].set_bound(score);
                return Ok(is_exact);
            }
            (window.0, bound) = (last, Some(score));
        }
        let found = tree.root_move(m, window, depth);
        // If this is interrupted, the move is still better than the best one so far.
        if let Some(bound) = bound.filter(|bound| found.is_err() && self.wanted == 1 && !bound.is_loss()) {
            self.moves[i].set_bound(bound);
            self.moves[..=i].rotate_right(1);
        }
        let (score, is_exact) = found?;
        let pv = std::iter::once(m).chain(tree.pv_table[1].iter().copied()).collect();
        let plies = score.trivial_plies();
        self.moves[i] = RootMove { m, score, bias, is_exact, plies, pv };
        let rank = self.moves[i].rank();
        let best = &self.moves[..i.min(self.wanted)];
        let better = best.iter().take_while(|other| other.rank() >= rank).count();
        self.moves[better..=i].rotate_right(1);
        Ok(is_exact)
    }

    /// The moves to answer with, in order, when a depth is interrupted after `searched` moves: based on those
    /// of the depth before. `None` if the best of the searched moves is the answer.
    ///
    /// With several lines, the depth before is the answer, since values of different depths cannot be
    /// compared. With one line, it is the best searched move, with one exception: if all searched moves are
    /// lost, the others have not been searched at this depth. Then one of those is played, with its result
    /// from the depth before.
    fn after_interruption(&self, before: &[RootMove<G>], searched: usize) -> Option<Vec<RootMove<G>>> {
        if searched == 0 || self.wanted > 1 {
            return Some(before.to_vec());
        }
        if !self.moves[0].score.is_loss() {
            return None;
        }
        let is_searched =
            |before: &RootMove<G>| self.moves[..searched].iter().any(|since| since.m == before.m);
        let order = |m: &RootMove<G>| if is_searched(m) { 2 } else { u8::from(m.score.is_loss()) };
        let mut moves = before.to_vec();
        moves.sort_by_key(order);
        // If the others were lost before, all moves are, and the best searched one stays the answer.
        (order(&moves[0]) == 0).then_some(moves)
    }

    /// Whether searching deeper would change nothing.
    pub(super) fn is_proven(&self) -> bool {
        self.is_exact || self.ranked().all(|m| m.score.is_win() || m.score.is_loss())
    }

    /// Whether the plies of all ranked moves are known, or there are none to count.
    pub(super) fn is_counted(&self) -> bool {
        self.ranked().all(|m| m.plies.is_some() || !m.score.is_win() && !m.score.is_loss())
    }

    /// The ranked moves, the best first.
    fn ranked(&self) -> impl Iterator<Item = &RootMove<G>> {
        self.moves[..self.wanted].iter()
    }

    /// The best moves with their lines, the best first, with values calibrated for a search of so many nodes.
    pub(super) fn best_lines(&self, evaluator: &Learned, nodes: u64) -> Vec<Line<G::Move>> {
        let meaning = evaluator.meaning(self.draw_share, nodes);
        let value = |root_move, is_best| self.value(evaluator, &meaning, root_move, is_best);
        let mut ranked: Vec<_> =
            self.ranked().map(|root_move| (root_move, value(root_move, false))).collect();
        if self.is_level {
            // The first is what the level plays; the others follow by value.
            ranked[1..].sort_by(|(_, a), (_, b)| b.total_cmp(a));
        } else {
            // Limiting values to the possible results may have changed their order.
            ranked.sort_by(|(_, a), (_, b)| b.expected.total_cmp(&a.expected));
        }
        ranked[0].1 = value(ranked[0].0, true);
        ranked.into_iter().map(|(root_move, value)| Line { pv: root_move.pv.clone(), value }).collect()
    }

    /// The value of a move. That of the best move also stands for the position, so it is a proven draw or
    /// loss only if no other move may be better, or if it ends the game. Otherwise the end of the line
    /// decides how likely a draw is.
    fn value(&self, evaluator: &Learned, meaning: &Meaning, root_move: &RootMove<G>, is_best: bool) -> Value {
        let &RootMove { m, score, plies, is_exact, ref pv, .. } = root_move;
        if score.is_win() || score.is_loss() {
            return Value::of(score, meaning, 0.0, plies);
        }
        if let Some(result) = self.known_result {
            return Value::exact(result, None);
        }
        let mut end = self.root.position;
        let mut passed = Vec::new();
        for &m in pv {
            passed.push(end);
            end = end.after(m);
        }
        let ended = end.stage().outcome();
        let (ends_drawn, draw_share) = match ended {
            Some(outcome) => (outcome.winner.is_none(), 0.0),
            None => (self.root.history.is_draw(&end), evaluator.draw_share(&end)),
        };
        let is_repetition =
            passed.contains(&end) || self.root.history.recurrence(&end, self.contempt).is_some();
        let is_estimate = || self.tablebase.is_some_and(|tablebase| tablebase.estimate(&end).is_some());
        // Values are without contempt.
        let score = if is_repetition && score.units() == -self.contempt {
            Score::DRAW
        } else if !G::TUNING.shuns_draws || self.depth == 0 || ended.is_some() || is_estimate() {
            score
        } else {
            score.with_contempt(self.contempt, draw_share)
        };
        let is_draw = is_exact && ends_drawn;
        let position = &self.root.position;
        // The tablebase does not know the history of the game.
        let tablebase = self.tablebase.filter(|_| self.root.history.is_empty());
        let after = if is_draw { 0..=0 } else { possible_after(position, m, tablebase) };
        let value = Value::of(score, meaning, draw_share, None).within(&after);
        let stands_for_position = is_best && self.root.moves.is_none();
        let others_may_be_better = !self.is_exact && after.end() < possible(position, tablebase).end();
        if stands_for_position && others_may_be_better && !(is_draw && pv.len() == 1) {
            Value::heuristic(value.expected, 1.0)
        } else {
            value
        }
    }

    /// Counts the plies to the proven results, within some limits. Returns the number of nodes visited.
    ///
    /// The search proves only an upper bound on the plies of a win: because of reductions it may have
    /// overlooked a shorter one. The solver finds the shortest.
    pub(crate) fn count_plies(&mut self, limits: &SearchLimits, control: &Control) -> u64 {
        let to_count = |m: &RootMove<G>| m.plies.is_none() && m.score.is_counted();
        if !self.ranked().any(to_count) {
            return 0;
        }
        let mut solver = Solver::new(limits, control, TABLE_BYTES, &self.root.history);
        for i in 0..self.wanted {
            if !to_count(&self.moves[i]) {
                continue;
            }
            // The result of the first move also stands for the position: no other move may be better.
            let counted = if i == 0 && !self.is_level && self.root.moves.is_none() {
                self.count_best(&mut solver)
            } else {
                self.moves[i].count(&self.root.position, &mut solver)
            };
            if counted.is_none() {
                break;
            }
        }
        solver.limits.nodes
    }

    /// Counts the plies to the result of the position, and puts a move first that brings it about in so many;
    /// `None` if a limit is reached before.
    fn count_best(&mut self, solver: &mut Solver<G>) -> Option<()> {
        let position = &self.root.position;
        let RootMove { score, ref pv, .. } = self.moves[0];
        let known = if score.is_win() { pv } else { &[][..] };
        let (plies, pv) = solver.shortest_line(position, score.winner(position), score.plies(), known)?;
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
    /// The score with the bias, by which moves are compared.
    fn rank(&self) -> Score {
        self.bias.rank(self.score)
    }

    /// Stores a bound of the score. The line found before is no longer valid.
    fn set_bound(&mut self, score: Score) {
        (self.score, self.is_exact, self.plies) = (score, false, score.trivial_plies());
        self.pv.truncate(1);
    }

    /// Counts the plies to the result after this move; `None` if a limit is reached before.
    fn count(&mut self, position: &G, solver: &mut Solver<G>) -> Option<()> {
        let winner = self.score.winner(position);
        let at_most = self.score.plies() - 1;
        let (plies, line) = solver.shortest_line(&position.after(self.m), winner, at_most, &self.pv[1..])?;
        self.pv = std::iter::once(self.m).chain(line).collect();
        let result = if self.score.is_win() { 1 } else { -1 };
        (self.score, self.plies) = (Score::over(result, plies + 1), Some(plies + 1));
        Some(())
    }
}

/// What makes a root move look better or worse than its score when it is compared with others. Scores of
/// decided games stay as they are.
#[derive(Clone, Copy, Debug)]
struct Bias {
    /// The error of a level, in units of the score.
    error: i32,
    /// The penalty for a move that makes no progress, in expected results.
    cost: f64,
}

/// Smaller differences of the expected result do not count when one move makes progress and the other does
/// not.
const NEARLY_EQUAL: f64 = 0.01;
/// The same for a level, which sees less: there progress is the better guide.
const NEARLY_EQUAL_FOR_LEVEL: f64 = 0.1;

impl Bias {
    /// The score with this bias, by which moves are compared.
    fn rank(self, score: Score) -> Score {
        if score.is_win() || score.is_loss() {
            return score;
        }
        let score = Score::new(score.units() + self.error);
        if self.cost > 0.0 { Score::expecting((score.expected() - self.cost).max(-1.0)) } else { score }
    }

    /// The inverse of [`rank`](Self::rank): only a score above this ranks above `rank`.
    fn score_for(self, rank: Score) -> Score {
        if rank.is_win() || rank.is_loss() {
            return rank;
        }
        let expected = rank.expected() + self.cost;
        let score = if self.cost <= 0.0 {
            rank
        } else if expected < 1.0 {
            Score::expecting(expected)
        } else {
            Score::new(Score::LIMIT)
        };
        Score::new(score.units() - self.error)
    }
}

#[cfg(test)]
mod tests;
