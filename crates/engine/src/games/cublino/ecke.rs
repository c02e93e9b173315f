//! Cublino Ecke for the search.

use cublino_rules::{
    game::{Game, Player},
    games::{
        Ecke,
        cublino::{Board, Direction, Move, Square, Squares},
    },
};

use super::{all_on_ranks_of, battle_score, can_wait, ends_elsewhere, from_and_to};
use crate::{Files, Playable, Strength, Tuning};

/// The squares on which a die fights, or wins the game.
fn contested(position: &Ecke) -> Squares {
    position.board().dice(!position.turn()).and_around() | Squares::far_corners(position.turn())
}

impl Playable for Ecke {
    // Levels at commit c9578f4: 1,000 games a step, 60 of level 8; losses in 800 positions.
    const FILES: Files = Files {
        network: include_bytes!("../../weights/cublino-ecke.net"),
        puzzles: include_str!("../../puzzles/cublino-ecke.txt"),
        levels: include_str!("../../levels/cublino-ecke.json"),
    };

    const TUNING: Tuning = Tuning {
        // The default fourth level took more than 90 % of the points from the third. A player who looks far
        // ahead without errors hardly loses: the highest level took 55 % from one that visits 15,000 nodes.
        levels: {
            let mut levels = Strength::LEVELS;
            levels[3] = Strength::erring(3, 0.4);
            levels[6] = Strength::erring(6, 0.06);
            levels
        },
        // With fewer repetitions, the stronger player wins more games.
        contempt: 15,
        has_solver: true,
        ..Tuning::DEFAULT
    };

    /// Battles that are won and corners first, and far forward before sideways.
    fn ordering_score(&self, m: Move) -> i32 {
        /// A quarter of what a history can reach.
        const CORNER: i32 = 1000;
        /// A tenth of that.
        const RANK: i32 = 100;
        let Move::Go { from, to, .. } = m else { return 0 };
        let corner = Squares::far_corners(self.turn()).contains(to);
        let forward = RANK * i32::from(from.rank().abs_diff(to.rank()));
        let battle = battle_score(to, contested(self), || self.casualties_of(m));
        forward + battle + if corner { CORNER } else { 0 }
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

    /// Two dice must go to the corners, by at most two squares a turn; or all of the opponent's dice but one
    /// must fall.
    ///
    /// A turn takes only dice around a square that the attacker's can have reached. The defender also loses
    /// dice in battles of their own, and turns when they are stuck; but neither as long as one die can wait
    /// where the attacker cannot come near, and all others stay where they are.
    fn fewest_plies(&self, player: Player) -> u32 {
        let board = self.board();
        let enemies = board.dice(!player);
        let moves_now = u32::from(self.turn() != player);
        let to_corners = turns_to_corners(board, player);
        let mut reach = board.dice(player);
        if moves_now > 0 && !can_wait(board, !player, reach.and_around(), 1) {
            // Nothing is known about a battle that the defender has to fight now.
            return if enemies.count() <= FEWEST_DICE { 1 } else { 2 };
        }
        for turns in 1..to_corners {
            reach |= stepped(reach, player);
            let danger = reach.and_around();
            // The die that waits may have moved since.
            let near = (enemies & danger).count() + u32::from(turns + moves_now > 1);
            if near + FEWEST_DICE > enemies.count() {
                return 2 * turns - 1 + moves_now;
            }
            if !can_wait(board, !player, danger, turns + moves_now) {
                return (2 * turns).min(to_corners + turns - 1) + moves_now;
            }
        }
        2 * to_corners - 1 + moves_now
    }
}

/// With fewer dice a player has lost.
const FEWEST_DICE: u32 = 2;

/// In how many turns a player's dice can be on both corners, if nothing is in their way.
fn turns_to_corners(board: &Board, player: Player) -> u32 {
    let turns_to = |corner: Square| {
        let turns = board.dice(player).map(|square| {
            let (files, ranks) = square.offset_to(corner);
            u32::from(files.unsigned_abs().max(ranks.unsigned_abs())).div_ceil(2)
        });
        turns.min().unwrap_or_default()
    };
    Squares::far_corners(player).map(turns_to).sum()
}

/// The squares to which dice can step, by a tip or a jump, if nothing is in their way.
fn stepped(dice: Squares, player: Player) -> Squares {
    let directions = Direction::of(player).into_iter().chain(Direction::diagonals(player));
    directions.fold(Squares::NONE, |all, direction| {
        let tips = dice.shift(direction).on_board();
        all | tips | tips.shift(direction).on_board()
    })
}

#[cfg(test)]
mod tests {
    use crate::games::testing::{
        assert_is_worth_the_same_from_the_other_side, assert_won_by_next_move, cublino_turned_round,
    };

    use super::*;

    #[test]
    fn a_position_is_worth_the_same_from_the_other_side() {
        assert_is_worth_the_same_from_the_other_side::<Ecke>(20, 100, cublino_turned_round);
    }

    #[test]
    fn the_second_corner_is_taken_when_it_can_be() {
        assert_won_by_next_move::<Ecke>("EWa7Wf6Wd1vd4ve2vc3");
        assert_won_by_next_move::<Ecke>("eva1vg3vd5vg2Wd7Wc6Wb5");
    }

    #[test]
    fn the_last_die_but_one_is_beaten_when_it_can_be() {
        assert_won_by_next_move::<Ecke>("EWa1Wd2We1ae4vg7");
    }
}
