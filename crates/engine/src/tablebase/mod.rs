//! Tablebases: what is known exactly about positions, without looking ahead.
//!
//! [`wari`] knows what each player gets of the last marbles, `bear_off` how long a player takes to bear off
//! in Mahbusa.

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
/// Searches without a level probe the one of their game in every position they come to.
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
    /// Where they are not loaded, neither is the bear-off table of Mahbusa.
    wari: Option<Arc<Endgames>>,
}

impl Tablebases {
    /// Nothing but the rules.
    pub const fn none() -> Self {
        Self { wari: None }
    }

    /// Those that come with the program: how long it takes to bear off in Mahbusa, and the endgames of Wari
    /// with up to [`Endgames::BUILT_IN`] marbles.
    pub fn built_in() -> Self {
        Endgames::built_in().into()
    }

    /// With the endgames of Wari from a file; see [`Endgames::open`].
    ///
    /// # Errors
    /// The file is not what it should be.
    pub fn with_wari_database(path: &Path) -> Result<Self, DatabaseError> {
        Ok(Endgames::open(path)?.into())
    }

    /// The endgames of Wari.
    pub fn wari(&self) -> Option<&Endgames> {
        self.wari.as_deref()
    }

    /// What tells some tablebases from others: with the same, the same search gives the same answer. It is
    /// the most marbles of the endgames of Wari, 0 without any, and changes if their file is found damaged.
    pub fn version(&self) -> u8 {
        self.wari().map_or(0, Endgames::marbles)
    }
}

/// With endgames of Wari that have been worked out.
impl From<Endgames> for Tablebases {
    fn from(endgames: Endgames) -> Self {
        Self { wari: Some(Arc::new(endgames)) }
    }
}

/// Exact knowledge about some positions of a game.
pub trait Tablebase<G: Game>: Send + Sync {
    /// What is known about a position. Only asked where the game goes on, to move or to roll.
    fn probe(&self, position: &G) -> Option<TablebaseValue>;

    /// A heuristic score for the side to move, better than that of a network. Only asked where the game goes
    /// on and [`probe`](Self::probe) has no answer, or where earlier positions may matter.
    fn estimate(&self, _position: &G) -> Option<Score> {
        None
    }

    /// The best result that a player can come to if both play their best: 1 a win, 0 a draw, -1 a loss. Only
    /// asked where the game goes on.
    fn best_result(&self, _position: &G, _player: Player) -> i8 {
        1
    }
}

/// What is known about a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TablebaseValue {
    /// The result if both play their best, whatever was played before.
    Exact {
        /// For the side to move.
        result: GameResult,
        /// In how many plies the game is over at the latest, if the winner hurries and the loser does not;
        /// `None` if nobody has counted them.
        plies: Option<u32>,
    },
    /// The expected result, -1 to 1, so nearly that looking ahead would not improve it. It proves nothing.
    Expected(f64),
}

impl TablebaseValue {
    /// The score as seen from so many plies before.
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
