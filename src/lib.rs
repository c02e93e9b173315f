//! The HTTP service of the board games and its command line.
//!
//! Imports run one way: `cli -> http -> queue -> api -> engine -> rules`.

mod caller;
pub mod cli;
pub mod config;
pub mod http;
pub mod queue;
mod version;
mod words;

pub use cublino_api as api;
pub use cublino_engine as engine;
pub use cublino_rules::{game, games, render, with_game};
