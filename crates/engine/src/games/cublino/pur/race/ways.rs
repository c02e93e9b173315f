//! The ways that one player's dice can go in a race.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet, hash_map::Entry},
    rc::Rc,
};

use super::{
    super::{on_the_way, pips_at_home},
    most::{Pips, most_pips},
};
use crate::{Interrupted, LimitChecker};
use cublino_rules::{
    game::Player,
    games::cublino::{
        Board, Move, Opening,
        rules::{Pur, Rules},
    },
};

/// The boards that a player can make in a race, as far as they have been looked at. On these boards there are
/// no other dice, since the opponent's can neither be jumped over nor block any.
pub(super) struct Ways {
    player: Player,
    /// The boards that moves lead to, in the order in which they are generated.
    after: HashMap<Board, Rc<[Board]>>,
}

/// The most pips that a player can have after so many moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Most {
    /// With dice still to be brought home; `None` if that cannot be.
    pub(super) unfinished: Option<Pips>,
    /// When the last of the moves brings the last die home; `None` if it cannot.
    pub(super) finished: Option<Pips>,
}

/// A search for the most pips after a number of moves.
struct Climb {
    /// Whether all dice have to be home then, and not before.
    finishes: bool,
    most: Option<Pips>,
    /// What has been looked at, with how many moves were left.
    seen: HashSet<(Board, usize)>,
}

impl Ways {
    pub(super) fn new(player: Player) -> Self {
        Self { player, after: HashMap::new() }
    }

    /// Whose dice they are.
    pub(super) const fn player(&self) -> Player {
        self.player
    }

    /// The pips at home on a board.
    pub(super) fn pips(&self, board: &Board) -> Pips {
        let pips = pips_at_home(board, self.player);
        Pips::try_from(pips).expect("seven dice show 42 at most")
    }

    /// How many dice are not home.
    pub(super) fn on_the_way(&self, board: &Board) -> usize {
        on_the_way(board, self.player).count() as usize
    }

    /// The boards that the moves from a board lead to, in the order in which they are generated. Each that
    /// was not known counts as visited.
    pub(super) fn after(
        &mut self,
        board: &Board,
        limits: &mut LimitChecker<'_>,
    ) -> Result<Rc<[Board]>, Interrupted> {
        limits.visit()?;
        let entry = match self.after.entry(*board) {
            Entry::Occupied(entry) => return Ok(Rc::clone(entry.get())),
            Entry::Vacant(entry) => entry,
        };
        let mut moves = Vec::new();
        Pur::generate(board, self.player, &mut moves);
        let mut boards = Vec::with_capacity(moves.len());
        for m in moves {
            limits.visit()?;
            let Move::Go { from, opening, to } = m else { continue };
            let orientation = match opening {
                Opening::Tip(direction) => board.orientation(from).tipped(direction),
                Opening::Jump => board.orientation(from),
            };
            boards.push(board.relocated(self.player, from, to, orientation));
        }
        Ok(Rc::clone(entry.insert(boards.into())))
    }

    /// The same, those first from which the most pips may be had in the moves that are left.
    pub(super) fn best_first(
        &mut self,
        board: &Board,
        moves: usize,
        limits: &mut LimitChecker<'_>,
    ) -> Result<Vec<Board>, Interrupted> {
        let mut after = self.after(board, limits)?.to_vec();
        after.sort_by_cached_key(|after| Reverse(self.most_pips(after, moves - 1)));
        Ok(after)
    }

    /// A number of pips that the player cannot have more of after so many moves.
    pub(super) fn most_pips(&self, board: &Board, moves: usize) -> Pips {
        most_pips(board, self.player, moves)
    }

    /// The most pips that the player can have after exactly so many moves.
    pub(super) fn most(
        &mut self,
        start: &Board,
        moves: usize,
        limits: &mut LimitChecker<'_>,
    ) -> Result<Most, Interrupted> {
        let mut most = |finishes| {
            let mut climb = Climb { finishes, most: None, seen: HashSet::new() };
            self.climb(start, moves, &mut climb, limits).map(|()| climb.most)
        };
        Ok(Most { unfinished: most(false)?, finished: most(true)? })
    }

    /// Looks for more pips than have been found.
    fn climb(
        &mut self,
        board: &Board,
        moves: usize,
        climb: &mut Climb,
        limits: &mut LimitChecker<'_>,
    ) -> Result<(), Interrupted> {
        let on_the_way = self.on_the_way(board);
        if moves == 0 {
            if climb.finishes == (on_the_way == 0) {
                climb.most = climb.most.max(Some(self.pips(board)));
            }
            return Ok(());
        }
        let is_over = on_the_way == 0 || climb.finishes && on_the_way > moves;
        if is_over || !climb.seen.insert((*board, moves)) {
            return Ok(());
        }
        for after in self.best_first(board, moves, limits)? {
            if climb.most >= Some(self.most_pips(&after, moves - 1)) {
                break;
            }
            self.climb(&after, moves - 1, climb, limits)?;
        }
        Ok(())
    }
}
