//! The position: both rows and the side to move.

use super::{
    cup::Cup,
    board::{MARBLES, Place, ROW, Row, SIDE},
    sow::Sown,
};
use crate::game::{EndReason, Outcome, Player, Points};

/// More than half of the marbles: whoever has so many prisoners wins, whatever follows.
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
    pub(super) mover: Row,
    pub(super) other: Row,
    pub(super) turn: Player,
}

impl Wari {
    /// A position that the rules allow; the caller has checked it.
    pub(super) fn new(rows: [Row; 2], turn: Player) -> Self {
        Self { mover: rows[turn.index()], other: rows[(!turn).index()], turn }
    }

    /// A player's side of the board.
    #[inline]
    #[must_use]
    pub fn row(&self, player: Player) -> Row {
        if player == self.turn { self.mover } else { self.other }
    }

    /// How many marbles are in a cup, 0 to 48.
    #[must_use]
    pub fn marbles(&self, cup: Cup) -> u8 {
        self.row(cup.owner()).marbles(cup.place())
    }

    /// The player who has won already, however long the game goes on: the one with 25 prisoners or more.
    #[must_use]
    pub fn decided_for(&self) -> Option<Player> {
        Player::ALL.into_iter().find(|&player| self.row(player).prisoners() >= DECISIVE)
    }

    /// The places of the mover's cups that may be sown, in order.
    #[inline]
    pub(super) fn legal(&self) -> impl Iterator<Item = Place> {
        let safe = self.cannot_be_emptied();
        self.mover.occupied().filter(move |&place| safe || !self.sown(place).leaves_nothing())
    }

    /// Whether the opponent keeps a marble whatever is played: four in one cup are never captured, and sowing
    /// only adds to them.
    #[inline]
    pub(super) fn cannot_be_emptied(&self) -> bool {
        self.other.holds_four()
    }

    #[inline]
    pub(super) fn sown(&self, from: Place) -> Sown {
        Sown::new(self.mover, self.other, from)
    }

    /// Whether two marbles are left, one on each side, that follow one another round the board for ever.
    #[inline]
    pub(super) fn is_endless(&self) -> bool {
        // Comparing the prisoners is all that this costs in nearly every position.
        self.mover.prisoners() + self.other.prisoners() == MARBLES - 2
            && self.mover.is_endless_against(self.other)
    }

    /// The outcome if each player now takes the marbles of their own side.
    pub(super) fn divided(&self, reason: EndReason) -> Outcome {
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
