//! Rules, notation, search and an HTTP service for board games for two, Cublino Pur first of all.
//!
//! Imports run one way: `cli, http -> service -> render, search -> games -> game`. [`game`] is what all games
//! share, [`games`] the games themselves, [`search`] finds good moves in them, [`render`] draws them, and
//! [`service`] answers questions about them with values. Without the feature `server`, which is on by
//! default, there is no HTTP and no command line.
//!
//! ```
//! use cublino::{
//!     game::{Game, Notation},
//!     games::{Pur, cublino::Setup},
//! };
//!
//! let setup: Setup<_> = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7".parse()?;
//! let position = Pur::try_from(setup)?;
//! let mut moves = Vec::new();
//! position.spellings(&mut moves);
//! assert_eq!(moves[0].to_string(), "a1a2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "server")]
pub mod cli;
#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "server")]
pub mod config;
pub mod game;
pub mod games;
#[cfg(feature = "server")]
pub mod http;
pub mod render;
pub mod search;
pub mod service;
mod version;
