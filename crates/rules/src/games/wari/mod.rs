//! Wari: marbles sown round twelve cups, and captured.

mod about;
mod cup;
mod describe;
mod draw;
mod features;
mod moves;
mod position;
mod board;
mod setup;
mod sow;

use self::sow::Sown;
pub use self::{
    cup::{Cup, NotACup},
    describe::{Counted, Description, EmptiedCup, Event, Prisoners, StepDescription},
    moves::{Illegal, LogEntry, MalformedMove, Spelling},
    position::Wari,
    board::{MARBLES, Place, Places, ROW, Row},
    setup::{Invalid, Malformed, Setup},
};
use crate::game::{About, EndReason, Game, NoRoll, Notation, Outcome, Player, Points, Stage};

impl Game for Wari {
    type Setup = Setup;
    type Malformed = Malformed;
    type Invalid = Invalid;
    type Move = Cup;
    type Roll = NoRoll;

    const ABOUT: About = about::ABOUT;
    const ROLLS: &'static [(NoRoll, u32)] = &[];
    /// Two moves empty different cups of the mover's, and neither empties the other's.
    const DISTINCT_MOVES: bool = true;

    fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn stage(&self) -> Stage {
        if self.is_endless() {
            Stage::Over(self.divided(EndReason::EndlessPlay))
        } else if self.legal().next().is_none() {
            Stage::Over(self.divided(EndReason::NoLegalMove))
        } else {
            Stage::Move
        }
    }

    fn points(&self) -> Option<Points> {
        let [one, two] = Player::ALL.map(|player| self.row(player).prisoners());
        Some(Points { one, two })
    }

    /// Cup by cup in the direction of sowing.
    #[inline]
    fn generate(&self, moves: &mut Vec<Cup>) {
        moves.extend(self.legal().map(|place| Cup::at(self.turn, place)));
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.cannot_be_emptied() { self.mover.occupied().len() } else { self.legal().count() }
    }

    fn is_pass(_: Cup) -> bool {
        false
    }

    #[inline]
    fn play_unchecked(&mut self, m: Cup) {
        let Sown { mover, other, .. } = self.sown(m.place());
        *self = Self { mover: other, other: mover, turn: !self.turn };
    }

    fn roll_unchecked(&mut self, roll: NoRoll) {
        match roll {}
    }

    /// A position that comes again would come again for ever: each player takes the marbles of their own
    /// side.
    fn outcome_if_repeated(&self) -> Option<Outcome> {
        Some(self.divided(EndReason::EndlessPlay))
    }
}

impl Notation for Wari {
    type Spelling = Spelling;
    type MalformedMove = MalformedMove;
    type Illegal = Illegal;
    type Step = StepDescription;
    type Event = Event;
    type Description = Description;
    type Counted = Counted;

    const SEVERAL_SPELLINGS: bool = false;

    fn list(&self, mut listed: impl FnMut(Spelling, Cup)) {
        for cup in self.legal().map(|place| Cup::at(self.turn, place)) {
            listed(Spelling::Cup(cup), cup);
        }
    }

    fn resolve(&self, spelling: &Spelling) -> Result<Cup, Illegal> {
        let (mover, cup) = (self.turn, spelling.cup());
        let holds = self.marbles(cup);
        if let &Spelling::Logged(LogEntry { player, .. }) = spelling
            && player != mover
        {
            return Err(Illegal::WrongPlayer { player });
        }
        if cup.owner() != mover {
            return Err(Illegal::NotYours { cup, mover });
        }
        if holds == 0 {
            return Err(Illegal::EmptyCup(cup));
        }
        if let &Spelling::Logged(LogEntry { count, .. }) = spelling
            && count != holds
        {
            return Err(Illegal::WrongCount { cup, count, holds });
        }
        let sown = self.sown(cup.place());
        match (sown.leaves_nothing(), sown.captured.is_empty()) {
            (false, _) => Ok(cup),
            (true, true) => Err(Illegal::DoesNotFeed { cup, opponent: !mover }),
            (true, false) => Err(Illegal::CapturesAll { cup, opponent: !mover }),
        }
    }

    fn spell(&self, m: Cup) -> Spelling {
        Spelling::Cup(m)
    }

    fn steps(&self, spelling: &Spelling, mut step: impl FnMut(StepDescription)) {
        let from = spelling.cup();
        step(StepDescription::Sow { from, count: self.marbles(from) });
    }

    fn events(&self, spelling: &Spelling) -> Vec<Event> {
        describe::events(self, spelling.cup())
    }

    /// Each player takes the marbles of their own side.
    fn last_events(&self) -> Vec<Event> {
        describe::swept(self)
    }

    fn describe(&self) -> Description {
        describe::description(self)
    }

    fn counted(&self, is_over: bool) -> [Vec<Counted>; 2] {
        describe::counted(self, is_over)
    }
}

#[cfg(test)]
mod tests;
