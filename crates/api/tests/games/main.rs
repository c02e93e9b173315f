//! Whole games: the puzzles, and what an analysis says about games.

mod puzzles;
mod reasons;
