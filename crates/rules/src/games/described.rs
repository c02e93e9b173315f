//! Positions, steps and events of any game, for answers that one operation gives for all of them.

use serde::{Deserialize, Serialize};

use super::{cublino::describe as cublino, mahbusa::describe as mahbusa, wari::describe as wari};
use crate::game::{Player, Standing};

/// A parsed position, so that you need not parse the notation. `kind` names the family of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Position {
    /// Cublino Pur, Contra and Ecke.
    Cublino(cublino::Description),
    /// Mahbusa.
    Mahbusa(mahbusa::Description),
    /// Wari.
    Wari(wari::Description),
}

impl Position {
    /// The board in characters, as a player sees it.
    ///
    /// ```
    /// use cublino_rules::{
    ///     game::{Notation, Player},
    ///     games::Wari,
    /// };
    ///
    /// let position = Wari::default().describe();
    /// assert_eq!(
    ///     format!("\n{}", position.text(Player::One)),
    ///     "
    /// cup   12  11  10   9   8   7
    ///   B    4   4   4   4   4   4   0 prisoners
    ///   A    4   4   4   4   4   4   0 prisoners
    /// cup    1   2   3   4   5   6
    /// "
    /// );
    /// ```
    ///
    /// # Panics
    /// A position of Mahbusa has fewer than 12 points.
    pub fn text(&self, seen_by: Player) -> String {
        match self {
            Self::Cublino(position) => position.text(),
            Self::Mahbusa(position) => position.text(seen_by),
            Self::Wari(position) => position.text(),
        }
    }
}

/// One step of a move. `kind` says which.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Step {
    /// A step in Cublino.
    Cublino(cublino::StepDescription),
    /// A step in Mahbusa.
    Mahbusa(mahbusa::StepDescription),
    /// The step of a move in Wari.
    Wari(wari::StepDescription),
    /// A step in any game.
    Shared(SharedStep),
}

/// Something that happened while moves were played, for user interfaces. `kind` says what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Event {
    /// An event in Cublino.
    Cublino(cublino::Event),
    /// An event in Mahbusa.
    Mahbusa(mahbusa::Event),
    /// An event in Wari.
    Wari(wari::Event),
    /// An event in any game.
    Shared(SharedEvent),
}

/// Something that counts in the score. `kind` says what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Counted {
    /// A die in Cublino Pur.
    Cublino(cublino::Counted),
    /// Checkers in Mahbusa.
    Mahbusa(mahbusa::Counted),
    /// Marbles in Wari.
    Wari(wari::Counted),
}

/// A step that more than one game knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SharedStep {
    /// The player cannot move.
    // utoipa drops the doc comment of a variant without braces.
    Pass {},
}

/// An event that more than one game knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SharedEvent {
    /// A player could not move and passed: the move was `pass`.
    Pass {
        /// Who passed.
        player: Player,
    },
    /// The dice were rolled.
    Roll {
        /// What they show, the larger number first.
        #[cfg_attr(feature = "openapi", schema(value_type = crate::game::RollNumbers))]
        roll: [u8; 2],
    },
    /// A player could not move, so the opponent moves again.
    TurnSkipped {
        /// Who was skipped.
        player: Player,
    },
    /// The game ended.
    Ended {
        /// How it ended.
        outcome: Standing,
    },
}
