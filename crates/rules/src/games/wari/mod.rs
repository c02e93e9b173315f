//! Wari: marbles sown round twelve cups, and captured.

mod board;
pub(super) mod describe;
mod draw;
mod notation;
mod setup;

use self::{
    board::{CUPS, SIDE, Sown},
    notation::{Illegal, Spelling},
    setup::Setup,
};
pub use self::{
    board::{Cup, MARBLES, Place, ROW, Row},
    describe::{Counted, Description, EmptiedCup, Event, Prisoners, StepDescription},
};
use super::described;
use crate::{
    game::{
        About, EndReason, Fact, FactKind, Fault, Game, NoRoll, Notation, Outcome, Player, Points, Stage,
        StateError,
    },
    render::{self, Effects, View},
};

/// More than half of the marbles: a player with this many prisoners is certain to win.
const DECISIVE: u8 = MARBLES / 2 + 1;

/// A Wari position.
///
/// It is kept as the side to move sees it, so that one table serves for both players.
///
/// ```
/// use cublino_rules::{game::Record, games::Wari};
///
/// let mut record = Record::new(Wari::default(), None);
/// for m in ["5", "7", "2", "12"] {
///     record.play(m).expect("a legal move");
/// }
/// assert_eq!(record.position().to_string(), "W-5-1-6-6-0-6-0-6-6-5-5-0-0-2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wari {
    mover: Row,
    other: Row,
    turn: Player,
}

impl Wari {
    /// A position that the rules allow; the caller has checked it.
    fn new(rows: [Row; 2], turn: Player) -> Self {
        Self { mover: rows[turn.index()], other: rows[(!turn).index()], turn }
    }

    /// A player's side of the board.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let row = Wari::read("W-4-4-4-4-4-4-4-4-4-4-4-4-0-0")?.row(Player::One);
    /// assert_eq!((row.cups(), row.prisoners()), ([4; 6], 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn row(&self, player: Player) -> Row {
        if player == self.turn { self.mover } else { self.other }
    }

    /// How many marbles are in a cup, 0 to 48.
    pub(crate) fn marbles(&self, cup: Cup) -> u8 {
        self.row(cup.owner()).marbles(cup.place())
    }

    /// The player who has won already, however long the game goes on: the one with 25 prisoners or more.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// // cup   12  11  10   9   8   7
    /// //   B    0   0   0   0   0   1  10 prisoners
    /// //   A    0   0   0   0   1   1  35 prisoners
    /// // cup    1   2   3   4   5   6
    /// assert_eq!(Wari::read("W-0-0-0-0-1-1-1-0-0-0-0-0-35-10")?.decided_for(), Some(Player::One));
    /// assert_eq!(Wari::default().decided_for(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decided_for(&self) -> Option<Player> {
        Player::ALL.into_iter().find(|&player| self.row(player).prisoners() >= DECISIVE)
    }

    /// The places of the mover's cups that may be sown, in order.
    fn legal(&self) -> impl Iterator<Item = Place> {
        let safe = self.other.holds_four();
        self.mover.occupied().filter(move |&place| safe || !self.sown(place).leaves_nothing())
    }

    fn sown(&self, from: Place) -> Sown {
        Sown::new(self.mover, self.other, from)
    }

    /// Whether two marbles are left, one on each side, that follow one another round the board for ever.
    fn is_endless(&self) -> bool {
        // Comparing the prisoners is all that this costs in nearly every position.
        self.mover.prisoners() + self.other.prisoners() == MARBLES - 2
            && self.mover.is_endless_against(self.other)
    }

    /// The outcome if each player now takes the marbles of their own side.
    fn divided(&self, reason: EndReason) -> Outcome {
        let [one, two] = Player::ALL.map(|player| self.row(player)).map(|row| row.prisoners() + row.total());
        Outcome::by_points(Points { one, two }, reason)
    }
}

/// The start: four marbles in each cup.
impl Default for Wari {
    fn default() -> Self {
        Self::new([Row::new([MARBLES / (2 * SIDE); ROW], 0); 2], Player::One)
    }
}

impl Game for Wari {
    type Move = Cup;
    type Roll = NoRoll;

    const ABOUT: About = About {
        id: "wari",
        name: "Wari",
        players: ["A", "B"],
        points: Some("prisoners"),
        letter: 'W',
        goal: "Capture more of the 48 marbles than the opponent.",
        notation: "W or w (whose turn), then the marbles in cups 1 to 12 and both players' prisoners, each \
            after a -; moves are cups: 5",
        rules: include_str!("rules.md"),
    };

    fn read(state: &str) -> Result<Self, StateError> {
        let setup: Setup = state.parse().map_err(StateError::Malformed)?;
        Self::try_from(setup).map_err(StateError::Invalid)
    }

    fn turn(&self) -> Player {
        self.turn
    }

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
    fn generate(&self, moves: &mut Vec<Cup>) {
        moves.extend(self.legal().map(|place| Cup::at(self.turn, place)));
    }

    fn count_moves(&self) -> usize {
        if self.other.holds_four() { self.mover.occupied().count() } else { self.legal().count() }
    }

    fn after(&self, m: Cup) -> Self {
        let Sown { mover, other, .. } = self.sown(m.place());
        Self { mover: other, other: mover, turn: !self.turn }
    }

    /// A position that comes again would come again for ever: each player takes the marbles of their own
    /// side.
    fn outcome_if_repeated(&self) -> Option<Outcome> {
        Some(self.divided(EndReason::EndlessPlay))
    }
}

impl Notation for Wari {
    type Spelling = Spelling;
    type Place = Cup;

    fn list(&self, mut listed: impl FnMut(Spelling, Cup)) {
        for cup in self.legal().map(|place| Cup::at(self.turn, place)) {
            listed(Spelling::Cup(cup), cup);
        }
    }

    fn resolve(&self, spelling: &Spelling) -> Result<Cup, Fault> {
        let mover = self.turn;
        let cup = spelling.cup();
        let holds = self.marbles(cup);
        if let &Spelling::Logged { player, .. } = spelling
            && player != mover
        {
            return Err(Illegal::WrongPlayer { player }.into());
        }
        if cup.owner() != mover {
            return Err(Illegal::NotYours { cup, mover }.into());
        }
        if holds == 0 {
            return Err(Illegal::EmptyCup(cup).into());
        }
        if let &Spelling::Logged { count, .. } = spelling
            && count != holds
        {
            return Err(Illegal::WrongCount { cup, count, holds }.into());
        }
        let sown = self.sown(cup.place());
        match (sown.leaves_nothing(), sown.captured.is_empty()) {
            (false, _) => Ok(cup),
            (true, true) => Err(Illegal::DoesNotFeed { cup, opponent: !mover }.into()),
            (true, false) => Err(Illegal::CapturesAll { cup, opponent: !mover }.into()),
        }
    }

    fn steps(&self, spelling: &Spelling) -> Vec<described::Step> {
        let from = spelling.cup();
        vec![described::Step::Wari(StepDescription::Sow { from, count: self.marbles(from) })]
    }

    fn events(&self, spelling: &Spelling) -> Vec<described::Event> {
        let from = spelling.cup();
        let player = from.owner();
        let count = self.marbles(from);
        let cups = from.sown_from().take(count.into()).collect();
        let mut events = vec![described::Event::Wari(Event::Sown { from, count, cups })];
        let captured = self.sown(from.place()).captured;
        if !captured.is_empty() {
            let cups = emptied(!player, captured).rev().collect();
            let total = captured.total();
            events.push(described::Event::Wari(Event::Captured { player, cups, total }));
        }
        events
    }

    /// Each player takes the marbles of their own side, if there are any.
    fn last_events(&self) -> Vec<described::Event> {
        let swept = |player| {
            let row = self.row(player);
            let cups = emptied(player, row).collect();
            let total = row.total();
            (total > 0).then_some(described::Event::Wari(Event::Swept { player, cups, total }))
        };
        Player::ALL.into_iter().filter_map(swept).collect()
    }

    /// The marbles that a move captures.
    fn facts(&self, m: Option<Cup>) -> Vec<Fact> {
        let captured = m.map_or(0, |m| self.sown(m.place()).captured.total());
        let fact = Fact::counted(FactKind::Marbles, self.turn, captured.into());
        (captured > 0).then_some(fact).into_iter().collect()
    }

    fn effects_of(spelling: &Spelling, _: Player, events: &[described::Event]) -> Effects<Cup> {
        let mut effects = Effects::touching(vec![spelling.cup()]);
        for event in events {
            match event {
                described::Event::Wari(Event::Sown { cups, .. }) => effects.touched.extend(cups),
                described::Event::Wari(Event::Captured { cups, total, .. }) => {
                    effects.taken = cups.iter().map(|captured| captured.cup).collect();
                    effects.in_words.push(format!("It captures {total} marbles."));
                }
                _ => {}
            }
        }
        effects
    }

    fn picture(&self, view: &View<Spelling, Cup>) -> String {
        render::picture(self, view, &draw::DRAWING)
    }

    fn describe(&self) -> described::Position {
        let [one, two] = Player::ALL.map(|player| self.row(player).prisoners());
        let mut cups = [0; CUPS];
        for (marbles, cup) in cups.iter_mut().zip(Cup::all()) {
            *marbles = self.marbles(cup);
        }
        let prisoners = Prisoners { one, two };
        described::Position::Wari(Description { cups, prisoners, decided_for: self.decided_for() })
    }

    /// The prisoners, and when the game is over the cups that each player takes. Counts of zero are left out,
    /// and the counts add up to the points.
    fn counted(&self, is_over: bool) -> [Vec<described::Counted>; 2] {
        Player::ALL.map(|player| {
            let row = self.row(player);
            let prisoners = Some(row.prisoners()).filter(|&count| count > 0);
            let taken = emptied(player, row).filter(|_| is_over);
            let cups = taken.map(|EmptiedCup { cup, count }| Counted::Cup { cup, count });
            let prisoners = prisoners.map(|count| Counted::Prisoners { count }).into_iter();
            prisoners.chain(cups).map(described::Counted::Wari).collect()
        })
    }
}

/// The letter that Wari gives a player.
const fn letter(player: Player) -> &'static str {
    Wari::ABOUT.players[player.index()]
}

/// The cups of a player from which marbles are taken, in order.
fn emptied(owner: Player, marbles: Row) -> impl DoubleEndedIterator<Item = EmptiedCup> {
    let cup = move |place| EmptiedCup { cup: Cup::at(owner, place), count: marbles.marbles(place) };
    Place::ALL.into_iter().map(cup).filter(|emptied| emptied.count > 0)
}

#[cfg(test)]
mod tests;
