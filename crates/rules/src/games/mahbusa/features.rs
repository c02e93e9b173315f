//! What a learned evaluation sees: how many checkers stand where, and which are pinned.

use super::{board::CHECKERS, point::Point, position::Mahbusa};
use crate::game::Features;

/// Numbers of checkers on a point that are told apart: 1 to 5, and more.
const COUNTS: usize = 6;
/// Features of the free checkers of a side.
const FREE: usize = Point::COUNT * COUNTS;
/// The first feature of a side that tells how many checkers are borne off; before it are the pinned ones.
const BORNE_OFF: usize = FREE + Point::COUNT;
/// Features of a side.
const SIDE: usize = BORNE_OFF + CHECKERS as usize + 1;
/// Groups of a side: how many checkers stand on a point, and that one is pinned, whatever the point.
const SIDE_GROUPS: usize = COUNTS + 1;

/// Features for each side, its points in its own letters; own ones first.
impl Features for Mahbusa {
    const FEATURES: usize = 2 * SIDE;
    // Fifteen checkers stand on fifteen points at most.
    const MOST_ACTIVE: usize = 2 * (CHECKERS as usize + 1);
    const GROUPS: usize = 2 * SIDE_GROUPS;

    #[inline]
    fn active_features(&self, mut active: impl FnMut(usize)) {
        for (number, player) in [self.turn, !self.turn].into_iter().enumerate() {
            let (side, first) = (self.board.side(player), number * SIDE);
            for point in side.free.occupied() {
                let count = usize::from(side.free.on(point)).min(COUNTS);
                active(first + point.index() * COUNTS + count - 1);
            }
            for point in side.pinned {
                active(first + FREE + point.index());
            }
            active(first + BORNE_OFF + usize::from(side.borne_off()));
        }
    }

    fn groups(feature: usize) -> impl Iterator<Item = usize> {
        let (side, feature) = (feature / SIDE, feature % SIDE);
        let group = match feature {
            ..FREE => Some(feature % COUNTS),
            FREE..BORNE_OFF => Some(COUNTS),
            _ => None,
        };
        group.map(|group| side * SIDE_GROUPS + group).into_iter()
    }
}
