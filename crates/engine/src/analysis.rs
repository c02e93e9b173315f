//! What a search finds: lines, and the move that was played beside the best one.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    Control, Engine, Evaluator, Options, Playable, RootPosition, SearchLimits, Tablebases,
    TranspositionTable, Value, root::Purpose,
};

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<M> {
    /// The best moves, best first; at least one.
    pub lines: Vec<Line<M>>,
    /// The depth to which the lines were searched, in plies; 0 if they are those of the static evaluation, or
    /// were looked up.
    pub depth: u32,
    /// Whether all moves were searched to that depth. If a limit ended the search before, the line is the
    /// best of those that were.
    pub complete: bool,
    /// How many positions were visited.
    pub nodes: u64,
    /// How long it took, from its start.
    pub time: Duration,
    /// What ended it.
    pub stopped_by: StoppedBy,
}

impl<M: Copy> Analysis<M> {
    /// The move to play.
    #[must_use]
    pub fn best(&self) -> M {
        self.lines
            .first()
            .and_then(|line| line.pv.first())
            .copied()
            .expect("an analysis has a line with a move")
    }
}

/// A move and what follows if both sides play their best.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M> {
    /// The moves; at least one. With dice the line ends where they are rolled.
    pub pv: Vec<M>,
    /// What the first move is worth to the side that plays it.
    pub value: Value,
}

/// What ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum StoppedBy {
    /// The time was up, or nobody wants the answer any more.
    Time,
    /// The depth was reached.
    Depth,
    /// The positions were used up.
    Nodes,
    /// The result is certain.
    Proven,
    /// There is only one legal move.
    OnlyMove,
    /// The position was looked up.
    Database,
}

/// A move that was played beside the best one, both from one search and of the same depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison<M> {
    /// The best move, and what follows.
    pub best: Line<M>,
    /// The move that was played, and what follows; never worth more than the best.
    pub played: Line<M>,
    /// What the second-best move is worth, if there are two.
    pub second: Option<Value>,
    /// The place of the move that was played: one more than the number of moves with a higher expected
    /// result, so moves of equal value share a place. A search for all lines at this depth says the same.
    pub rank: usize,
    /// How many legal moves there are, with different results.
    pub of: usize,
    /// The depth to which all these were searched, in plies; 0 if they are those of the static evaluation.
    pub depth: u32,
    /// How many positions were visited.
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
    /// [`Stage::Move`](cublino_rules::game::Stage::Move). Values decide and nothing else: no move is
    /// preferred for the progress that it makes.
    ///
    /// This is the search for all lines, so that the place of the move is the one which that search gives it.
    ///
    /// If time or nodes end the search, the answer comes from the last depth or from the one before it,
    /// whichever has the lesser loss: what only one of them says is hardly ever what a longer search says.
    /// Without a limit on time the answer is the same on every machine.
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
        let root = RootPosition { moves: None, ..self.with_history(root.into()) };
        let options = Options { lines: usize::MAX, ..Options::new(*limits) };
        let (mut last, mut before) = (None, None);
        let end = self.search_for(Purpose::Evaluate, &root, &options, control, table, &mut |finished| {
            before = last.replace(finished.clone());
        });
        let Analysis { nodes, time, stopped_by, .. } = end;
        let compared = |analysis| Comparison::of(&root.position, played, analysis);
        let told = match stopped_by {
            StoppedBy::Time | StoppedBy::Nodes => compared(end).or_lesser_loss(before.map(compared)),
            _ => compared(end),
        };
        Comparison { nodes, time, stopped_by, ..told }
    }
}

impl<M: Copy> Comparison<M> {
    /// What a search for all lines says about the best move and the one that was played.
    fn of<G: Playable<Move = M>>(position: &G, played: M, analysis: Analysis<M>) -> Self {
        let Analysis { mut lines, depth, nodes, time, stopped_by, .. } = analysis;
        let after = position.after(played);
        let place = lines.iter().position(|line| position.after(line.pv[0]) == after);
        let place = place.expect("the move is legal");
        // Another move may lead to the same position: the caller knows this one.
        lines[place].pv[0] = played;
        let expected = lines[place].value.expected;
        Self {
            best: lines[0].clone(),
            played: lines[place].clone(),
            second: lines.get(1).map(|line| line.value),
            rank: 1 + lines.iter().filter(|line| line.value.expected > expected).count(),
            of: lines.len(),
            depth,
            nodes,
            time,
            stopped_by,
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
