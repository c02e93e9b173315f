//! How soon a result that is certain comes about.

use std::{collections::HashMap, thread};

use super::{Knowledge, Known};
use crate::{
    game::{Player, Stage},
    search::{Evaluate, GameResult},
};

/// The fewest plies in which a player can bring about a result that is certain, whatever the opponent does, counted with
/// what is known as a guide.
///
/// Positions on the shortest way do not occur twice: from each the way that is left is shorter than from the one before. So
/// the rule about repetition has no part in it.
pub(super) struct Prover<'a, G> {
    knowledge: &'a Knowledge,
    /// Who brings it about.
    player: Player,
    /// A win or a draw.
    result: GameResult,
    /// What has been found about positions.
    bounds: HashMap<G, Bounds>,
    /// Positions that may be looked at.
    budget: u64,
    looked_at: u64,
}

/// Positions between two times that other threads are let go first: about 50 µs.
const LET_OTHERS_EVERY: u64 = 64;

/// What is known about the plies to the result from a position.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// It takes more than this.
    more_than: Option<u32>,
    /// It takes so many at most.
    at_most: u32,
}

/// More positions would have to be looked at than is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutOfBudget;

impl<'a, G: Evaluate> Prover<'a, G> {
    /// For a result that is certain for a player; so many positions may be looked at. A loss is the other's win.
    pub(super) fn towards(player: Player, result: GameResult, knowledge: &'a Knowledge, budget: u64) -> Self {
        let (player, result) =
            if result == GameResult::Loss { (!player, GameResult::Win) } else { (player, result) };
        Self { knowledge, player, result, bounds: HashMap::new(), budget, looked_at: 0 }
    }

    /// How many positions were looked at.
    pub(super) const fn looked_at(&self) -> u64 {
        self.looked_at
    }

    /// The moves to the result, one player hurrying and the other holding it up, each with no worse result in mind.
    pub(super) fn line(&mut self, position: &G) -> Result<Vec<G::Move>, OutOfBudget> {
        let mut plies = 0;
        while !self.within(position, plies)? {
            plies += 1;
        }
        let mut line = Vec::new();
        let mut position = *position;
        while line.len() < plies as usize {
            let left = plies - 1 - line.len() as u32;
            let m = self.best(&position, left)?;
            line.push(m);
            position.play_unchecked(m);
        }
        Ok(line)
    }

    /// A move after which the result comes about within so many plies and no sooner.
    fn best(&mut self, position: &G, left: u32) -> Result<G::Move, OutOfBudget> {
        for m in self.moves(position) {
            let next = position.after(m);
            if self.within(&next, left)? && (left == 0 || !self.within(&next, left - 1)?) {
                return Ok(m);
            }
        }
        unreachable!("the number of plies was found by such a move")
    }

    /// Whether the player can bring the result about within so many plies.
    fn within(&mut self, position: &G, plies: u32) -> Result<bool, OutOfBudget> {
        if let Stage::Over(outcome) = position.stage() {
            return Ok(GameResult::of(outcome.result_for(self.player)) == self.result);
        }
        let bounds =
            self.bounds.get(position).copied().unwrap_or(Bounds { more_than: None, at_most: u32::MAX });
        if plies == 0 || bounds.more_than.is_some_and(|fewer| plies <= fewer) {
            return Ok(false);
        }
        if bounds.at_most <= plies {
            return Ok(true);
        }
        if self.looked_at == self.budget {
            return Err(OutOfBudget);
        }
        self.looked_at += 1;
        if self.looked_at.is_multiple_of(LET_OTHERS_EVERY) {
            thread::yield_now();
        }
        let mine = position.turn() == self.player;
        let mut found = !mine;
        for m in self.moves(position) {
            if self.within(&position.after(m), plies - 1)? == mine {
                found = mine;
                break;
            }
        }
        let bounds = if found {
            Bounds { at_most: plies, ..bounds }
        } else {
            Bounds { more_than: Some(plies), ..bounds }
        };
        self.bounds.insert(*position, bounds);
        Ok(found)
    }

    /// The moves that matter: those by which the player keeps the result; of the opponent's all when the player wins,
    /// and else those that do not make it a win.
    fn moves(&self, position: &G) -> Vec<G::Move> {
        let mut moves = Vec::new();
        position.generate(&mut moves);
        if position.turn() == self.player || self.result == GameResult::Draw {
            moves.retain(|&m| self.keeps(&position.after(m)));
        }
        moves
    }

    /// Whether the result is still certain.
    fn keeps(&self, position: &G) -> bool {
        let known = match position.stage() {
            Stage::Over(outcome) => Some(GameResult::of(outcome.result_for(position.turn()))),
            Stage::Move | Stage::Roll => match position.known(self.knowledge) {
                Some(Known::Certain(result)) => Some(result),
                Some(Known::Expected(_)) | None => None,
            },
        };
        let for_player = |result: GameResult| if position.turn() == self.player { result } else { !result };
        known.map(for_player) == Some(self.result)
    }
}
