//! What is left out near the horizon because the static evaluation says enough. What that is worth is told in
//! `tools/measured/search.md`.
//!
//! It is a heuristic: where something was left out the score is no proof. Nothing is left out where a
//! principal variation is wanted or a decided game is asked for, nor from moves that have all lost so far, so
//! that no loss is told of a position whose moves were not all searched.

use super::{
    playable::Playable,
    score::{Scale, Score},
    techniques::{Technique, Techniques},
};

/// From this depth on everything is searched.
const FULL_DEPTH: u32 = 4;

/// How far above beta a position has to be for each ply that is left, as a part of the evaluator's scale.
const REVERSE_FUTILITY: f64 = 0.25;
/// How much a quiet move is expected to gain at most: so much, and so much for each ply that is left.
const FUTILITY: f64 = 1.0 / 12.0;
const FUTILITY_A_PLY: f64 = 0.125;

/// Where the position is no better than alpha so many moves are tried, and so many for the square of each ply
/// that is left; of the others only those that are not quiet.
const TRIED: usize = 4;
const TRIED_BY_DEPTH: usize = 2;

/// What is left out in a search, with the margins in units of its evaluator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pruning {
    techniques: Techniques,
    reverse_futility: i32,
    futility: i32,
    futility_a_ply: i32,
}

impl Pruning {
    pub(super) fn of(scale: Scale, techniques: Techniques) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "a margin is smaller than the scale")]
        let units = |part: f64| (part * scale.units()).round() as i32;
        Self {
            techniques,
            reverse_futility: units(REVERSE_FUTILITY),
            futility: units(FUTILITY),
            futility_a_ply: units(FUTILITY_A_PLY),
        }
    }
}

/// The techniques that leave something out by the static evaluation.
const TECHNIQUES: [Technique; 3] =
    [Technique::ReverseFutility, Technique::Futility, Technique::LateMovePruning];

impl Techniques {
    /// The same without those that leave something out by the static evaluation.
    #[must_use]
    pub(super) fn without_pruning(self) -> Self {
        TECHNIQUES.into_iter().fold(self, Self::without)
    }
}

impl Pruning {
    /// Whether something may be left out by the static evaluation.
    #[inline]
    pub(super) fn may_prune<G: Playable>(&self, (alpha, beta): (Score, Score), depth: u32) -> bool {
        let is_decided = |score: Score| score.is_win() || score.is_loss();
        G::ROLLS.is_empty()
            && depth < FULL_DEPTH
            && alpha.next() == beta
            && !is_decided(alpha)
            && !is_decided(beta)
            && TECHNIQUES.into_iter().any(|technique| self.techniques.has(technique))
    }

    /// Whether a position is so far above beta that no search is needed: reverse futility pruning.
    #[inline]
    pub(super) fn is_far_above<G: Playable>(&self, score: Score, beta: Score, depth: u32) -> bool {
        G::REVERSE_FUTILITY
            && self.techniques.has(Technique::ReverseFutility)
            && score.units() - self.reverse_futility * depth.cast_signed() >= beta.units()
    }

    /// From which place on quiet moves are left out, if any are: all but the first where the position is so
    /// far below alpha that none is expected to be good enough (futility pruning), late ones where it is no
    /// better than alpha (late move pruning).
    #[inline]
    pub(super) fn pruned_from(&self, score: Score, alpha: Score, depth: u32) -> Option<usize> {
        let Self { futility, futility_a_ply, .. } = *self;
        let most = score.units() + futility + futility_a_ply * depth.cast_signed();
        if self.techniques.has(Technique::Futility) && most <= alpha.units() {
            Some(1)
        } else if self.techniques.has(Technique::LateMovePruning) && score <= alpha {
            Some(TRIED + TRIED_BY_DEPTH * (depth * depth) as usize)
        } else {
            None
        }
    }
}
