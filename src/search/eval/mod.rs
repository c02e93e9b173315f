//! Judging positions, one file for each game, and what they have in common.

mod battles;
mod contra;
mod cublino;
mod ecke;
mod mahbusa;
#[cfg(test)]
mod testing;
mod wari;
