//! The search at the position it starts from.

use std::{cmp::Reverse, collections::HashSet};

use super::{
    Analysis, Control, Evaluate, Line, Options, Score, StoppedBy, Table, Value,
    level::Handicap,
    tree::{Interrupted, MAX_DEPTH, Tree},
};
use crate::game::Stage;

/// Looks for the best moves, on the calling thread. `position` is in [`Stage::Move`].
///
/// `on_depth` gets what is known after each finished depth; what ended the search is [`StoppedBy::Depth`] there.
/// Interrupted before the first depth is finished, the search answers with the moves that look best without
/// looking ahead.
pub fn search<G: Evaluate>(
    position: &G,
    options: &Options,
    control: &Control,
    table: &mut Table,
    on_depth: &mut dyn FnMut(&Analysis<G::Move>),
) -> Analysis<G::Move> {
    // 1. The limits, and what a weaker level has of them.
    let handicap = options.level.map_or(Handicap::NONE, Handicap::of);
    let limits = handicap.narrow(options.limits);
    let last_depth = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);

    // 2. The legal moves, those first that look best at a glance.
    let mut root = Root::new(position, options, &handicap);
    let mut tree = Tree::new(&limits, control, table);
    let report = |root: &Root<G>, tree: &Tree<G>, depth, stopped_by| Analysis {
        lines: root.best_lines(options.lines),
        depth,
        nodes: tree.nodes(),
        time: control.accepted().elapsed(),
        stopped_by,
    };

    // 3. Deeper and deeper, until nothing is left to find out or a limit is reached.
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
            break StoppedBy::Proven;
        }
    };
    report(&root, &tree, depth, stopped_by)
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
    /// No judgement has gone into the scores of the depth that was searched last.
    settled: bool,
}

/// A legal move with what is known about it.
#[derive(Clone)]
struct RootMove<G: Evaluate> {
    m: G::Move,
    /// For the side that plays it.
    score: Score,
    /// The error that a weaker level makes about it, in units of the score.
    error: i32,
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
        let only_move = listed.len() == 1;
        position.narrow(&mut listed);

        let mut errors = handicap.errors(position, options.seed);
        let mut moves: Vec<_> =
            listed.into_iter().map(|m| RootMove::at_a_glance(position, m, &mut errors)).collect();
        moves.sort_by_key(|m| Reverse(m.score));
        let wanted = if handicap.is_exact() { options.lines.clamp(1, moves.len()) } else { moves.len() };
        let mut root = Self { position: *position, moves, wanted, only_move, settled: false };
        root.sort_by_taste();
        root
    }

    /// Searches all moves to a depth. When that is interrupted, a better move that was found counts, but only
    /// if one line is wanted: several would have scores of different depths.
    fn deepen(&mut self, tree: &mut Tree<G>, depth: u32) -> Result<(), Interrupted> {
        let before = (self.wanted > 1).then(|| self.moves.clone());
        let result = self.search_moves(tree, depth);
        match before {
            Some(before) if result.is_err() => self.moves = before,
            _ => self.sort_by_taste(),
        }
        result
    }

    fn search_moves(&mut self, tree: &mut Tree<G>, depth: u32) -> Result<(), Interrupted> {
        self.settled = false;
        let mut settled = true;
        for i in 0..self.moves.len() {
            let m = self.moves[i].m;
            // To be among the best it has to be better than the last of those.
            let alpha = if i < self.wanted { -Score::INFINITY } else { self.moves[self.wanted - 1].score };
            if i >= self.wanted {
                let (score, is_settled) = tree.first_move(&self.position, m, (alpha, alpha.next()), depth)?;
                if score <= alpha {
                    settled &= is_settled;
                    continue;
                }
            }
            let (score, is_settled) = tree.first_move(&self.position, m, (alpha, Score::INFINITY), depth)?;
            settled &= is_settled;
            let line = std::iter::once(m).chain(tree.line().iter().copied()).collect();
            self.moves[i] = RootMove { m, score, error: self.moves[i].error, settled: is_settled, line };
            let better =
                self.moves[..i.min(self.wanted)].iter().take_while(|other| other.score >= score).count();
            self.moves[better..=i].rotate_right(1);
        }
        self.settled = settled;
        Ok(())
    }

    /// Puts the moves in the order in which the player, perhaps a weak one, likes them.
    fn sort_by_taste(&mut self) {
        self.moves[..self.wanted].sort_by_key(|m| Reverse(m.score.units() + m.error));
    }

    /// Whether searching deeper would change nothing.
    fn is_proven(&self) -> bool {
        self.settled || self.moves[..self.wanted].iter().all(|m| m.score.is_win() || m.score.is_loss())
    }

    fn best_lines(&self, count: usize) -> Vec<Line<G::Move>> {
        let best = self.moves.iter().take(count.clamp(1, self.wanted));
        best.map(|m| Line { pv: m.line.clone(), value: m.value(&self.position) }).collect()
    }
}

impl<G: Evaluate> RootMove<G> {
    fn at_a_glance(position: &G, m: G::Move, errors: &mut impl Iterator<Item = i32>) -> Self {
        let next = position.after(m);
        let score = match next.stage() {
            Stage::Over(outcome) => Score::over(outcome.result_for(position.turn()), 1),
            Stage::Move | Stage::Roll if next.turn() == position.turn() => next.evaluate(),
            Stage::Move | Stage::Roll => -next.evaluate(),
        };
        let settled = next.stage().outcome().is_some();
        // A decided game is seen by everybody.
        let error = errors.next().filter(|_| !score.is_win()).unwrap_or_default();
        Self { m, score, error, settled, line: vec![m] }
    }

    fn value(&self, position: &G) -> Value {
        let drawn = self.settled && self.score == Score::DRAW;
        let last = self.line.iter().fold(*position, |position, &m| position.after(m));
        let drawn_in = drawn && last.stage().outcome().is_some();
        Value::of::<G>(self.score, drawn_in.then_some(self.line.len() as u32))
    }
}
