//! Moves by their results, and those that a roll allows: each distinct result once.

use arrayvec::ArrayVec;
use smallvec::SmallVec;

use super::{
    board::{Board, Checkers, Point, PointSet},
    dice::{Die, MAX_DICE, Roll},
};
use crate::game::Player;

/// A move by its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// No die can be played.
    Pass,
    /// Where the mover's free checkers stand afterwards. All else follows from that, since nothing else
    /// moves.
    Play(Checkers),
}

impl Move {
    /// The move that some steps make; `result` is the mover's free checkers after them.
    pub(super) const fn of(result: Checkers, steps: &[Step]) -> Self {
        if steps.is_empty() { Self::Pass } else { Self::Play(result) }
    }
}

/// One die played with one checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The point that the checker leaves, in the mover's letters.
    pub from: Point,
    /// The die.
    pub die: Die,
}

impl Step {
    /// Where the checker arrives; nothing if it is borne off.
    pub(crate) fn to(self) -> Option<Point> {
        self.from.down(self.die)
    }

    /// The mover's checkers after the step.
    #[inline]
    pub(crate) fn play(self, checkers: Checkers) -> Checkers {
        checkers.moved(self.from, self.to())
    }
}

/// The steps of one turn.
pub type Steps = ArrayVec<Step, MAX_DICE>;

/// All that matters for the plays of one player, in that player's letters.
///
/// Only the free checkers change during a turn. The player's pinned checkers stay, and so do the points that
/// are open.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    /// Where the free checkers stand before the turn.
    pub checkers: Checkers,
    pinned: PointSet,
    open: PointSet,
}

impl Mover {
    /// What matters for a player's plays.
    pub fn new(board: &Board, player: Player) -> Self {
        let side = board.side(player);
        Self { checkers: side.free, pinned: side.pinned, open: board.open(player) }
    }

    /// The points from which a die can be played: onto an open point or off the board.
    pub(crate) fn sources(&self, checkers: Checkers, die: Die) -> PointSet {
        checkers.occupied() & (self.open.above(die.pips()) | self.bearing_off(checkers, die))
    }

    /// The points from which a die takes a checker off, if a free one is there: with all checkers at home,
    /// pinned ones included, the point that equals the die, or the highest occupied one if the die is larger.
    fn bearing_off(&self, checkers: Checkers, die: Die) -> PointSet {
        let occupied = checkers.occupied() | self.pinned;
        match occupied.highest() {
            Some(highest) if PointSet::HOME.contains(highest) => {
                if highest.pips() < die.pips() {
                    highest.set()
                } else {
                    Point::of_die(die).set()
                }
            }
            _ => PointSet::NONE,
        }
    }

    /// Whether the player has borne off all checkers.
    pub(crate) fn has_none_left(&self, checkers: Checkers) -> bool {
        (checkers.occupied() | self.pinned).is_empty()
    }

    /// Calls a function with each distinct result and steps that lead to it. Without steps, nothing can be
    /// played, and the result is the checkers as they were.
    ///
    /// Points are gone through from the highest down. Of two different dice the larger is played first if
    /// that is possible; plays with two checkers come before those in which one checker goes all the way. If
    /// only one die can be played, plays with the larger come first.
    pub fn plays(&self, roll: Roll, mut found: impl FnMut(Checkers, &[Step])) {
        if let Some(die) = roll.double() {
            self.doubles(die, &mut found);
            return;
        }
        let two_dice = if self.may_bear_off_with_second_die() {
            self.two_near_the_end(roll, &mut found)
        } else {
            self.two_on_board(roll, &mut found)
        };
        if !two_dice && !self.one_die(roll, &mut found) {
            found(self.checkers, &[]);
        }
    }

    /// The number of distinct results.
    pub(super) fn count(&self, roll: Roll) -> usize {
        if let Some(die) = roll.double() {
            let counts =
                (1..=MAX_DICE).rev().map(|dice| self.count_descents(self.checkers, die, PointSet::ALL, dice));
            return counts.into_iter().find(|&count| count > 0).unwrap_or(1);
        }
        if !self.may_bear_off_with_second_die() {
            let count = self.count_two_on_board(roll);
            if count > 0 {
                return count;
            }
        }
        let mut count = 0;
        self.plays(roll, |_, _| count += 1);
        count
    }

    /// How many dice can be played: a play that uses fewer is not legal.
    pub(super) fn playable(&self, roll: Roll) -> usize {
        let mut dice = 0;
        self.plays(roll, |_, steps| dice = steps.len());
        dice
    }

    /// The plays of a double: as many of the four dice as possible.
    ///
    /// Steps are taken from the highest point down. Every legal play can be brought into that order: a step
    /// from a higher point may always come before one from a lower point, since it leaves the checkers there
    /// alone, can only bring the player closer to bearing off, and is impossible after the highest checker
    /// was borne off with a larger die. And two plays in that order that differ lead to different results,
    /// because a point's checkers are those that it had and those that came, less those that left.
    fn doubles(&self, die: Die, found: &mut impl FnMut(Checkers, &[Step])) {
        let mut steps = Steps::new();
        for dice in (0..=MAX_DICE).rev() {
            if self.descend(self.checkers, die, PointSet::ALL, dice, &mut steps, found) {
                return;
            }
        }
    }

    /// Plays a die a number of times from points within a set; says whether that was possible.
    fn descend(
        &self,
        checkers: Checkers,
        die: Die,
        within: PointSet,
        times: usize,
        steps: &mut Steps,
        found: &mut impl FnMut(Checkers, &[Step]),
    ) -> bool {
        if times == 0 {
            found(checkers, steps);
            return true;
        }
        let mut possible = false;
        for from in self.sources(checkers, die) & within {
            let step = Step { from, die };
            steps.push(step);
            possible |= self.descend(step.play(checkers), die, from.and_below(), times - 1, steps, found);
            steps.pop();
        }
        possible
    }

    /// The number of results that [`descend`](Self::descend) finds for a die played at least once.
    fn count_descents(&self, checkers: Checkers, die: Die, within: PointSet, times: usize) -> usize {
        let sources = self.sources(checkers, die) & within;
        if times == 1 {
            return sources.count() as usize;
        }
        let after = |from| Step { from, die }.play(checkers);
        sources.map(|from| self.count_descents(after(from), die, from.and_below(), times - 1)).sum()
    }

    /// Whether all checkers may be at home after the first die, so that the second can take one off.
    fn may_bear_off_with_second_die(&self) -> bool {
        let outside = self.checkers.occupied().without(PointSet::HOME);
        self.pinned.without(PointSet::HOME).is_empty()
            && outside.count() <= 1
            && (outside & self.checkers.stacked()).is_empty()
    }

    /// The plays of two different dice when nothing can be borne off.
    ///
    /// Two plays lead to the same result only if one checker could go all the way: by either die first, or
    /// with another checker on the point between taking over. Those are passed over in the pairs and listed
    /// last, once.
    fn two_on_board(&self, roll: Roll, found: &mut impl FnMut(Checkers, &[Step])) -> bool {
        let (larger, smaller) = (roll.larger, roll.smaller);
        let by_smaller = self.sources(self.checkers, smaller);
        let mut possible = false;
        let mut list = |steps: [Step; 2]| {
            found(steps[1].play(steps[0].play(self.checkers)), &steps);
            possible = true;
        };
        for from in self.sources(self.checkers, larger) {
            let first = Step { from, die: larger };
            let lone = self.checkers.single() & from.set();
            for from in by_smaller.without(lone) {
                let second = Step { from, die: smaller };
                if first.to() != Some(second.from) && second.to() != Some(first.from) {
                    list([first, second]);
                }
            }
        }
        for from in self.through_sources(roll) {
            let by_larger = Step { from, die: larger };
            let dice = match by_larger.to() {
                Some(between) if self.open.contains(between) => [larger, smaller],
                _ => [smaller, larger],
            };
            let first = Step { from, die: dice[0] };
            let between = first.to().expect("the point between lies above one on the board");
            list([first, Step { from: between, die: dice[1] }]);
        }
        possible
    }

    /// The points from which one checker can play both dice without leaving the board.
    fn through_sources(&self, roll: Roll) -> PointSet {
        let (larger, smaller) = (roll.larger.pips(), roll.smaller.pips());
        let between = self.open.above(larger) | self.open.above(smaller);
        self.checkers.occupied() & self.open.above(larger + smaller) & between
    }

    /// The number of results that [`two_on_board`](Self::two_on_board) finds: all pairs of points, less those
    /// in which a lone checker would move twice at once or one checker could go all the way, and these once.
    fn count_two_on_board(&self, roll: Roll) -> usize {
        let (larger, smaller) = (roll.larger.pips(), roll.smaller.pips());
        let occupied = self.checkers.occupied();
        let (by_larger, by_smaller) =
            (occupied & self.open.above(larger), occupied & self.open.above(smaller));
        let lone = by_larger & by_smaller & self.checkers.single();
        let relayed_by_smaller = by_larger & by_smaller.above(larger);
        let relayed_by_larger = by_smaller & by_larger.above(smaller);
        let pairs = by_larger.count() * by_smaller.count();
        let skipped = lone.count() + relayed_by_smaller.count() + relayed_by_larger.count();
        (pairs - skipped + self.through_sources(roll).count()) as usize
    }

    /// The plays of two different dice when checkers may be borne off: both orders are tried. At most seven
    /// points are occupied then, which leaves few results to compare.
    fn two_near_the_end(&self, roll: Roll, found: &mut impl FnMut(Checkers, &[Step])) -> bool {
        let mut distinct = Distinct::default();
        let (larger, smaller) = (roll.larger, roll.smaller);
        for dice in [[larger, smaller], [smaller, larger]] {
            for from in self.sources(self.checkers, dice[0]) {
                let first = Step { from, die: dice[0] };
                let between = first.play(self.checkers);
                for from in self.sources(between, dice[1]) {
                    let second = Step { from, die: dice[1] };
                    distinct.add(second.play(between), &[first, second], found);
                }
            }
        }
        !distinct.0.is_empty()
    }

    /// The plays of either die alone; says whether there is one. Both dice may bear off the same checker.
    fn one_die(&self, roll: Roll, found: &mut impl FnMut(Checkers, &[Step])) -> bool {
        let mut distinct = Distinct::default();
        for die in [roll.larger, roll.smaller] {
            for from in self.sources(self.checkers, die) {
                let step = Step { from, die };
                distinct.add(step.play(self.checkers), &[step], found);
            }
        }
        !distinct.0.is_empty()
    }
}

/// Results found so far. Where this is used they are few.
#[derive(Default)]
struct Distinct(SmallVec<[Checkers; 32]>);

impl Distinct {
    /// Hands over a result unless it has been found before.
    fn add(&mut self, result: Checkers, steps: &[Step], found: &mut impl FnMut(Checkers, &[Step])) {
        if !self.0.contains(&result) {
            self.0.push(result);
            found(result, steps);
        }
    }
}

/// Iterates over the steps of the legal plays in every order, each once, with the move that they make.
///
/// They are found lazily, because there may be tens of thousands: a double of fifteen lone checkers can be
/// played in nearly 15 x 15 x 15 x 15 orders. Steps are gone through from the highest point down, and from
/// one point those with the larger die come first.
#[derive(Debug)]
pub struct Orders {
    mover: Mover,
    /// How many dice a play uses, unless it bears off the last checker before.
    dice: usize,
    /// A stack of the plays still to be finished, the next one last.
    begun: Vec<Begun>,
}

/// The steps of a play so far.
#[derive(Clone, Debug)]
struct Begun {
    steps: Steps,
    /// The mover's free checkers after the steps.
    checkers: Checkers,
    /// The dice that are left, the smallest first.
    left: ArrayVec<Die, MAX_DICE>,
}

impl Orders {
    /// The plays of a player with a roll.
    pub(super) fn new(mover: Mover, roll: Roll) -> Self {
        let begun = vec![Begun { steps: Steps::new(), checkers: mover.checkers, left: roll.dice() }];
        Self { mover, dice: mover.playable(roll), begun }
    }

    /// Goes on with every step that is possible.
    fn go_on(&mut self, play: &Begun) {
        let sources = |&die: &Die| self.mover.sources(play.checkers, die);
        let sources: ArrayVec<PointSet, MAX_DICE> = play.left.iter().map(sources).collect();
        for from in Point::all() {
            let mut ends = ArrayVec::<Option<Point>, MAX_DICE>::new();
            for (i, (&die, sources)) in play.left.iter().zip(&sources).enumerate() {
                let step = Step { from, die };
                // A checker that either die bears off goes with the smaller, and a double has one die.
                if sources.contains(from) && !ends.contains(&step.to()) {
                    ends.push(step.to());
                    let mut longer = play.clone();
                    longer.steps.push(step);
                    longer.checkers = step.play(play.checkers);
                    longer.left.remove(i);
                    self.begun.push(longer);
                }
            }
        }
    }
}

impl Iterator for Orders {
    type Item = (Steps, Move);

    fn next(&mut self) -> Option<(Steps, Move)> {
        loop {
            let play = self.begun.pop()?;
            if play.steps.len() == self.dice || self.mover.has_none_left(play.checkers) {
                let m = Move::of(play.checkers, &play.steps);
                return Some((play.steps, m));
            }
            self.go_on(&play);
        }
    }
}
