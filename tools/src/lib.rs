//! Learning the evaluation of a game from its own play, for any game.
//!
//! Data flows one way: [`self_play`] plays games, `games_to_keep` writes them to files ([`game_file`]),
//! [`samples`] reads positions from them, [`fit`] finds the weights of a network that foretells their
//! results, and [`run`] does so generation by generation, each playing by the network of the one before, and
//! tells at the end what its scores mean ([`calibration`]).

pub mod calibration;
pub mod fit;
pub mod game_file;
mod games_to_keep;
mod model;
pub mod report;
pub mod run;
pub mod samples;
pub mod self_play;
pub mod train;

#[cfg(test)]
mod tests;
