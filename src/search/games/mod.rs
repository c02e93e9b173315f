//! What each game brings to the search, and how it is evaluated by hand-made terms.

mod cublino;
mod mahbusa;
#[cfg(test)]
mod testing;
mod wari;
