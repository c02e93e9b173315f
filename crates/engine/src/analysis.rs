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

/// A played move compared with the best one.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison<M> {
    /// The line of the best move.
    pub best: Line<M>,
    /// The line of the played move; never worth more than the best.
    pub played: Line<M>,
    /// How much less the played move is worth, in expected result.
    pub loss: f64,
    /// How much less the second-best move is worth, if there are two.
    pub lead: Option<f64>,
    /// The rank of the played move: one more than the number of moves with a higher expected result, so moves
    /// of equal value share a rank. A search for all lines to `rank_depth` gives the same rank.
    pub rank: usize,
    /// The number of legal moves that lead to different positions.
    pub of: usize,
    /// The depth to which all moves were searched for the rank, in plies; 0 for static evaluations or a
    /// tablebase hit.
    pub rank_depth: u32,
    /// The depth to which the best and the played move were searched, unless their results are proven.
    pub depth: u32,
    /// How many nodes (positions) were visited.
    pub nodes: u64,
    /// How long it took, from its start.
    pub time: Duration,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

/// A loss of this much is verified before it counts.
pub const DOUBTED_LOSS: f64 = 0.2;
/// How many times the time of the search before that may take; for the nodes see [`Tuning::verifying`](crate::Tuning::verifying).
const VERIFYING_TIME: u32 = 4;
/// How many plies deeper it looks, if the depth is limited.
const DEEPER: u32 = 2;
/// One part in this many of the nodes and the time is spent on the ranking of all moves.
const RANKING_SHARE: u32 = 2;

impl Engine {
    /// Compares a legal move with the best one, on the calling thread, in a position in
    /// [`Stage::Move`](cublino_rules::game::Stage::Move). Only values count: no move is preferred because it
    /// makes progress.
    ///
    /// A part of the limits goes into a search for all lines, which ranks the move. The rest goes into the
    /// best moves and the played one alone, which are searched more deeply.
    ///
    /// A large loss is verified: the best and the played move are searched again with
    /// [`verifying`](crate::Tuning::verifying) times the nodes, four times the time, or two plies deeper. If only
    /// one of them has a proven result, so is the other. If that stays unproven, the loss is at most that of
    /// the last ranking without a proof.
    ///
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
    /// assert_eq!((found.of, found.rank_depth), (6, 3));
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
        let position = &root.position;

        // 1. Rank all moves.
        let after = position.after(played);
        let place_in = |lines: &[Line<G::Move>]| {
            let place = lines.iter().position(|line| position.after(line.pv[0]) == after);
            place.expect("the move is legal")
        };
        let options = Options::new(SearchLimits { depth: limits.depth, ..limits.part(RANKING_SHARE) });
        let options = Options { lines: usize::MAX, ..options };
        let mut unproven = [0.0; 2];
        let mut found = self.search_for(Purpose::Evaluate, &root, &options, control, table, &mut |depth| {
            let lines = &depth.lines;
            for (loss, place) in unproven.iter_mut().zip([place_in(lines), 1.min(lines.len() - 1)]) {
                if [&lines[0], &lines[place]].iter().all(|line| line.value.proven.is_none()) {
                    *loss = lines[0].value.more_than(&lines[place].value);
                }
            }
        });
        let (of, rank_depth, place) = (found.lines.len(), found.depth, place_in(&found.lines));
        let expected = found.lines[place].value.expected;
        let rank = 1 + found.lines.iter().filter(|line| line.value.expected > expected).count();
        // Another move may lead to the same position: report the one that the caller passed.
        found.lines[place].pv[0] = played;

        // 2. Search the best moves and the played one alone, more deeply.
        found.lines.swap(place, place.min(2));
        found.lines.truncate(3);
        if of > 1 && matches!(found.stopped_by, StoppedBy::Time | StoppedBy::Nodes) {
            let rest = limits.less(found.nodes);
            found = self.search_again(&root, found, played, rest, control, table);
        }
        let second = found.lines.get(1);
        let lead = second.map(|second| loss(&found.lines[0].value, &second.value, unproven[1]));

        // 3. Verify a large loss, and one against a proof.
        let best = found.lines[0].pv[0];
        found.lines.retain(|line| [best, played].contains(&line.pv[0]));
        let of_played = |lines: &[Line<G::Move>]| {
            let played = lines.iter().find(|line| line.pv[0] == played).expect("it is searched");
            (loss(&lines[0].value, &played.value, unproven[0]), played.clone())
        };
        let (measured, line) = of_played(&found.lines);
        let proofs = [&found.lines[0], &line].map(|line| line.value.proven.is_some());
        let is_verified = match proofs {
            [true, true] => true,
            [false, false] => measured < DOUBTED_LOSS,
            _ => false,
        };
        if !is_verified && found.stopped_by != StoppedBy::Database {
            let more = SearchLimits {
                time: limits.time.map(|time| control.elapsed() + VERIFYING_TIME * time),
                depth: limits.depth.map(|depth| depth + DEEPER),
                nodes: limits.nodes.map(|nodes| nodes.saturating_mul(G::TUNING.verifying)),
            };
            found = self.search_again(&root, found, played, more, control, table);
        }
        let (loss, played) = of_played(&found.lines);
        let Analysis { lines, depth, nodes, time, stopped_by, .. } = found;
        let lead = if is_verified { lead } else { lead.map(|lead| lead.min(loss)) };
        Comparison {
            best: lines[0].clone(),
            played,
            loss,
            lead,
            rank,
            of,
            rank_depth,
            depth,
            nodes,
            time,
            stopped_by,
        }
    }

    /// Searches those of some lines again whose results are not proven, and returns all of them, the best
    /// first.
    ///
    /// If the limit on time or nodes ends the search, they are those of the last finished depth or the one
    /// before it, whichever shows the smaller loss: longer searches rarely confirm a loss that only one of
    /// them shows.
    fn search_again<G: Playable>(
        &self,
        root: &RootPosition<G>,
        known: Analysis<G::Move>,
        played: G::Move,
        limits: SearchLimits,
        control: &Control,
        table: &mut TranspositionTable,
    ) -> Analysis<G::Move> {
        let (proven, open): (Vec<_>, Vec<_>) =
            known.lines.iter().cloned().partition(|line| line.value.proven.is_some());
        if open.is_empty() {
            return known;
        }
        let root = root.clone().with_moves(open.iter().map(|line| line.pv[0]).collect());
        let options = Options { lines: usize::MAX, ..Options::new(limits) };
        let (mut last, mut before) = (None, None);
        let end = self.search_for(Purpose::Evaluate, &root, &options, control, table, &mut |finished| {
            before = last.replace(finished.clone());
        });
        let (nodes, time, stopped_by) = (known.nodes + end.nodes, end.time, end.stopped_by);
        if end.depth < known.depth && stopped_by != StoppedBy::Proven {
            return Analysis { nodes, time, stopped_by, ..known };
        }
        let with_proven = |found: Analysis<G::Move>| {
            let mut lines = [&found.lines[..], &proven].concat();
            lines.sort_by(|a, b| b.value.total_cmp(&a.value));
            let played = lines.iter().find(|line| line.pv[0] == played).expect("it is searched");
            let [best, played] = [lines[0].value, played.value];
            let is_proven = best.proven.or(played.proven).is_some();
            (best.more_than(&played), is_proven, Analysis { lines, nodes, time, stopped_by, ..found })
        };
        let (loss, is_proven, found) = with_proven(end);
        let may_be_earlier = !is_proven && matches!(stopped_by, StoppedBy::Time | StoppedBy::Nodes);
        let before = before.filter(|before: &Analysis<_>| may_be_earlier && before.depth >= known.depth);
        before.map(with_proven).filter(|(lesser, ..)| *lesser < loss).map_or(found, |(.., before)| before)
    }
}

/// How much less one move is worth than the best. If only one of them has a proven result, it is at most the
/// loss that was found without that proof.
fn loss(best: &Value, other: &Value, unproven: f64) -> f64 {
    let loss = best.more_than(other);
    if best.proven.is_some() == other.proven.is_some() { loss } else { loss.min(unproven) }
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
