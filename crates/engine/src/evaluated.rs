//! The value of a position in any stage.

use std::time::Duration;

use cublino_rules::game::Stage;

use crate::{
    Analysis, Control, Engine, GameResult, Options, Playable, Proven, RootPosition, SearchLimits, StoppedBy,
    TranspositionTable, Value, playable::possible, root::Purpose, techniques::Technique,
};

/// The value of a position, and how it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated<R> {
    /// The value for the side to move, or to roll.
    pub value: Value,
    /// All rolls, if the dice must be rolled: the value of the position is their mean.
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
    /// What ended the search. Before a roll: what ended the first search that reached a limit, if one did.
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
    /// over, even if only by its history, it is the result.
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
        let mut depth = u32::MAX;
        let mut complete = true;
        let mut nodes = 0;
        let mut stopped_by = StoppedBy::Proven;
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
        let value = mean(&rolls);
        let time = control.elapsed();
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
