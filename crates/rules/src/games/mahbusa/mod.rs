//! Mahbusa: backgammon in which a lone checker is pinned instead of hit.

mod board;
pub(super) mod describe;
mod dice;
mod draw;
mod moves;
mod notation;
mod setup;

pub use self::{
    board::{Board, CHECKERS, Checkers, Point, PointSet, Side, Stack},
    describe::{Counted, Description, Event, PointDescription, StepDescription},
    dice::Roll,
    moves::{Move, Mover},
};
use self::{
    moves::Orders,
    notation::{Spelling, resolve, steps},
    setup::Setup,
};
use super::described::{self, SharedStep};
use crate::{
    game::{
        About, EndReason, Fact, FactKind, Fault, Game, Notation, Outcome, Player, Points, Stage, StateError,
    },
    render::{self, Effects, View},
};

/// A position of Mahbusa.
///
/// ```
/// use cublino_rules::{game::*, games::*};
///
/// //  X    W    V    U    T    S   |  R    Q    P    O    N    M
/// // [15]  .    .    .    .    .   |  .    .    .    .    .    .
/// //
/// //  .    .    .    .    .    .   |  .    .    .    .    .   (15)
/// //  A    B    C    D    E    F   |  G    H    I    J    K    L     roll 6 3
/// let position = Mahbusa::read("M63-o22O")?;
/// assert_eq!(position.spellings()[0].to_string(), "XR-XU");
/// let next = position.play(position.legal_moves()[0])?;
/// assert_eq!(next.to_string(), "m-o16A2A2M");
/// assert_eq!((next.turn(), next.stage(), next.legal_moves().len()), (Player::Two, Stage::Roll, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mahbusa {
    board: Board,
    turn: Player,
    roll: Option<Roll>,
}

impl Mahbusa {
    /// Where the checkers stand.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// What the dice show, if they are rolled.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// assert_eq!(Mahbusa::default().roll(), None);
    /// assert_eq!(Mahbusa::read("M63-o22O")?.roll(), Some("63".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn roll(&self) -> Option<Roll> {
        self.roll
    }

    /// Whether nobody can ever bear off: each player has a checker pinned on their own 24-point. The
    /// opponent, whose 1-point this is, can free it only by bearing off.
    ///
    /// There is no other way for both to be without a move on every roll. A player without free checkers
    /// blocks nobody. A free checker that stands six points or more above A is blocked on every roll only by
    /// six opposing points in a row, and those can move among themselves. So all free checkers are at home,
    /// both players'. There they are out of each other's way, except that the one player's A is the other's
    /// X: all stand on A, and pin on X what keeps the other from bearing off.
    pub(crate) fn is_deadlocked(&self) -> bool {
        Player::ALL.into_iter().all(|player| self.board.side(player).pinned.contains(Point::START))
    }

    /// What stands on the points, from White's A to White's X.
    fn stacks(&self) -> impl Iterator<Item = (Point, Stack)> {
        Point::all().filter_map(|point| Some((point, self.board.stack(point)?)))
    }

    /// What the dice show, where a player is to move.
    fn dice(&self) -> Roll {
        self.roll.expect("the dice are rolled in Stage::Move")
    }

    /// The points, in White's letters, on which a player's checker is pinned here and was not before.
    fn newly_pinned(&self, before: &Self, player: Player) -> impl Iterator<Item = Point> {
        let [now, before] = [self, before].map(|position| position.board.side(player).pinned);
        Point::all().filter(move |point| now.without(before).contains(point.seen_by(player)))
    }

    /// With how many of the 36 rolls the side to roll can pin another checker.
    fn pinning_rolls(&self) -> u32 {
        let pins = |roll| {
            let rolled = self.rolled(roll);
            let pins = |m| rolled.after(m).newly_pinned(self, !self.turn).next().is_some();
            rolled.legal_moves().into_iter().any(pins)
        };
        Roll::ALL.iter().filter(|&&(roll, _)| pins(roll)).map(|&(_, weight)| weight).sum()
    }

    fn mover(&self) -> Mover {
        Mover::new(&self.board, self.turn)
    }
}

/// The start: all checkers on their player's 24-point, White to roll.
impl Default for Mahbusa {
    fn default() -> Self {
        let mut board = Board::default();
        for owner in Player::ALL {
            board.put(Point::START.seen_by(owner), Stack { owner, count: CHECKERS, pinned: false });
        }
        Self { board, turn: Player::One, roll: None }
    }
}

impl Game for Mahbusa {
    type Move = Move;
    type Roll = Roll;

    const ABOUT: About = About {
        id: "mahbusa",
        name: "Mahbusa",
        players: ["White", "Black"],
        points: Some("checkers borne off"),
        letter: 'M',
        goal: "Bring all fifteen checkers home and bear them off first; an opposing checker that stands \
            alone can be pinned.",
        notation: "M or m (whose turn), the roll, - and the 24 points in White's letters; moves are steps in \
            the mover's letters: XU-UT",
        rules: include_str!("rules.md"),
    };
    const ROLLS: &'static [(Roll, u32)] = &Roll::ALL;

    fn read(state: &str) -> Result<Self, StateError> {
        let setup: Setup = state.parse().map_err(StateError::Malformed)?;
        Self::try_from(setup).map_err(StateError::Invalid)
    }

    fn turn(&self) -> Player {
        self.turn
    }

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
        self.mover().plays(self.dice(), |result, steps| moves.push(Move::of(result, steps)));
    }

    fn count_moves(&self) -> usize {
        self.mover().count(self.dice())
    }

    fn is_pass(m: Move) -> bool {
        m == Move::Pass
    }

    fn after(&self, m: Move) -> Self {
        let mut board = self.board;
        if let Move::Play(result) = m {
            board.rearrange(self.turn, result);
        }
        Self { board, turn: !self.turn, roll: None }
    }

    fn rolled(&self, roll: Roll) -> Self {
        Self { roll: Some(roll), ..*self }
    }
}

impl Notation for Mahbusa {
    type Spelling = Spelling;
    type Place = Point;

    /// In the order of [`Mover::plays`].
    fn list(&self, mut listed: impl FnMut(Spelling, Move)) {
        self.mover().plays(self.dice(), |result, steps| listed(Spelling::of(steps), Move::of(result, steps)));
    }

    /// Steps from the highest point down come first, and from one point those with the larger die.
    fn every_spelling(self) -> impl Iterator<Item = (Spelling, Move)> {
        let orders = Orders::new(self.mover(), self.dice());
        orders.map(|(steps, m)| (Spelling::of(&steps), m))
    }

    fn resolve(&self, play: &Spelling) -> Result<Move, Fault> {
        Ok(resolve(&self.board, self.turn, self.dice(), play)?)
    }

    fn steps(&self, play: &Spelling) -> Vec<described::Step> {
        if *play == Spelling::Pass {
            return vec![described::Step::Shared(SharedStep::Pass {})];
        }
        let described = |step: moves::Step| match (step.from, step.to(), step.die.pips()) {
            (from, Some(to), die) => StepDescription::Move { from, to, die },
            (from, None, die) => StepDescription::BearOff { from, die },
        };
        steps(self.dice(), play).into_iter().map(described).map(described::Step::Mahbusa).collect()
    }

    fn events(&self, play: &Spelling) -> Vec<described::Event> {
        let player = self.turn;
        let opposing = self.board.side(!player).occupied().across();
        let seen_by_white = |point: Point| point.seen_by(player);
        let mut checkers = self.board.side(player).free;
        let mut events = Vec::new();
        for step in steps(self.dice(), play) {
            let before = checkers.occupied();
            checkers = step.play(checkers);
            let from = seen_by_white(step.from);
            let to = step.to().map(seen_by_white);
            let die = step.die.pips();
            events.push(match to {
                Some(to) => Event::Move { player, from, to, die },
                None => Event::BorneOff { player, from, die },
            });
            let left = before.without(checkers.occupied()) & opposing;
            let covered = checkers.occupied().without(before) & opposing;
            let player = !player;
            let point = seen_by_white;
            events.extend(left.map(|left| Event::Freed { player, point: point(left) }));
            events.extend(covered.map(|covered| Event::Pinned { player, point: point(covered) }));
        }
        events.into_iter().map(described::Event::Mahbusa).collect()
    }

    /// The pins, checkers that are freed and checkers borne off of a move, and before a roll how many rolls
    /// pin.
    fn facts(&self, m: Option<Move>) -> Vec<Fact> {
        let turn = self.turn;
        let Some(m) = m else {
            let rolls = (self.stage() == Stage::Roll).then(|| self.pinning_rolls());
            return rolls
                .map(|rolls| Fact::counted(FactKind::PinningRolls, turn, rolls))
                .into_iter()
                .collect();
        };
        let after = self.after(m);
        let off = |position: &Self| position.board.side(turn).borne_off();
        let mut facts = vec![Fact::counted(FactKind::BearOff, turn, (off(&after) - off(self)).into())];
        for player in Player::ALL {
            for (kind, gains, now, before) in
                [(FactKind::Pin, !player, &after, self), (FactKind::Freedom, player, self, &after)]
            {
                let points: Vec<_> = now.newly_pinned(before, player).collect();
                let shown = points.iter().map(|point| point.seen_by(turn).to_string()).collect();
                facts.push(Fact { shown, ..Fact::at(kind, gains, points) });
            }
        }
        facts.retain(|fact| fact.count > 0);
        facts
    }

    fn effects_of(spelling: &Spelling, mover: Player, events: &[described::Event]) -> Effects<Point> {
        let mut effects = Effects::touching(spelling.places(mover));
        for event in events {
            match event {
                described::Event::Mahbusa(Event::Pinned { point, .. }) => {
                    effects.taken.push(*point);
                    effects.in_words.push(format!("It pins the checker on {point}."));
                }
                described::Event::Mahbusa(Event::Freed { point, .. }) => {
                    effects.in_words.push(format!("It frees the checker on {point}."));
                }
                _ => {}
            }
        }
        effects
    }

    fn picture(&self, view: &View<Spelling, Point>) -> String {
        render::picture(self, view, &draw::DRAWING)
    }

    fn describe(&self) -> described::Position {
        let points = Point::all().map(|point| {
            let stack = self.board.stack(point);
            PointDescription {
                point,
                owner: stack.map(|stack| stack.owner),
                count: stack.map_or(0, |stack| stack.count),
                pinned: stack.is_some_and(|stack| stack.pinned),
            }
        });
        described::Position::Mahbusa(Description {
            points: points.collect(),
            roll: self.roll.map(Into::into),
            borne_off: self.board.borne_off(),
        })
    }

    /// The checkers that a player has borne off: one entry, or none before there is one.
    fn counted(&self, _: bool) -> [Vec<described::Counted>; 2] {
        let counted = |borne_off| described::Counted::Mahbusa(Counted::Checkers { borne_off });
        let borne_off = |player| Some(self.board.side(player).borne_off()).filter(|&count| count > 0);
        Player::ALL.map(|player| borne_off(player).map(counted).into_iter().collect())
    }
}

#[cfg(test)]
mod tests;
