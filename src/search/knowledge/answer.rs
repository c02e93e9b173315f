//! Answers without a search.

use std::cmp::Reverse;

use super::{Knowledge, Known};
use crate::{
    game::Stage,
    search::{Evaluate, GameResult, Line, Value},
};

/// The best moves of a position about which, and about what follows, enough is known; none otherwise.
pub(in crate::search) fn answer<G: Evaluate>(
    position: &G,
    knowledge: &Knowledge,
    wanted: usize,
) -> Option<Vec<Line<G::Move>>> {
    position.known(knowledge)?;
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let mut lines = Vec::with_capacity(moves.len());
    for m in moves {
        lines.push((after(position, m, knowledge)?, m));
    }
    lines.sort_by_key(|&(known, _)| Reverse(known.score(1)));
    lines.truncate(wanted.max(1));
    Some(lines.into_iter().map(|(known, m)| Line { pv: vec![m], value: value::<G>(known) }).collect())
}

/// What is known about a move, for the side that plays it.
fn after<G: Evaluate>(position: &G, m: G::Move, knowledge: &Knowledge) -> Option<Known> {
    let next = position.after(m);
    let known = match next.stage() {
        Stage::Over(outcome) => {
            return Some(Known::Certain(GameResult::of(outcome.result_for(position.turn()))));
        }
        Stage::Move | Stage::Roll => next.known(knowledge)?,
    };
    Some(if next.turn() == position.turn() { known } else { known.for_opponent() })
}

fn value<G: Evaluate>(known: Known) -> Value {
    Value { expected: known.score(0).expected::<G>(), proven: None }
}

impl Known {
    /// The same, for the other player.
    fn for_opponent(self) -> Self {
        match self {
            Self::Certain(result) => Self::Certain(!result),
            Self::Judged(score) => Self::Judged(-score),
        }
    }
}
