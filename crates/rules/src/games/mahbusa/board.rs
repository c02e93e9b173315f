//! Where the checkers of both players stand, and which of them are pinned.

use super::point::{Point, PointSet};
use crate::game::{Player, Points};

/// Checkers that each player has.
pub const CHECKERS: u8 = 15;

/// The checkers of one player that are not borne off, in that player's letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Side {
    /// Those that are not pinned.
    pub free: Checkers,
    /// The points on which one is pinned.
    pub pinned: PointSet,
}

impl Side {
    /// The points on which the player has a checker, pinned or not.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> PointSet {
        self.free.occupied() | self.pinned
    }

    /// How many checkers are not borne off.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.free.total() + self.pinned.count()
    }

    /// How many checkers are borne off, 0 to 15.
    pub(crate) fn borne_off(&self) -> u8 {
        let borne_off = u32::from(CHECKERS).saturating_sub(self.total());
        u8::try_from(borne_off).expect("there are no more than fifteen")
    }

    /// Whether all checkers are borne off.
    #[inline]
    pub(crate) fn is_finished(&self) -> bool {
        self.occupied().is_empty()
    }

    /// Whether a checker is pinned where the player started. The opponent, whose 1-point this is, can then
    /// free it only by bearing off.
    #[inline]
    pub(crate) const fn is_pinned_at_start(&self) -> bool {
        self.pinned.contains(Point::START)
    }
}

/// The checkers of some player on a point, with what lies under them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Whose they are.
    pub owner: Player,
    /// How many, the one under them not counted: 1 to 15.
    pub count: u8,
    /// Whether one of the opponent's checkers is pinned under them.
    pub pinned: bool,
}

/// The checkers of both players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    sides: [Side; 2],
}

impl Board {
    /// The checkers of a player.
    #[inline]
    #[must_use]
    pub const fn side(&self, player: Player) -> &Side {
        &self.sides[player.index()]
    }

    /// What stands on a point, named in White's letters.
    pub(crate) fn stack(&self, point: Point) -> Option<Stack> {
        Player::ALL.into_iter().find_map(|owner| {
            let count = self.side(owner).free.on(point.seen_by(owner));
            let pinned = self.side(!owner).pinned.contains(point.seen_by(!owner));
            (count > 0).then_some(Stack { owner, count, pinned })
        })
    }

    /// How many checkers each player has borne off.
    pub(crate) fn borne_off(&self) -> Points {
        let [one, two] = self.sides.map(|side| side.borne_off());
        Points { one, two }
    }

    /// The points on which a player's checkers may land, in that player's letters: those that are empty, the
    /// player's own, or held by a single opposing checker that pins nothing.
    ///
    /// They stay the same while the player moves: a checker that is pinned or freed by that was, and is,
    /// alone on its point.
    #[inline]
    pub(crate) fn open(&self, player: Player) -> PointSet {
        let opposing = self.side(!player).free;
        let pinning = opposing.occupied() & self.side(player).pinned.across();
        PointSet::ALL.without((opposing.stacked() | pinning).across())
    }

    /// Puts checkers on a point, named in White's letters, that has none.
    pub fn put(&mut self, point: Point, stack: Stack) {
        let Stack { owner, count, pinned } = stack;
        self.sides[owner.index()].free.put(point.seen_by(owner), count);
        if pinned {
            self.sides[(!owner).index()].pinned |= point.seen_by(!owner).set();
        }
    }

    /// Puts a player's free checkers where they stand after a play: opposing checkers on which one of them
    /// stands now are pinned, and those that all have left are free.
    #[inline]
    pub fn rearrange(&mut self, player: Player, free: Checkers) {
        self.sides[player.index()].free = free;
        let covered = free.occupied().across();
        let opposing = &mut self.sides[(!player).index()];
        let pinned = opposing.free.occupied() & covered;
        let freed = opposing.pinned.without(covered);
        opposing.free = opposing.free.exchanged(pinned, freed);
        opposing.pinned = opposing.pinned.without(freed) | pinned;
    }
}

/// Binary digits of the number of checkers on a point: there are at most fifteen.
const DIGITS: usize = 4;

/// The numbers of checkers of one player on the 24 points, in that player's letters, 0 to 15 each.
///
/// The numbers are kept in four sets of points, one for each binary digit. So what holds for points by the
/// number of checkers on them is found for all points in a few instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Checkers([PointSet; DIGITS]);

impl Checkers {
    /// The points with at least one checker.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> PointSet {
        self.0[0] | self.stacked()
    }

    /// The points with two or more.
    #[inline]
    pub(crate) fn stacked(&self) -> PointSet {
        self.0[1] | self.0[2] | self.0[3]
    }

    /// The points with exactly one.
    #[inline]
    #[must_use]
    pub fn single(&self) -> PointSet {
        self.0[0].without(self.stacked())
    }

    /// How many are on a point.
    #[must_use]
    pub fn on(&self, point: Point) -> u8 {
        let digits = self.0.iter().enumerate();
        digits.fold(0, |count, (digit, points)| count | u8::from(points.contains(point)) << digit)
    }

    /// How many there are.
    #[inline]
    #[must_use]
    pub fn total(&self) -> u32 {
        let digits = self.0.iter().enumerate();
        digits.map(|(digit, points)| points.count() << digit).sum()
    }

    /// Puts checkers, 1 to 15, on a point that has none.
    pub(crate) fn put(&mut self, point: Point, count: u8) {
        for (digit, points) in self.0.iter_mut().enumerate() {
            if count >> digit & 1 != 0 {
                *points |= point.set();
            }
        }
    }

    /// With one checker, which must be there, taken from a point and put on another, or off the board.
    #[inline]
    pub(crate) fn moved(mut self, from: Point, to: Option<Point>) -> Self {
        let mut borrow = from.set();
        for points in &mut self.0 {
            let before = *points;
            *points ^= borrow;
            borrow = borrow.without(before);
        }
        let mut carry = to.map_or(PointSet::NONE, Point::set);
        for points in &mut self.0 {
            let before = *points;
            *points ^= carry;
            carry = carry & before;
        }
        self
    }

    /// With single checkers taken from some points and put on others that have none.
    #[inline]
    pub(crate) fn exchanged(mut self, taken: PointSet, put: PointSet) -> Self {
        self.0[0] = self.0[0].without(taken) | put;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u8 = 15;

    #[test]
    fn checkers_are_counted_as_they_are_moved() {
        let (from, to) = (Point::START, Point::new(3).unwrap());
        let mut checkers = Checkers::default();
        checkers.put(from, MOST);
        for moved in 0..=MOST {
            assert_eq!((checkers.on(from), checkers.on(to)), (MOST - moved, moved));
            assert_eq!(checkers.total(), u32::from(MOST));
            for (point, count) in [(from, MOST - moved), (to, moved)] {
                assert_eq!(checkers.occupied().contains(point), count > 0);
                assert_eq!(checkers.single().contains(point), count == 1);
                assert_eq!(checkers.stacked().contains(point), count > 1);
            }
            if moved < MOST {
                checkers = checkers.moved(from, Some(to));
            }
        }
        assert_eq!(checkers.moved(to, None).total(), u32::from(MOST) - 1);
    }
}
