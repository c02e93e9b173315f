//! Answers without a search.

use super::{Knowledge, Known, prove::Prover};
use crate::{
    game::Stage,
    search::{Evaluate, GameResult, Line, Proven, Value},
};

/// What knowledge says about the moves of a position.
pub(in crate::search) enum Answer<M> {
    /// The best moves, and how many positions were looked at to count the plies.
    Lines(Vec<Line<M>>, u64),
    /// The result, and the moves that keep it. Which of them brings it about soonest takes a search.
    Among(GameResult, Vec<M>),
}

/// Positions that are looked at to count the plies to the end of all lines: a few hundredths of a second.
const BUDGET: u64 = 50_000;

/// The best moves of a position about which, and about what follows, enough is known; none otherwise.
pub(in crate::search) fn answer<G: Evaluate>(
    position: &G,
    knowledge: &Knowledge,
    wanted: usize,
) -> Option<Answer<G::Move>> {
    if !G::HAS_KNOWLEDGE || knowledge.is_none() {
        return None;
    }
    let mut moves = Vec::new();
    position.generate(&mut moves);
    match position.known(knowledge) {
        Some(Known::Certain(result)) if wanted <= 1 => Some(best(position, knowledge, result, moves)),
        _ => all(position, knowledge, wanted, &moves),
    }
}

/// The best move and what follows, where the result is certain.
fn best<G: Evaluate>(
    position: &G,
    knowledge: &Knowledge,
    result: GameResult,
    mut moves: Vec<G::Move>,
) -> Answer<G::Move> {
    let mut prover = Prover::towards(position.turn(), result, knowledge, BUDGET);
    if let Ok(pv) = prover.line(position) {
        let value = certain(result, pv.len() as u32);
        return Answer::Lines(vec![Line { pv, value }], prover.looked_at());
    }
    moves.retain(|&m| after(position, m, knowledge) == Some(Known::Certain(result)));
    Answer::Among(result, moves)
}

/// The best moves, if what follows is known of all moves.
fn all<G: Evaluate>(
    position: &G,
    knowledge: &Knowledge,
    wanted: usize,
    moves: &[G::Move],
) -> Option<Answer<G::Move>> {
    // Where every move ends the game there is nothing to look up.
    if moves.iter().all(|&m| position.after(m).stage().outcome().is_some()) {
        return None;
    }
    let mut looked_at = 0;
    let mut lines = Vec::with_capacity(moves.len());
    for &m in moves {
        let known = after(position, m, knowledge)?;
        let mut pv = vec![m];
        let value = match known {
            Known::Expected(expected) => Value { expected, proven: None },
            Known::Certain(result) => {
                let left = BUDGET - looked_at;
                let mut prover = Prover::towards(position.turn(), result, knowledge, left);
                pv.extend(prover.line(&position.after(m)).ok()?);
                looked_at += prover.looked_at();
                certain(result, pv.len() as u32)
            }
        };
        lines.push(Line { pv, value });
    }
    lines.sort_by(|a, b| worth(b.value).partial_cmp(&worth(a.value)).expect("expected results are numbers"));
    lines.truncate(wanted.max(1));
    Some(Answer::Lines(lines, looked_at))
}

/// What is known about a move, for the side that plays it.
fn after<G: Evaluate>(position: &G, m: G::Move, knowledge: &Knowledge) -> Option<Known> {
    let next = position.after(m);
    let known = match next.stage() {
        Stage::Over(outcome) => Known::Certain(GameResult::of(outcome.result_for(next.turn()))),
        Stage::Move | Stage::Roll => next.known(knowledge)?,
    };
    Some(if next.turn() == position.turn() { known } else { known.for_opponent() })
}

/// A result that comes about after so many plies.
fn certain(result: GameResult, plies: u32) -> Value {
    let expected = match result {
        GameResult::Win => 1.0,
        GameResult::Draw => 0.0,
        GameResult::Loss => -1.0,
    };
    Value { expected, proven: Some(Proven { result, plies }) }
}

/// What lines are ordered by: the expected result, and then how soon the game is won or how late it is lost.
fn worth(value: Value) -> (f64, i64) {
    let plies = match value.proven {
        Some(Proven { result: GameResult::Win, plies }) => -i64::from(plies),
        Some(Proven { result: GameResult::Loss, plies }) => plies.into(),
        Some(Proven { result: GameResult::Draw, .. }) | None => 0,
    };
    (value.expected, plies)
}
