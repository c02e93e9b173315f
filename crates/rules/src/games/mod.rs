//! The games: one folder per family, and the list of them.
//!
//! A game is added by writing its folder and adding it to [`GameId`] and
//! [`with_game!`](crate::with_game); a family of games that have their positions and moves in common is also
//! added to each enum of [`described`] that needs it.

pub mod cublino;
pub mod described;
pub mod mahbusa;
pub mod wari;

use serde::{Deserialize, Serialize};

pub use self::{mahbusa::Mahbusa, wari::Wari};
use crate::game::{About, Game};

/// Cublino Pur: seven dice a side race across the board, tipping and jumping.
pub type Pur = cublino::Cublino<cublino::Pur>;
/// Cublino Contra: dice tip, neighbours fight, and the first die across wins.
pub type Contra = cublino::Cublino<cublino::Contra>;
/// Cublino Ecke: dice step in five directions, fight one against one, and head for the corners.
pub type Ecke = cublino::Cublino<cublino::Ecke>;

/// Evaluates an expression with a type alias that stands for the game with an id.
///
/// ```
/// use cublino_rules::{game::Game, games::GameId, with_game};
///
/// fn start<G: Game>() -> String {
///     G::default().to_string()
/// }
///
/// assert!(with_game!(GameId::CublinoPur, G => start::<G>()).starts_with('P'));
/// ```
#[macro_export]
macro_rules! with_game {
    ($id:expr, $game:ident => $body:expr) => {
        $crate::with_game! {
            $id, $game => $body,
            CublinoPur: Pur, CublinoContra: Contra, CublinoEcke: Ecke, Mahbusa: Mahbusa, Wari: Wari
        }
    };
    ($id:expr, $game:ident => $body:expr, $($variant:ident: $type:ident),+) => {
        match $id {
            $($crate::games::GameId::$variant => {
                type $game = $crate::games::$type;
                $body
            })+
        }
    };
}

/// The name of a game in paths and on the command line.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::Display,
    strum::VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum GameId {
    /// The game [`Pur`].
    CublinoPur,
    /// The game [`Contra`].
    CublinoContra,
    /// The game [`Ecke`].
    CublinoEcke,
    /// The game [`Mahbusa`].
    Mahbusa,
    /// The game [`Wari`].
    Wari,
}

impl GameId {
    /// All games, in the order in which they are listed.
    pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The game in words.
    pub const fn about(self) -> &'static About {
        with_game!(self, G => &<G as Game>::ABOUT)
    }
}

/// There is no game with this name.
///
/// ```
/// use cublino_rules::games::GameId;
///
/// let game: GameId = "cublino-pur".parse()?;
/// assert_eq!((game, game.about().name), (GameId::CublinoPur, "Cublino Pur"));
/// assert!("chess".parse::<GameId>().is_err());
/// # Ok::<(), cublino_rules::games::UnknownGame>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not one of the games: {list}",
    list = GameId::ALL.iter().map(|id| id.about().id).collect::<Vec<_>>().join(", "))]
pub struct UnknownGame(pub String);

impl std::str::FromStr for GameId {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        let found = Self::ALL.iter().find(|id| id.about().id == text);
        found.copied().ok_or_else(|| UnknownGame(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_the_same_in_text_and_in_json() {
        for &id in GameId::ALL {
            assert_eq!(id.to_string().parse(), Ok(id));
            assert_eq!(serde_json::to_value(id).unwrap(), id.about().id);
        }
    }

    #[test]
    fn every_game_has_a_letter_of_its_own() {
        let letters: HashSet<_> = GameId::ALL.iter().map(|id| id.about().letter).collect();
        assert_eq!(letters.len(), GameId::ALL.len());
        assert!(letters.iter().all(char::is_ascii_uppercase));
    }
}
