//! Static evaluation: what a position is worth without looking ahead.

use super::{
    calibration::{Calibration, Meaning},
    score::{Scale, Score},
};
use cublino_rules::game::{Game, Stage};

/// A static evaluation of a game's positions.
///
/// It is a value: several for one game can exist in a process, and play each other. The threads of a search
/// share it.
pub trait Evaluator<G: Game>: Sync {
    /// Turns its scores into expected results.
    fn scale(&self) -> Scale;

    /// What became of games in which a search found its scores. Without any, what the scale makes of them is
    /// told as the expected result.
    fn calibration(&self) -> &Calibration {
        &Calibration::NONE
    }

    /// What the position is worth to the side to move, without looking ahead. Only called where the game goes
    /// on, to move or to roll.
    fn evaluate(&self, position: &G) -> Score;

    /// How likely it takes a draw to be, as a part of what the expected result leaves room for: 0 to 1. What
    /// became of such positions, the calibration tells. Only called where the game goes on.
    fn draw_share(&self, _position: &G) -> f64 {
        0.0
    }
}

/// What the scores of an evaluator mean in a search that has visited so many positions, from one of which the
/// evaluator tells so much of a draw.
pub(super) fn meaning<G: Game>(evaluator: &impl Evaluator<G>, draw_share: f64, nodes: u64) -> Meaning {
    Meaning { scale: evaluator.scale(), curves: evaluator.calibration().after(nodes), draw_share }
}

/// What they mean where the result is as good as known, and no draw: whatever search comes to such a
/// position, it has the same score.
pub(super) fn meaning_of_known<G: Game>(evaluator: &impl Evaluator<G>) -> Meaning {
    meaning(evaluator, 0.0, 0)
}

/// The static evaluation of the position after a move, for the side that plays it.
pub(super) fn static_score<G: Game>(evaluator: &impl Evaluator<G>, position: &G, m: G::Move) -> Score {
    let next = position.after(m);
    match next.stage() {
        Stage::Over(outcome) => Score::over(outcome.result_for(position.turn()), 1),
        Stage::Move | Stage::Roll if next.turn() == position.turn() => evaluator.evaluate(&next),
        Stage::Move | Stage::Roll => -evaluator.evaluate(&next),
    }
}
