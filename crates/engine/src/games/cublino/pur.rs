//! Cublino Pur for the search.

use super::{all_on_ranks_of, from_and_to};
use crate::{Files, Playable, Strength, Tuning};
use cublino_rules::{
    game::{Game, Player},
    games::{
        Pur,
        cublino::{Board, Direction, Move, Square, Squares},
    },
};

/// With at most this many dice not yet home, moves at home that gain no pips there only delay the end; with
/// more dice it made no difference.
const FEW_ON_THE_WAY: u32 = 3;

impl Playable for Pur {
    // Levels at commit 68464ba: 1,000 games a step, 60 of level 8; losses in 400 positions.
    const FILES: Files = Files {
        network: include_bytes!("../../weights/cublino-pur.net"),
        puzzles: include_str!("../../puzzles/cublino-pur.txt"),
        levels: include_str!("../../levels/cublino-pur.json"),
    };

    const TUNING: Tuning = Tuning {
        // It costs two points of a hundred here. In Contra and Wari it gains four and five.
        keeps_table_move: false,
        // Between strong players many games are drawn, so that it takes a larger step to be clearly better.
        levels: {
            let mut levels = Strength::LEVELS;
            levels[6] = Strength::visiting(20_000);
            levels
        },
        // A player who is behind keeps a die at home, so that the game never ends. More contempt makes this
        // rarer, but moves lose more.
        contempt: 700,
        shuns_draws: true,
        has_solver: true,
        ..Tuning::DEFAULT
    };

    /// Nobody can beat a fortress, nor a player who goes straight home with pips that are out of reach.
    fn best_result(&self, player: Player) -> i8 {
        let against_race = straight_on(self, !player).map_or(1, |(lead, _)| -lead);
        against_race.min(i8::from(!has_fortress(self.board(), !player)))
    }

    /// Moves further forward are tried sooner: a rank counts as much as a good history.
    fn ordering_score(&self, m: Move) -> i32 {
        /// A quarter of what a history can reach.
        const RANK: i32 = 1000;
        RANK * ranks_forward(m)
    }

    fn history_slot(m: Move) -> usize {
        from_and_to(m)
    }

    /// A move forward makes progress, and with few dice on the way also one that gains pips at home.
    fn makes_progress(&self, m: Move) -> bool {
        let Move::Go { from, .. } = m else { return true };
        let on_the_way = on_the_way(self.board(), self.turn());
        let pips = |board| pips_at_home(board, self.turn());
        ranks_forward(m) > 0
            || !on_the_way.contains(from)
                && on_the_way.count() <= FEW_ON_THE_WAY
                && pips(self.after(m).board()) > pips(self.board())
    }

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
        if have_passed(board) && !(board.dice(!player).sides() & board.free()).is_empty() {
            2 * turns[player.index()] - u32::from(self.turn() == player)
        } else {
            turns[0].min(turns[1])
        }
    }

    /// Before the dice have passed each other there are too many ways to finish.
    fn is_win_near(&self) -> bool {
        have_passed(self.board())
    }

    fn sure_win(&self) -> Option<(Player, u32)> {
        [self.turn(), !self.turn()].into_iter().find_map(|player| {
            let (lead, plies) = straight_on(self, player)?;
            (lead > 0).then_some((player, plies))
        })
    }
}

/// By how many ranks a move takes a die forward.
fn ranks_forward(m: Move) -> i32 {
    match m {
        Move::Pass => 0,
        Move::Go { from, to, .. } => i32::from(from.rank().abs_diff(to.rank())),
    }
}

/// The most pips on top of a die.
const MOST_PIPS: u32 = 6;

/// Once the dice have passed each other, a player who goes straight home with all of them is sure of the
/// turns that this takes and of the final pips. If the opponent cannot be home sooner: whether these pips are
/// more than the most that the opponent can have by then (1), as many (0) or fewer (-1), and the plies that
/// it takes.
fn straight_on(position: &Pur, player: Player) -> Option<(i8, u32)> {
    let board = position.board();
    let (turns, pips) = have_passed(board).then(|| straight_home(board, player))??;
    let answers = if player == position.turn() { turns - 1 } else { turns };
    let is_first = on_the_way(board, !player).count() > answers;
    is_first.then(|| (pips.cmp(&most_pips(board, !player, answers)) as i8, turns + answers))
}

/// In how many turns all dice of a player are home, and with how many pips, if each goes straight on by tips;
/// `None` if they are in each other's way.
fn straight_home(board: &Board, player: Player) -> Option<(u32, u32)> {
    let ahead = Direction::forward(player);
    let mut turns = 0;
    let mut pips = pips_at_home(board, player);
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

/// An upper bound on a player's pips at home after so many turns: each changes what one die counts, at best
/// to a six.
fn most_pips(board: &Board, player: Player, turns: u32) -> u32 {
    let home = board.home(player);
    let counts = |square: Square| {
        if home.contains(square) { u32::from(board.orientation(square).top()) } else { 0 }
    };
    let mut gains: Vec<_> = board.dice(player).map(|square| MOST_PIPS - counts(square)).collect();
    gains.sort_unstable_by(|a, b| b.cmp(a));
    pips_at_home(board, player) + gains.into_iter().take(turns as usize).sum::<u32>()
}

/// Whether all dice of player one are on higher ranks than those of player two: then neither can block the
/// other, nor be jumped over, any more.
fn have_passed(board: &Board) -> bool {
    let [one, two] = Player::ALL.map(|player| board.dice(player).bits());
    one.trailing_zeros() / 8 > two.ilog2() / 8
}

/// The dice of a player that are not home; no turn brings home more than one.
fn on_the_way(board: &Board, player: Player) -> Squares {
    board.dice(player).without(board.home(player))
}

/// What a player's dice at home show together: what decides the game when somebody has them all home.
fn pips_at_home(board: &Board, player: Player) -> u32 {
    board.sum_of_tops(board.home(player))
}

/// Whether a player has a fortress, and so need not lose, whichever side is to move.
///
/// As long as the player keeps a die on their first rank, the opponent cannot fill it, and so cannot finish.
/// For that the player needs another move in every turn. The foremost rank with dice of theirs has one for
/// ever if at most one opposing die can still come there, and a square stays free even then: a die beside a
/// free square can tip there, and one opposing die that stands between can be jumped over. Opposing dice
/// never come back to that rank, and moves along it change none of this.
fn has_fortress(board: &Board, player: Player) -> bool {
    let own = board.dice(player);
    let enemies = board.dice(!player);
    let back = Direction::forward(!player);
    if (own & Squares::far_rank(!player)).is_empty() {
        return false;
    }
    let mut rank = Squares::far_rank(player);
    let mut to_come = enemies & rank;
    while (own & rank).is_empty() {
        rank = rank.shift(back);
        to_come |= enemies & rank;
    }
    to_come.count() <= 1 && (own & rank).count() + to_come.count() < FILES
}

/// Squares of a rank.
const FILES: u32 = 7;
