//! The search at the position it starts from.

use std::{cmp::Reverse, collections::HashSet};

use super::{
    Analysis, Control, Evaluate, GameResult, Knowledge, Line, Options, Score, StoppedBy, Table, Value,
    knowledge::{Answer, Known, answer},
    level::Handicap,
    selective::first_reduction,
    solver::ForcedWin,
    tree::{Interrupted, MAX_DEPTH, Tree},
};
use crate::game::Stage;

/// Looks for the best moves, on the calling thread. `position` is in [`Stage::Move`].
///
/// `on_depth` gets what is known after each finished depth; what ended the search is [`StoppedBy::Depth`] there.
/// Levels are to play as people do, so they know nothing but the rules. Interrupted before the first depth is finished, the search answers with the moves that look best without
/// looking ahead.
pub fn search<G: Evaluate>(
    position: &G,
    options: &Options,
    knowledge: &Knowledge,
    control: &Control,
    table: &mut Table,
    on_depth: &mut dyn FnMut(&Analysis<G::Move>),
) -> Analysis<G::Move> {
    // 1. The limits, and what a weaker level has of them.
    let handicap = options.level.map_or(Handicap::NONE, Handicap::of::<G>);
    let mut limits = handicap.narrow(options.limits);
    let last_depth = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);

    // 2. What is known needs no search.
    let rules_alone = Knowledge::none();
    let knowledge = if options.level.is_none() { knowledge } else { &rules_alone };
    if !limits.is_timed() && awaits_answer(position, knowledge) {
        knowledge.wait(control, limits.deadline(control.accepted()));
    }
    let answer = answer(position, knowledge, options.lines);
    if let Some(Answer::Lines(lines, nodes)) = answer {
        let time = control.accepted().elapsed();
        return Analysis { lines, depth: 0, nodes, time, stopped_by: StoppedBy::Database };
    }

    // 3. A win that somebody can force is looked for first.
    let mut hunted = 0;
    if options.level.is_none()
        && options.lines == 1
        && let Some(verdict) = position.hunt(&limits, control)
    {
        hunted = verdict.nodes;
        if let Some(line) = verdict.win.and_then(|win| forced_line(position, win)) {
            let (depth, time) = (line.pv.len() as u32, control.accepted().elapsed());
            return Analysis { lines: vec![line], depth, nodes: hunted, time, stopped_by: StoppedBy::Proven };
        }
        limits.nodes = limits.nodes.map(|nodes| nodes - hunted);
    }

    // 4. The legal moves, those first that look best at a glance.
    let mut root = Root::new(position, options, &handicap);
    let knowledge = if let Some(Answer::Among(result, moves)) = answer {
        root.keep(result, &moves);
        &rules_alone
    } else {
        knowledge
    };
    let mut tree = Tree::new(&limits, knowledge, control, table);
    let report = |root: &Root<G>, tree: &Tree<G>, depth, stopped_by| Analysis {
        lines: root.best_lines(options.lines),
        depth,
        nodes: hunted + tree.nodes(),
        time: control.accepted().elapsed(),
        stopped_by,
    };

    // 5. Deeper and deeper, until nothing is left to find out or a limit is reached.
    let mut depth = 0;
    let stopped_by = loop {
        if depth == last_depth {
            break StoppedBy::Depth;
        }
        if root.deepen(&mut tree, depth + 1).is_err() {
            break tree.interrupted_by.expect("an interruption has a cause");
        }
        depth += 1;
        on_depth(&report(&root, &tree, depth, StoppedBy::Depth));
        if root.only_move {
            break StoppedBy::OnlyMove;
        }
        if root.is_proven() {
            let counted = root.best_lines(options.lines).iter().all(|line| line.value.proven.is_some());
            break if counted || !G::HAS_KNOWLEDGE { StoppedBy::Proven } else { StoppedBy::Database };
        }
    };
    report(&root, &tree, depth, stopped_by)
}

/// Whether knowledge that is still being worked out may answer without a search.
fn awaits_answer<G: Evaluate>(position: &G, knowledge: &Knowledge) -> bool {
    if !G::HAS_KNOWLEDGE || !knowledge.is_pending() {
        return false;
    }
    let mut moves = Vec::new();
    position.generate(&mut moves);
    position.awaits(knowledge) || moves.into_iter().any(|m| position.after(m).awaits(knowledge))
}

/// The line of a forced win; nothing if it was not worked out to its end.
fn forced_line<G: Evaluate>(position: &G, win: ForcedWin<G::Move>) -> Option<Line<G::Move>> {
    let result = if win.winner == position.turn() { 1 } else { -1 };
    let value = Value::of::<G>(Score::over(result, win.plies), None);
    (win.line.len() as u32 == win.plies).then_some(Line { pv: win.line, value })
}

/// The position the search starts from, with what is known about its moves.
struct Root<G: Evaluate> {
    position: G,
    /// The best first, as far as they are told apart.
    moves: Vec<RootMove<G>>,
    /// How many of the best are told apart.
    wanted: usize,
    /// There is no choice.
    only_move: bool,
    /// Legal moves are left out, so that not even the best of the rest proves that nothing better can be played.
    narrowed: bool,
    /// No judgement has gone into the scores of the depth that was searched last.
    settled: bool,
    /// The result of all moves, if it is known.
    known: Option<GameResult>,
}

/// A legal move with what is known about it.
#[derive(Clone)]
struct RootMove<G: Evaluate> {
    m: G::Move,
    /// For the side that plays it, bias included.
    score: Score,
    /// What is added to a judgement of this move, in units of the score.
    bias: i32,
    /// No judgement has gone into the score.
    settled: bool,
    /// The best play, this move included.
    line: Vec<G::Move>,
}

impl<G: Evaluate> Root<G> {
    fn new(position: &G, options: &Options, handicap: &Handicap) -> Self {
        let mut listed = Vec::new();
        position.generate(&mut listed);
        if !G::DISTINCT_MOVES {
            let mut seen = HashSet::new();
            listed.retain(|&m| seen.insert(position.after(m)));
        }
        let legal = listed.len();
        let only_move = legal == 1;
        position.narrow(&mut listed);
        let narrowed = listed.len() < legal;

        let mut errors = handicap.errors(position, options.seed);
        let mut moves: Vec<_> = listed
            .into_iter()
            .map(|m| {
                let error = errors.next().expect("errors are drawn without end");
                RootMove::at_a_glance(position, m, error - position.cost_of_waiting(m))
            })
            .collect();
        moves.sort_by_key(|m| Reverse(m.score));
        let wanted = options.lines.clamp(1, moves.len());
        Self { position: *position, moves, wanted, only_move, narrowed, settled: false, known: None }
    }

    /// Leaves only the moves that keep a known result. The search finds out which of them brings it about; it must not ask
    /// what is known, or all would look alike and it would go round in circles.
    fn keep(&mut self, result: GameResult, moves: &[G::Move]) {
        self.moves.retain(|root_move| moves.contains(&root_move.m));
        self.known = Some(result);
    }

    /// Searches all moves to a depth. When that is interrupted, a better move that was found counts, but only
    /// if one line is wanted: several would have scores of different depths.
    fn deepen(&mut self, tree: &mut Tree<G>, depth: u32) -> Result<(), Interrupted> {
        let before = (self.wanted > 1).then(|| self.moves.clone());
        let result = self.search_moves(tree, depth);
        if let (Err(_), Some(before)) = (result, before) {
            self.moves = before;
        }
        result
    }

    fn search_moves(&mut self, tree: &mut Tree<G>, depth: u32) -> Result<(), Interrupted> {
        self.settled = false;
        let mut all_settled = true;
        for i in 0..self.moves.len() {
            let RootMove { m, bias, .. } = self.moves[i];
            let mut window = (-Score::INFINITY, Score::INFINITY);
            if i >= self.wanted {
                // To be among the best it has to be better than the last of those, and mostly it is not.
                let last = self.moves[self.wanted - 1].score.without_bias(bias);
                let narrow = (last, last.next());
                let reduced = first_reduction::<G>(depth, i - self.wanted);
                if reduced > 0 {
                    let (score, settled) = tree.first_move(&self.position, m, narrow, depth - reduced)?;
                    if score <= last {
                        all_settled &= settled;
                        continue;
                    }
                }
                let (score, settled) = tree.first_move(&self.position, m, narrow, depth)?;
                if score <= last {
                    all_settled &= settled;
                    continue;
                }
                window.0 = last;
            }
            let (score, settled) = tree.first_move(&self.position, m, window, depth)?;
            all_settled &= settled;
            let score = score.with_bias(bias);
            let line = std::iter::once(m).chain(tree.line().iter().copied()).collect();
            self.moves[i] = RootMove { m, score, bias, settled, line };
            let better =
                self.moves[..i.min(self.wanted)].iter().take_while(|other| other.score >= score).count();
            self.moves[better..=i].rotate_right(1);
        }
        self.settled = all_settled;
        Ok(())
    }

    /// Whether searching deeper would change nothing.
    fn is_proven(&self) -> bool {
        let wanted = &self.moves[..self.wanted];
        if self.narrowed {
            return wanted.iter().all(|m| m.score.is_win());
        }
        self.settled || wanted.iter().all(|m| m.score.is_win() || m.score.is_loss())
    }

    fn best_lines(&self, count: usize) -> Vec<Line<G::Move>> {
        let best = self.moves.iter().take(count.clamp(1, self.wanted));
        best.map(|m| Line { pv: m.line.clone(), value: self.value(m) }).collect()
    }

    /// What a move is worth. Where legal moves are left out, only a win is proven.
    fn value(&self, best: &RootMove<G>) -> Value {
        let last = best.line.iter().fold(self.position, |position, &m| position.after(m));
        let drawn = last.stage().outcome().filter(|outcome| best.settled && outcome.winner.is_none());
        let mut value = Value::of::<G>(best.score, drawn.map(|_| best.line.len() as u32));
        if let (Some(result), None) = (self.known, value.proven) {
            value.expected = Known::Certain(result).score::<G>(0).expected::<G>();
        }
        if self.narrowed {
            value.proven = value.proven.filter(|proven| proven.result == GameResult::Win);
        }
        value
    }
}

/// What a move is worth without looking further, for the side that plays it.
pub(super) fn glance<G: Evaluate>(position: &G, m: G::Move) -> Score {
    let next = position.after(m);
    match next.stage() {
        Stage::Over(outcome) => Score::over(outcome.result_for(position.turn()), 1),
        Stage::Move | Stage::Roll if next.turn() == position.turn() => next.evaluate(),
        Stage::Move | Stage::Roll => -next.evaluate(),
    }
}

impl<G: Evaluate> RootMove<G> {
    fn at_a_glance(position: &G, m: G::Move, bias: i32) -> Self {
        let score = glance(position, m);
        let settled = position.after(m).stage().outcome().is_some();
        Self { m, score: score.with_bias(bias), bias, settled, line: vec![m] }
    }
}
