//! Whole games: puzzles from them, and what an analysis says about them.

mod puzzles;
mod reasons;
