//! What is remembered of callers, however many there are.

use std::{
    array, fmt,
    hash::{BuildHasher, RandomState},
    iter,
};

use super::caller::Caller;

/// How many cells there are: half a mebibyte of limits.
const CELLS: usize = 1 << u16::BITS;

/// Something for each caller, in the cell that a secret hash picks. Two callers in one cell share it: among a
/// thousand at a time that happens to one in 65.
pub struct Cells<T> {
    cells: Box<[T]>,
    hasher: RandomState,
}

impl<T: Default> Default for Cells<T> {
    fn default() -> Self {
        Self { cells: iter::repeat_with(T::default).take(CELLS).collect(), hasher: RandomState::new() }
    }
}

impl<T> fmt::Debug for Cells<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cells").finish_non_exhaustive()
    }
}

impl<T> Cells<T> {
    /// The cell of a caller.
    pub fn of(&self, caller: &Caller) -> &T {
        let hash = self.hasher.hash_one(caller).to_ne_bytes();
        &self.cells[usize::from(u16::from_ne_bytes(array::from_fn(|i| hash[i])))]
    }
}
