//! Rules, notation, search and an HTTP service for board games for two, Cublino Pur first of all.
//!
//! Imports run one way: `http -> render, search -> games -> game`. [`game`] is what all games share, [`games`] the games
//! themselves, [`search`] finds good moves in them, [`render`] draws them.
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

pub mod cli;
pub mod config;
pub mod game;
pub mod games;
pub mod http;
pub mod render;
pub mod search;
