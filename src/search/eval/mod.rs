//! How positions are judged without looking ahead: one file per family of games.

mod cublino;
