//! Positions in which the dice are to be rolled.
//!
//! The score is what is expected over all rolls. A window prunes here as well, since no roll is worth more
//! than a win or less than a loss: Star1 and Star2 in the literature.

use super::{
    evaluation::Evaluator,
    options::Interrupted,
    options::Technique,
    ordering::pick,
    playable::Playable,
    score::{Scale, Score},
    tree::Tree,
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
    fn window(&self, (alpha, beta): (f64, f64), weight: f64, scale: Scale) -> (Score, Score) {
        let low = (alpha * self.weights - self.sum - self.most) / weight;
        let high = (beta * self.weights - self.sum - self.least) / weight;
        (scale.at_most(low), scale.at_least(high))
    }
}

impl<G: Playable, E: Evaluator<G>> Tree<'_, G, E> {
    /// The score of a position in which the dice are to be rolled, within a window.
    ///
    /// A result is exact only if it is so whatever is rolled; then the longest way there counts.
    pub(super) fn chance(
        &mut self,
        position: &G,
        window: (Score, Score),
        depth: u32,
        ply: u32,
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
        ply: u32,
    ) -> Result<Score, Interrupted> {
        const { assert!(G::ROLLS.len() <= MAX_ROLLS) };
        let scale = self.evaluator.scale();
        let bounds = (scale.expected(alpha), scale.expected(beta));
        // A score that is decided is not reached by an expectation.
        let too_low = |most: f64| if alpha.is_win() { most < 1.0 } else { most <= bounds.0 };
        let too_high = |least: f64| if beta.is_loss() { least > -1.0 } else { least >= bounds.1 };

        let weights: f64 = G::ROLLS.iter().map(|&(_, weight)| f64::from(weight)).sum();
        let mut known = Expectation { sum: 0.0, least: -weights, most: weights, weights };
        let mut least = [-1.0; MAX_ROLLS];

        // 1. One good move for each roll may be enough to be too good.
        if depth >= LEAST_PROBED && !beta.is_win() && self.techniques.has(Technique::Star2) {
            for (i, &(roll, weight)) in G::ROLLS.iter().enumerate() {
                let weight = f64::from(weight);
                let mut rolled = *position;
                rolled.roll_unchecked(roll);
                known.least += weight;
                let (_, enough) = known.window(bounds, weight, scale);
                let score = self.probe(&rolled, (-Score::INFINITY, enough), depth, ply)?;
                least[i] = scale.expected(score);
                known.least += least[i] * weight;
                if too_high(known.bounds().0) {
                    return Ok(scale.score(known.bounds().0));
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
            let window = known.window(bounds, weight, scale);
            // A roll is no ply of its own.
            let score = self.node(&rolled, window, depth, ply)?;
            known.sum += scale.expected(score) * weight;
            lowest = lowest.min(score);
            highest = highest.max(score);
            if i + 1 == G::ROLLS.len() {
                break;
            }
            let (low, high) = known.bounds();
            if score <= window.0 && too_low(high) {
                return Ok(scale.score(high));
            }
            if score >= window.1 && too_high(low) {
                return Ok(scale.score(low));
            }
        }
        Ok(if lowest.is_win() {
            lowest
        } else if highest.is_loss() {
            highest
        } else {
            scale.score(known.sum / weights)
        })
    }

    /// A score that a position is worth at least: that of the move which looks best.
    fn probe(
        &mut self,
        position: &G,
        window: (Score, Score),
        depth: u32,
        ply: u32,
    ) -> Result<Score, Interrupted> {
        let first = self.moves.len();
        self.order(position, None, depth, ply)?;
        let m = pick(&mut self.moves[first..], 0).m;
        self.moves.truncate(first);
        self.after(position, m, window, depth, ply)
    }
}
