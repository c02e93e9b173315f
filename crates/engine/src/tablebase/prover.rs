//! How soon an exact result comes about.

use std::collections::HashMap;

use super::probe::{Tablebase, TablebaseValue};
use crate::{
    analysis::StoppedBy,
    control::Control,
    limits::{Interrupted, LimitChecker, SearchLimits},
    value::GameResult,
};
use cublino_rules::game::{Game, Player, Stage};

/// The fewest plies in which a player can bring about an exact result, whatever the opponent does, counted
/// with a tablebase as a guide.
///
/// Positions on the shortest way do not occur twice: from each the way that is left is shorter than from the
/// one before. So the rule about repetition has no part in it.
pub(super) struct Prover<'a, G> {
    tablebase: &'a dyn Tablebase<G>,
    limits: LimitChecker<'a>,
    /// What has been found about positions.
    bounds: HashMap<(Goal, G), Bounds>,
}

/// What is to be brought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Goal {
    /// By whom.
    player: Player,
    /// A win or a draw.
    result: GameResult,
}

/// What is known about the plies to the result from a position.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// It takes more than this.
    more_than: Option<u32>,
    /// It takes so many at most.
    at_most: u32,
}

impl<'a, G: Game> Prover<'a, G> {
    /// A prover that gives up when a limit is reached.
    pub(super) fn new(tablebase: &'a dyn Tablebase<G>, limits: &SearchLimits, control: &'a Control) -> Self {
        Self { tablebase, limits: LimitChecker::new(limits, control), bounds: HashMap::new() }
    }

    /// How many positions were visited.
    pub(super) const fn nodes(&self) -> u64 {
        self.limits.nodes()
    }

    /// What the tablebase knows about a position.
    pub(super) fn probe(&mut self, position: &G) -> Result<Option<TablebaseValue>, Interrupted> {
        self.tablebase.probe(position, &mut self.limits)
    }

    /// The moves to an exact result for a player, one player hurrying and the other holding it up, each with
    /// no worse result in mind. A loss is the other's win.
    pub(super) fn line(
        &mut self,
        position: &G,
        player: Player,
        result: GameResult,
    ) -> Result<Vec<G::Move>, Interrupted> {
        let goal = match result {
            GameResult::Loss => Goal { player: !player, result: GameResult::Win },
            GameResult::Win | GameResult::Draw => Goal { player, result },
        };
        let mut plies = 0;
        while !self.within(goal, position, plies)? {
            plies += 1;
        }
        let mut line = Vec::new();
        let mut position = *position;
        for left in (0..plies).rev() {
            let m = self.best(goal, &position, left)?;
            line.push(m);
            position.play_unchecked(m);
        }
        Ok(line)
    }

    /// A move after which the result comes about within so many plies and no sooner.
    fn best(&mut self, goal: Goal, position: &G, left: u32) -> Result<G::Move, Interrupted> {
        for m in self.moves(goal, position)? {
            let next = position.after(m);
            if self.within(goal, &next, left)? && (left == 0 || !self.within(goal, &next, left - 1)?) {
                return Ok(m);
            }
        }
        // The number of plies was found by such a move. But if the file of the tablebase has changed since,
        // what was known is not known any more.
        Err(Interrupted(StoppedBy::Database))
    }

    /// Whether the player can bring the result about within so many plies.
    fn within(&mut self, goal: Goal, position: &G, plies: u32) -> Result<bool, Interrupted> {
        if let Stage::Over(outcome) = position.stage() {
            return Ok(GameResult::of(outcome.result_for(goal.player)) == goal.result);
        }
        let bounds = self.bounds.get(&(goal, *position)).copied();
        let bounds = bounds.unwrap_or(Bounds { more_than: None, at_most: u32::MAX });
        if plies == 0 || bounds.more_than.is_some_and(|fewer| plies <= fewer) {
            return Ok(false);
        }
        if bounds.at_most <= plies {
            return Ok(true);
        }
        self.limits.visit()?;
        let mine = position.turn() == goal.player;
        let mut found = !mine;
        for m in self.moves(goal, position)? {
            if self.within(goal, &position.after(m), plies - 1)? == mine {
                found = mine;
                break;
            }
        }
        let bounds = if found {
            Bounds { at_most: plies, ..bounds }
        } else {
            Bounds { more_than: Some(plies), ..bounds }
        };
        self.bounds.insert((goal, *position), bounds);
        Ok(found)
    }

    /// The moves that matter: those by which the player keeps the result; of the opponent's all when the
    /// player wins, and else those that do not make it a win.
    fn moves(&mut self, goal: Goal, position: &G) -> Result<Vec<G::Move>, Interrupted> {
        let mut moves = Vec::new();
        position.generate(&mut moves);
        if position.turn() != goal.player && goal.result != GameResult::Draw {
            return Ok(moves);
        }
        let mut keeping = Vec::new();
        for m in moves {
            if self.keeps(goal, &position.after(m))? {
                keeping.push(m);
            }
        }
        Ok(keeping)
    }

    /// Whether the result is still exact.
    fn keeps(&mut self, goal: Goal, position: &G) -> Result<bool, Interrupted> {
        let result = match position.stage() {
            Stage::Over(outcome) => Some(GameResult::of(outcome.result_for(position.turn()))),
            Stage::Move | Stage::Roll => self.probe(position)?.and_then(TablebaseValue::result),
        };
        let for_player = |result: GameResult| if position.turn() == goal.player { result } else { !result };
        Ok(result.map(for_player) == Some(goal.result))
    }
}
