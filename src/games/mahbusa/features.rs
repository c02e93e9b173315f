//! What a learned evaluation sees: how many checkers stand where and which are pinned, how freely they move, and which of
//! them can be pinned at once.

use std::iter;

use super::{
    board::{Board, CHECKERS},
    dice::Die,
    point::{Point, PointSet},
    position::Mahbusa,
};
use crate::game::{Features, Player};

/// Numbers of checkers on a point that are told apart: 1 to 5, and more.
const COUNTS: usize = 6;
/// Numbers of dice, and none.
const DICE: usize = Die::ALL.len() + 1;
/// Kinds of points with free checkers: one, by the dice that move it and the dice that pin it, or several, by the dice
/// that move one of them.
const KINDS: usize = DICE * DICE + (COUNTS - 1) * DICE;
/// Features of the free checkers of a side.
const FREE: usize = Point::COUNT * KINDS;
/// The first feature of a side that tells how many checkers are borne off; before it are the pinned ones.
const BORNE_OFF: usize = FREE + Point::COUNT;
/// Features of a side.
const SIDE: usize = BORNE_OFF + CHECKERS as usize + 1;

/// What is learned of a point whatever else is true of it: how many checkers stand there, the dice that move one, those
/// that pin it.
const PARTS: usize = COUNTS + DICE + DICE;
/// The first group of a side for pinned checkers and those borne off; before it are the parts on each point, and on any.
const OTHERS: usize = (Point::COUNT + 1) * PARTS;
/// Groups of a side. The last is that a checker is pinned, whatever the point.
const SIDE_GROUPS: usize = OTHERS + (SIDE - FREE) + 1;

/// Features for each side, its points in its own letters; own ones first.
impl Features for Mahbusa {
    const FEATURES: usize = 2 * SIDE;
    // Fifteen checkers stand on fifteen points at most.
    const MOST_ACTIVE: usize = 2 * (CHECKERS as usize + 1);
    const GROUPS: usize = 2 * SIDE_GROUPS;
    const IS_SUM_OF_GROUPS: bool = true;

    #[inline]
    fn active_features(&self, mut active: impl FnMut(usize)) {
        for (number, player) in [self.turn, !self.turn].into_iter().enumerate() {
            let (side, first) = (self.board.side(player), number * SIDE);
            let (moves, shots) = dice(&self.board, player);
            for point in side.free.occupied() {
                let count = usize::from(side.free.on(point)).min(COUNTS);
                let kind = Kind { count, moves: moves.on(point), shots: shots.on(point) };
                active(first + point.index() * KINDS + kind.number());
            }
            for point in side.pinned {
                active(first + FREE + point.index());
            }
            active(first + BORNE_OFF + usize::from(side.borne_off()));
        }
    }

    fn groups(feature: usize) -> impl Iterator<Item = usize> {
        let (first, feature) = (feature / SIDE * SIDE_GROUPS, feature % SIDE);
        let of_point = (feature < FREE).then(|| {
            let (point, parts) = (feature / KINDS, Kind::of_number(feature % KINDS).parts());
            parts.into_iter().flat_map(move |part| [point, Point::COUNT].map(|place| place * PARTS + part))
        });
        let other = (feature >= FREE).then(|| OTHERS + feature - FREE);
        let pinned = (FREE..BORNE_OFF).contains(&feature).then_some(SIDE_GROUPS - 1);
        of_point.into_iter().flatten().chain(other).chain(pinned).map(move |group| first + group)
    }
}

/// What is true of the free checkers on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    /// 1 to [`COUNTS`].
    count: usize,
    /// How many dice move one of them to an open point.
    moves: usize,
    /// With how many an opposing checker pins it; 0 but for one that stands alone.
    shots: usize,
}

impl Kind {
    #[inline]
    const fn number(self) -> usize {
        let Self { count, moves, shots } = self;
        if count == 1 { shots * DICE + moves } else { (DICE + count - 2) * DICE + moves }
    }

    const fn of_number(number: usize) -> Self {
        let (row, moves) = (number / DICE, number % DICE);
        if row < DICE {
            Self { count: 1, moves, shots: row }
        } else {
            Self { count: row - DICE + 2, moves, shots: 0 }
        }
    }

    /// Groups of the point.
    const fn parts(self) -> [usize; 3] {
        let Self { count, moves, shots } = self;
        [count - 1, COUNTS + moves, COUNTS + DICE + shots]
    }
}

/// With how many dice a player's free checkers move from a point to one that is open, and with how many the opponent
/// pins one. What dice do together is left out, and so is bearing off.
#[inline]
fn dice(board: &Board, player: Player) -> (Counts, Counts) {
    let (side, opponent) = (board.side(player), board.side(!player));
    let (open, checkers) = (board.open(player), side.free.occupied());
    // A checker that pins one cannot be pinned.
    let alone = side.free.single().without(opponent.pinned.across());
    let attackers = opponent.free.occupied().across();
    let (mut moves, mut shots) = (Counts::default(), Counts::default());
    for die in Die::ALL {
        moves.add(checkers & open.above(die.pips()));
        // In the letters of the player the opponent moves up.
        shots.add(alone & attackers.above(die.pips()));
    }
    (moves, shots)
}

/// How often points were counted, 0 to 7 times each: a set of points for each binary digit.
#[derive(Clone, Copy, Debug, Default)]
struct Counts([PointSet; 3]);

impl Counts {
    #[inline]
    fn add(&mut self, points: PointSet) {
        let mut carry = points;
        for digit in &mut self.0 {
            let before = *digit;
            *digit ^= carry;
            carry = carry & before;
        }
    }

    #[inline]
    fn on(&self, point: Point) -> usize {
        let digits = iter::zip([1, 2, 4], self.0);
        digits.map(|(value, digit)| value * usize::from(digit.contains(point))).sum()
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::game::{Game, playout};

    #[test]
    fn kinds_are_numbered_without_gaps() {
        for number in 0..KINDS {
            assert_eq!(Kind::of_number(number).number(), number);
        }
    }

    /// Checker by checker and die by die.
    #[test]
    fn dice_are_counted() {
        let mut rng = Pcg64Mcg::seed_from_u64(8);
        let mut sums = (0, 0);
        let games =
            (0..10).flat_map(|_| playout::positions(Mahbusa::default(), 200, &mut rng).collect::<Vec<_>>());
        for position in games {
            let player = position.turn();
            let board = position.board();
            let (moves, shots) = dice(board, player);
            // Points are named in White's letters.
            let free = |owner: Player, point: Point| board.side(owner).free.on(point.seen_by(owner));
            let pins =
                |owner: Player, point: Point| board.side(!owner).pinned.contains(point.seen_by(!owner));
            let is_open = |owner: Player, point: Point| {
                free(!owner, point) == 0 || free(!owner, point) == 1 && !pins(!owner, point)
            };
            for point in Point::all() {
                let here = point.seen_by(player);
                let count = free(player, here);
                let down = |from: Point, owner: Player, die| {
                    from.seen_by(owner).down(die).map(|to| to.seen_by(owner))
                };
                let of_moves = Die::ALL.into_iter().filter(|&die| {
                    count > 0 && down(here, player, die).is_some_and(|to| is_open(player, to))
                });
                let of_shots = Die::ALL.into_iter().filter(|&die| {
                    let hits = |from| free(!player, from) > 0 && down(from, !player, die) == Some(here);
                    count == 1 && !pins(player, here) && Point::all().any(hits)
                });
                let (of_moves, of_shots) = (of_moves.count(), of_shots.count());
                assert_eq!((moves.on(point), shots.on(point)), (of_moves, of_shots), "{position} {point}");
                sums = (sums.0 + of_moves, sums.1 + of_shots);
            }
        }
        assert!(sums.0 > 1_000 && sums.1 > 100, "{sums:?}");
    }
}
