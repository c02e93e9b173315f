//! What each game brings to the search.

mod cublino;
mod mahbusa;
#[cfg(test)]
mod testing;
mod wari;
