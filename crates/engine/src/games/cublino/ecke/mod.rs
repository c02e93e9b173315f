//! Cublino Ecke for the search.

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
    game::Game,
    games::{
        Ecke,
        cublino::{Direction, Move, Squares},
    },
};

impl MoveOrdering for Ecke {
    /// Corners first, and far forward before sideways.
    #[inline]
    fn ordering_score(&self, m: Move) -> i32 {
        /// A quarter of what a history can reach.
        const CORNER: i32 = 1000;
        /// A tenth of that.
        const RANK: i32 = 100;
        let Move::Go { from, to, .. } = m else { return 0 };
        let corner = Squares::far_corners(self.turn()).contains(to);
        RANK * i32::from(from.rank().abs_diff(to.rank())) + if corner { CORNER } else { 0 }
    }

    #[inline]
    fn history_slot(m: Move) -> usize {
        from_and_to(m)
    }
}

impl NoisyMoves for Ecke {
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
fn contested(position: &Ecke) -> Squares {
    let beside = widened(position.board().dice(!position.turn()));
    let around = beside | beside.shift(Direction::North) | beside.shift(Direction::South);
    around | Squares::far_corners(position.turn())
}

impl RootPolicy for Ecke {
    const MEASURED_LEVELS: Option<[MeasuredLevel; 8]> = Some(measured_levels::ECKE);

    // The fourth level of a game without dice took more than nine points of ten from the third. Who looks far
    // ahead and does not err hardly loses: the highest level took 55 % from one that visits 15,000 positions.
    const LEVELS: [Strength; 8] = {
        let mut levels = Strength::LEVELS;
        levels[3] = Strength::erring(3, 0.4);
        levels[6] = Strength::erring(6, 0.06);
        levels
    };

    fn is_avoided(&self, m: Move, habit: u8) -> bool {
        leaves_start(self.turn(), m, habit)
    }
}

impl Playable for Ecke {
    fn network() -> &'static Arc<Network> {
        static NETWORK: LazyLock<Arc<Network>> =
            LazyLock::new(|| network_of::<Ecke>(include_bytes!("../../../weights/cublino-ecke.net")));
        &NETWORK
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::testing::{
        assert_is_worth_the_same_from_the_other_side, assert_won_by_next_move, cublino_turned_round,
    };

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
