//! Probing tablebases at the root, and counting the plies to exact results.

use std::collections::HashMap;

use cublino_rules::game::{Player, Stage};

use super::{Tablebase, TablebaseValue};
use crate::{
    Control, GameResult, Learned, LimitChecker, Line, Playable, Proven, SearchLimits, StoppedBy, Value,
    limits::Searched,
};

/// A search for the fewest plies in which a player can force an exact result, with a tablebase as a guide.
///
/// No position occurs twice on the shortest way, since the rest of the way gets shorter with each ply. So
/// repetition does not matter.
struct Prover<'a, G> {
    tablebase: &'a dyn Tablebase<G>,
    limits: LimitChecker<'a>,
    /// The fewest plies that the result may take from a position, and the most.
    bounds: HashMap<(Goal, G), (u32, u32)>,
}

/// The result to force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Goal {
    /// The player who forces it.
    player: Player,
    /// A win or a draw.
    result: GameResult,
}

impl<G: Playable> Prover<'_, G> {
    /// The line to an exact result for a player: one player hurries, the other delays, and neither accepts a
    /// worse result. A loss is a win of the opponent.
    fn line(&mut self, position: &G, player: Player, result: GameResult) -> Searched<Vec<G::Move>> {
        let goal = match result {
            GameResult::Loss => Goal { player: !player, result: GameResult::Win },
            GameResult::Win | GameResult::Draw => Goal { player, result },
        };
        let mut plies = 0;
        while !self.within(goal, position, plies)? {
            plies += 1;
        }
        let mut line = Vec::new();
        let mut position = *position;
        for left in (0..plies).rev() {
            let m = self.best(goal, &position, left)?;
            line.push(m);
            position = position.after(m);
        }
        Ok(line)
    }

    /// A move after which the result takes exactly `left` plies.
    fn best(&mut self, goal: Goal, position: &G, left: u32) -> Searched<G::Move> {
        for m in self.moves(goal, position) {
            let next = position.after(m);
            if self.within(goal, &next, left)? && (left == 0 || !self.within(goal, &next, left - 1)?) {
                return Ok(m);
            }
        }
        // The number of plies was found by such a move. But if the file of the tablebase has changed since,
        // the tablebase no longer answers.
        Err(StoppedBy::Database)
    }

    /// Whether the player can force the result within so many plies.
    fn within(&mut self, goal: Goal, position: &G, plies: u32) -> Searched<bool> {
        if let Stage::Over(outcome) = position.stage() {
            return Ok(GameResult::of(outcome.result_for(goal.player)) == goal.result);
        }
        let (least, most) = self.bounds.get(&(goal, *position)).copied().unwrap_or((1, u32::MAX));
        if plies < least {
            return Ok(false);
        }
        if plies >= most {
            return Ok(true);
        }
        self.limits.visit()?;
        let mine = position.turn() == goal.player;
        let mut found = !mine;
        for m in self.moves(goal, position) {
            if self.within(goal, &position.after(m), plies - 1)? == mine {
                found = mine;
                break;
            }
        }
        let bounds = if found { (least, plies) } else { (plies + 1, most) };
        self.bounds.insert((goal, *position), bounds);
        Ok(found)
    }

    /// The moves to search: those by which the player keeps the result; all of the opponent's against a win,
    /// and those that keep the draw against a draw.
    fn moves(&self, goal: Goal, position: &G) -> Vec<G::Move> {
        let mut moves = position.legal_moves();
        if position.turn() == goal.player || goal.result == GameResult::Draw {
            let result = if position.turn() == goal.player { goal.result } else { !goal.result };
            moves.retain(|&m| {
                after(position, m, self.tablebase).and_then(TablebaseValue::result) == Some(result)
            });
        }
        moves
    }
}

/// What a tablebase says about the moves of a position.
pub(crate) enum RootProbe<M> {
    /// The best moves.
    Lines(Vec<Line<M>>),
    /// The result, and the moves that keep it. A search has to find which of them brings it about soonest.
    Keeping(GameResult, Vec<M>),
}

/// Nodes to count the plies to the end of all lines: a few hundredths of a second.
const BUDGET: u64 = 50_000;

/// Probes a tablebase for the best moves of a position; `None` if it does not know enough about it and its
/// next positions. The first number is that of the nodes visited to count plies, at most half of what the
/// limits allow.
pub(crate) fn probe_root<G: Playable>(
    position: &G,
    evaluator: &Learned,
    tablebase: &dyn Tablebase<G>,
    wanted: usize,
    limits: &SearchLimits,
    control: &Control,
) -> (u64, Option<RootProbe<G::Move>>) {
    let moves = position.legal_moves();
    let half = limits.part(2).with_nodes_at_most(BUDGET);
    let limits = LimitChecker::new(&half, control);
    let mut prover = Prover { tablebase, limits, bounds: HashMap::new() };
    let answer = match tablebase.probe(position).and_then(TablebaseValue::result) {
        Some(result) if wanted <= 1 => best(position, result, moves, &mut prover),
        _ => all(position, evaluator, wanted, &moves, &mut prover),
    };
    (prover.limits.nodes, answer)
}

/// The best move and its line, where the result is exact.
fn best<G: Playable>(
    position: &G,
    result: GameResult,
    moves: Vec<G::Move>,
    prover: &mut Prover<G>,
) -> Option<RootProbe<G::Move>> {
    if let Ok(pv) = prover.line(position, position.turn(), result) {
        let value = Value::exact(result, u32::try_from(pv.len()).ok());
        return Some(RootProbe::Lines(vec![Line { pv, value }]));
    }
    let known = |&m: &G::Move| after(position, m, prover.tablebase).and_then(TablebaseValue::result);
    let keeping: Vec<_> = moves.into_iter().filter(|m| known(m) == Some(result)).collect();
    // There is always one, unless the file of the tablebase has changed since.
    (!keeping.is_empty()).then_some(RootProbe::Keeping(result, keeping))
}

/// The best moves, if the tablebase knows the positions after all moves.
fn all<G: Playable>(
    position: &G,
    evaluator: &Learned,
    wanted: usize,
    moves: &[G::Move],
    prover: &mut Prover<G>,
) -> Option<RootProbe<G::Move>> {
    // If every move ends the game, there is nothing to look up.
    if moves.iter().all(|&m| position.after(m).stage().outcome().is_some()) {
        return None;
    }
    let known = moves.iter().map(|&m| Some((m, after(position, m, prover.tablebase)?)));
    let known: Vec<_> = known.collect::<Option<_>>()?;
    let line = |(m, known)| {
        let mut pv = vec![m];
        let value = match known {
            TablebaseValue::Expected(expected) => Value::heuristic(expected, 0.0),
            TablebaseValue::Exact { result, plies: Some(plies) } => Value::exact(result, Some(plies + 1)),
            TablebaseValue::Exact { result, plies: None } => {
                let line = prover.line(&position.after(m), position.turn(), result);
                pv.extend(line.iter().flatten());
                Value::exact(result, line.ok().and_then(|_| u32::try_from(pv.len()).ok()))
            }
        };
        Line { pv, value }
    };
    let mut lines: Vec<_> = known.into_iter().map(line).collect();
    // Equal values are ordered by the static evaluation.
    let by_value = |a: &Line<G::Move>, b: &Line<G::Move>| {
        let static_score = |line: &Line<G::Move>| evaluator.static_score(position, line.pv[0]);
        b.value.total_cmp(&a.value).then_with(|| static_score(b).cmp(&static_score(a)))
    };
    lines.sort_by(by_value);
    // The value of the first move also stands for the position. Another move with this result but without
    // counted plies, which are at least two, may bring it about sooner or delay it longer.
    if let Some(Proven { result, plies: Some(plies) }) = lines[0].value.proven
        && !(result == GameResult::Win && plies <= 2)
        && lines.iter().any(|line| line.value.proven == Some(Proven { result, plies: None }))
    {
        lines[0].value.proven = Some(Proven { result, plies: None });
    }
    lines.truncate(wanted.max(1));
    Some(RootProbe::Lines(lines))
}

/// What is known about a move, for the side that plays it.
fn after<G: Playable>(position: &G, m: G::Move, tablebase: &dyn Tablebase<G>) -> Option<TablebaseValue> {
    let next = position.after(m);
    let known = match next.stage() {
        Stage::Over(outcome) => {
            let result = GameResult::of(outcome.result_for(next.turn()));
            Some(TablebaseValue::Exact { result, plies: Some(0) })
        }
        Stage::Move | Stage::Roll => tablebase.probe(&next),
    };
    if next.turn() == position.turn() { known } else { known.map(TablebaseValue::for_opponent) }
}
