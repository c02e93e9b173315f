//! Rules, notation and pictures of five board games for two players: Cublino Pur, Cublino Contra, Cublino
//! Ecke, Mahbusa and Wari.
//!
//! [`game`] is what all games share, [`games`] the games themselves, and [`render`] says how to draw them.
//!
//! ```
//! use cublino_rules::{game::*, games::*};
//!
//! // cup   12  11  10   9   8   7
//! //   B    4   4   4   4   4   4   0 prisoners
//! //   A    4   4   4   4   4   4   0 prisoners
//! // cup    1   2   3   4   5   6
//! let start = Wari::read("W-4-4-4-4-4-4-4-4-4-4-4-4-0-0")?;
//! assert_eq!(start, Wari::default());
//! assert_eq!((start.turn(), start.legal_moves().len()), (Player::One, 6));
//!
//! // Moves are values. A record plays them as they are written, and knows what has been played before.
//! let next = start.play(start.legal_moves()[4])?;
//! let mut record = Record::from(start);
//! record.play("5")?;
//! assert_eq!(record.position(), &next);
//! assert_eq!(next.to_string(), "w-4-4-4-4-0-5-5-5-5-4-4-4-0-0");
//! assert!(record.play("5").unwrap_err().to_string().contains("5"), "it is the turn of player two");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod game;
pub mod games;
pub mod render;
