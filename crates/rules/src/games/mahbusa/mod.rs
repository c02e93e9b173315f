//! Mahbusa: backgammon in which a lone checker is pinned instead of hit.

mod about;
mod board;
mod checkers;
mod describe;
mod dice;
mod draw;
mod features;
mod orders;
mod play;
mod plays;
mod point;
mod position;
mod resolve;
mod setup;

pub use self::{
    board::{Board, CHECKERS, Side, Stack},
    checkers::Checkers,
    describe::{Counted, Description, Event, PointDescription, StepDescription},
    dice::{Die, NotARoll, Roll},
    orders::Orders,
    play::{Leg, MAX_DICE, MalformedMove, Move, Play, Step, Steps},
    plays::Mover,
    point::{Point, PointSet, PointSetIter},
    position::Mahbusa,
    resolve::{Dice, Illegal},
    setup::{Invalid, Malformed, Setup},
};
use crate::game::{About, EndReason, Game, Notation, Outcome, Player, Points, Stage};

impl Game for Mahbusa {
    type Setup = Setup;
    type Malformed = Malformed;
    type Invalid = Invalid;
    type Move = Move;
    type Roll = Roll;

    const ABOUT: About = about::ABOUT;
    const ROLLS: &'static [(Roll, u32)] = &Roll::ALL;
    const DISTINCT_MOVES: bool = true;

    fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn stage(&self) -> Stage {
        let over = |winner, reason| Stage::Over(Outcome { winner, reason, points: self.points() });
        let winner = Player::ALL.into_iter().find(|&player| self.board.side(player).is_finished());
        if winner.is_some() {
            return over(winner, EndReason::BorneOff);
        }
        if self.is_deadlocked() {
            return over(None, EndReason::Deadlock);
        }
        if self.roll.is_some() { Stage::Move } else { Stage::Roll }
    }

    fn points(&self) -> Option<Points> {
        Some(self.board.borne_off())
    }

    /// In the order of [`Mover::plays`].
    fn generate(&self, moves: &mut Vec<Move>) {
        self.mover().plays(self.rolled(), |result, steps| moves.push(Move::of(result, steps)));
    }

    fn count_moves(&self) -> usize {
        self.mover().count(self.rolled())
    }

    fn is_pass(m: Move) -> bool {
        m == Move::Pass
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move) {
        if let Move::Play(result) = m {
            self.board.rearrange(self.turn, result);
        }
        self.turn = !self.turn;
        self.roll = None;
    }

    fn roll_unchecked(&mut self, roll: Roll) {
        self.roll = Some(roll);
    }
}

impl Notation for Mahbusa {
    type Spelling = Play;
    type MalformedMove = MalformedMove;
    type Illegal = Illegal;
    type Step = StepDescription;
    type Event = Event;
    type Description = Description;
    type Counted = Counted;

    const SEVERAL_SPELLINGS: bool = false;

    /// In the order of [`Mover::plays`].
    fn list(&self, mut listed: impl FnMut(Play, Move)) {
        self.mover().plays(self.rolled(), |result, steps| listed(Play::of(steps), Move::of(result, steps)));
    }

    /// In the order of [`Orders`].
    fn every_spelling(self) -> impl Iterator<Item = (Play, Move)> {
        Orders::new(self.mover(), self.rolled())
    }

    fn resolve(&self, play: &Play) -> Result<Move, Illegal> {
        let (steps, result) = resolve::resolve(&self.board, self.turn, self.rolled(), play)?;
        Ok(Move::of(result, &steps))
    }

    fn spell(&self, m: Move) -> Play {
        let Move::Play(wanted) = m else { return Play::Pass };
        if let Some(die) = self.rolled().double() {
            return Play::of(&self.mover().doubles_to(die, wanted));
        }
        let mut found = None;
        self.mover().plays(self.rolled(), |result, steps| {
            if result == wanted {
                found = Some(Play::of(steps));
            }
        });
        found.expect("every legal move is listed")
    }

    fn steps(&self, play: &Play, step: impl FnMut(StepDescription)) {
        self.legal_steps(play).into_iter().map(describe::step).for_each(step);
    }

    fn events(&self, play: &Play) -> Vec<Event> {
        describe::events(self, &self.legal_steps(play))
    }

    fn describe(&self) -> Description {
        describe::description(self)
    }

    fn counted(&self, _: bool) -> [Vec<Counted>; 2] {
        Player::ALL.map(|player| describe::counted(self, player))
    }
}

#[cfg(test)]
mod tests;
