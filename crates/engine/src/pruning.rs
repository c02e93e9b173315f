//! Reductions, extensions, and pruning near the horizon by the static evaluation. Their gain is in
//! `tools/measured/search.md`.
//!
//! Pruning is a heuristic: a score after pruning proves nothing. Nothing is pruned where a principal
//! variation is wanted, where the window lies beyond the heuristic scores, or while all moves searched so
//! far lose, so that a position whose moves were not all searched is never reported as lost.

use cublino_rules::game::Game;

use crate::{
    Playable, Score, Techniques,
    limits::MAX_DEPTH,
    techniques::{Parameter, Technique},
    transposition_table::{Bound, Entry},
};

/// The techniques that prune by the static evaluation.
const TECHNIQUES: [Technique; 3] =
    [Technique::ReverseFutility, Technique::Futility, Technique::LateMovePruning];

impl Techniques {
    /// The same without pruning near the horizon, and without the reductions and extensions that depend on
    /// the transposition table: for a search to a fixed depth.
    pub(super) fn without_pruning(self) -> Self {
        let others = [Technique::InternalReductions, Technique::Singular];
        TECHNIQUES.into_iter().chain(others).fold(self, Self::without)
    }

    /// The depth to which a position without an entry in the transposition table is searched.
    pub(super) fn depth_of_unknown<G: Playable>(self, depth: u32) -> u32 {
        let is_reduced = G::ROLLS.is_empty()
            && depth >= self.parameter(Parameter::UnknownDepth)
            && self.has(Technique::InternalReductions);
        depth - u32::from(is_reduced)
    }

    /// The bound for a singular move: if all moves but the table entry's are worth at most this, that one is
    /// singular. `None` if the search for that does not pay.
    pub(super) fn most_of_others<G: Playable>(self, entry: Entry, depth: u32, ply: u32) -> Option<Score> {
        let score = entry.score.earlier(ply);
        let pays = G::ROLLS.is_empty()
            && depth >= self.parameter(Parameter::SingularDepth)
            && u32::from(entry.depth) + self.parameter(Parameter::SingularLessDeep) >= depth
            && entry.bound != Bound::Upper
            && !score.is_win()
            && !score.is_loss()
            // The extension must not exceed the greatest depth.
            && depth + ply < MAX_DEPTH
            && self.has(Technique::Singular);
        pays.then(|| Score::new(score.units() - self.units(Parameter::SingularAPly, depth) - 1))
    }

    /// How many plies less deep a move is searched at first, by its place in the order.
    pub(super) fn reduction<G: Game>(self, depth: u32, place: usize) -> u32 {
        if !self.has(Technique::Reductions) {
            return 0;
        }
        if !G::ROLLS.is_empty() {
            return u32::from(depth >= LEAST_DEPTH_WITH_DICE && place >= TRIED_IN_FULL_WITH_DICE);
        }
        if depth < LEAST_DEPTH || place < TRIED_IN_FULL {
            return 0;
        }
        let growth = f64::from(self.parameter(Parameter::ReductionGrowth));
        let hundredths = growth * logarithm(depth as usize) * logarithm(place);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a reduction is a few plies"
        )]
        let reduction = (self.parameter(Parameter::Reduction) + hundredths as u32) / 100;
        reduction.min(depth - 2)
    }

    /// The same for a root move; `place` counts the moves before it that are beyond the wanted lines.
    pub(super) fn root_reduction<G: Game>(self, depth: u32, place: usize) -> u32 {
        let is_reduced = !G::ROLLS.is_empty()
            && depth >= LEAST_DEPTH_WITH_DICE
            && place >= ROOT_TRIED_IN_FULL_WITH_DICE
            && self.has(Technique::Reductions);
        u32::from(is_reduced)
    }

    /// A parameter for each ply, times the plies, in units of the score.
    fn units(self, a_ply: Parameter, plies: u32) -> i32 {
        (self.parameter(a_ply) * plies).cast_signed()
    }

    /// Whether the static evaluation may prune anything.
    pub(super) fn may_prune<G: Playable>(self, (alpha, beta): (Score, Score), depth: u32) -> bool {
        let is_decided = |score: Score| score.is_win() || score.is_loss();
        G::ROLLS.is_empty()
            && depth < self.parameter(Parameter::FullDepth)
            && alpha.next() == beta
            && !is_decided(alpha)
            && !is_decided(beta)
            && TECHNIQUES.into_iter().any(|technique| self.has(technique))
    }

    /// Whether a position is so far above beta that no search is needed: reverse futility pruning.
    pub(super) fn is_far_above(self, score: Score, beta: Score, depth: u32) -> bool {
        self.has(Technique::ReverseFutility)
            && score.units() - self.units(Parameter::ReverseFutility, depth) >= beta.units()
    }

    /// The place in the move order from which on quiet moves are pruned, if any are: all but the first where
    /// the position is so far below alpha that none is expected to reach it (futility pruning), late ones
    /// where it is no better than alpha (late move pruning).
    pub(super) fn pruned_from(self, score: Score, alpha: Score, depth: u32) -> Option<usize> {
        let gain = self.units(Parameter::Futility, 1) + self.units(Parameter::FutilityAPly, depth);
        if self.has(Technique::Futility) && score.units() + gain <= alpha.units() {
            Some(1)
        } else if self.has(Technique::LateMovePruning) && score <= alpha {
            let by_depth = self.parameter(Parameter::TriedByDepth) * depth * depth;
            Some((self.parameter(Parameter::Tried) + by_depth) as usize)
        } else {
            None
        }
    }
}

/// Below this depth every move is searched in full: there is little to save.
const LEAST_DEPTH: u32 = 3;
/// The first moves in the order, which are never reduced.
const TRIED_IN_FULL: usize = 3;

/// Natural logarithms of whole numbers; that of the last also stands for all above. They are computed at
/// compile time, so that every machine has the same.
#[expect(clippy::cast_precision_loss, reason = "there are few numbers")]
static LOGARITHMS: [f64; 128] = {
    let mut logarithms = [0.0; 128];
    let mut number = 2;
    while number < logarithms.len() {
        // ln(n / (n - 1)) is twice the inverse hyperbolic tangent of 1 / (2n - 1), whose series is short.
        let part = 1.0 / (2.0 * number as f64 - 1.0);
        let mut power = part;
        let mut sum = 0.0;
        let mut exponent = 1.0;
        while exponent < 40.0 {
            sum += power / exponent;
            power *= part * part;
            exponent += 2.0;
        }
        logarithms[number] = logarithms[number - 1] + 2.0 * sum;
        number += 1;
    }
    logarithms
};

fn logarithm(number: usize) -> f64 {
    LOGARITHMS[number.min(LOGARITHMS.len() - 1)]
}

/// With dice a ply branches over all rolls, and a move that looks bad at once is seldom best. Below this
/// depth, and among the first moves, nothing is reduced.
const LEAST_DEPTH_WITH_DICE: u32 = 2;
const TRIED_IN_FULL_WITH_DICE: usize = 3;
/// The root moves beyond the wanted lines that are never reduced.
const ROOT_TRIED_IN_FULL_WITH_DICE: usize = 4;

#[cfg(test)]
mod tests {
    use cublino_rules::games::Pur;

    use super::*;

    #[test]
    fn logarithms_are_those_of_the_library() {
        for (number, logarithm) in (0_u8..).zip(LOGARITHMS).skip(1) {
            assert!((logarithm - f64::from(number).ln()).abs() < 1e-12, "{number}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_place_and_leave_a_ply() {
        for depth in 1..60 {
            for place in 0..200 {
                let reduction = |depth, place| Techniques::default().reduction::<Pur>(depth, place);
                let reduced = reduction(depth, place);
                assert!(reduced == 0 || reduced < depth - 1, "{depth} {place}");
                assert!(reduced <= reduction(depth + 1, place), "{depth} {place}");
                assert!(reduced <= reduction(depth, place + 1), "{depth} {place}");
            }
        }
    }
}
