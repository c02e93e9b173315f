//! What each game brings to the search.

mod cublino;
mod mahbusa;
mod measured_levels;
#[cfg(test)]
mod testing;
mod wari;
