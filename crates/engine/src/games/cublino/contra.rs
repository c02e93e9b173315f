//! Cublino Contra for the search.

use cublino_rules::{
    game::{Game, Player},
    games::{
        Contra,
        cublino::{Board, Direction, Move, Opening, Square, Squares},
    },
};

use super::{all_on_ranks_of, battle_score, can_wait, ends_elsewhere, from_and_to};
use crate::{Files, Playable, Strength, Tuning};

/// The squares on which a die fights, or wins the game.
fn contested(position: &Contra) -> Squares {
    position.board().dice(!position.turn()).and_adjacent() | Squares::far_rank(position.turn())
}

impl Playable for Contra {
    // Levels at commit 3285028, level 8 at c9578f4: 1,000 games a step, 60 of level 8; losses in 800
    // positions.
    const FILES: Files = Files {
        network: include_bytes!("../../weights/cublino-contra.net"),
        puzzles: include_str!("../../puzzles/cublino-contra.txt"),
        levels: include_str!("../../levels/cublino-contra.json"),
    };

    const TUNING: Tuning = Tuning {
        // Errors and depth decide more here than in Pur: with the default levels, half of them took more than
        // 90 % of the points from the level below.
        levels: [
            Strength::erring(1, 1.5),
            Strength::erring(1, 0.52),
            Strength::erring(2, 0.4),
            Strength::erring(3, 0.31),
            Strength::erring(4, 0.165),
            Strength::erring(5, 0.06),
            Strength::visiting(50_000),
            Strength::visiting(Strength::MOST_NODES),
        ],
        has_solver: true,
        ..Tuning::DEFAULT
    };

    /// Battles that are won and moves forward first; the further a die has come, the more it matters.
    fn ordering_score(&self, m: Move) -> i32 {
        /// A tenth of what a history can reach.
        const RANK: i32 = 400;
        let Move::Go { from, to, .. } = m else { return 0 };
        let rank = if from.rank() == to.rank() { 0 } else { RANK * ranks_gone(to, self.turn()) };
        rank + battle_score(to, contested(self), || self.casualties_of(m))
    }

    fn history_slot(m: Move) -> usize {
        from_and_to(m)
    }

    fn noisy_moves(&self) -> impl Iterator<Item = (Move, Self)> {
        self.winning_battles(contested(self))
    }

    fn is_quiet(&self) -> impl Fn(Move) -> bool {
        ends_elsewhere(contested(self))
    }

    fn may_come_back_to(&self, earlier: &Self) -> bool {
        all_on_ranks_of(self.board(), earlier.board())
    }

    /// A die must go to the far rank, one rank with each of the attacker's turns. Between two of these the
    /// defender has a turn, unless they are stuck.
    ///
    /// The defender is not stuck as long as they have a die out of reach of all the attacker's dice, and a
    /// place to move it to: only dice that take it or come beside it could change that. If they have such a
    /// die for the first `j` of the attacker's turns, the attacker's `d` turns come with at least
    /// `min(j, d - 1)` of the defender's, and with one more if the defender is to move now, be it a pass.
    ///
    /// If there is such a die for all the `d` turns, a turn more is needed unless one of the attacker's dice
    /// comes through while no other die moves.
    fn fewest_plies(&self, player: Player) -> u32 {
        let Some(turns) = ranks_to_go(self.board(), player) else { return u32::MAX };
        let with_one_more = plies_with_answers(self, player, turns + 1);
        if are_answered(self, player, turns, with_one_more) && straight_on(self, player, turns).is_empty() {
            return with_one_more;
        }
        with_one_more.min(plies_with_answers(self, player, turns))
    }

    /// If one turn more than the shortest way takes too many plies, only the foremost dice can win, by going
    /// forward.
    fn in_time(&self, plies: u32) -> impl Fn(Move) -> bool {
        let player = self.turn();
        let turns = ranks_to_go(self.board(), player).unwrap_or_default();
        let with_one_more = plies_with_answers(self, player, turns + 1);
        let hurry = with_one_more > plies;
        let dice = if !hurry {
            Squares::NONE
        } else if are_answered(self, player, turns, with_one_more) {
            straight_on(self, player, turns)
        } else {
            foremost(self, player, turns)
        };
        move |m| match m {
            Move::Go { from, to, .. } if hurry => dice.contains(from) && from.rank() != to.rank(),
            _ => true,
        }
    }

    /// A win by the next move, or by a die that goes straight on, that no opposing die can meet, and that is
    /// faster than the opponent.
    fn sure_win(&self) -> Option<(Player, u32)> {
        let board = self.board();
        let mover = self.turn();
        if wins_at_once(self) {
            return Some((mover, 1));
        }
        let [own_way, other_way] =
            [mover, !mover].map(|player| ranks_to_go(board, player).unwrap_or(RANKS + 1));
        if let Some(turns) = unstoppable(board, mover, 0)
            && other_way >= turns
        {
            return Some((mover, 2 * turns - 1));
        }
        let turns = unstoppable(board, !mover, 1)?;
        (own_way > turns).then_some((!mover, 2 * turns))
    }
}

/// The number of ranks from a player's first rank to a square.
fn ranks_gone(square: Square, player: Player) -> i32 {
    let first = if player == Player::One { 0 } else { 6 };
    i32::from(square.rank().abs_diff(first))
}

/// Ranks from the first to the far one.
const RANKS: u32 = 6;

/// A lower bound on the plies of so many turns of a player, with the turns that the opponent surely has
/// between and before them.
fn plies_with_answers(position: &Contra, player: Player, turns: u32) -> u32 {
    let board = position.board();
    let moves_now = u32::from(position.turn() != player);
    let mut reach = board.dice(player);
    let mut answered = 0;
    while answered + 1 < turns {
        reach |= tipped(reach, player);
        if !can_wait(board, !player, reach.and_adjacent(), answered + 1 + moves_now) {
            break;
        }
        answered += 1;
    }
    turns + answered + moves_now
}

/// Whether the opponent surely has a turn after each of a player's turns, given the plies that one turn more
/// takes.
fn are_answered(position: &Contra, player: Player, turns: u32, with_one_more: u32) -> bool {
    with_one_more == 2 * turns + 1 + u32::from(position.turn() != player)
}

/// A player's dice with so many ranks to go.
fn foremost(position: &Contra, player: Player, ranks: u32) -> Squares {
    let back = Direction::forward(!player);
    let rank = (0..ranks).fold(Squares::far_rank(player), |rank, _| rank.shift(back));
    position.board().dice(player) & rank
}

/// Those of them that reach the far rank straight on if no other die moves.
fn straight_on(position: &Contra, player: Player, ranks: u32) -> Squares {
    let dice = foremost(position, player, ranks);
    dice.filter(|&from| comes_through(position.board(), player, from)).collect()
}

/// How many ranks the foremost die of a player has to go; `None` without dice.
fn ranks_to_go(board: &Board, player: Player) -> Option<u32> {
    let bits = board.dice(player).bits();
    (bits != 0).then(|| match player {
        Player::One => RANKS - bits.ilog2() / 8,
        Player::Two => bits.trailing_zeros() / 8,
    })
}

/// Whether the side to move has a move that wins.
fn wins_at_once(position: &Contra) -> bool {
    let board = position.board();
    let mover = position.turn();
    let direction = Direction::forward(mover);
    let mut ends = board.dice(mover).shift(direction) & board.free() & Squares::far_rank(mover);
    ends.any(|to| {
        let from = to.neighbour(direction.opposite()).expect("a die tips from the rank before");
        let m = Move::Go { from, opening: Opening::Tip(direction), to };
        !position.after(m).board().home(mover).is_empty()
    })
}

/// Whether a player's die reaches the far rank straight on if no other die moves.
fn comes_through(board: &Board, player: Player, mut from: Square) -> bool {
    let ahead = Direction::forward(player);
    let mut board = *board;
    while let Some(to) = from.neighbour(ahead) {
        if board.occupied().contains(to) {
            return false;
        }
        board = board.relocated(player, from, to, board.orientation(from).tipped(ahead));
        let casualties = Contra::casualties(&board, player, to);
        if casualties.contains(to) {
            return false;
        }
        board = board.without(casualties);
        from = to;
    }
    true
}

/// The squares to which dice can tip if nothing is in their way.
fn tipped(dice: Squares, player: Player) -> Squares {
    let [ahead, west, east] = Direction::of(player).map(|direction| dice.shift(direction));
    (ahead | west | east).on_board()
}

/// The number of turns in which the first unstoppable die reaches the far rank, if the opponent moves
/// `head_start` times before.
///
/// The way ahead must be free, and neither when the die arrives on a square of it nor while it waits there
/// may an opposing die be able to stand beside that square, wherever the opponent's turns have taken it; the
/// last arrival ends the game.
fn unstoppable(board: &Board, player: Player, head_start: u32) -> Option<u32> {
    let ahead = Direction::forward(player);
    let free = board.free();
    let mut runners = board.dice(player);
    let mut reach = board.dice(!player);
    if head_start > 0 {
        reach |= tipped(reach, !player);
        runners = runners.without(reach.and_adjacent());
    }
    for turns in 1..=RANKS {
        runners = runners.shift(ahead) & free.without(reach.and_adjacent());
        if !(runners & Squares::far_rank(player)).is_empty() {
            return Some(turns);
        }
        reach |= tipped(reach, !player);
        runners = runners.without(reach.and_adjacent());
        if runners.is_empty() {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::games::testing::{
        assert_is_worth_the_same_from_the_other_side, assert_won_by_next_move, cublino_turned_round,
    };

    use super::*;

    #[test]
    fn a_position_is_worth_the_same_from_the_other_side() {
        assert_is_worth_the_same_from_the_other_side::<Contra>(20, 100, cublino_turned_round);
    }

    #[test]
    fn the_far_rank_is_reached_when_it_can_be() {
        assert_won_by_next_move::<Contra>("CWa6We1va3vg7");
        assert_won_by_next_move::<Contra>("cWa5We1va7vg2");
    }
}
