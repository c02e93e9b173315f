//! What is certain in Pur without looking ahead.

use super::{
    dice_home::{have_passed, on_the_way, pips_at_home},
    race,
};
use crate::{
    games::cublino::{all_on_ranks_of, sides},
    options::{Interrupted, LimitChecker},
    playable::SolverBounds,
    solver::SolvedRace,
};
use cublino_rules::{
    game::{Game, Player},
    games::{
        Pur,
        cublino::{Board, Direction, Move, Square},
    },
};

/// The most pips on top of a die.
const MOST_PIPS: u32 = 6;

impl SolverBounds for Pur {
    const HAS_SOLVER: bool = true;

    fn may_come_back_to(&self, earlier: &Self) -> bool {
        all_on_ranks_of(self.board(), earlier.board())
    }

    /// Somebody must bring all dice home, and no turn brings home more than one.
    ///
    /// Where the dice of the two have passed each other, and the opponent has one that can go to and fro, the
    /// opponent need not finish, and has a turn after each of the player's.
    fn fewest_plies(&self, player: Player) -> u32 {
        let board = self.board();
        let turns = Player::ALL.map(|player| on_the_way(board, player).count());
        if have_passed(board) && !(sides(board.dice(!player)) & board.free()).is_empty() {
            2 * turns[player.index()] - u32::from(self.turn() == player)
        } else {
            turns[0].min(turns[1])
        }
    }

    /// Before the dice have passed each other there are too many ways to finish.
    fn is_win_near(&self) -> bool {
        have_passed(self.board())
    }

    /// Where the dice of the two have passed each other, a player who goes straight home with all of them is
    /// sure of the turns that this takes and of the pips in the end. They win if the opponent can neither be
    /// home sooner nor have as many pips by then.
    fn sure_win(&self) -> Option<(Player, u32)> {
        let board = self.board();
        if !have_passed(board) {
            return None;
        }
        let mover = self.turn();
        [mover, !mover].into_iter().find_map(|player| {
            let (turns, pips) = straight_home(board, player)?;
            let answers = if player == mover { turns - 1 } else { turns };
            let beaten =
                on_the_way(board, !player).count() > answers && most_pips(board, !player, answers) < pips;
            beaten.then_some((player, turns + answers))
        })
    }

    fn solve_race(&self, limits: &mut LimitChecker<'_>) -> Result<Option<SolvedRace<Move>>, Interrupted> {
        race::solve(self, limits)
    }
}

/// In how many turns all dice of a player are home, and with how many pips, if each goes straight on by tips;
/// `None` if they are in each other's way.
fn straight_home(board: &Board, player: Player) -> Option<(u32, u32)> {
    let ahead = Direction::forward(player);
    let (mut turns, mut pips) = (0, pips_at_home(board, player));
    let mut taken = board.home(player);
    for from in on_the_way(board, player) {
        let mut orientation = board.orientation(from);
        let mut square = from;
        while let Some(next) = square.neighbour(ahead) {
            orientation = orientation.tipped(ahead);
            square = next;
            turns += 1;
        }
        if taken.contains(square) {
            return None;
        }
        taken |= square.set();
        pips += u32::from(orientation.top());
    }
    Some((turns, pips))
}

/// A number of pips that a player cannot exceed at home after so many turns: each changes what one die
/// counts, at best to a six.
fn most_pips(board: &Board, player: Player, turns: u32) -> u32 {
    let home = board.home(player);
    let counts = |square: Square| {
        if home.contains(square) { u32::from(board.orientation(square).top()) } else { 0 }
    };
    let mut gains: Vec<_> = board.dice(player).into_iter().map(|square| MOST_PIPS - counts(square)).collect();
    gains.sort_unstable_by(|a, b| b.cmp(a));
    pips_at_home(board, player) + gains.into_iter().take(turns as usize).sum::<u32>()
}
