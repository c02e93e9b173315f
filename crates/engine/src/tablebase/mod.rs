//! Tablebases: exact knowledge about positions, without search.
//!
//! [`wari`] has each player's share of the last marbles, `bear_off` the number of rolls that a player of
//! Mahbusa takes to bear off.

use std::{path::Path, sync::Arc};

use cublino_rules::game::{Game, Player};

use self::wari::{DatabaseError, Endgames};
use crate::{GameResult, Score, value::Meaning};

pub(crate) mod bear_off;
mod numbering;
mod prover;
pub mod wari;

pub(crate) use self::prover::{RootProbe, probe_root};

/// The tablebases that are loaded; clones share them.
///
/// Searches without a level probe the one of their game in every position they visit.
///
/// ```
/// use cublino_engine::{Tablebases, tablebase::wari::Endgames};
///
/// assert!(Tablebases::none().wari().is_none());
/// let endgames = Tablebases::built_in();
/// assert_eq!(endgames.wari().map(Endgames::marbles), Some(Endgames::BUILT_IN));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tablebases {
    /// The endgames of Wari. Without them, the bear-off table of Mahbusa is not used either.
    wari: Option<Arc<Endgames>>,
}

impl Tablebases {
    /// No tablebases.
    pub const fn none() -> Self {
        Self { wari: None }
    }

    /// The built-in tablebases: the bear-off table of Mahbusa, and the endgames of Wari with up to
    /// [`Endgames::BUILT_IN`] marbles.
    pub fn built_in() -> Self {
        Endgames::built_in().into()
    }

    /// The same with the endgames of Wari from a file; see [`Endgames::open`].
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not a valid database.
    pub fn with_wari_database(path: &Path) -> Result<Self, DatabaseError> {
        Ok(Endgames::open(path)?.into())
    }

    /// The endgames of Wari.
    pub fn wari(&self) -> Option<&Endgames> {
        self.wari.as_deref()
    }

    /// The version of the tablebases: with the same one, the same search gives the same answer. It is the
    /// maximum number of marbles in the endgames of Wari, or 0 without any. It changes if their file is found
    /// damaged.
    pub fn version(&self) -> u8 {
        self.wari().map_or(0, Endgames::marbles)
    }
}

/// The tablebases with these endgames of Wari.
impl From<Endgames> for Tablebases {
    fn from(endgames: Endgames) -> Self {
        Self { wari: Some(Arc::new(endgames)) }
    }
}

/// Exact knowledge about some positions of a game.
pub trait Tablebase<G: Game>: Send + Sync {
    /// What is known about a position. Only called while the game is not over: before a move or a roll.
    fn probe(&self, position: &G) -> Option<TablebaseValue>;

    /// A heuristic score for the side to move, better than that of a network. Only called while the game is
    /// not over, where [`probe`](Self::probe) has no answer or where the history may matter.
    fn estimate(&self, _position: &G) -> Option<Score> {
        None
    }

    /// An upper bound on the result that a player can reach with best play of both: 1 a win, 0 a draw, -1 a
    /// loss. Only called while the game is not over.
    fn best_result(&self, _position: &G, _player: Player) -> i8 {
        1
    }
}

/// What is known about a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TablebaseValue {
    /// The result with best play of both, whatever was played before.
    Exact {
        /// For the side to move.
        result: GameResult,
        /// The most plies to the end of the game, if the winner hurries and the loser delays; `None` if they
        /// are not counted.
        plies: Option<u32>,
    },
    /// The expected result, -1 to 1, so accurate that a search would not improve it. It proves nothing.
    Expected(f64),
}

impl TablebaseValue {
    /// The score as seen from `before` plies earlier.
    pub(crate) fn score(self, meaning: &Meaning, before: u32) -> Score {
        match self {
            Self::Exact { result: GameResult::Draw, .. } => Score::DRAW,
            Self::Exact { result, plies } => {
                let win = plies.map_or(Score::uncounted_win(before), |plies| Score::over(1, before + plies));
                if result == GameResult::Win { win } else { -win }
            }
            Self::Expected(expected) => meaning.score(expected),
        }
    }

    /// The same, for the other player.
    fn for_opponent(self) -> Self {
        match self {
            Self::Exact { result, plies } => Self::Exact { result: !result, plies },
            Self::Expected(expected) => Self::Expected(-expected),
        }
    }

    /// The result, if it follows from the rules.
    pub(crate) const fn result(self) -> Option<GameResult> {
        match self {
            Self::Exact { result, .. } => Some(result),
            Self::Expected(_) => None,
        }
    }
}
