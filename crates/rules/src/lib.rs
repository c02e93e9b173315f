//! Rules, notation and pictures of five board games for two players.
//!
//! - [`games`]: [`Pur`](games::Pur), [`Contra`](games::Contra) and [`Ecke`](games::Ecke), the variants of
//!   Cublino; [`Mahbusa`](games::Mahbusa), which has dice to roll; [`Wari`](games::Wari). [`with_game!`]
//!   turns a name into one of these types.
//! - [`game`]: what all games share. [`Game`](game::Game) has the rules of a position,
//!   [`Notation`](game::Notation) writes and explains it, and a [`Record`](game::Record) is a game that is
//!   being played. [`perft`](game::perft()) counts, and [`playout`](game::playout) plays at random.
//! - [`render`]: pictures as SVG.
//!
//! A whole program reads a state, lists the moves, plays one and prints the board, until the game is over:
//!
//! ```
//! use cublino_rules::{game::*, games::*};
//!
//! fn play_on<G: Notation>(state: &str, roll: &str) -> Result<Standing, Box<dyn std::error::Error>> {
//!     let mut record = Record::from(G::read(state)?);
//!     while record.stage().outcome().is_none() {
//!         let position = *record.position();
//!         let moves: Vec<_> = position.spellings().iter().map(ToString::to_string).collect();
//!         println!("{}{}", position.describe().text(Player::One), moves.join(" "));
//!         record.play(moves.first().map_or(roll, |first| first))?;
//!     }
//!     Ok(record.standing())
//! }
//!
//! let ended = play_on::<Contra>("CWa5vg7", "")?;
//! assert_eq!((ended.winner, ended.reason), (Some(Player::One), Some(EndReason::FarRankReached)));
//!
//! // In a game with dice, a roll is played like a move.
//! let ended = play_on::<Mahbusa>("M-AA21o", "21")?;
//! assert_eq!((ended.winner, ended.reason), (Some(Player::One), Some(EndReason::BorneOff)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod game;
pub mod games;
pub mod render;
