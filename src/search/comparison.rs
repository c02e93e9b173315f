//! A move that was played beside the best one.

use std::time::Duration;

use super::{
    analysis::{Line, StoppedBy},
    control::Control,
    evaluation::Evaluator,
    limits::{Interrupted, LimitChecker, SearchLimits},
    options::Options,
    playable::Playable,
    root::Engine,
    root_moves::RootMoves,
    root_position::RootPosition,
    tablebase::Tablebases,
    techniques::Technique,
    transposition_table::TranspositionTable,
    tree::{MAX_DEPTH, Tree},
    value::Value,
};

/// A move that was played beside the best one, both from one search and of the same depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison<M> {
    /// The best move, and what follows.
    pub best: Line<M>,
    /// The move that was played, and what follows; never worth more than the best.
    pub played: Line<M>,
    /// What the second-best move is worth, if there are two.
    pub second: Option<Value>,
    /// The place of the move that was played: one more than the number of moves of which more is expected.
    ///
    /// Moves that the search has not told apart are searched once more, only to find out whether they are
    /// better. If a limit is reached before, those that are left count as better, so that no place is claimed
    /// that is too good.
    pub rank: usize,
    /// How many legal moves there are, with different results.
    pub of: usize,
    /// The depth to which all these were searched, in plies; 0 if they are those of the static evaluation.
    pub depth: u32,
    /// How many positions were visited, those for the place of the move included.
    pub nodes: u64,
    /// How long it took, from its start.
    pub time: Duration,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

/// Compares a move with the best one, by the evaluator that the game brings; see [`Engine::compare`].
pub fn compare<G: Playable>(
    root: impl Into<RootPosition<G>>,
    played: G::Move,
    limits: &SearchLimits,
    tablebases: &Tablebases,
    control: &Control,
    table: &mut TranspositionTable,
) -> Comparison<G::Move> {
    let engine = Engine::built_in::<G>(tablebases.clone());
    engine.compare(root, played, limits, control, table)
}

impl<E> Engine<E> {
    /// Compares a legal move with the best one, on the calling thread, in a position in
    /// [`Stage::Move`](crate::game::Stage::Move). Values decide and nothing else: no move is preferred for
    /// the progress that it makes.
    ///
    /// Where time or positions end the search it is told of the last depth or of the one before it, by which
    /// the move loses less: what only one of them says is hardly ever what a longer search says.
    ///
    /// A quarter of the time and of the positions is kept for finding out the place of the move. Without a
    /// limit on time the answer is the same on every machine.
    pub fn compare<G: Playable>(
        &self,
        root: impl Into<RootPosition<G>>,
        played: G::Move,
        limits: &SearchLimits,
        control: &Control,
        table: &mut TranspositionTable,
    ) -> Comparison<G::Move>
    where
        E: Evaluator<G>,
    {
        // 1. The two best moves are told apart, and the one that was played.
        let root = RootPosition { moves: None, ..self.with_history(root.into()) };
        let options = Options { lines: 2, ..Options::new(*limits) };
        let mut moves = RootMoves::new(&root, &self.evaluator, &options, false);
        moves.name(played);
        let tablebase = G::tablebase(&self.tablebases).filter(|_| self.techniques.has(Technique::Tablebase));
        let last_depth = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let limit_checker = LimitChecker::new(&limits.three_quarters(), control).of_tree();
        let mut tree =
            Tree::new(&root, &self.evaluator, tablebase, self.techniques, limit_checker, table.begin());

        // 2. Deeper and deeper. A depth that is not finished says nothing about the move that was played, so
        //    the one before is the answer.
        let mut before = None;
        let stopped_by = loop {
            if moves.depth() == last_depth {
                break StoppedBy::Depth;
            }
            let this = (moves.depth() > 0).then(|| AtDepth::of(&moves, &self.evaluator, tree.nodes()));
            if let Err(Interrupted(stopped_by)) = moves.deepen(&mut tree) {
                break stopped_by;
            }
            before = this;
            if moves.is_proven() {
                break StoppedBy::Proven;
            }
        };
        let searched = tree.nodes();
        let mut nodes = searched;

        // 3. The place of the move, with what is left.
        tree.limits = LimitChecker::new(&limits.less(nodes), control);
        let rank = moves.rank_of_named(&mut tree, searched);
        nodes += tree.nodes();

        // 4. How many plies a result takes that has been proven.
        nodes += moves.count_plies(&limits.less(nodes).with_nodes_at_most(nodes), control);

        // 5. Where the depth is as it happened to be when time or positions ran out, the one before it may
        //    say that the move loses less.
        let last = AtDepth::of(&moves, &self.evaluator, searched);
        let told = match stopped_by {
            StoppedBy::Time | StoppedBy::Nodes => last.or_lesser_loss(before),
            _ => last,
        };
        let rank = if told.loss() > 0.0 { rank.max(2) } else { 1 };
        let AtDepth { best, played, second, depth } = told;
        let of = moves.legal();
        Comparison { best, played, second, rank, of, depth, nodes, time: control.elapsed(), stopped_by }
    }
}

/// What a depth says about the moves that are compared.
#[derive(Debug)]
struct AtDepth<M> {
    best: Line<M>,
    played: Line<M>,
    second: Option<Value>,
    depth: u32,
}

impl<M: Clone> AtDepth<M> {
    /// What the depth says that was searched last, when so many positions had been visited.
    fn of<G: Playable<Move = M>>(moves: &RootMoves<G>, evaluator: &impl Evaluator<G>, nodes: u64) -> Self {
        let lines = moves.best_lines(evaluator, nodes);
        Self {
            best: lines[0].clone(),
            played: moves.named_line(evaluator, nodes).expect("the move is legal"),
            second: lines.get(1).map(|line| line.value),
            depth: moves.depth(),
        }
    }

    /// How much less is expected of the move that was played.
    fn loss(&self) -> f64 {
        self.best.value.more_than(&self.played.value)
    }

    /// Of this depth and the one before it the one with the lesser loss; this one if a result is certain that
    /// one of the moves brings about.
    ///
    /// Values go up and down from depth to depth, as the last ply is one or the other player's. A loss that
    /// only one of two depths tells is mostly of that kind.
    fn or_lesser_loss(self, before: Option<Self>) -> Self {
        let is_proven = self.best.value.proven.or(self.played.value.proven).is_some();
        before.filter(|before| !is_proven && before.loss() < self.loss()).unwrap_or(self)
    }
}
