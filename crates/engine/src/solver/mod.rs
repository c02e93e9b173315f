//! Whether a player can force a win within a number of plies: yes or no, never a heuristic score.
//!
//! There are two answers only, so the search is a boolean alpha-beta: the attacker needs one move that keeps
//! the win in time, the defender one that does not. What makes it go deep is what a game knows for certain
//! without looking ahead ([`Playable`]): that a win takes more plies than are left,
//! or that nobody can stop one any more.
//!
//! Repetition needs no rule here: on the way of a shortest win no position occurs twice, and an attacker who
//! goes round in circles runs out of plies.

use cublino_rules::game::Player;

use crate::{Control, Playable, SearchLimits, StoppedBy, history::GameHistory, limits::Searched};

mod proof_search;

pub use self::proof_search::MAX_PLIES;
pub(crate) use self::proof_search::Solver;

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

    /// They cannot force it within so many plies; never, if the number does not fit into a byte.
    fn not_within(plies: u32) -> Self {
        Self::NotWithin(plies.min(u8::MAX.into()))
    }

    /// The answer before any move was searched: the worst for the side to move.
    const fn without_moves(attacks: bool) -> Self {
        if attacks { Self::NEVER } else { Self::Within(0) }
    }

    /// Whether this is what the side to move wants, the attacker or the defender.
    const fn suits(self, attacks: bool) -> bool {
        matches!(self, Self::Within(_)) == attacks
    }

    /// Combines an answer from moves that do not suit the side to move with that of another move.
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

/// What the solver has found out about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<M> {
    /// The shortest win that a player can force.
    pub win: Option<ForcedWin<M>>,
    /// Within how many plies each player cannot force a win; `None` if they never can.
    pub not_within: [Option<u32>; 2],
    /// How many nodes (positions) were visited.
    pub nodes: u64,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

/// A win against any defence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedWin<M> {
    /// Who wins.
    pub winner: Player,
    /// In how many plies, if the loser holds out as long as they can.
    pub plies: u32,
    /// Best play to the end, or the first part of it if a limit was reached.
    pub line: Vec<M>,
}

/// Looks for a win that either player can force, further and further ahead, until one is found, it is proven
/// that there is none, or a limit is reached. `position` is in
/// [`Stage::Move`](cublino_rules::game::Stage::Move). The table takes about `table_bytes` bytes.
///
/// ```
/// use cublino_engine::{Control, SearchLimits, solver::solve};
/// use cublino_rules::{game::{Game, Notation, Player}, games::Contra};
///
/// let position = Contra::read("CWa5vg7")?;
/// let limits = SearchLimits { nodes: Some(10_000), ..SearchLimits::default() };
/// let win = solve(&position, &limits, &Control::new(), 1 << 20).win.expect("a win");
/// assert_eq!((win.winner, win.plies), (Player::One, 3));
/// assert_eq!(position.spell_line(&win.line)[0], "a5a6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline(never)]
pub fn solve<G: Playable>(
    position: &G,
    limits: &SearchLimits,
    control: &Control,
    table_bytes: usize,
) -> Solution<G::Move> {
    solve_with(&mut Solver::new(limits, control, table_bytes, &GameHistory::default()), position, limits)
}

/// The same with a solver that was made with these limits.
fn solve_with<G: Playable>(
    solver: &mut Solver<'_, G>,
    position: &G,
    limits: &SearchLimits,
) -> Solution<G::Move> {
    let furthest = limits.depth.unwrap_or(MAX_PLIES).min(MAX_PLIES);
    let mut refuted = [0; 2];
    let mut win = None;
    let stopped_by = loop {
        let behind = Player::ALL.into_iter().filter(|player| refuted[player.index()] < furthest);
        let Some(attacker) = behind.min_by_key(|player| refuted[player.index()]) else {
            let is_proven = refuted.iter().all(|&plies| WinBound::NotWithin(plies) == WinBound::NEVER);
            break if is_proven { StoppedBy::Proven } else { StoppedBy::Depth };
        };
        let refuted = &mut refuted[attacker.index()];
        match solver.shortest(position, attacker, refuted, furthest) {
            Ok(None) => {}
            Ok(Some(plies)) => {
                let line = solver.line(position, attacker, plies);
                win = Some(ForcedWin { winner: attacker, plies, line });
                break StoppedBy::Proven;
            }
            Err(stopped_by) => break stopped_by,
        }
    };
    let not_within = refuted.map(|plies| (WinBound::NotWithin(plies) != WinBound::NEVER).then_some(plies));
    Solution { win, not_within, nodes: solver.limits.nodes, stopped_by }
}

impl<G: Playable> Solver<'_, G> {
    /// The number of plies of the shortest forced win, if there is one up to the attacker's next turn after
    /// the refuted plies. Raises `refuted`.
    fn shortest(
        &mut self,
        position: &G,
        attacker: Player,
        refuted: &mut u32,
        furthest: u32,
    ) -> Searched<Option<u32>> {
        let mut shortest = None;
        // If turns alternate, a win ends with the attacker's ply: an odd number if they move first. One more
        // ply would cost work and hardly gain anything.
        let attacks = position.turn() == attacker;
        let next = *refuted + 1;
        let mut plies = (next + u32::from((next % 2 == 1) != attacks)).min(furthest);
        while plies > *refuted {
            match self.probe(position, attacker, plies)? {
                WinBound::NotWithin(plies) => *refuted = plies,
                WinBound::Within(within) => {
                    shortest = Some(within);
                    plies = within - 1;
                }
            }
        }
        Ok(shortest)
    }

    /// The plies of a player's shortest forced win, which takes at most `within`, and its line of best play:
    /// the known one if it is as short. `None` if a limit is reached before that is certain.
    pub(crate) fn shortest_line(
        &mut self,
        position: &G,
        winner: Player,
        within: u32,
        known: &[G::Move],
    ) -> Option<(u32, Vec<G::Move>)> {
        let mut plies = within;
        while plies > 0 {
            match self.probe(position, winner, plies - 1).ok()? {
                WinBound::NotWithin(_) => break,
                WinBound::Within(fewer) => plies = fewer,
            }
        }
        let is_known = plies == within && known.len() == plies as usize;
        let line = if is_known { known.to_vec() } else { self.line(position, winner, plies) };
        (!G::ROLLS.is_empty() || line.len() == plies as usize).then_some((plies, line))
    }

    /// Best play of both from a position in which the shortest forced win takes so many plies; the first part
    /// of it if a limit is reached, or dice must be rolled.
    fn line(&mut self, position: &G, attacker: Player, plies: u32) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut position = *position;
        for left in (0..plies).rev() {
            let best = position.legal_moves().into_iter().find(|&m| {
                let next = position.after(m);
                let mut forced =
                    |plies| matches!(self.probe(&next, attacker, plies), Ok(WinBound::Within(_)));
                if position.turn() == attacker { forced(left) } else { left == 0 || !forced(left - 1) }
            });
            let Some(best) = best else { break };
            line.push(best);
            position = position.after(best);
        }
        line
    }
}

/// The solver gets at most one part in this many of the time and the nodes of a search. Most wins that exist
/// are found with far less, see `tools/measured/solver.md`.
const SOLVER_SHARE: u32 = 16;
/// Memory for the solver, enough for the nodes of a tenth of a second.
pub(crate) const TABLE_BYTES: usize = 1 << 20;

/// Looks for a forced win before a search begins, with a small share of its limits.
///
/// `None` without a limit on time or nodes, if no win is near, if there is only one legal move, or if the
/// depth is limited: the search itself looks that far.
pub(crate) fn find_forced_win<G: Playable>(
    position: &G,
    game_history: &GameHistory,
    limits: &SearchLimits,
    control: &Control,
) -> Option<Solution<G::Move>> {
    let is_unlimited = limits.time.is_none() && limits.nodes.is_none();
    let is_forced = position.count_moves() == 1;
    if limits.depth.is_some() || is_unlimited || is_forced || !position.is_win_near() {
        return None;
    }
    let share = limits.part(SOLVER_SHARE);
    let mut solver = Solver::new(&share, control, TABLE_BYTES, game_history);
    Some(solve_with(&mut solver, position, &share))
}

#[cfg(test)]
mod tests;
