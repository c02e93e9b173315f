//! What each game brings to the search, and how it is evaluated by hand-made terms.

mod cublino;
mod mahbusa;
mod measured_levels;
#[cfg(test)]
mod testing;
mod wari;
