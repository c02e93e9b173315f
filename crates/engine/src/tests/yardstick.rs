//! A plain negamax search, as a reference for the engine's.

use std::collections::HashSet;

use crate::{Learned, Playable, Proven, Score, Value, playable::possible_after};
use cublino_rules::game::Stage;

/// The best root moves with their scores, best first: at most `lines`.
pub(super) fn root_scores<G: Playable>(position: &G, depth: u32, lines: usize) -> Vec<(G::Move, Score)> {
    let mut scores = move_scores(position, &HashSet::new(), depth);
    scores.truncate(lines);
    scores
}

/// The root moves with their scores, best first; the game may end by another occurrence of a position.
pub(super) fn move_scores<G: Playable>(
    position: &G,
    occurred: &HashSet<G>,
    depth: u32,
) -> Vec<(G::Move, Score)> {
    let moves = position.legal_moves();
    let path = &mut vec![*position];
    let score = |m| (m, after(position, m, occurred, depth, path));
    let mut scores: Vec<_> = moves.into_iter().map(score).collect();
    scores.sort_by(|(_, a), (_, b)| b.cmp(a));
    scores
}

/// A value without the probability of a draw, which depends on the line.
pub(super) const fn result_of(value: Value) -> (f64, Option<Proven>) {
    (value.expected, value.proven)
}

/// The value of a score in a search of `nodes` nodes, with a draw probability of 0.
pub(super) fn value_of<G: Playable>(root: &G, score: Score, nodes: u64) -> Value {
    let evaluator = Learned::built_in::<G>();
    let meaning = evaluator.meaning(evaluator.draw_share(root), nodes);
    Value::of(score, &meaning, 0.0, score.is_counted().then(|| score.plies()))
}

/// The values of moves with these scores, limited to the possible results, the best first.
pub(super) fn values_of<G: Playable>(root: &G, moves: &[(G::Move, Score)], nodes: u64) -> Vec<Value> {
    let value = |&(m, score)| value_of(root, score, nodes).within(&possible_after(root, m, None));
    let mut values: Vec<_> = moves.iter().map(value).collect();
    values.sort_by(|a, b| b.expected.total_cmp(&a.expected));
    values
}

/// The score for the side to move, after the positions of a path. A return to one of them is a draw, unless
/// the rules say otherwise, and so is one to a position whose next occurrence ends the game.
fn negamax<G: Playable>(position: &G, occurred: &HashSet<G>, depth: u32, path: &mut Vec<G>) -> Score {
    let ply = path.len() as u32;
    match position.stage() {
        Stage::Over(outcome) => Score::over(outcome.result_for(position.turn()), ply),
        _ if position != &path[0] && occurred.contains(position) => {
            let ended = position.outcome_if_repeated();
            ended.map_or(Score::DRAW, |outcome| Score::over(outcome.result_for(position.turn()), ply))
        }
        _ if depth == 0 => at_horizon(position, ply),
        Stage::Move if G::ROLLS.is_empty() && path.contains(position) => Score::repeated(position),
        Stage::Roll => {
            let mut rolled = |roll| {
                let rolled = position.rolled(roll);
                negamax(&rolled, occurred, depth, path)
            };
            let scores: Vec<_> = G::ROLLS.iter().map(|&(roll, weight)| (rolled(roll), weight)).collect();
            let (lowest, highest) = (scores.iter().min().unwrap().0, scores.iter().max().unwrap().0);
            if lowest.is_win() {
                lowest
            } else if highest.is_loss() {
                highest
            } else {
                let weights: u32 = scores.iter().map(|&(_, weight)| weight).sum();
                let sum: f64 =
                    scores.iter().map(|&(score, weight)| score.expected() * f64::from(weight)).sum();
                Score::expecting(sum / f64::from(weights))
            }
        }
        Stage::Move => {
            let moves = position.legal_moves();
            path.push(*position);
            let best = moves.into_iter().map(|m| after(position, m, occurred, depth, path)).max().unwrap();
            path.pop();
            best
        }
    }
}

/// The score at the horizon: rest on the static evaluation, or try a noisy move.
fn at_horizon<G: Playable>(position: &G, ply: u32) -> Score {
    let evaluator = Learned::built_in::<G>();
    let score = |(_, next): (G::Move, G)| {
        let score = match next.stage() {
            Stage::Over(outcome) => Score::over(outcome.result_for(next.turn()), ply + 1),
            _ => evaluator.evaluate(&next),
        };
        if next.turn() == position.turn() { score } else { -score }
    };
    position.noisy_moves().map(score).fold(evaluator.evaluate(position), Score::max)
}

fn after<G: Playable>(
    position: &G,
    m: G::Move,
    occurred: &HashSet<G>,
    depth: u32,
    path: &mut Vec<G>,
) -> Score {
    let next: G = position.after(m);
    let score = negamax(&next, occurred, depth - 1, path);
    if next.turn() == position.turn() { score } else { -score }
}
