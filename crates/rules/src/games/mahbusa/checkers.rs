//! How many checkers stand where: one player's, counted on all points at once.

use super::point::{Point, PointSet};

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
    #[must_use]
    pub fn stacked(&self) -> PointSet {
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
    pub fn put(&mut self, point: Point, count: u8) {
        for (digit, points) in self.0.iter_mut().enumerate() {
            if count >> digit & 1 != 0 {
                *points |= point.set();
            }
        }
    }

    /// With one checker, which must be there, taken from a point and put on another, or off the board.
    #[inline]
    #[must_use]
    pub fn moved(mut self, from: Point, to: Option<Point>) -> Self {
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
    #[must_use]
    pub fn exchanged(mut self, taken: PointSet, put: PointSet) -> Self {
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
