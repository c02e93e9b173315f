//! Whole games: players against each other, and what an analysis says about them.

mod play;
mod puzzles;
mod reasons;
