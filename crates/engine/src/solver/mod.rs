//! Whether a player can force a win within a number of plies: yes or no, never a heuristic score.
//!
//! There are two answers only, so the search is a boolean alpha-beta: the attacker needs one move that keeps
//! the win in time, the defender one that does not. What makes it go deep is what a game knows for certain
//! without looking ahead ([`Playable`]): that a win takes more plies than are left,
//! or that nobody can stop one any more.
//!
//! Repetition needs no rule here: on the way of a shortest win no position occurs twice, and an attacker who
//! goes round in circles runs out of plies.
//!
//! Beside it, `race` asks a game for the result of a race, which may be a draw as well.

use crate::{Control, GameResult, LimitChecker, Playable, SearchLimits, root::GameHistory};

mod proof_search;
mod solve;

pub use self::{
    proof_search::MAX_PLIES,
    solve::{ForcedWin, Solution, solve},
};
pub(crate) use self::{
    proof_search::Solver,
    solve::{TABLE_BYTES, find_forced_win},
};

/// What is known about a forced win of the attacker, in plies from the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WinBound {
    /// They can force it within so many plies.
    Within(u32),
    /// They cannot force it within so many plies.
    NotWithin(u32),
}

impl WinBound {
    /// They cannot force it in any number of plies.
    const NEVER: Self = Self::NotWithin(u8::MAX as u32);

    /// They cannot within so many plies, or in any number if there is no telling so many apart.
    fn not_within(plies: u32) -> Self {
        Self::NotWithin(plies.min(u8::MAX.into()))
    }

    /// Before any move was looked at: the side to move has nothing.
    const fn without_moves(attacks: bool) -> Self {
        if attacks { Self::NEVER } else { Self::Within(0) }
    }

    /// Whether this is what the side to move wants, the attacker or the defender.
    const fn suits(self, attacks: bool) -> bool {
        matches!(self, Self::Within(_)) == attacks
    }

    /// What the side to move has if it has both this, from moves that do not suit it, and another move.
    fn or(self, other: Self, attacks: bool) -> Self {
        match (self, other) {
            (Self::Within(one), Self::Within(two)) if !attacks => Self::Within(one.max(two)),
            (Self::NotWithin(one), Self::NotWithin(two)) if attacks => Self::NotWithin(one.min(two)),
            _ => other,
        }
    }

    /// The same, seen from a ply earlier.
    fn earlier(self) -> Self {
        match self {
            Self::Within(plies) => Self::Within(plies + 1),
            Self::NotWithin(plies) => Self::not_within(plies + 1),
        }
    }
}

/// What part of the time and of the positions of a search is spent on it at most.
const SHARE: u32 = 4;
/// Positions that are visited at most: a tenth of a second, and some ten megabytes.
const MOST_NODES: u64 = 100_000;

/// Works out a race with a part of what the limits of a search allow; how many positions were visited, too.
///
/// Nothing if there is no choice, if the depth is limited (so far the search looks itself), or if a position
/// that has occurred may occur again, since that counts as well.
pub(crate) fn solve_race<G: Playable>(
    position: &G,
    game_history: &GameHistory,
    limits: &SearchLimits,
    control: &Control,
) -> (u64, Option<SolvedRace<G::Move>>) {
    if limits.depth.is_some() || !game_history.is_empty() || position.count_moves() == 1 {
        return (0, None);
    }
    let mut limits = LimitChecker::new(&limits.part(SHARE).with_nodes_at_most(MOST_NODES), control);
    // What is not known in time is not known.
    let race = position.solve_race(&mut limits).unwrap_or_default();
    (limits.nodes(), race)
}

/// A race that has been worked out: its result for the side to move, and the moves of both to the end.
pub type SolvedRace<M> = (GameResult, Vec<M>);

#[cfg(test)]
mod tests;
