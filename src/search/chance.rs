//! Positions in which the dice are to be rolled.
//!
//! The score is what is expected over all rolls. A window prunes here as well, since no roll is worth more than a win
//! or less than a loss: Star1 and Star2 in the literature.

use super::{
    Evaluate, Score,
    order::pick,
    tree::{Interrupted, Tree},
};

/// From this depth on it pays to try one move for each roll before all moves of any.
const LEAST_PROBED: u32 = 2;

/// The most rolls that a game has: those of two dice.
const MAX_ROLLS: usize = 21;

/// What the rolls are known to be worth together, in expected results times their weights.
struct Expectation {
    /// The rolls that were searched.
    sum: f64,
    /// The least that the others can be worth.
    least: f64,
    /// The most.
    most: f64,
    /// All weights.
    weights: f64,
}

impl Expectation {
    /// The lower and the upper bound of the mean.
    fn bounds(&self) -> (f64, f64) {
        ((self.sum + self.least) / self.weights, (self.sum + self.most) / self.weights)
    }

    /// The window that is left for a roll which counts as neither searched nor among the others.
    fn window<G: Evaluate>(&self, (alpha, beta): (f64, f64), weight: f64) -> (Score, Score) {
        let low = (alpha * self.weights - self.sum - self.most) / weight;
        let high = (beta * self.weights - self.sum - self.least) / weight;
        (Score::at_most::<G>(low), Score::at_least::<G>(high))
    }
}

impl<G: Evaluate> Tree<'_, G> {
    /// The score of a position in which the dice are to be rolled, within a window.
    ///
    /// A result is certain only if it is so whatever is rolled; then the longest way there counts.
    pub(super) fn chance(
        &mut self,
        position: &G,
        window: (Score, Score),
        depth: u32,
        ply: usize,
    ) -> Result<Score, Interrupted> {
        self.rolls += 1;
        let score = self.expect(position, window, depth, ply);
        self.rolls -= 1;
        score
    }

    fn expect(
        &mut self,
        position: &G,
        (alpha, beta): (Score, Score),
        depth: u32,
        ply: usize,
    ) -> Result<Score, Interrupted> {
        const { assert!(G::ROLLS.len() <= MAX_ROLLS) };
        let limits = (alpha.expected::<G>(), beta.expected::<G>());
        // A score that is decided is not reached by an expectation.
        let too_low = |most: f64| if alpha.is_win() { most < 1.0 } else { most <= limits.0 };
        let too_high = |least: f64| if beta.is_loss() { least > -1.0 } else { least >= limits.1 };

        let weights: f64 = G::ROLLS.iter().map(|&(_, weight)| f64::from(weight)).sum();
        let mut known = Expectation { sum: 0.0, least: -weights, most: weights, weights };
        let mut least = [-1.0; MAX_ROLLS];

        // 1. One good move for each roll may be enough to be too good.
        if depth >= LEAST_PROBED && !beta.is_win() {
            for (i, &(roll, weight)) in G::ROLLS.iter().enumerate() {
                let weight = f64::from(weight);
                let mut rolled = *position;
                rolled.roll_unchecked(roll);
                known.least += weight;
                let (_, enough) = known.window::<G>(limits, weight);
                let score = self.probe(&rolled, (-Score::INFINITY, enough), depth, ply)?;
                least[i] = score.expected::<G>();
                known.least += least[i] * weight;
                if too_high(known.bounds().0) {
                    return Ok(Score::of_expected::<G>(known.bounds().0));
                }
            }
        }

        // 2. All moves for each roll.
        let (mut lowest, mut highest) = (Score::INFINITY, -Score::INFINITY);
        for (i, &(roll, weight)) in G::ROLLS.iter().enumerate() {
            let weight = f64::from(weight);
            let mut rolled = *position;
            rolled.roll_unchecked(roll);
            known.least -= least[i] * weight;
            known.most -= weight;
            let window = known.window::<G>(limits, weight);
            // A roll is no ply of its own.
            let score = self.node(&rolled, window, depth, ply)?;
            known.sum += score.expected::<G>() * weight;
            lowest = lowest.min(score);
            highest = highest.max(score);
            if i + 1 == G::ROLLS.len() {
                break;
            }
            let (low, high) = known.bounds();
            if score <= window.0 && too_low(high) {
                return Ok(Score::of_expected::<G>(high));
            }
            if score >= window.1 && too_high(low) {
                return Ok(Score::of_expected::<G>(low));
            }
        }
        Ok(if lowest.is_win() {
            lowest
        } else if highest.is_loss() {
            highest
        } else {
            Score::of_expected::<G>(known.sum / weights)
        })
    }

    /// A score that a position is worth at least: that of the move which looks best.
    fn probe(
        &mut self,
        position: &G,
        window: (Score, Score),
        depth: u32,
        ply: usize,
    ) -> Result<Score, Interrupted> {
        let first = self.candidates.len();
        self.rank(position, None, depth, ply)?;
        let m = pick(&mut self.candidates[first..], 0).m;
        self.candidates.truncate(first);
        self.after(position, m, window, depth, ply)
    }
}
