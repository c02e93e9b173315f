//! The plays that a roll allows in every order in which they can be written.

use arrayvec::ArrayVec;

use super::{
    checkers::Checkers,
    dice::{Die, Roll},
    play::{MAX_DICE, Move, Play, Step, Steps},
    plays::Mover,
};

/// The most steps to choose from: two dice from each of fifteen points, on each of which there is one
/// checker.
const MAX_STEPS: usize = 2 * 15;

/// All legal plays as they can be written, each once, with the move that it stands for.
///
/// They are found one by one, because there may be tens of thousands: a double of fifteen lone checkers can
/// be played in nearly 15 x 15 x 15 x 15 orders. Steps are gone through from the highest point down, and from
/// one point those with the larger die come first.
#[derive(Debug)]
pub struct Orders {
    mover: Mover,
    /// How many dice a play uses, unless it bears off the last checker before.
    dice: usize,
    /// The steps taken so far, one less than there are choices.
    steps: Steps,
    /// What can be chosen at each step.
    choices: ArrayVec<Choice, MAX_DICE>,
    /// Whether the pass is still to be listed.
    passes: bool,
}

/// What can be played next.
#[derive(Debug)]
struct Choice {
    /// The mover's free checkers before the step.
    checkers: Checkers,
    /// The dice that are left, the smallest first.
    left: ArrayVec<Die, MAX_DICE>,
    /// The steps that have not been tried yet, the first one last.
    untried: ArrayVec<Step, MAX_STEPS>,
}

impl Orders {
    /// The plays of a player with a roll.
    pub(super) fn new(mover: Mover, roll: Roll) -> Self {
        let dice = mover.playable(roll);
        let left = match roll.double() {
            Some(pips) => ArrayVec::from([pips; MAX_DICE]),
            None => [roll.smaller(), roll.larger()].into_iter().collect(),
        };
        let mut orders =
            Self { mover, dice, steps: Steps::new(), choices: ArrayVec::new(), passes: dice == 0 };
        if dice > 0 {
            orders.choose(mover.checkers, left);
        }
        orders
    }

    /// Goes on to the next step.
    fn choose(&mut self, checkers: Checkers, left: ArrayVec<Die, MAX_DICE>) {
        let mut untried = ArrayVec::<Step, MAX_STEPS>::new();
        let mut sources = [None; MAX_DICE];
        for (sources, &die) in sources.iter_mut().zip(&left) {
            *sources = Some(self.mover.sources(checkers, die));
        }
        for from in checkers.occupied() {
            let first = untried.len();
            for (&die, sources) in left.iter().zip(sources.into_iter().flatten()) {
                let step = Step { from, die };
                // A checker that either die bears off goes with the smaller, and a double has one die.
                let is_new = untried[first..].iter().all(|other| other.to() != step.to());
                if sources.contains(from) && is_new {
                    untried.push(step);
                }
            }
            untried[first..].reverse();
        }
        untried.reverse();
        self.choices.push(Choice { checkers, left, untried });
    }
}

impl Iterator for Orders {
    type Item = (Play, Move);

    fn next(&mut self) -> Option<(Play, Move)> {
        if std::mem::take(&mut self.passes) {
            return Some((Play::Pass, Move::Pass));
        }
        loop {
            let choice = self.choices.last_mut()?;
            let Some(step) = choice.untried.pop() else {
                self.choices.pop();
                self.steps.pop();
                continue;
            };
            let result = step.play(choice.checkers);
            let mut left = choice.left.clone();
            left.retain({
                let mut is_left = true;
                move |die| *die != step.die || !std::mem::take(&mut is_left)
            });
            self.steps.push(step);
            if self.steps.len() < self.dice && !self.mover.has_none_left(result) {
                self.choose(result, left);
                continue;
            }
            let found = (Play::of(&self.steps), Move::of(result, &self.steps));
            self.steps.pop();
            return Some(found);
        }
    }
}
