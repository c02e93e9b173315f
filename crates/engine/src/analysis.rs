//! What a search finds: the best moves, what a move that was played is worth beside them, and what a position
//! is worth in every stage.

use std::time::Duration;

use cublino_rules::game::Stage;
use serde::{Deserialize, Serialize};

use crate::{
    Control, Engine, GameResult, Options, Playable, Proven, RootPosition, SearchLimits, TranspositionTable,
    Value, options::Technique, playable::possible, root::Purpose,
};

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<M> {
    /// The best moves, best first; at least one.
    pub lines: Vec<Line<M>>,
    /// The depth of the search, in plies; 0 for a static evaluation or a table lookup.
    pub depth: u32,
    /// Whether all moves were searched to this depth. If not, the line is the best of those that were.
    pub complete: bool,
    /// How many nodes (positions) were visited.
    pub nodes: u64,
    /// How long it took, from its start.
    pub time: Duration,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

impl<M: Copy> Analysis<M> {
    /// The move to play.
    pub fn best(&self) -> M {
        self.lines[0].pv[0]
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
    /// How many nodes (positions) were visited.
    pub nodes: u64,
    /// How long it took, from its start.
    pub time: Duration,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

impl Engine {
    /// Compares a legal move with the best one, on the calling thread, in a position in
    /// [`Stage::Move`](cublino_rules::game::Stage::Move). Values decide and nothing else: no move is
    /// preferred for the progress that it makes.
    ///
    /// This is the search for all lines, so that the place of the move is the one which that search gives it.
    ///
    /// If time or nodes end the search, the answer comes from the last depth or from the one before it,
    /// whichever has the lesser loss: what only one of them says is hardly ever what a longer search says.
    /// Without a limit on time the answer is the same on every machine.
    ///
    /// ```
    /// use cublino_engine::{Control, Engine, SearchLimits, Tablebases, TranspositionTable};
    /// use cublino_rules::{game::Game, games::Wari};
    ///
    /// let (start, limits) = (Wari::default(), SearchLimits { depth: Some(3), ..SearchLimits::default() });
    /// let mut table = TranspositionTable::new(1 << 20);
    /// let m = start.legal_moves()[0];
    /// let engine = Engine::built_in::<Wari>(Tablebases::none());
    /// let found = engine.compare(&start, m, &limits, &Control::new(), &mut table);
    /// assert_eq!((found.of, found.depth), (6, 3));
    /// assert!(found.best.value.expected >= found.played.value.expected);
    /// ```
    pub fn compare<G: Playable>(
        &self,
        root: impl Into<RootPosition<G>>,
        played: G::Move,
        limits: &SearchLimits,
        control: &Control,
        table: &mut TranspositionTable,
    ) -> Comparison<G::Move> {
        let root = RootPosition { moves: None, ..root.into() };
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

/// What a position is worth, and how that was found out.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated<R> {
    /// For the side to move, or to roll.
    pub value: Value,
    /// Every roll, where the dice are to be rolled: the value of the position is their mean.
    pub rolls: Vec<RollValue<R>>,
    /// The depth of the search, in plies; before a roll the least of all rolls. 0 if it is the static
    /// evaluation, the result of a game that is over, or was looked up.
    pub depth: u32,
    /// Whether all moves were searched to that depth, after every roll.
    pub complete: bool,
    /// How many nodes (positions) were visited.
    pub nodes: u64,
    /// How long it took, from its start.
    pub time: Duration,
    /// What ended the search: before a roll what ended the first that was ended by a limit, if one was.
    pub stopped_by: StoppedBy,
}

/// What a position is worth after a roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollValue<R> {
    /// The roll.
    pub roll: R,
    /// How likely it is; together they are 1.
    pub probability: f64,
    /// What the position is worth then, for the side that rolls.
    pub value: Value,
}

impl Engine {
    /// What a position is worth, on the calling thread.
    ///
    /// With a move to play it is the value of the best one, by a search; with a depth of 0 the static
    /// evaluation, without any. Before a roll it is the mean over all rolls: the positions are split evenly
    /// among them, the depth holds for each, and each may take an equal part of the time that those before
    /// it have left. When the game is over, also by what happened before, it is the result.
    ///
    /// ```
    /// use cublino_engine::{Control, Engine, SearchLimits, Tablebases, TranspositionTable};
    /// use cublino_rules::games::Mahbusa;
    ///
    /// // Before a roll, the value is the mean over all rolls. With depth 0 it is the static evaluation.
    /// let limits = SearchLimits { depth: Some(0), ..SearchLimits::default() };
    /// let mut table = TranspositionTable::new(0);
    /// let engine = Engine::built_in::<Mahbusa>(Tablebases::none());
    /// let found = engine.evaluate(&Mahbusa::default(), &limits, &Control::new(), &mut table);
    /// assert_eq!((found.rolls.len(), found.depth), (21, 0));
    /// ```
    pub fn evaluate<G: Playable>(
        &self,
        root: impl Into<RootPosition<G>>,
        limits: &SearchLimits,
        control: &Control,
        table: &mut TranspositionTable,
    ) -> Evaluated<G::Roll> {
        let root = root.into();
        match root.stage() {
            Stage::Roll => self.value_before_roll(&root.position, limits, control, table),
            Stage::Move | Stage::Over(_) => self.value_of(&root, limits, control, table),
        }
    }

    /// The value of a position in which the dice are not to be rolled.
    fn value_of<G: Playable, R>(
        &self,
        root: &RootPosition<G>,
        limits: &SearchLimits,
        control: &Control,
        table: &mut TranspositionTable,
    ) -> Evaluated<R> {
        let position = &root.position;
        let without_search = |value, stopped_by| Evaluated {
            value,
            rolls: Vec::new(),
            depth: 0,
            complete: true,
            nodes: 0,
            time: control.elapsed(),
            stopped_by,
        };
        if let Stage::Over(outcome) = root.stage() {
            let result = GameResult::of(outcome.result_for(position.turn()));
            return without_search(Value::exact(result, Some(0)), StoppedBy::Proven);
        }
        let tablebase = G::tablebase(&self.tablebases)
            .filter(|_| self.techniques.has(Technique::Tablebase) && root.history.is_empty());
        let possible = possible(position, tablebase);
        if limits.depth == Some(0) {
            let estimate = tablebase.and_then(|tablebase| tablebase.estimate(position));
            let score = estimate.unwrap_or_else(|| self.evaluator.evaluate(position));
            let draw_share = self.evaluator.draw_share(position);
            let value = Value::of(score, &self.evaluator.meaning(draw_share, 0), draw_share, None);
            return without_search(value.within(&possible), StoppedBy::Depth);
        }
        let options = Options::new(*limits);
        let found = self.search_for(Purpose::Evaluate, root, &options, control, table, &mut |_| {});
        let Analysis { lines, depth, complete, nodes, time, stopped_by } = found;
        let value = match lines[0].value {
            // The best move draws at once, but another may be better.
            Value { proven: Some(Proven { result: GameResult::Draw, .. }), .. }
                if is_limit(stopped_by) && *possible.end() > 0 =>
            {
                Value::heuristic(0.0, 1.0)
            }
            value => value.within(&possible),
        };
        Evaluated { value, rolls: Vec::new(), depth, complete, nodes, time, stopped_by }
    }

    fn value_before_roll<G: Playable>(
        &self,
        position: &G,
        limits: &SearchLimits,
        control: &Control,
        table: &mut TranspositionTable,
    ) -> Evaluated<G::Roll> {
        let weights: u32 = G::ROLLS.iter().map(|&(_, weight)| weight).sum();
        let control = &control.shared_by(G::ROLLS.len());
        let mut rolls = Vec::with_capacity(G::ROLLS.len());
        let (mut depth, mut complete, mut nodes, mut stopped_by) = (u32::MAX, true, 0, StoppedBy::Proven);
        for (left, &(roll, weight)) in (1..=G::ROLLS.len()).rev().zip(G::ROLLS) {
            let rolled = position.rolled(roll);
            let share = share(limits, nodes, left, control.elapsed());
            let found: Evaluated<G::Roll> =
                self.value_of(&RootPosition::from(&rolled), &share, control, table);
            let probability = f64::from(weight) / f64::from(weights);
            let value = if rolled.turn() == position.turn() { found.value } else { -found.value };
            rolls.push(RollValue { roll, probability, value });
            depth = depth.min(found.depth);
            complete &= found.complete;
            nodes += found.nodes;
            if !is_limit(stopped_by) {
                stopped_by = found.stopped_by;
            }
        }
        let (value, time) = (mean(&rolls), control.elapsed());
        Evaluated { value, rolls, depth, complete, nodes, time, stopped_by }
    }
}

/// The limits of one of the searches that are left, when so many positions have been visited: an equal part
/// of the rest of each.
fn share(limits: &SearchLimits, visited: u64, left: usize, elapsed: Duration) -> SearchLimits {
    let time = limits.time.map(|time| time.saturating_sub(elapsed));
    let rest = SearchLimits { time, ..limits.less(visited) };
    let part = rest.part(u32::try_from(left).expect("there are few rolls"));
    SearchLimits { time: part.time.map(|time| elapsed + time), depth: limits.depth, ..part }
}

/// Whether a search was ended by a limit, not because there was nothing more to find out.
const fn is_limit(stopped_by: StoppedBy) -> bool {
    matches!(stopped_by, StoppedBy::Time | StoppedBy::Depth | StoppedBy::Nodes)
}

/// The mean of the values of all rolls. It is proven if all of them are, with the same result; then the
/// longest way there counts.
fn mean<R>(rolls: &[RollValue<R>]) -> Value {
    let first = rolls[0].value.proven.map(|proven| proven.result);
    if let Some(result) = first
        && rolls.iter().all(|roll| roll.value.proven.map(|proven| proven.result) == first)
    {
        let plies = rolls.iter().map(|roll| roll.value.proven.and_then(|proven| proven.plies));
        let longest = plies.reduce(|a, b| a.zip(b).map(|(a, b)| a.max(b))).flatten();
        return Value::exact(result, longest);
    }
    let weighed =
        |part: fn(&Value) -> f64| rolls.iter().map(|roll| roll.probability * part(&roll.value)).sum();
    Value::heuristic(weighed(|value| value.expected), weighed(|value| value.chances.draw))
}
