//! Cublino Contra for the search.

mod bounds;

use std::sync::{Arc, LazyLock};

use super::{
    battles::{ends_elsewhere, winning_battles},
    from_and_to, leaves_start, widened,
};
use crate::{
    games::measured_levels,
    learned::network_of,
    measured_level::MeasuredLevel,
    network::Network,
    playable::{MoveOrdering, NoisyMoves, Playable, RootPolicy, Strength},
};
use cublino_rules::{
    game::{Game, Player},
    games::{
        Contra,
        cublino::{Direction, Move, Square, Squares},
    },
};

impl MoveOrdering for Contra {
    /// Forward first; the further a die has come, the more it matters.
    #[inline]
    fn ordering_score(&self, m: Move) -> i32 {
        /// A tenth of what a history can reach.
        const RANK: i32 = 400;
        let Move::Go { from, to, .. } = m else { return 0 };
        if from.rank() == to.rank() { 0 } else { RANK * ranks_gone(to, self.turn()) }
    }

    #[inline]
    fn history_slot(m: Move) -> usize {
        from_and_to(m)
    }
}

impl NoisyMoves for Contra {
    #[inline]
    fn noisy_moves(&self) -> impl Iterator<Item = (Move, Self)> {
        winning_battles(self, contested(self))
    }

    #[inline]
    fn is_quiet(&self) -> impl Fn(Move) -> bool {
        ends_elsewhere(contested(self))
    }
}

/// The squares on which a die fights, or wins the game.
#[inline]
fn contested(position: &Contra) -> Squares {
    let enemies = position.board().dice(!position.turn());
    let beside = enemies.shift(Direction::North) | enemies.shift(Direction::South) | widened(enemies);
    beside | Squares::far_rank(position.turn())
}

impl RootPolicy for Contra {
    const MEASURED_LEVELS: Option<[MeasuredLevel; 8]> = Some(measured_levels::CONTRA);

    // Errors and depth decide more here than in Pur: with the levels of a game without dice half of them took
    // more than nine points of ten from the ones below.
    const LEVELS: [Strength; 8] = [
        Strength::erring(1, 1.5),
        Strength::erring(1, 0.52),
        Strength::erring(2, 0.4),
        Strength::erring(3, 0.31),
        Strength::erring(4, 0.165),
        Strength::erring(5, 0.06),
        Strength::visiting(50_000),
        Strength::visiting(Strength::MOST_NODES),
    ];

    fn is_avoided(&self, m: Move, habit: u8) -> bool {
        leaves_start(self.turn(), m, habit)
    }
}

impl Playable for Contra {
    const REVERSE_FUTILITY: bool = false;

    fn network() -> &'static Arc<Network> {
        static NETWORK: LazyLock<Arc<Network>> =
            LazyLock::new(|| network_of::<Contra>(include_bytes!("../../../weights/cublino-contra.net")));
        &NETWORK
    }
}

/// How many ranks from a player's first one a square is.
fn ranks_gone(square: Square, player: Player) -> i32 {
    let first = if player == Player::One { 0 } else { 6 };
    i32::from(square.rank().abs_diff(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::testing::{
        assert_is_worth_the_same_from_the_other_side, assert_won_by_next_move, cublino_turned_round,
    };

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
