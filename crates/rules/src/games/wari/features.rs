//! What a learned evaluation sees: how many marbles are where.

use super::{
    position::Wari,
    board::{MARBLES, Place, ROW},
};
use crate::game::Features;

/// Numbers of marbles in a cup that are told apart: 0 to 22, and more, which go all the way round twice.
const COUNTS: usize = 24;
/// Numbers of prisoners that are told apart: 0 to 24, and more, which decide the game.
const PRISONERS: usize = MARBLES as usize / 2 + 2;
/// Features of a side.
const SIDE: usize = ROW * COUNTS + PRISONERS;

/// Features for each side, its cups in the direction of sowing; own ones first.
impl Features for Wari {
    const FEATURES: usize = 2 * SIDE;
    const MOST_ACTIVE: usize = 2 * (ROW + 1);
    // How many marbles are in a cup of a side, whatever the cup.
    const GROUPS: usize = 2 * COUNTS;

    #[inline]
    fn active_features(&self, mut active: impl FnMut(usize)) {
        for (number, row) in [self.mover, self.other].into_iter().enumerate() {
            let first = number * SIDE;
            for place in Place::ALL {
                let count = usize::from(row.marbles(place)).min(COUNTS - 1);
                active(first + place.index() * COUNTS + count);
            }
            active(first + ROW * COUNTS + usize::from(row.prisoners()).min(PRISONERS - 1));
        }
    }

    fn groups(feature: usize) -> impl Iterator<Item = usize> {
        let (side, feature) = (feature / SIDE, feature % SIDE);
        (feature < ROW * COUNTS).then_some(side * COUNTS + feature % COUNTS).into_iter()
    }
}
