//! What all games share: players, stages, outcomes, and the two traits that a game implements.
//!
//! [`Game`] is what a machine needs to play: positions, moves, whose turn it is. [`Notation`] is what people
//! see of it: how moves are written, why one is not legal, what happened. Everything generic is built on
//! these two: counting leaves ([`perft()`]), random play ([`playout`]), playing a list of moves ([`Record`]),
//! the search and the HTTP interface.
//!
//! A position is made in two steps: text is parsed into a setup, which is unchecked, and only `TryFrom` makes
//! a position of it, reporting everything that is wrong. A value of a type that implements `Game` is always
//! playable, and nothing checks it again.

mod facts;
mod notation;
mod outcome;
mod perft;
pub mod playout;
mod record;
#[cfg(feature = "openapi")]
mod roll_forms;
pub(crate) mod state;

use std::{
    fmt::{Debug, Display},
    hash::Hash,
    str::FromStr,
};

#[cfg(feature = "openapi")]
pub(crate) use self::roll_forms::numbers;
#[cfg(feature = "openapi")]
pub use self::roll_forms::{RollNumbers, RollText};

pub use self::{
    facts::{Fact, FactKind},
    notation::Notation,
    outcome::{EndReason, Outcome, Player, Points, Stage, Standing, Status},
    perft::{compiled, perft, perft_by_spelling},
    record::{Ply, Record, Refusal, ResignedTooLate},
    state::{Fault, StateError},
};

/// A valid position of a two-player game, with what may follow it.
///
/// A position is small: copy it, instead of taking a move back. It is written in the state notation by
/// `Display` (always the canonical form) and read by [`read`](Self::read); `Default` is the start.
pub trait Game: Copy + Debug + Default + Display + Eq + Hash + Send + Sync + 'static {
    /// One whole turn of the side to move, by its result: what a search plays.
    type Move: Copy + Debug + Eq + Hash + Send + Sync + 'static;
    /// What the dice show; [`NoRoll`], which has no values, for games without dice.
    type Roll: Copy + Debug + Display + Eq + FromStr<Err = Fault> + Into<[u8; 2]> + Send + Sync + 'static;

    /// What a newcomer needs to know about the game.
    const ABOUT: About;
    /// All distinct rolls with their weights; empty for games without dice.
    const ROLLS: &'static [(Self::Roll, u32)] = &[];
    /// Whether [`generate`](Self::generate) never lists two moves that lead to the same position.
    const DISTINCT_MOVES: bool = true;

    /// The position that a state text describes.
    ///
    /// ```
    /// use cublino_rules::{game::Game, games::Wari};
    ///
    /// let position = Wari::read("W-4-4-4-4-4-4-4-4-4-4-4-4-0-0")?;
    /// assert_eq!(position, Wari::default());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Says everything that is wrong with the text or, if it is well-formed, with what it describes.
    fn read(state: &str) -> Result<Self, StateError>;

    /// The side to move, or to roll. When the game is over, the side that would have been next.
    fn turn(&self) -> Player;

    /// What happens next: a move, a roll, or nothing.
    fn stage(&self) -> Stage;

    /// The points so far; nothing in games that are not played for points.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// assert_eq!(Wari::default().points(), Some(Points { one: 0, two: 0 }));
    /// assert_eq!(Contra::default().points(), None);
    /// ```
    fn points(&self) -> Option<Points> {
        None
    }

    /// The legal moves in a fixed order. There are none when the game is over, or when the dice must be
    /// rolled.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// // . . . . W . .     White's die has reached the far rank.
    /// let won = Contra::read("cWa1We7va7")?;
    /// assert_eq!(won.legal_moves(), []);
    /// assert_eq!(Contra::default().legal_moves().len(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        if self.stage() == Stage::Move {
            self.generate(&mut moves);
        }
        moves
    }

    /// The position after a move.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let start = Wari::default();
    /// let m = start.legal_moves()[4];
    /// let next = start.play(m)?;
    /// assert_eq!(next.to_string(), "w-4-4-4-4-0-5-5-5-5-4-4-4-0-0");
    /// assert_eq!(next.play(m), Err(Unplayable::Illegal), "it is B's turn");
    /// # Ok::<(), Unplayable>(())
    /// ```
    ///
    /// # Errors
    /// The move is not legal here, the game is over, or the dice must be rolled first.
    fn play(&self, m: Self::Move) -> Result<Self, Unplayable> {
        match self.stage() {
            Stage::Over(outcome) => Err(Unplayable::GameOver(outcome)),
            Stage::Roll => Err(Unplayable::RollFirst),
            Stage::Move if self.legal_moves().contains(&m) => Ok(self.after(m)),
            Stage::Move => Err(Unplayable::Illegal),
        }
    }

    /// Appends the legal moves in their order; at least one. It is for searches, which keep one list and look
    /// at the stage themselves: in another stage than [`Stage::Move`] it may panic or append nonsense.
    fn generate(&self, moves: &mut Vec<Self::Move>);

    /// The number of moves that [`generate`](Self::generate) lists; like it, for [`Stage::Move`] only.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let start = Pur::default();
    /// assert_eq!(start.count_moves(), start.legal_moves().len());
    /// ```
    fn count_moves(&self) -> usize {
        let mut moves = Vec::new();
        self.generate(&mut moves);
        moves.len()
    }

    /// Whether this is a pass: the only legal move of a player who has none.
    fn is_pass(_m: Self::Move) -> bool {
        false
    }

    /// The position after the dice have been rolled. Nothing is checked; it is for [`Stage::Roll`] only.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let rolled = Mahbusa::default().rolled("63".parse()?);
    /// assert_eq!(rolled.to_string(), "M63-o22O");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    fn rolled(&self, _roll: Self::Roll) -> Self {
        *self
    }

    /// The outcome if the rules end the game when this position occurs again in a played list of moves;
    /// `None`, as in most games, if they do not.
    fn outcome_if_repeated(&self) -> Option<Outcome> {
        None
    }

    /// The position after a move that [`generate`](Self::generate) listed for it. Nothing is checked, and any
    /// other move leads to nonsense.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let start = Wari::default();
    /// let next: Vec<_> = start.legal_moves().into_iter().map(|m| start.after(m)).collect();
    /// assert_eq!(next[4].to_string(), "w-4-4-4-4-0-5-5-5-5-4-4-4-0-0");
    /// ```
    #[must_use]
    fn after(&self, m: Self::Move) -> Self;

    /// Whether the game is over, and the score.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let standing = Contra::read("cWa1We7va7")?.standing();
    /// assert_eq!((standing.winner, standing.reason), (Some(Player::One), Some(EndReason::FarRankReached)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn standing(&self) -> Standing {
        match self.stage() {
            Stage::Over(outcome) => outcome.into(),
            Stage::Move | Stage::Roll => Standing::in_progress(self.points()),
        }
    }
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayable {
    /// The game is over.
    #[error("the game is over, so nothing can be played")]
    GameOver(Outcome),
    /// There is no move before the dice are rolled.
    #[error("the dice must be rolled first")]
    RollFirst,
    /// The move is not legal in this position.
    #[error("the move is not legal in this position")]
    Illegal,
}

/// The roll of a game without dice. It has no values, so code that handles one is unreachable.
#[derive(Clone, Copy, Debug, derive_more::Display, PartialEq, Eq, Hash)]
pub enum NoRoll {}

impl From<NoRoll> for [u8; 2] {
    fn from(roll: NoRoll) -> Self {
        match roll {}
    }
}

impl FromStr for NoRoll {
    type Err = Fault;

    fn from_str(_: &str) -> Result<Self, Fault> {
        Err(Fault { code: "no-dice", message: NoDice.to_string(), at: None })
    }
}

/// The error for a roll in a game without dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this game is played without dice, so nothing can be rolled")]
pub struct NoDice;

/// A game in words.
///
/// ```
/// use cublino_rules::{game::*, games::*};
///
/// let about = Mahbusa::ABOUT;
/// assert_eq!((about.id, about.players, about.letter), ("mahbusa", ["White", "Black"], 'M'));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name in paths and on the command line: kebab-case, never renamed.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// What people call player one and player two.
    pub players: [&'static str; 2],
    /// What the points count; nothing in a game that is not played for points.
    pub points: Option<&'static str>,
    /// The upper-case letter that starts the states in which player one is to move.
    pub letter: char,
    /// The goal of the game in one line.
    pub goal: &'static str,
    /// How states and moves are written, in one line.
    pub notation: &'static str,
    /// The rules and the notation with a worked example, in Markdown.
    pub rules: &'static str,
}
