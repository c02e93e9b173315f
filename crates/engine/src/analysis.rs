//! Results of a search: the best moves, a played move compared with the best one, and the value of a position
//! in any stage.

use std::time::Duration;

use cublino_rules::game::Stage;
use serde::{Deserialize, Serialize};

use crate::{
    Control, Engine, GameResult, Options, Playable, Proven, RootPosition, SearchLimits, TranspositionTable,
    Value, options::Technique, playable::possible, root::Purpose,
};

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<M> {
    /// The best moves, best first; at least one.
    pub lines: Vec<Line<M>>,
    /// The depth of the search, in plies; 0 for a static evaluation or a table lookup.
    pub depth: u32,
    /// Whether all moves were searched to this depth. If not, the line is that of the best searched move.
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
    /// The time limit was reached, or the search was told to stop.
    Time,
    /// The depth limit was reached.
    Depth,
    /// The node limit was reached.
    Nodes,
    /// The result is proven.
    Proven,
    /// There is only one legal move.
    OnlyMove,
    /// The result comes from a tablebase.
    Database,
}

/// A played move compared with the best one: both from one search, at the same depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison<M> {
    /// The line of the best move.
    pub best: Line<M>,
    /// The line of the played move; never worth more than the best.
    pub played: Line<M>,
    /// The value of the second-best move, if there are two.
    pub second: Option<Value>,
    /// The rank of the played move: one more than the number of moves with a higher expected result, so moves
    /// of equal value share a rank. A search for all lines to this depth gives the same rank.
    pub rank: usize,
    /// The number of legal moves that lead to different positions.
    pub of: usize,
    /// The depth to which these moves were searched, in plies; 0 for static evaluations or a tablebase hit.
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
    /// [`Stage::Move`](cublino_rules::game::Stage::Move). Only values count: no move is preferred because it
    /// makes progress.
    ///
    /// This is a search for all lines, so the rank of the move is the one that such a search gives.
    ///
    /// If the limit on time or nodes ends the search, the answer comes from the last finished depth or the
    /// one before it, whichever shows the smaller loss: longer searches rarely confirm a loss that only one
    /// of them shows. Without a limit on time the answer is the same on every machine.
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
        let comparison = match stopped_by {
            StoppedBy::Time | StoppedBy::Nodes => compared(end).or_lesser_loss(before.map(compared)),
            _ => compared(end),
        };
        Comparison { nodes, time, stopped_by, ..comparison }
    }
}

impl<M: Copy> Comparison<M> {
    /// Compares the played move with the best one, from a search for all lines.
    fn of<G: Playable<Move = M>>(position: &G, played: M, analysis: Analysis<M>) -> Self {
        let Analysis { mut lines, depth, nodes, time, stopped_by, .. } = analysis;
        let after = position.after(played);
        let place = lines.iter().position(|line| position.after(line.pv[0]) == after);
        let place = place.expect("the move is legal");
        // Another move may lead to the same position: report the one that the caller passed.
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

    /// The loss of expected result by the played move, compared with the best one.
    fn loss(&self) -> f64 {
        self.best.value.more_than(&self.played.value)
    }

    /// The comparison with the smaller loss: of this depth or the one before. Always this depth if the best
    /// or the played move has a proven result.
    ///
    /// Values oscillate from depth to depth, as the last ply is one or the other player's. A loss that only
    /// one of two depths shows is mostly an effect of that.
    fn or_lesser_loss(self, before: Option<Self>) -> Self {
        let is_proven = self.best.value.proven.or(self.played.value.proven).is_some();
        before.filter(|before| !is_proven && before.loss() < self.loss()).unwrap_or(self)
    }
}

/// The value of a position, and how it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated<R> {
    /// The value for the side to move, or to roll.
    pub value: Value,
    /// All rolls, if the dice are to be rolled: the value of the position is their mean.
    pub rolls: Vec<RollValue<R>>,
    /// The depth of the search, in plies; before a roll the smallest among all rolls. 0 for a static
    /// evaluation, a finished game or a tablebase hit.
    pub depth: u32,
    /// Whether all moves were searched to that depth, after every roll.
    pub complete: bool,
    /// How many nodes (positions) were visited.
    pub nodes: u64,
    /// How long it took, from its start.
    pub time: Duration,
    /// What ended the search; before a roll, what ended the first search that a limit ended, if any.
    pub stopped_by: StoppedBy,
}

/// The value of a position after a roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollValue<R> {
    /// The roll.
    pub roll: R,
    /// The probability of the roll; those of all rolls add up to 1.
    pub probability: f64,
    /// The value after the roll, for the side that rolls.
    pub value: Value,
}

impl Engine {
    /// Evaluates a position, on the calling thread.
    ///
    /// Before a move, the value is that of the best move, found by a search; with a depth of 0 it is the
    /// static evaluation. Before a roll it is the mean over all rolls: each is searched to the depth limit,
    /// with an equal share of the nodes and the time that the searches before it have left. When the game is
    /// over, also because of its history, it is the result.
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

/// The limits of the next of the searches that are `left`, after `visited` nodes: an equal share of the rest
/// of each limit.
fn share(limits: &SearchLimits, visited: u64, left: usize, elapsed: Duration) -> SearchLimits {
    let time = limits.time.map(|time| time.saturating_sub(elapsed));
    let rest = SearchLimits { time, ..limits.less(visited) };
    let part = rest.part(u32::try_from(left).expect("there are few rolls"));
    SearchLimits { time: part.time.map(|time| elapsed + time), depth: limits.depth, ..part }
}

/// Whether a search was ended by a limit, not by a proven result or an only move.
const fn is_limit(stopped_by: StoppedBy) -> bool {
    matches!(stopped_by, StoppedBy::Time | StoppedBy::Depth | StoppedBy::Nodes)
}

/// The mean of the values of all rolls. It is proven if all of them are, with the same result; its plies are
/// then the most that any roll takes.
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
