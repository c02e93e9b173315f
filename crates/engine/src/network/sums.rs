//! From the rows of the features to a sum: the inner loop of the evaluation.

use multiversion::multiversion;

/// What stands for 1 in the hidden layer.
pub const HIDDEN_ONE: i32 = 255;

/// Hidden units that a register holds, of those that [`of_blocks`] is compiled for.
const REGISTER: usize = 16;
/// Hidden units that are worked out together, in two registers: with one, finding a row takes as long as
/// adding it, and with four, processors without AVX2 run out of registers.
pub(super) const BLOCK: usize = 2 * REGISTER;

/// A weight for each unit of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Block([[i16; REGISTER]; 2]);

impl Block {
    /// The weights, unit by unit.
    pub(super) const fn units(&self) -> &[i16] {
        self.0.as_flattened()
    }

    /// Sets the weights, unit by unit.
    pub(super) const fn units_mut(&mut self) -> &mut [i16] {
        self.0.as_flattened_mut()
    }
}

/// What the hidden units come to with the active features: each the sum of its constant and of its weights in
/// their rows, cut off, squared and weighed. A row has as many blocks as there are constants, and lies behind
/// the one before.
///
/// Compiled for every x86-64 and once more for those with AVX2, which a call finds out; the numbers are the
/// same.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn of_blocks(constants: &[Block], rows: &[Block], weights: &[Block], active: &[u16]) -> i32 {
    let (blocks, mut sum) = (constants.len(), 0);
    for (block, (constants, weights)) in constants.iter().zip(weights).enumerate() {
        let [mut left, mut right] = constants.0;
        for &feature in active {
            let row = &rows[usize::from(feature) * blocks + block].0;
            add(&mut left, &row[0]);
            add(&mut right, &row[1]);
        }
        sum += weigh(&left, &weights.0[0]) + weigh(&right, &weights.0[1]);
    }
    sum
}

#[expect(
    clippy::inline_always,
    reason = "otherwise it is compiled without AVX2 first, and takes three times as long"
)]
#[inline(always)]
fn add(hidden: &mut [i16; REGISTER], row: &[i16; REGISTER]) {
    for unit in 0..REGISTER {
        hidden[unit] = hidden[unit].wrapping_add(row[unit]);
    }
}

#[expect(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn weigh(hidden: &[i16; REGISTER], weights: &[i16; REGISTER]) -> i32 {
    let mut sum = 0;
    for unit in 0..REGISTER {
        #[expect(clippy::cast_possible_truncation, reason = "255 fits")]
        let cut_off = hidden[unit].clamp(0, HIDDEN_ONE as i16);
        // Neither factor is larger than what fits into 16 bits.
        sum += i32::from(cut_off.wrapping_mul(weights[unit])) * i32::from(cut_off);
    }
    sum
}
