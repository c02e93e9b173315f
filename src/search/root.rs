//! The search at the position it starts from.

use super::{
    Analysis, Control, Evaluate, Knowledge, Limits, Line, Options, Score, StoppedBy, Table, Value,
    knowledge::{Answer, answer},
    level::Handicap,
    root_moves::Root,
    solver::{ForcedWin, find_forced_win},
    tree::{MAX_DEPTH, Tree},
};

/// Positions that are visited at most to pick among moves that all keep a result which is known: some hundredths of a second.
const NODES_WITH_KNOWN_RESULT: u64 = 50_000;

/// Looks for the best moves, on the calling thread. `position` is in [`Stage::Move`](crate::game::Stage::Move).
///
/// `on_depth` gets what is known after each finished depth; what ended the search is [`StoppedBy::Depth`] there.
/// Levels are to play as people do, so they know nothing but the rules. Interrupted before the first root move is searched, the
/// search answers with the moves that are best by the static evaluation.
pub fn search<G: Evaluate>(
    position: &G,
    options: &Options,
    knowledge: &Knowledge,
    control: &Control,
    table: &mut Table,
    on_depth: &mut dyn FnMut(&Analysis<G::Move>),
) -> Analysis<G::Move> {
    // 1. The limits, and what a weaker level has of them. `spent` are the positions that were visited before the tree search.
    let handicap = options.level.map_or(Handicap::NONE, Handicap::of::<G>);
    let mut limits = handicap.narrow(options.limits);
    let last_depth = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
    let mut spent = 0;

    // 2. What is known needs no search.
    let rules_alone = Knowledge::none();
    let mut knowledge = if options.level.is_none() { knowledge } else { &rules_alone };
    let (looked_at, answer) = answer(position, knowledge, options.lines, &limits, control);
    spent += looked_at;
    limits = limits.less(looked_at);
    if let Some(Answer::Lines(lines)) = answer {
        let time = control.started().elapsed();
        let stopped_by = StoppedBy::Database;
        return Analysis { lines, depth: 0, complete: true, nodes: spent, time, stopped_by };
    }

    // 3. A win that somebody can force is looked for first.
    if options.level.is_none()
        && options.lines == 1
        && let Some(verdict) = find_forced_win(position, &limits, control)
    {
        spent += verdict.nodes;
        limits = limits.less(verdict.nodes);
        if let Some(line) = verdict.win.and_then(|win| forced_line(position, win)) {
            let (depth, time) = (line.pv.len() as u32, control.started().elapsed());
            let (lines, stopped_by) = (vec![line], StoppedBy::Proven);
            return Analysis { lines, depth, complete: true, nodes: spent, time, stopped_by };
        }
    }

    // 4. The legal moves, those first that are best by the static evaluation.
    let mut root = Root::new(position, options, &handicap);
    let mut tree_limits = limits;
    let has_known_result = if let Some(Answer::Among(result, moves)) = answer {
        // The search finds out which of these moves brings the result about. It must not ask what is known, or all would look alike and
        // it would go round in circles.
        root.keep(result, &moves);
        knowledge = &rules_alone;
        let nodes = limits.nodes.map_or(NODES_WITH_KNOWN_RESULT, |nodes| nodes.min(NODES_WITH_KNOWN_RESULT));
        tree_limits.nodes = Some(nodes);
        true
    } else {
        false
    };
    let mut tree = Tree::new(&tree_limits, knowledge, control, table);
    let report = |root: &Root<G>, nodes, stopped_by| Analysis {
        lines: root.best_lines(),
        depth: root.depth(),
        complete: root.is_complete(),
        nodes,
        time: control.started().elapsed(),
        stopped_by,
    };

    // 5. Deeper and deeper, until nothing is left to find out or a limit is reached.
    let stopped_by = loop {
        if root.depth() == last_depth {
            break StoppedBy::Depth;
        }
        if root.deepen(&mut tree).is_err() {
            break tree.interrupted_by.expect("an interruption has a cause");
        }
        on_depth(&report(&root, spent + tree.nodes(), StoppedBy::Depth));
        if root.is_only_move() {
            break StoppedBy::OnlyMove;
        }
        if root.is_proven() {
            break StoppedBy::Proven;
        }
    };
    spent += tree.nodes();
    limits = limits.less(tree.nodes());

    // 6. How many plies a result takes that has been proven.
    spent += root.count_plies(&limits.at_most(tree.nodes()), control);
    let is_looked_up = has_known_result && matches!(stopped_by, StoppedBy::Proven | StoppedBy::Nodes)
        || stopped_by == StoppedBy::Proven && G::HAS_KNOWLEDGE && !root.is_counted();
    report(&root, spent, if is_looked_up { StoppedBy::Database } else { stopped_by })
}

/// The line of a forced win; nothing if it was not worked out to its end.
fn forced_line<G: Evaluate>(position: &G, win: ForcedWin<G::Move>) -> Option<Line<G::Move>> {
    let result = if win.winner == position.turn() { 1 } else { -1 };
    let value = Value::of::<G>(Score::over(result, win.plies), Some(win.plies));
    (win.line.len() as u32 == win.plies).then_some(Line { pv: win.line, value })
}

impl Limits {
    /// What is left after so many positions have been visited.
    fn less(self, nodes: u64) -> Self {
        Self { nodes: self.nodes.map(|limit| limit.saturating_sub(nodes)), ..self }
    }

    /// With no more positions than so many, or than are usual for such a small question.
    fn at_most(self, nodes: u64) -> Self {
        /// A few hundredths of a second.
        const USUAL: u64 = 50_000;
        let most = nodes.max(USUAL);
        Self { nodes: Some(self.nodes.map_or(most, |limit| limit.min(most))), ..self }
    }
}
