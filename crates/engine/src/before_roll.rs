//! What is expected before a roll, without a search.

use super::{
    evaluation::{Evaluator, static_score},
    playable::Playable,
};

/// The result that is expected of a position in which the dice are to be rolled, one ply ahead: the mean over
/// all rolls of what the best static evaluation after a move makes of it, by the scale of the evaluator.
///
/// `Engine::value` tells the same to a depth of 1, by a search for each roll, which takes several times as
/// long.
pub fn expected_before_roll<G: Playable>(evaluator: &impl Evaluator<G>, position: &G) -> f64 {
    let scale = evaluator.scale();
    let (mut moves, mut sum, mut weights) = (Vec::new(), 0.0, 0);
    for &(roll, weight) in G::ROLLS {
        let mut rolled = *position;
        rolled.roll_unchecked(roll);
        moves.clear();
        rolled.generate(&mut moves);
        let best = moves.iter().map(|&m| static_score(evaluator, &rolled, m)).max();
        sum +=
            f64::from(weight) * scale.expected(best.expect("after a roll there is a move, if only to pass"));
        weights += weight;
    }
    sum / f64::from(weights)
}
