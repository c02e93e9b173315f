//! Mahbusa: backgammon in which a lone checker is pinned instead of hit.

mod about;
mod board;
mod checkers;
mod describe;
mod dice;
mod play;
mod plays;
mod point;
mod resolve;
mod setup;

pub use self::{
    board::{Board, CHECKERS, Side, Stack},
    checkers::Checkers,
    describe::{Counted, Description, Event, PointDescription, StepDescription},
    dice::{Die, NotARoll, Roll},
    play::{Leg, MAX_DICE, MalformedMove, Move, Play, Step, Steps},
    plays::Mover,
    point::{Point, Points, PointsIter},
    resolve::{Dice, Illegal},
    setup::{Invalid, Malformed, Setup},
};
use crate::game::{About, Game, Notation, Outcome, Player, Points as Score, Reason, Stage};

/// A position of Mahbusa.
///
/// ```
/// use cublino::{
///     game::Game,
///     games::{Mahbusa, mahbusa::Setup},
/// };
///
/// let setup: Setup = "M63-o22O".parse()?;
/// let position = Mahbusa::try_from(setup)?;
/// let mut moves = Vec::new();
/// position.generate(&mut moves);
/// assert_eq!(position.after(moves[0]).to_string(), "m-o16A2A2M");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mahbusa {
    board: Board,
    turn: Player,
    roll: Option<Roll>,
}

impl Mahbusa {
    /// A position that the rules allow; the caller has checked it.
    const fn new(board: Board, turn: Player, roll: Option<Roll>) -> Self {
        Self { board, turn, roll }
    }

    /// Where the checkers stand.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// What the dice show, if they are rolled.
    #[must_use]
    pub const fn roll(&self) -> Option<Roll> {
        self.roll
    }

    /// Whether nobody can ever bear off: each player has a checker pinned on their own 24-point.
    ///
    /// There is no other way for both to be without a move on every roll. A player without free checkers stops nobody.
    /// A free checker that stands six points or more above A is stopped on every roll only by six opposing points in
    /// a row, and those can move among themselves. So all free checkers are at home, both players'. There they are
    /// out of each other's way, except that the one player's A is the other's X: all stand on A, and pin on X what
    /// keeps the other from bearing off.
    #[inline]
    #[must_use]
    pub fn is_deadlocked(&self) -> bool {
        Player::ALL.into_iter().all(|player| self.board.side(player).is_pinned_at_start())
    }

    /// What the dice show, where a player is to move.
    fn rolled(&self) -> Roll {
        self.roll.expect("the dice are rolled in Stage::Move")
    }

    fn mover(&self) -> Mover {
        Mover::new(&self.board, self.turn)
    }

    /// The steps of a legal play, with their dice.
    fn legal_steps(&self, play: &Play) -> Steps {
        let resolved = resolve::resolve(&self.board, self.turn, self.rolled(), play);
        let (steps, _) = resolved.expect("only legal plays are taken apart");
        steps
    }
}

/// The start: all checkers on their player's 24-point, White to roll.
impl Default for Mahbusa {
    fn default() -> Self {
        let mut board = Board::default();
        for owner in Player::ALL {
            board.put(Point::START.seen_by(owner), Stack { owner, count: CHECKERS, pinned: false });
        }
        Self::new(board, Player::One, None)
    }
}

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
            return over(winner, Reason::BorneOff);
        }
        if self.is_deadlocked() {
            return over(None, Reason::Deadlock);
        }
        if self.roll.is_some() { Stage::Move } else { Stage::Roll }
    }

    fn points(&self) -> Option<Score> {
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

    fn resolve(&self, play: &Play) -> Result<Move, Illegal> {
        let (steps, result) = resolve::resolve(&self.board, self.turn, self.rolled(), play)?;
        Ok(Move::of(result, &steps))
    }

    fn spell(&self, m: Move) -> Play {
        let Move::Play(wanted) = m else { return Play::Pass };
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

    fn counted(&self) -> [Vec<Counted>; 2] {
        Player::ALL.map(|player| describe::counted(self, player))
    }
}

#[cfg(test)]
mod tests;
