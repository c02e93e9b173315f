//! Cublino Pur for the search.

mod bounds;
mod dice_home;
mod fortress;
mod race;

use std::sync::{Arc, LazyLock};

use self::{
    dice_home::{on_the_way, pips_at_home},
    fortress::has_fortress,
};
use super::{from_and_to, leaves_start};
use crate::{
    evaluation::network_of,
    games::measured_levels,
    network::Network,
    options::MeasuredLevel,
    playable::{MoveOrdering, NoisyMoves, Playable, RootPolicy, Strength},
};
use cublino_rules::{
    game::{Game, Player},
    games::{Pur, cublino::Move},
};

/// With so few dice not yet home, moves at home that gain no pips there only hold the game up; with more it
/// made no difference.
const FEW_ON_THE_WAY: u32 = 3;

impl MoveOrdering for Pur {
    /// The further forward the sooner: a rank counts as much as a good history.
    #[inline]
    fn ordering_score(&self, m: Move) -> i32 {
        /// A quarter of what a history can reach.
        const RANK: i32 = 1000;
        RANK * ranks_forward(m)
    }

    #[inline]
    fn history_slot(m: Move) -> usize {
        from_and_to(m)
    }
}

impl NoisyMoves for Pur {}

impl RootPolicy for Pur {
    const MEASURED_LEVELS: Option<[MeasuredLevel; 8]> = Some(measured_levels::PUR);

    // Between strong players many games are drawn, so that it takes a larger step to be clearly better.
    const LEVELS: [Strength; 8] = {
        let mut levels = Strength::LEVELS;
        levels[6] = Strength::visiting(20_000);
        levels
    };

    /// A move forward does, and with few dice on the way also one that gains pips at home.
    fn makes_progress(&self, m: Move) -> bool {
        let Move::Go { from, .. } = m else { return true };
        let on_the_way = on_the_way(self.board(), self.turn());
        ranks_forward(m) > 0
            || !on_the_way.contains(from) && on_the_way.count() <= FEW_ON_THE_WAY && improves_home(self, m)
    }

    fn is_avoided(&self, m: Move, habit: u8) -> bool {
        leaves_start(self.turn(), m, habit)
    }
}

impl Playable for Pur {
    fn network() -> &'static Arc<Network> {
        static NETWORK: LazyLock<Arc<Network>> =
            LazyLock::new(|| network_of::<Pur>(include_bytes!("../../../weights/cublino-pur.net")));
        &NETWORK
    }

    /// Nobody can beat a fortress.
    fn best_result(&self, player: Player) -> i8 {
        i8::from(!has_fortress(self.board(), !player))
    }
}

/// Whether the mover has more pips at home after a move.
fn improves_home(position: &Pur, m: Move) -> bool {
    let pips = |board| pips_at_home(board, position.turn());
    pips(position.after(m).board()) > pips(position.board())
}

/// By how many ranks a move takes a die forward.
fn ranks_forward(m: Move) -> i32 {
    match m {
        Move::Pass => 0,
        Move::Go { from, to, .. } => i32::from(from.rank().abs_diff(to.rank())),
    }
}
