//! Forced wins by exhaustive search of all moves and all rolls. It shares no code with the search: only the
//! rules and some simple arithmetic.

use std::collections::HashMap;

use crate::{GameResult, Line, Playable, Proven};
use cublino_rules::game::{Game, Player, Stage};

/// Looks for forced wins, and gives up a question after [`BUDGET`] nodes.
pub(crate) struct Exhaustive<G> {
    known: HashMap<(G, Player), Bounds>,
    budget: u64,
    /// Questions that were answered.
    pub(crate) answered: usize,
    /// Questions that were given up.
    pub(crate) given_up: usize,
}

/// Bounds on a forced win: it takes so many plies at most, and it is not forced within so many.
#[derive(Clone, Copy, Default)]
struct Bounds {
    within: Option<u32>,
    not_within: Option<u32>,
}

/// The most nodes for a question.
const BUDGET: u64 = 400_000;

impl<G: Game> Exhaustive<G> {
    pub(crate) fn new() -> Self {
        Self { known: HashMap::new(), budget: 0, answered: 0, given_up: 0 }
    }

    /// Whether a player can force a win within so many plies, rolls not counted; `None` if it takes too long
    /// to tell.
    pub(crate) fn forces(&mut self, position: &G, attacker: Player, plies: u32) -> Option<bool> {
        self.budget = BUDGET;
        // Iterative deepening: what is known for fewer plies helps with more.
        let mut found = Some(false);
        for plies in 0..=plies {
            found = self.within(position, attacker, plies);
            if found != Some(false) {
                break;
            }
        }
        if found.is_some() {
            self.answered += 1;
        } else {
            self.given_up += 1;
        }
        found
    }

    fn within(&mut self, position: &G, attacker: Player, plies: u32) -> Option<bool> {
        let stage = position.stage();
        if let Stage::Over(outcome) = stage {
            return Some(outcome.winner == Some(attacker));
        }
        if plies == 0 || plies < fewest_plies(position, attacker) {
            return Some(false);
        }
        let bounds = self.known.get(&(*position, attacker)).copied().unwrap_or_default();
        if bounds.within.is_some_and(|within| within <= plies) {
            return Some(true);
        }
        if bounds.not_within.is_some_and(|not_within| plies <= not_within) {
            return Some(false);
        }
        self.budget = self.budget.checked_sub(1)?;
        let forced = if stage == Stage::Roll {
            let mut forced = true;
            for &(roll, _) in G::ROLLS {
                let rolled = position.rolled(roll);
                if !self.within(&rolled, attacker, plies)? {
                    forced = false;
                    break;
                }
            }
            forced
        } else {
            let attacks = position.turn() == attacker;
            let mut moves = Vec::new();
            position.generate(&mut moves);
            let mut forced = !attacks;
            for m in moves {
                if self.within(&position.after(m), attacker, plies - 1)? == attacks {
                    forced = attacks;
                    break;
                }
            }
            forced
        };
        let bounds = if forced {
            Bounds { within: Some(plies), ..bounds }
        } else {
            Bounds { not_within: Some(plies), ..bounds }
        };
        self.known.insert((*position, attacker), bounds);
        Some(forced)
    }
}

impl<G: Playable> Exhaustive<G> {
    /// Asserts that the claim of a line is true, if `most` plies can decide it: for each line that
    /// its result is that of its move, for the first of several also that it is that of the position.
    /// `context` says where the line comes from.
    pub(crate) fn assert_true(
        &mut self,
        position: &G,
        line: &Line<G::Move>,
        is_first: bool,
        most: u32,
        context: &str,
    ) {
        let Some(Proven { result, plies }) = line.value.proven else { return };
        let mover = position.turn();
        let next = position.after(line.pv[0]);
        let claim = format!("{position} {context}: {result:?} in {plies:?} by {:?}", line.pv);
        let winner = match result {
            GameResult::Win => mover,
            GameResult::Loss => !mover,
            GameResult::Draw => {
                for player in Player::ALL {
                    assert_ne!(
                        self.forces(&next, player, most.min(3)),
                        Some(true),
                        "{claim}, but {player} wins"
                    );
                    if is_first {
                        assert_ne!(
                            self.forces(position, player, most.min(4)),
                            Some(true),
                            "{claim}, but {player} wins"
                        );
                    }
                }
                return;
            }
        };
        assert_ne!(self.forces(&next, !winner, most.min(4)), Some(true), "{claim}, but {} wins", !winner);
        let Some(plies) = plies else { return };
        if plies > most {
            return;
        }
        assert_ne!(self.forces(&next, winner, plies - 1), Some(false), "{claim}, but it takes longer");
        if plies >= 2 && !(is_first && result == GameResult::Loss) {
            // A move that loses sooner than another is still a move that loses.
            assert_ne!(self.forces(&next, winner, plies - 2), Some(true), "{claim}, but it is sooner");
        }
        if is_first {
            assert_ne!(self.forces(position, winner, plies), Some(false), "{claim}, but not in the position");
            assert_ne!(
                self.forces(position, winner, plies - 1),
                Some(true),
                "{claim}, but sooner in the position"
            );
        }
    }
}

/// A number of plies that the rules need at least, from the text of a state: in Pur a turn brings one die
/// home, and somebody must bring all home; in Contra a turn takes a die one rank further.
fn fewest_plies(position: &impl Game, attacker: Player) -> u32 {
    let text = position.to_string();
    let dice = || {
        text.as_bytes()[1..].chunks(3).map(|die| {
            let player = if die[0].is_ascii_uppercase() { Player::One } else { Player::Two };
            let rank = u32::from(die[2] - b'0');
            (player, if player == Player::One { 7 - rank } else { rank - 1 })
        })
    };
    match text.as_bytes()[0].to_ascii_uppercase() {
        b'P' => {
            let to_bring_home =
                |player| dice().filter(|&(owner, ranks)| owner == player && ranks > 0).count() as u32;
            to_bring_home(Player::One).min(to_bring_home(Player::Two))
        }
        b'C' => {
            let ranks = dice().filter(|&(owner, _)| owner == attacker).map(|(_, ranks)| ranks);
            ranks.min().unwrap_or(u32::MAX)
        }
        _ => 0,
    }
}
