//! Search for the best moves in any game that is [`Playable`].
//!
//! An [`Engine`] searches on the calling thread: alpha-beta with iterative deepening, a
//! [`TranspositionTable`], a static evaluation ([`Learned`]) and [`Tablebases`], if any.
//!
//! ```
//! use cublino_rules::games::Pur;
//! use cublino_engine::{Control, Engine, Options, SearchLimits, Tablebases, TranspositionTable};
//!
//! let limits = SearchLimits { depth: Some(3), ..SearchLimits::default() };
//! let mut table = TranspositionTable::new(1 << 20);
//! let engine = Engine::built_in::<Pur>(Tablebases::none());
//! let options = Options::new(limits);
//! let analysis = engine.search(&Pur::default(), &options, &Control::new(), &mut table, &mut |_| {});
//! assert_eq!(analysis.depth, 3);
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
