//! Answers from a tablebase, without a search.

use super::{
    probe::{Tablebase, TablebaseValue},
    prover::Prover,
};
use crate::{
    analysis::{Line, StoppedBy},
    control::Control,
    evaluation::{Evaluator, static_score},
    limits::{Interrupted, SearchLimits},
    value::{GameResult, Proven, Value},
};
use cublino_rules::game::{Game, Stage};

/// What a tablebase says about the moves of a position.
pub(crate) enum RootProbe<M> {
    /// The best moves.
    Lines(Vec<Line<M>>),
    /// The result, and the moves that keep it. Which of them brings it about soonest takes a search.
    Keeping(GameResult, Vec<M>),
}

/// Positions that are visited to count the plies to the end of all lines: a few hundredths of a second.
const BUDGET: u64 = 50_000;

/// The best moves of a position about which, and about what follows, enough is known; none otherwise. The
/// first number is that of the positions that were visited to count plies, half of what the limits allow at
/// most.
pub(crate) fn probe_root<G: Game>(
    position: &G,
    evaluator: &impl Evaluator<G>,
    tablebase: &dyn Tablebase<G>,
    wanted: usize,
    limits: &SearchLimits,
    control: &Control,
) -> (u64, Option<RootProbe<G::Move>>) {
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let half = SearchLimits {
        nodes: Some(limits.nodes.map_or(BUDGET, |nodes| BUDGET.min(nodes / 2))),
        time: limits.time.map(|time| time / 2),
        ..*limits
    };
    let mut prover = Prover::new(tablebase, &half, control);
    // What is not known in time is not known.
    let answer = answer(position, evaluator, wanted, moves, &mut prover).unwrap_or_default();
    (prover.nodes(), answer)
}

fn answer<G: Game>(
    position: &G,
    evaluator: &impl Evaluator<G>,
    wanted: usize,
    moves: Vec<G::Move>,
    prover: &mut Prover<G>,
) -> Result<Option<RootProbe<G::Move>>, Interrupted> {
    match prover.probe(position)?.and_then(TablebaseValue::result) {
        Some(result) if wanted <= 1 => best(position, result, moves, prover).map(Some),
        _ => all(position, evaluator, wanted, &moves, prover),
    }
}

/// The best move and what follows, where the result is exact.
fn best<G: Game>(
    position: &G,
    result: GameResult,
    moves: Vec<G::Move>,
    prover: &mut Prover<G>,
) -> Result<RootProbe<G::Move>, Interrupted> {
    if let Ok(pv) = prover.line(position, position.turn(), result) {
        let value = exact(result, u32::try_from(pv.len()).ok());
        return Ok(RootProbe::Lines(vec![Line { pv, value }]));
    }
    let mut keeping = Vec::new();
    for m in moves {
        if after(position, m, prover)?.and_then(TablebaseValue::result) == Some(result) {
            keeping.push(m);
        }
    }
    // There is always one, unless the file of the tablebase has changed since.
    if keeping.is_empty() {
        return Err(Interrupted(StoppedBy::Database));
    }
    Ok(RootProbe::Keeping(result, keeping))
}

/// The best moves, if what follows is known of all moves.
fn all<G: Game>(
    position: &G,
    evaluator: &impl Evaluator<G>,
    wanted: usize,
    moves: &[G::Move],
    prover: &mut Prover<G>,
) -> Result<Option<RootProbe<G::Move>>, Interrupted> {
    // Where every move ends the game there is nothing to look up.
    if moves.iter().all(|&m| position.after(m).stage().outcome().is_some()) {
        return Ok(None);
    }
    let mut known = Vec::new();
    for &m in moves {
        let Some(value) = after(position, m, prover)? else { return Ok(None) };
        known.push((m, value));
    }
    let line = |(m, known)| {
        let mut pv = vec![m];
        let value = match known {
            TablebaseValue::Expected(expected) => Value::heuristic(expected, 0.0),
            TablebaseValue::Exact { result, plies: Some(plies) } => exact(result, Some(plies + 1)),
            TablebaseValue::Exact { result, plies: None } => {
                let line = prover.line(&position.after(m), position.turn(), result);
                pv.extend(line.iter().flatten());
                exact(result, line.ok().and_then(|_| u32::try_from(pv.len()).ok()))
            }
        };
        Line { pv, value }
    };
    let mut lines: Vec<_> = known.into_iter().map(line).collect();
    // Of equal values the one comes first that is best by the static evaluation.
    let by_value = |a: &Line<G::Move>, b: &Line<G::Move>| {
        let static_score = |line: &Line<G::Move>| static_score(evaluator, position, line.pv[0]);
        b.value.total_cmp(&a.value).then_with(|| static_score(b).cmp(&static_score(a)))
    };
    lines.sort_by(by_value);
    // What is told about the first move is told about the position: another that brings the same about may do
    // it sooner, or put it off for longer, as long as its plies are not counted. They are two at least.
    if let Some(Proven { result, plies: Some(plies) }) = lines[0].value.proven
        && !(result == GameResult::Win && plies <= 2)
        && lines.iter().any(|line| line.value.proven == Some(Proven { result, plies: None }))
    {
        lines[0].value.proven = Some(Proven { result, plies: None });
    }
    lines.truncate(wanted.max(1));
    Ok(Some(RootProbe::Lines(lines)))
}

/// What is known about a move, for the side that plays it.
fn after<G: Game>(
    position: &G,
    m: G::Move,
    prover: &mut Prover<G>,
) -> Result<Option<TablebaseValue>, Interrupted> {
    let next = position.after(m);
    let known = match next.stage() {
        Stage::Over(outcome) => {
            let result = GameResult::of(outcome.result_for(next.turn()));
            Some(TablebaseValue::Exact { result, plies: Some(0) })
        }
        Stage::Move | Stage::Roll => prover.probe(&next)?,
    };
    Ok(if next.turn() == position.turn() { known } else { known.map(TablebaseValue::for_opponent) })
}

/// An exact result; the plies of a draw mean nothing, since nobody hurries.
fn exact(result: GameResult, plies: Option<u32>) -> Value {
    Value::proven(Proven { result, plies: plies.filter(|_| result != GameResult::Draw) })
}
