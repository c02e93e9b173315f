//! Rules, notation and pictures of five board games for two players: Cublino Pur, Cublino Contra, Cublino
//! Ecke, Mahbusa and Wari.
//!
//! [`game`] is what all games share, [`games`] the games themselves, and [`render`] draws them.
//!
//! ```
//! use cublino_rules::{
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

pub mod game;
pub mod games;
pub mod render;
