//! Whether a player can force a win within a number of plies: yes or no, never a heuristic score.
//!
//! There are two answers only, so the search is a boolean alpha-beta: the attacker needs one move that keeps
//! the win in time, the defender one that does not. What makes it go deep is what a game knows for certain
//! without looking ahead ([`SolverBounds`](super::SolverBounds)): that a win takes more plies than are left,
//! or that nobody can stop one any more.
//!
//! Repetition needs no rule here: on the way of a shortest win no position occurs twice, and an attacker who
//! goes round in circles runs out of plies.
//!
//! Beside it, `race` asks a game for the result of a race, which may be a draw as well.

mod proof_search;
mod proofs;
mod race;
mod solve;
#[cfg(test)]
mod tests;
mod win_bound;

pub use self::{
    proof_search::{MAX_PLIES, Solver},
    solve::{ForcedWin, Solution, solve},
    win_bound::WinBound,
};
pub(super) use self::{
    race::solve_race,
    solve::{TABLE_BYTES, find_forced_win},
};
