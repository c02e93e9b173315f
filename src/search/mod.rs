//! Looking for good moves, in any game that can be judged.
//!
//! [`search()`] looks ahead on the calling thread: alpha-beta by iterative deepening, with a [`Table`] of what it has
//! seen, and of [`Knowledge`] where there is any. A game takes part by implementing [`Evaluate`] (see `eval`). [`pool`] runs searches on threads of their own,
//! [`arena`] lets players play matches.
//!
//! ```
//! use cublino::{
//!     games::Pur,
//!     search::{Control, Knowledge, Limits, Options, Table, search},
//! };
//!
//! let limits = Limits { depth: Some(3), ..Limits::default() };
//! let mut table = Table::new(1 << 20);
//! let (options, knowledge) = (Options::new(limits), Knowledge::none());
//! let analysis = search(&Pur::default(), &options, &knowledge, &Control::new(), &mut table, &mut |_| {});
//! assert_eq!(analysis.depth, 3);
//! ```

mod analysis;
pub mod arena;
mod chance;
mod control;
mod eval;
pub mod knowledge;
mod level;
mod options;
mod order;
#[cfg(feature = "server")]
pub mod pool;
mod quiescence;
mod root;
mod root_moves;
mod score;
mod selective;
pub mod solver;
mod table;
#[cfg(test)]
mod tests;
mod tree;

use self::solver::Solve;
pub use self::{
    analysis::{Analysis, Line, StoppedBy},
    control::Control,
    knowledge::{Knowledge, Known},
    level::Strength,
    options::{Level, Limits, NotALevel, Options},
    root::search,
    score::{GameResult, Proven, Score, Value},
    table::Table,
};

/// A game whose positions can be judged without looking ahead.
pub trait Evaluate: Solve {
    /// The score at which the expected result is `1 / sqrt(2)`, about 0.71: it turns scores into expected
    /// results, which is all that weighing the rolls of dice, the noise of the weaker levels and people need.
    const SCALE: f64;
    /// Whether there is exact knowledge about some positions.
    const HAS_KNOWLEDGE: bool = false;

    /// How the levels for people play, the lowest first.
    const LEVELS: [Strength; 8] = Strength::LEVELS;

    /// What the position is worth to the side to move, judged without looking ahead. Only called where the game
    /// goes on, to move or to roll.
    fn evaluate(&self) -> Score;

    /// What is known exactly about the position, without looking ahead. Only called where the game goes on, to move or
    /// to roll.
    fn known(&self, _: &Knowledge) -> Option<Known> {
        None
    }

    /// How promising a legal move looks before it is tried, compared with the others; higher is better.
    ///
    /// Moves that have proven their worth elsewhere count up to a few thousand, and come before those that only
    /// look promising by less.
    fn promise(&self, _: Self::Move) -> i32 {
        0
    }

    /// The legal moves that change so much that a judgement before them is of little use, each with the position that it
    /// leads to. Where there are any, all moves that win the game are among them.
    ///
    /// At its horizon the search tries them, besides resting on the judgement.
    fn restless(&self) -> impl Iterator<Item = (Self::Move, Self)> {
        std::iter::empty()
    }

    /// Whether a legal move brings the end of the game nearer.
    ///
    /// It is asked about root moves only, to choose among those of nearly equal value. Where both sides would
    /// rather wait, a game without a rule about repetition has no end.
    fn makes_progress(&self, _: Self::Move) -> bool {
        true
    }
}
