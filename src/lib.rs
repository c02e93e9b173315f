//! Rules, notation, search and an HTTP service for board games for two, Cublino Pur first of all.
//!
//! Without any feature the package is a library of the rules and the search. A position is read from the
//! notation, or is the start by `default`; it tells its legal moves, and plays them:
//!
//! ```
//! use cublino::{
//!     game::{Game, Notation, Record, Stage},
//!     games::Wari,
//! };
//!
//! let mut record = Record::from(Wari::default());
//! assert_eq!(record.position().to_string(), "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0");
//! record.play("5")?;
//! assert_eq!(record.stage(), Stage::Move);
//! assert_eq!(record.position().to_string(), "w-4-4-4-4-0-5-5-5-5-4-4-4-0-0");
//! assert!(record.play("5").unwrap_err().to_string().contains("5"), "it is the turn of player two");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `client` there is also a [client](https://docs.rs/cublino/latest/cublino/client) of the
//! service.
//!
//! Imports run one way: `cli -> http, client -> service -> render, search -> games -> game`. [`game`] is what
//! all games share, [`games`] the games themselves, [`search`] finds good moves in them, [`render`] draws
//! them, and [`service`] answers questions about them with values. Without the feature `server`, which is on
//! by default, there is no HTTP and no command line.
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
#[cfg(feature = "training")]
pub mod training;
mod version;
mod whole_file;
