//! The neural network of a learned evaluation: from the features of a position to the expected result.
//!
//! Each feature has a row of weights. The rows of the active features are added up, clamped to 0 to 1,
//! squared, and weighted once more. All numbers are quantized to integers, so that every machine computes the
//! same, bit for bit. The network is independent of the game.

use multiversion::multiversion;

use crate::{Calibration, Score};

mod file;

pub use self::file::MalformedNetwork;

/// The quantized 1 in the weights of the outputs.
pub const OUTPUT_ONE: i32 = 64;
/// The largest weight of an output: multiplied by [`HIDDEN_ONE`] it fits into 16 bits.
pub const OUTPUT_LIMIT: i32 = 127;
/// The quantized 1 of an output.
const ONE: i32 = HIDDEN_ONE * HIDDEN_ONE * OUTPUT_ONE;

/// The weights of a network.
///
/// `expected = z / sqrt(1 + z²)`, where z is the first output. The second output gives the draw share by the
/// same curve, scaled to 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Blocks of hidden units of a view.
    blocks: usize,
    /// The number of views of a position: that of the side to move alone, or of both players.
    pub(crate) views: usize,
    /// For each block of hidden units, the weights of all features.
    rows: Vec<Vec<Block>>,
    bias: Vec<Block>,
    /// What a feature adds to the first output directly.
    direct: Vec<i32>,
    /// For each phase of a game, the outputs: the expected result and the draw share.
    outputs: Vec<[Output; 2]>,
    /// The calibration of its scores with results of games.
    pub calibration: Calibration,
}

/// The accumulator of the first layer: its sums for the features of a position, as one player sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Accumulator {
    hidden: Vec<Block>,
    /// What the features add to the first output directly.
    direct: i64,
}

/// A position as a network sees it.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The phase of the game, below [`FeatureLayout::phases`](crate::FeatureLayout::phases).
    pub phase: usize,
    /// The features as the side to move sees them, and as the opponent does.
    pub views: [&'a [u16]; 2],
}

/// The weights and the bias of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Output {
    /// For the hidden units as the side to move sees the position, then as the opponent does.
    weights: Vec<Block>,
    bias: i32,
}

impl Network {
    /// The smallest number of hidden units; every other is a multiple of it.
    pub const FEWEST_HIDDEN: usize = BLOCK;
    /// The largest number of hidden units of all views: with the largest weights their sum still fits into 32
    /// bits.
    pub const MOST_HIDDEN: usize = 256;

    /// Whether a network may have so many hidden units for each of its one or two views of a position.
    pub const fn may_have(hidden: usize, views: usize) -> bool {
        hidden.is_multiple_of(BLOCK)
            && Self::FEWEST_HIDDEN <= hidden
            && matches!(views, 1 | 2)
            && hidden <= Self::MOST_HIDDEN / views
    }

    /// A small network that expects a result of 0 in every position, with a draw share of 0.5.
    ///
    /// ```
    /// use cublino_engine::network::{Input, Network};
    ///
    /// let network = Network::untrained(10);
    /// let input = Input { phase: 0, views: [&[3, 7], &[]] };
    /// assert_eq!((network.score(input).expected(), network.draw_share(input)), (0.0, 0.5));
    /// ```
    pub fn untrained(features: usize) -> Self {
        let output = || Output { weights: vec![Block::default()], bias: 0 };
        Self {
            blocks: 1,
            views: 1,
            rows: vec![vec![Block::default(); features]],
            bias: vec![Block::default()],
            direct: vec![0; features],
            outputs: vec![[output(), output()]],
            calibration: Calibration::NONE,
        }
    }

    /// The score of a position.
    pub fn score(&self, Input { phase, views }: Input<'_>) -> Score {
        let part = |view| self.next_part(&mut self.accumulator(&[]), phase, view, [&[], views[view]]);
        self.score_of(phase, (0..self.views).map(part).sum())
    }

    /// The accumulator for the features that a player sees.
    pub(crate) fn accumulator(&self, active: &[u16]) -> Accumulator {
        let mut accumulator = Accumulator { hidden: self.bias.clone(), direct: 0 };
        self.next_part(&mut accumulator, 0, 0, [&[], active]);
        accumulator
    }

    /// Resets an accumulator to no active features.
    pub(crate) fn clear(&self, sums: &mut Accumulator) {
        sums.hidden.copy_from_slice(&self.bias);
        sums.direct = 0;
    }

    /// Updates an accumulator by the features that are gone and those that are new. Returns what this view of
    /// the position (0: that of the side to move) contributes to its score.
    pub(crate) fn next_part(
        &self,
        sums: &mut Accumulator,
        phase: usize,
        view: usize,
        [gone, new]: [&[u16]; 2],
    ) -> i64 {
        sums.direct += self.direct(new) - self.direct(gone);
        let weights = &self.of(phase)[0].weights[view * self.blocks..][..self.blocks];
        let hidden = next_of_blocks(&mut sums.hidden, &self.rows, weights, gone, new);
        i64::from(hidden) + if view == 0 { sums.direct } else { 0 }
    }

    fn direct(&self, features: &[u16]) -> i64 {
        features.iter().map(|&feature| i64::from(self.direct[usize::from(feature)])).sum()
    }

    /// The outputs of a phase. A network with only one phase uses it for all.
    fn of(&self, phase: usize) -> &[Output; 2] {
        &self.outputs[phase.min(self.outputs.len() - 1)]
    }

    /// The score for the sum of the contributions of all views.
    pub(crate) fn score_of(&self, phase: usize, parts: i64) -> Score {
        let sum = parts + i64::from(self.of(phase)[0].bias);
        #[expect(clippy::cast_possible_truncation, reason = "it is smaller than the sum")]
        Score::new((sum * i64::from(Score::UNITS) / i64::from(ONE)) as i32)
    }

    /// The uncalibrated draw share, 0 to 1: the fraction of the probability left open by the expected result
    /// (`1 - |expected|`) that is a draw.
    pub fn draw_share(&self, Input { phase, views }: Input<'_>) -> f64 {
        let sums = views.map(|active| self.accumulator(active));
        self.draw_share_by(phase, sums.each_ref())
    }

    /// The same by the accumulators of the side to move and of the opponent.
    ///
    /// It is the curve of [`Score::expected`], scaled to 0 to 1. With only one division, a search of Wari or
    /// Pur is two percent faster.
    pub(crate) fn draw_share_by(&self, phase: usize, sums: [&Accumulator; 2]) -> f64 {
        let Output { weights, bias } = &self.of(phase)[1];
        let parts = sums.iter().zip(weights.chunks(self.blocks));
        let parts = parts.map(|(sums, weights)| i64::from(weighed(&sums.hidden, weights)));
        #[expect(clippy::cast_precision_loss, reason = "a float is more exact than this need be")]
        let sum = (i64::from(*bias) + parts.sum::<i64>()) as f64;
        f64::midpoint(1.0, sum / (f64::from(ONE) * f64::from(ONE) + sum * sum).sqrt())
    }
}

/// The quantized 1 of the hidden layer.
pub const HIDDEN_ONE: i32 = 255;

/// Hidden units in an AVX2 register, for which [`weighed`] is compiled.
const REGISTER: usize = 16;
/// Hidden units that are computed together, in two registers: with one, finding a row takes as long as adding
/// it, and with four, processors without AVX2 run out of registers.
const BLOCK: usize = 2 * REGISTER;

/// A weight for each unit of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
struct Block([[i16; REGISTER]; 2]);

impl Block {
    /// The weights, unit by unit.
    const fn units(&self) -> &[i16] {
        self.0.as_flattened()
    }

    /// Sets the weights, unit by unit.
    const fn units_mut(&mut self) -> &mut [i16] {
        self.0.as_flattened_mut()
    }
}

/// The weighted sum of the hidden units in an output: each is the sum of its bias and its weights in the rows
/// of the active features, clamped and squared.
///
/// Compiled for every x86-64 and once more for those with AVX2, which is detected at run time; the numbers
/// are the same.
#[multiversion(targets("x86_64+avx2"))]
fn weighed(sums: &[Block], weights: &[Block]) -> i32 {
    let mut sum = 0;
    for (sums, weights) in sums.iter().zip(weights) {
        sum += weigh(&sums.0[0], &weights.0[0]) + weigh(&sums.0[1], &weights.0[1]);
    }
    sum
}

/// The same, from the accumulator of another position, which is updated to this one. A row has as many blocks
/// as there are sums.
#[multiversion(targets("x86_64+avx2"))]
fn next_of_blocks(
    sums: &mut [Block],
    rows: &[Vec<Block>],
    weights: &[Block],
    gone: &[u16],
    new: &[u16],
) -> i32 {
    let mut sum = 0;
    for ((sums, weights), rows) in sums.iter_mut().zip(weights).zip(rows) {
        let [mut left, mut right] = sums.0;
        for &feature in gone {
            let row = &rows[usize::from(feature)].0;
            add(&mut left, &row[0], -1);
            add(&mut right, &row[1], -1);
        }
        for &feature in new {
            let row = &rows[usize::from(feature)].0;
            add(&mut left, &row[0], 1);
            add(&mut right, &row[1], 1);
        }
        sums.0 = [left, right];
        sum += weigh(&left, &weights.0[0]) + weigh(&right, &weights.0[1]);
    }
    sum
}

/// Adds a row, or takes it away if `times` is -1.
#[expect(
    clippy::inline_always,
    reason = "otherwise it is compiled without AVX2 first, and takes three times as long"
)]
#[inline(always)]
fn add(hidden: &mut [i16; REGISTER], row: &[i16; REGISTER], times: i16) {
    for unit in 0..REGISTER {
        hidden[unit] = hidden[unit].wrapping_add(row[unit].wrapping_mul(times));
    }
}

#[expect(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn weigh(hidden: &[i16; REGISTER], weights: &[i16; REGISTER]) -> i32 {
    let mut sum = 0;
    for unit in 0..REGISTER {
        #[expect(clippy::cast_possible_truncation, reason = "255 fits")]
        let cut_off = hidden[unit].clamp(0, HIDDEN_ONE as i16);
        // The product in 16 bits does not overflow: it is at most 255 * 127.
        sum += i32::from(cut_off.wrapping_mul(weights[unit])) * i32::from(cut_off);
    }
    sum
}

#[cfg(test)]
mod tests;
