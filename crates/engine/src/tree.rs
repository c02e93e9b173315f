//! The search below the root moves: alpha-beta, chance nodes (Star1, Star2), quiescence.

use cublino_rules::game::{Player, Stage};

use crate::{
    Learned, LimitChecker, Playable, RootPosition, Score, Techniques, TranspositionTable,
    evaluation::{Accumulators, score_after},
    limits::{MAX_DEPTH, Searched},
    ordering::{MoveHistory, ScoredMove, pick},
    tablebase::Tablebase,
    techniques::Technique,
    transposition_table::{Bound, Entry, key},
    value::Meaning,
};

/// The search window: alpha and beta.
type Window = (Score, Score);

/// The state of a search below the root.
pub(super) struct Tree<'a, G: Playable> {
    /// The root of the search.
    root: &'a RootPosition<G>,
    evaluator: &'a Learned,
    accumulators: Accumulators<G>,
    meaning_of_known: Meaning,
    tablebase: Option<&'a dyn Tablebase<G>>,
    pub(super) techniques: Techniques,
    pub(super) limits: LimitChecker<'a>,
    table: &'a mut TranspositionTable,
    /// Whether a heuristic score has gone into the scores since this was last reset.
    is_heuristic: bool,
    /// The keys of the positions from the root to the present one.
    path: Vec<u64>,
    /// Contempt: how far below 0 a draw scores for the side to move at the root, in units of the score.
    contempt: i32,
    history: MoveHistory<G>,
    /// Legal moves of one position, as generated.
    generated: Vec<G::Move>,
    /// Moves of the positions on the path with their ordering scores, one position after the other.
    moves: Vec<ScoredMove<G::Move>>,
    /// The rolls with their weights, the likeliest first, and the largest first among these: doubles, which
    /// have by far the most moves, come last.
    rolls: Vec<(G::Roll, f64)>,
    /// The number of rolls on the path: a principal variation ends at the first.
    rolls_on_path: u32,
    /// The principal variation from each ply.
    pub(super) pv_table: Vec<Vec<G::Move>>,
}

/// What is known about the moves of a position before they are searched.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// The move of the transposition table, by its place in the list of legal moves.
    table_move: Option<u16>,
    /// How many plies deeper that move is searched.
    extension: u32,
    /// A move that is not searched, by its place.
    excluded: Option<u16>,
    /// From this place in their order on, quiet moves are pruned.
    pruned_from: Option<usize>,
}

impl<'a, G: Playable> Tree<'a, G> {
    pub(super) fn new(
        root: &'a RootPosition<G>,
        evaluator: &'a Learned,
        tablebase: Option<&'a dyn Tablebase<G>>,
        techniques: Techniques,
        contempt: i32,
        limits: LimitChecker<'a>,
        table: &'a mut TranspositionTable,
    ) -> Self {
        let weighed = |&(roll, weight): &(G::Roll, u32)| (roll, f64::from(weight));
        let mut rolls: Vec<_> = G::ROLLS.iter().rev().map(weighed).collect();
        rolls.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        Self {
            root,
            evaluator,
            accumulators: Accumulators::new(evaluator, &root.position),
            meaning_of_known: evaluator.meaning_of_known(),
            tablebase,
            techniques,
            limits,
            table,
            is_heuristic: false,
            path: Vec::new(),
            contempt,
            history: MoveHistory::new(),
            generated: Vec::new(),
            moves: Vec::new(),
            rolls,
            rolls_on_path: 0,
            pv_table: vec![Vec::new(); MAX_DEPTH as usize + 3],
        }
    }

    /// The score of a root move for the side that plays it, and whether it is exact; the principal variation
    /// after it is `pv_table[1]`.
    pub(super) fn root_move(&mut self, m: G::Move, window: Window, depth: u32) -> Searched<(Score, bool)> {
        let root = &self.root.position;
        self.is_heuristic = false;
        self.path.clear();
        self.path.push(key(root));
        self.moves.clear();
        self.rolls_on_path = 0;
        let score = self.after(root, &root.after(m), window, depth, 0)?;
        Ok((score, !self.is_heuristic))
    }

    /// The score of a position for the side to move, within a window: a score of at most alpha is an upper
    /// bound, one of at least beta a lower bound.
    fn node(&mut self, position: &G, (alpha, beta): Window, depth: u32, ply: u32) -> Searched<Score> {
        // 1. Count the position, and check the limits now and then.
        self.limits.visit()?;
        self.pv_table[ply as usize].clear();

        // 2. Return if the game is over, the position has occurred before or is in the tablebase, or this is
        //    the horizon. Memory is slow: prefetch the table entry first.
        let key = (depth > 0).then(|| key(position)).inspect(|&key| self.table.fetch(key));
        let stage = position.stage();
        if let Some(score) = self.score_without_search(position, stage, ply) {
            return Ok(score);
        }
        let Some(key) = key else { return self.quiesce(position, (alpha, beta), ply) };

        // 3. A repeated position scores as a draw, unless the rules decide the game, so that games come to an
        //    end. That depends on the moves before: it proves nothing about the position, so not even a
        //    result that the rules give counts as exact.
        if G::ROLLS.is_empty() && self.path.contains(&key) {
            self.is_heuristic = true;
            return Ok(self.repeated(position, Score::repeated(position)));
        }

        // 4. Probe the transposition table for an entry of at least this depth. A position whose principal
        //    variation is wanted is searched in any case. The static evaluation is computed while the entry
        //    is fetched.
        let (wants_pv, if_unknown) =
            (self.wants_pv(alpha, beta), self.techniques.depth_of_unknown::<G>(depth));
        let may_prune = self.techniques.may_prune::<G>((alpha, beta), if_unknown);
        let static_score = may_prune.then(|| self.evaluate(position));
        let stored = self.table.get(key);
        let depth = if stored.is_none() { if_unknown } else { depth };
        if let Some(entry) = stored
            && !wants_pv
            && (entry.is_exact || self.is_deep_enough(entry.depth.into(), depth))
        {
            let score = entry.score.earlier(ply);
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if enough {
                self.is_heuristic |= !entry.is_exact;
                return Ok(score);
            }
        }

        // 5. Near the horizon the static evaluation may be enough.
        let pruning_score = static_score.filter(|_| self.techniques.may_prune::<G>((alpha, beta), depth));
        if let Some(score) = pruning_score
            && self.techniques.is_far_above(score, beta, depth)
        {
            self.is_heuristic = true;
            return Ok(score);
        }

        // 6. Track for this position alone whether a heuristic score goes into its score.
        let heuristic_before = std::mem::take(&mut self.is_heuristic);
        self.path.push(key);

        let (score, best) = if stage == Stage::Roll {
            self.rolls_on_path += 1;
            let score = self.chance(position, (alpha, beta), depth, ply);
            self.rolls_on_path -= 1;
            (score?, 0)
        } else {
            let mut known = Known {
                table_move: stored.map(|entry| entry.best),
                pruned_from: pruning_score.and_then(|score| self.techniques.pruned_from(score, alpha, depth)),
                ..Known::default()
            };
            // 7. Is the table move the only good one (singular), or does another fail high too (multi-cut)?
            if let Some(entry) = stored
                && let Some(rest) = self.techniques.most_of_others::<G>(entry, depth, ply)
            {
                let (window, others) =
                    ((rest, rest.next()), Known { excluded: Some(entry.best), ..Known::default() });
                let (score, _) = self.best_move(position, window, ((depth - 1) / 2, ply), others)?;
                self.is_heuristic = false;
                if score <= rest {
                    known.extension = 1;
                } else if rest >= beta && !wants_pv {
                    self.path.pop();
                    self.is_heuristic = true;
                    return Ok(rest);
                }
            }
            self.best_move(position, (alpha, beta), (depth, ply), known)?
        };

        // 8. Store what was found. A bound that a finished game gives holds at any depth.
        self.path.pop();
        let bound = if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let won = score.is_win() && bound != Bound::Upper;
        let lost = score.is_loss() && bound != Bound::Lower;
        let is_exact = !self.is_heuristic || won || lost;
        self.is_heuristic = heuristic_before || !is_exact;
        let depth = u8::try_from(depth).expect("MAX_DEPTH fits into a byte");
        // Where all moves fail low, their scores are upper bounds and hardly show which is best.
        let kept = stored.filter(|_| bound == Bound::Upper && G::TUNING.keeps_table_move);
        let best = kept.map_or(best, |entry| entry.best);
        let entry = Entry { score: score.later(ply), bound, depth, is_exact, best };
        self.table.put(key, entry);
        Ok(score)
    }

    /// The score of the best move of a position, within a window, and its place in the list of legal moves.
    fn best_move(
        &mut self,
        position: &G,
        (mut alpha, beta): Window,
        (depth, ply): (u32, u32),
        Known { table_move, extension, excluded, pruned_from }: Known,
    ) -> Searched<(Score, u16)> {
        // 1. List the legal moves. The table move often causes a cutoff, so it is tried before the others are
        //    ordered, by the history learned until then.
        let first = self.moves.len();
        self.list(position, table_move);
        let scored_from = usize::from(table_move.is_some());

        // 2. Try them, the best first: all but the first with a null window, late ones with reduced depth,
        //    and some are pruned.
        let is_quiet = pruned_from.map(|_| position.is_quiet());
        let pruned_from = pruned_from.unwrap_or(usize::MAX);
        let wants_pv = self.wants_pv(alpha, beta);
        let has_null_windows = self.techniques.has(Technique::NullWindows);
        let mut best = (-Score::INFINITY, 0);
        for i in first..self.moves.len() {
            let place = i - first;
            // The order of moves that may all be pruned does not matter.
            if place == scored_from && (place == 0 || pruned_from > 1) {
                self.score(position, i, depth, ply)?;
            }
            let is_next = place >= pruned_from || place < scored_from;
            let ScoredMove { m, index, .. } =
                if is_next { self.moves[i] } else { pick(&mut self.moves[i..], place) };
            if place >= pruned_from
                && !best.0.is_loss()
                && is_quiet.as_ref().is_some_and(|is_quiet| is_quiet(m))
            {
                self.is_heuristic = true;
                continue;
            }
            if excluded == Some(index) {
                continue;
            }
            let next = position.after(m);
            let depth = if table_move == Some(index) { depth + extension } else { depth };
            let reduced = self.techniques.reduction::<G>(depth, place);
            let null_window = place > 0 && has_null_windows;
            let mut score = Score::INFINITY;
            if reduced > 0 {
                score = self.after(position, &next, (alpha, alpha.next()), depth - reduced, ply)?;
            }
            if null_window && score > alpha {
                score = self.after(position, &next, (alpha, alpha.next()), depth, ply)?;
            }
            if score > alpha && (score < beta || !null_window) {
                score = self.after(position, &next, (alpha, beta), depth, ply)?;
            }
            if score <= best.0 {
                continue;
            }
            best = (score, index);
            if score <= alpha {
                continue;
            }
            alpha = score;
            if wants_pv {
                self.extend_pv(m, ply);
            }
            // 3. Beta cutoff: the opponent will not allow the position.
            if score >= beta {
                let player = position.turn();
                self.history.add_cutoff(player, m, depth, ply);
                for tried in &self.moves[first..i] {
                    self.history.add_bonus(player, tried.m, -(depth * depth).cast_signed());
                }
                break;
            }
        }
        self.moves.truncate(first);
        Ok(best)
    }

    /// The score of a position in which the game is over, which has occurred earlier in the game, or which
    /// the tablebase knows.
    fn score_without_search(&mut self, position: &G, stage: Stage, ply: u32) -> Option<Score> {
        if let Stage::Over(outcome) = stage {
            return Some(Score::over(outcome.result_for(position.turn()), ply));
        }
        if !self.root.history.is_empty()
            && let Some(recurrence) = self.root.history.recurrence(position, self.contempt)
        {
            let (score, is_exact) = recurrence.score(position, ply);
            self.is_heuristic |= !is_exact;
            return Some(self.repeated(position, score));
        }
        if let Some(tablebase) = self.tablebase
            && self.is_free_of_history(position)
            && let Some(known) = tablebase.probe(position)
        {
            self.is_heuristic |= known.result().is_none();
            return Some(known.score(&self.meaning_of_known, ply));
        }
        None
    }

    /// The score of a repetition, with contempt if it is a draw.
    fn repeated(&self, position: &G, score: Score) -> Score {
        if score == Score::DRAW { Score::new(self.contempt_of(position.turn())) } else { score }
    }

    /// What a draw is worth to a player, in units of the score.
    fn contempt_of(&self, player: Player) -> i32 {
        if player == self.root.position.turn() { -self.contempt } else { self.contempt }
    }

    /// The static evaluation of a position, by the tablebase where it has an estimate.
    fn evaluate(&mut self, position: &G) -> Score {
        let estimate = self.tablebase.and_then(|tablebase| tablebase.estimate(position));
        estimate.unwrap_or_else(|| {
            let contempt = if G::TUNING.shuns_draws { self.contempt_of(position.turn()) } else { 0 };
            self.evaluator.evaluate_next(position, contempt, &mut self.accumulators)
        })
    }

    /// Whether a table entry of depth `found` replaces a search to depth `wanted`.
    fn is_deep_enough(&self, found: u32, wanted: u32) -> bool {
        found == wanted || found > wanted && self.techniques.has(Technique::DeeperEntries)
    }

    /// Whether no position from before the search can occur again, so that what is known of a position alone
    /// holds for this game too.
    fn is_free_of_history(&self, position: &G) -> bool {
        let RootPosition { position: root, history, .. } = self.root;
        history.is_empty() || !position.may_come_back_to(root)
    }

    /// The score of the position after a move, for the side that plays it. The turn may stay with that side.
    fn after(
        &mut self,
        position: &G,
        next: &G,
        (alpha, beta): Window,
        depth: u32,
        ply: u32,
    ) -> Searched<Score> {
        if next.turn() == position.turn() {
            self.node(next, (alpha, beta), depth - 1, ply + 1)
        } else {
            Ok(-self.node(next, (-beta, -alpha), depth - 1, ply + 1)?)
        }
    }

    /// Appends the legal moves without ordering scores, the table move first.
    fn list(&mut self, position: &G, table_move: Option<u16>) {
        let first = self.moves.len();
        self.generated.clear();
        position.generate(&mut self.generated);
        let listed = self.generated.iter().zip(0..).map(|(&m, index)| ScoredMove { m, index, score: 0 });
        self.moves.extend(listed);
        if let Some(table_move) = table_move {
            // Two positions may share a key, and then the place belongs to the other one.
            let place = usize::from(table_move).min(self.generated.len() - 1);
            self.moves.swap(first, first + place);
        }
    }

    /// Gives the listed moves from a place on their ordering scores.
    ///
    /// With dice and at a depth above 1, that is the static score of the move, since much depends on the
    /// order. Doubles have more than a thousand moves, so each counts as a visited node: the limits are
    /// checked meanwhile.
    fn score(&mut self, position: &G, from: usize, depth: u32, ply: u32) -> Searched<()> {
        if G::ROLLS.is_empty() || depth == 1 {
            let score = self.history.scores(position, ply);
            self.moves[from..].iter_mut().for_each(|scored| scored.score = score(scored.m));
            return Ok(());
        }
        for i in from..self.moves.len() {
            self.limits.visit()?;
            self.moves[i].score = score_after(position, self.moves[i].m, |next| self.evaluate(next)).units();
        }
        Ok(())
    }

    /// Whether the principal variation is wanted: the window asks for more than a bound, and no roll is on
    /// the path.
    fn wants_pv(&self, alpha: Score, beta: Score) -> bool {
        alpha.next() < beta && self.rolls_on_path == 0
    }

    /// Sets the principal variation from a ply: a move, and the variation from the next ply.
    fn extend_pv(&mut self, m: G::Move, ply: u32) {
        let ply = ply as usize;
        let (here, below) = self.pv_table.split_at_mut(ply + 1);
        let pv = &mut here[ply];
        pv.clear();
        pv.push(m);
        pv.extend_from_slice(&below[0]);
    }

    /// The score of a position at the horizon, for the side to move: the static evaluation, or that of the
    /// best noisy move.
    ///
    /// Nobody has to play a noisy move, so the static evaluation is a lower bound (stand pat), and the only
    /// exact score here is a win at once. No shorter one is overlooked, since all of those are noisy.
    fn quiesce(&mut self, position: &G, (mut alpha, beta): Window, ply: u32) -> Searched<Score> {
        self.is_heuristic = true;
        let mut best = self.evaluate(position);
        if best >= beta || !self.techniques.has(Technique::Quiescence) {
            return Ok(best);
        }
        let wants_pv = self.wants_pv(alpha, beta);
        self.pv_table[ply as usize + 1].clear();
        alpha = alpha.max(best);
        for (m, next) in position.noisy_moves() {
            self.limits.visit()?;
            let known = self.score_without_search(&next, next.stage(), ply + 1);
            let score = known.unwrap_or_else(|| self.evaluate(&next));
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

    /// The score of a position in which the dice must be rolled, within a window.
    ///
    /// A win or a loss is exact only if every roll leads to it; then the longest way counts.
    fn chance(&mut self, position: &G, (alpha, beta): Window, depth: u32, ply: u32) -> Searched<Score> {
        const { assert!(G::ROLLS.len() <= MAX_ROLLS) };
        let bounds = (alpha.expected(), beta.expected());
        // A mean that includes an open result does not reach the score of a decided game.
        let too_low = |most: f64| if alpha.is_win() { most < 1.0 } else { most <= bounds.0 };
        let too_high = |least: f64| if beta.is_loss() { least > -1.0 } else { least >= bounds.1 };

        let weights: f64 = G::ROLLS.iter().map(|&(_, weight)| f64::from(weight)).sum();
        let mut known = Expectation { sum: 0.0, least: -weights, most: weights, weights };
        let mut least = [-1.0; MAX_ROLLS];

        // 1. Star2: one good move for each roll may be enough for a cutoff.
        if depth >= LEAST_PROBED && !beta.is_win() && self.techniques.has(Technique::Star2) {
            for (i, least) in least.iter_mut().enumerate().take(self.rolls.len()) {
                let (roll, weight) = self.rolls[i];
                let rolled = position.rolled(roll);
                known.least += weight;
                let (_, enough) = known.window(bounds, weight);
                let score = self.probe(&rolled, (-Score::INFINITY, enough), depth, ply)?;
                *least = score.expected();
                known.least += *least * weight;
                if too_high(known.bounds().0) {
                    return Ok(Score::expecting(known.bounds().0));
                }
            }
        }

        // 2. Star1: search all moves for each roll.
        let (mut lowest, mut highest) = (Score::INFINITY, -Score::INFINITY);
        for (i, least) in least.into_iter().enumerate().take(self.rolls.len()) {
            let (roll, weight) = self.rolls[i];
            let rolled = position.rolled(roll);
            known.least -= least * weight;
            known.most -= weight;
            let window = known.window(bounds, weight);
            // A roll is no ply of its own.
            let score = self.node(&rolled, window, depth, ply)?;
            known.sum += score.expected() * weight;
            lowest = lowest.min(score);
            highest = highest.max(score);
            if i + 1 == self.rolls.len() {
                break;
            }
            let (low, high) = known.bounds();
            if score <= window.0 && too_low(high) {
                return Ok(Score::expecting(high));
            }
            if score >= window.1 && too_high(low) {
                return Ok(Score::expecting(low));
            }
        }
        Ok(if lowest.is_win() {
            lowest
        } else if highest.is_loss() {
            highest
        } else {
            Score::expecting(known.sum / weights)
        })
    }

    /// A lower bound of the score of a position: that of the table move, or else of the move with the best
    /// static score.
    fn probe(&mut self, position: &G, window: Window, depth: u32, ply: u32) -> Searched<Score> {
        let first = self.moves.len();
        let table_move = self.table.get(key(position)).map(|entry| entry.best);
        self.list(position, table_move);
        if table_move.is_none() {
            self.score(position, first, depth, ply)?;
            pick(&mut self.moves[first..], 0);
        }
        let m = self.moves[first].m;
        self.moves.truncate(first);
        self.after(position, &position.after(m), window, depth, ply)
    }
}

/// From this depth on it pays to try one move for each roll before all moves of any.
const LEAST_PROBED: u32 = 2;

/// The most rolls that a game has: those of two dice.
const MAX_ROLLS: usize = 21;

/// What is known about the mean of all rolls, as sums of expected results times weights.
struct Expectation {
    /// The sum of the rolls that were searched.
    sum: f64,
    /// The lower bound of the sum of the others.
    least: f64,
    /// The upper bound.
    most: f64,
    /// The sum of all weights.
    weights: f64,
}

impl Expectation {
    /// The lower and the upper bound of the mean.
    fn bounds(&self) -> (f64, f64) {
        ((self.sum + self.least) / self.weights, (self.sum + self.most) / self.weights)
    }

    /// The window for the next roll, which counts neither as searched nor among the others.
    fn window(&self, (alpha, beta): (f64, f64), weight: f64) -> Window {
        let low = (alpha * self.weights - self.sum - self.most) / weight;
        let high = (beta * self.weights - self.sum - self.least) / weight;
        (Score::at_most(low), Score::at_least(high))
    }
}
