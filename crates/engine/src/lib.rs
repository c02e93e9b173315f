//! The best moves in any game that is [`Playable`].
//!
//! - An [`Engine`] suggests moves, evaluates positions and compares moves, on the calling thread. It searches
//!   by alpha-beta with iterative deepening and a [`TranspositionTable`].
//! - [`SearchLimits`] and [`Options`] say how long and how well it plays; a [`Control`] stops it.
//! - [`Learned`] is the static evaluation by a neural [`network`], [`tablebase`] has endgames, and
//!   [`solver`] finds forced wins.
//! - [`Playable`] is what a game provides for the search, besides its rules.
//!
//! ```
//! use cublino_engine::{Engine, SearchLimits, Tablebases};
//! use cublino_rules::{game::*, games::*};
//!
//! let limits = SearchLimits { depth: Some(5), ..SearchLimits::default() };
//! let mut record = Record::from(Contra::read("CWa5vg7")?);
//! let engine = Engine::built_in::<Contra>(Tablebases::built_in());
//! let found = engine.suggest(&record, limits).expect("White is to move");
//! let m = record.position().spell(found.best()).to_string();
//! record.play(&m)?;
//! assert_eq!(m, "a5a6");
//!
//! // In a game with dice there is nothing to suggest before the roll.
//! let mut record = Record::from(Mahbusa::default());
//! let engine = Engine::built_in::<Mahbusa>(Tablebases::built_in());
//! assert!(engine.suggest(&record, limits).is_none());
//! record.play("63")?;
//! let found = engine.suggest(&record, SearchLimits { depth: Some(1), ..limits }).expect("White has rolled");
//! println!("{}: {}", record.position().spell(found.best()), found.lines[0].value.expected);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod comparison;
mod evaluated;
mod evaluation;
mod games;
mod history;
mod limits;
pub mod network;
mod options;
mod ordering;
mod playable;
mod pruning;
mod root;
mod root_moves;
mod score;
pub mod solver;
pub mod tablebase;
mod techniques;
mod transposition_table;
mod tree;
mod value;
pub mod whole_file;

pub use self::{
    analysis::{Analysis, Line},
    comparison::{Comparison, DOUBTED_LOSS},
    evaluated::{Evaluated, RollValue},
    evaluation::Learned,
    history::RootPosition,
    limits::{Control, LimitChecker, SearchLimits, StoppedBy},
    options::{Level, NotALevel, Options, limits_of},
    playable::{FeatureLayout, Features, Files, MeasuredLevel, Playable, StaticEvaluation, Strength, Tuning},
    root::{Engine, compiled_searches},
    score::Score,
    tablebase::Tablebases,
    techniques::Techniques,
    transposition_table::TranspositionTable,
    value::{Calibration, Chances, Curve, Curves, GameResult, Proven, Value, in_ten_thousandths},
};

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
