//! Answers without a search.

use super::{Knowledge, Known, prove::Prover};
use crate::{
    game::Stage,
    search::{Control, Evaluate, GameResult, Limits, Line, Proven, Value, root_moves::static_score},
};

/// What knowledge says about the moves of a position.
pub(in crate::search) enum Answer<M> {
    /// The best moves.
    Lines(Vec<Line<M>>),
    /// The result, and the moves that keep it. Which of them brings it about soonest takes a search.
    Among(GameResult, Vec<M>),
}

/// Positions that are looked at to count the plies to the end of all lines: a few hundredths of a second.
const BUDGET: u64 = 50_000;

/// The best moves of a position about which, and about what follows, enough is known; none otherwise. The first number is that of the
/// positions that were visited to count plies, half of what the limits allow at most.
pub(in crate::search) fn answer<G: Evaluate>(
    position: &G,
    knowledge: &Knowledge,
    wanted: usize,
    limits: &Limits,
    control: &Control,
) -> (u64, Option<Answer<G::Move>>) {
    if !G::HAS_KNOWLEDGE || knowledge.is_none() {
        return (0, None);
    }
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let half = Limits {
        nodes: Some(limits.nodes.map_or(BUDGET, |nodes| BUDGET.min(nodes / 2))),
        time: limits.time.map(|time| time / 2),
        ..*limits
    };
    let mut prover = Prover::new(knowledge, &half, control);
    let answer = match position.known(knowledge).and_then(Known::result) {
        Some(result) if wanted <= 1 => Some(best(position, knowledge, result, moves, &mut prover)),
        _ => all(position, knowledge, wanted, &moves, &mut prover),
    };
    (prover.nodes(), answer)
}

/// The best move and what follows, where the result is certain.
fn best<G: Evaluate>(
    position: &G,
    knowledge: &Knowledge,
    result: GameResult,
    mut moves: Vec<G::Move>,
    prover: &mut Prover<G>,
) -> Answer<G::Move> {
    if let Ok(pv) = prover.line(position, position.turn(), result) {
        let value = value(result, Some(pv.len() as u32));
        return Answer::Lines(vec![Line { pv, value }]);
    }
    moves.retain(|&m| after(position, m, knowledge).and_then(Known::result) == Some(result));
    Answer::Among(result, moves)
}

/// The best moves, if what follows is known of all moves.
fn all<G: Evaluate>(
    position: &G,
    knowledge: &Knowledge,
    wanted: usize,
    moves: &[G::Move],
    prover: &mut Prover<G>,
) -> Option<Answer<G::Move>> {
    // Where every move ends the game there is nothing to look up.
    if moves.iter().all(|&m| position.after(m).stage().outcome().is_some()) {
        return None;
    }
    let known: Vec<_> =
        moves.iter().map(|&m| Some((m, after(position, m, knowledge)?))).collect::<Option<_>>()?;
    let mut lines: Vec<_> = known
        .into_iter()
        .map(|(m, known)| {
            let mut pv = vec![m];
            let value = match known {
                Known::Expected(expected) => Value { expected, proven: None },
                Known::Certain { result, plies: Some(plies) } => value(result, Some(plies + 1)),
                Known::Certain { result, plies: None } => {
                    let line = prover.line(&position.after(m), position.turn(), result);
                    pv.extend(line.iter().flatten());
                    value(result, line.is_ok().then_some(pv.len() as u32))
                }
            };
            Line { pv, value }
        })
        .collect();
    // Of equal values the one comes first that is best without looking ahead.
    let by_value = |a: &Line<G::Move>, b: &Line<G::Move>| {
        let static_score = |line: &Line<G::Move>| static_score(position, line.pv[0]);
        b.value.total_cmp(&a.value).then_with(|| static_score(b).cmp(&static_score(a)))
    };
    lines.sort_by(by_value);
    lines.truncate(wanted.max(1));
    Some(Answer::Lines(lines))
}

/// What is known about a move, for the side that plays it.
fn after<G: Evaluate>(position: &G, m: G::Move, knowledge: &Knowledge) -> Option<Known> {
    let next = position.after(m);
    let known = match next.stage() {
        Stage::Over(outcome) => {
            Known::Certain { result: GameResult::of(outcome.result_for(next.turn())), plies: Some(0) }
        }
        Stage::Move | Stage::Roll => next.known(knowledge)?,
    };
    Some(if next.turn() == position.turn() { known } else { known.for_opponent() })
}

/// A certain result; the plies of a draw mean nothing, since nobody hurries.
fn value(result: GameResult, plies: Option<u32>) -> Value {
    Value::proven(Proven { result, plies: plies.filter(|_| result != GameResult::Draw) })
}
