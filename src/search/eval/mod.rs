//! Judging positions, one file for each game.

mod contra;
mod cublino;
mod ecke;
mod mahbusa;
#[cfg(test)]
mod testing;
mod wari;
