//! The ways that one player's dice can go in a race.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet, hash_map::Entry},
    iter,
    rc::Rc,
    sync::LazyLock,
};

use super::super::{on_the_way, pips_at_home};
use crate::{Interrupted, LimitChecker};
use cublino_rules::{
    game::Player,
    games::{
        Pur,
        cublino::{Board, Direction, Move, Opening, Orientation, Squares},
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
        Pur::moves_on(board, self.player, &mut moves);
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

/// Pips that dice show at home.
pub(super) type Pips = i8;

/// The most moves that are distinguished; with more, every die may show the most.
const MOVES: usize = 12;
/// The most pips that a player can have: seven dice show a six.
pub(super) const ALL: Pips = 42;
/// Ranks that a die may have to go, and none.
const DISTANCES: usize = 7;
const LAST_RANK: u8 = 6;

/// The most pips that a die shows at home after up to so many moves; 0 if it cannot be home by then.
type ByMoves = [Pips; MOVES + 1];

/// By player, ranks to go and orientation.
static MOST: LazyLock<[[[ByMoves; Orientation::COUNT as usize]; DISTANCES]; 2]> = LazyLock::new(|| {
    let mut most = [[[[0; MOVES + 1]; Orientation::COUNT as usize]; DISTANCES]; 2];
    for player in Player::ALL {
        let most = &mut most[player.index()];
        for orientation in Orientation::all() {
            let pips = Pips::try_from(orientation.top()).expect("a die shows 6 at most");
            most[0][usize::from(orientation.index())][0] = pips;
        }
        for moves in 1..=MOVES {
            for ranks in 0..DISTANCES {
                for orientation in Orientation::all() {
                    let after = |(ranks, orientation): (usize, Orientation)| {
                        most[ranks][usize::from(orientation.index())][moves - 1]
                    };
                    let best = ends(player, ranks, orientation).map(after).max();
                    most[ranks][usize::from(orientation.index())][moves] = best.unwrap_or(0);
                }
            }
        }
    }
    most
});

/// Where a move may take a die that has so many ranks to go, as if there were dice to be jumped over wherever
/// they are needed: it tips first or not, and goes on by any number of jumps, each over one rank onto the
/// next. It may also stay, since another die may move.
fn ends(
    player: Player,
    ranks: usize,
    orientation: Orientation,
) -> impl Iterator<Item = (usize, Orientation)> {
    let tipped = Direction::of(player).into_iter().filter_map(move |direction| {
        let is_forward = direction == Direction::forward(player);
        let ranks = if is_forward { ranks.checked_sub(1)? } else { ranks };
        Some((ranks, orientation.tipped(direction)))
    });
    iter::once((ranks, orientation))
        .chain(tipped)
        .flat_map(|(ranks, orientation)| (0..=ranks).rev().step_by(2).map(move |ranks| (ranks, orientation)))
}

/// A number of pips that all dice of a player together cannot show more of at home after so many moves, on a
/// board with no other dice.
fn most_pips(board: &Board, player: Player, moves: usize) -> Pips {
    if moves > MOVES {
        return ALL;
    }
    let most = &MOST[player.index()];
    let mut together: ByMoves = [0; MOVES + 1];
    for (rank, ranks_to_go) in (0..).zip(0..DISTANCES) {
        let rank = if player == Player::One { LAST_RANK - rank } else { rank };
        for square in board.dice(player) & Squares::rank(rank) {
            let die = &most[ranks_to_go][usize::from(board.orientation(square).index())];
            // The moves are dealt out among the dice; what fewer moves make is still to be read.
            for moves in (0..=moves).rev() {
                let dealt = (0..=moves).map(|own| die[own] + together[moves - own]);
                together[moves] = dealt.max().unwrap_or(0);
            }
        }
    }
    together[moves]
}
