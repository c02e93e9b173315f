//! The position: the checkers, the side to move and the dice.

use super::{
    board::{Board, CHECKERS, Stack},
    dice::Roll,
    play::{Play, Steps},
    plays::Mover,
    point::Point,
    resolve,
};
use crate::game::Player;

/// A position of Mahbusa.
///
/// ```
/// use cublino_rules::{game::Game, games::{Mahbusa, mahbusa::Setup}};
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
    pub(super) board: Board,
    pub(super) turn: Player,
    pub(super) roll: Option<Roll>,
}

impl Mahbusa {
    /// A position that the rules allow; the caller has checked it.
    pub(super) const fn new(board: Board, turn: Player, roll: Option<Roll>) -> Self {
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
    /// There is no other way for both to be without a move on every roll. A player without free checkers
    /// stops nobody. A free checker that stands six points or more above A is stopped on every roll only by
    /// six opposing points in a row, and those can move among themselves. So all free checkers are at home,
    /// both players'. There they are out of each other's way, except that the one player's A is the other's
    /// X: all stand on A, and pin on X what keeps the other from bearing off.
    #[inline]
    #[must_use]
    pub fn is_deadlocked(&self) -> bool {
        Player::ALL.into_iter().all(|player| self.board.side(player).is_pinned_at_start())
    }

    /// What the dice show, where a player is to move.
    pub(super) fn rolled(&self) -> Roll {
        self.roll.expect("the dice are rolled in Stage::Move")
    }

    pub(super) fn mover(&self) -> Mover {
        Mover::new(&self.board, self.turn)
    }

    /// The steps of a legal play, with their dice.
    pub(super) fn legal_steps(&self, play: &Play) -> Steps {
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
