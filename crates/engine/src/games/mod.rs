//! What each game brings to the search.

mod cublino;
mod mahbusa;
mod wari;

#[cfg(test)]
mod testing;
