//! What each game provides for the search.

mod cublino;
mod mahbusa;
mod wari;

#[cfg(test)]
mod testing;
