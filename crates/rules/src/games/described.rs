//! Positions, steps and events of any game, for answers that one operation gives for all of them.

use serde::{Deserialize, Serialize};

pub use super::cublino::OrientationDescription;
use super::{cublino, mahbusa, wari};
use crate::game::{self, Notation, Player, Standing};

/// A game whose positions, steps and events can be told in the common form.
pub trait Described:
    Notation<Description: Into<Position>, Step: Into<Step>, Event: Into<Event>, Counted: Into<Counted>>
{
}

impl<G> Described for G where
    G: Notation<Description: Into<Position>, Step: Into<Step>, Event: Into<Event>, Counted: Into<Counted>>
{
}

/// Defines the common form from a row for each family: its module, and for its positions, steps, events and
/// what counts in the score what the document says of them.
macro_rules! families {
    ($($family:ident: $module:ident, $position:tt, $step:tt, $event:tt, $counted:tt;)+) => {
        /// A position taken apart, so that nobody needs to parse the notation; `kind` tells the family of
        /// games.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind", rename_all = "snake_case")]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum Position {
            $(#[doc = $position] $family($module::Description),)+
        }

        impl Position {
            /// The board in characters, as a player sees it.
            ///
            /// ```
            /// use cublino_rules::{
            ///     game::{Notation, Player},
            ///     games::{Wari, described::Position},
            /// };
            ///
            /// let position = Position::from(Wari::default().describe());
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
            #[must_use]
            pub fn text(&self, seen_by: Player) -> String {
                match self {
                    $(Self::$family(position) => position.text(seen_by),)+
                }
            }
        }

        /// One step of a move; `kind` tells what it is.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(untagged)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum Step {
            $(#[doc = $step] $family($module::StepDescription),)+
            /// A step in any game.
            Shared(SharedStep),
        }

        /// Something that happens while moves are played, for a user interface; `kind` tells what it is.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(untagged)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum Event {
            $(#[doc = $event] $family($module::Event),)+
            /// An event in any game.
            Shared(SharedEvent),
        }

        /// Something that counts in the score; `kind` tells what it is.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(untagged)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum Counted {
            $(#[doc = $counted] $family($module::Counted),)+
        }

        $(
            impl From<$module::Description> for Position {
                fn from(position: $module::Description) -> Self {
                    Self::$family(position)
                }
            }

            impl From<$module::StepDescription> for Step {
                fn from(step: $module::StepDescription) -> Self {
                    Self::$family(step)
                }
            }

            impl From<$module::Event> for Event {
                fn from(event: $module::Event) -> Self {
                    Self::$family(event)
                }
            }

            impl From<$module::Counted> for Counted {
                fn from(counted: $module::Counted) -> Self {
                    Self::$family(counted)
                }
            }
        )+
    };
}

super::for_each_family!(families);

/// Calls a function with each step of a legal spelling, in order: one at least, since a pass is a step, too.
#[inline]
pub fn steps<G: Described>(position: &G, spelling: &G::Spelling, mut step: impl FnMut(Step)) {
    let mut passes = true;
    position.steps(spelling, |own| {
        passes = false;
        step(own.into());
    });
    if passes {
        step(Step::Shared(SharedStep::Pass {}));
    }
}

/// A step that more than one game knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SharedStep {
    /// The player cannot move.
    // utoipa leaves out what is said of a variant without braces.
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
        #[cfg_attr(feature = "openapi", schema(value_type = game::RollNumbers))]
        roll: [u8; 2],
    },
    /// A player cannot move, so the turn came back at once.
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

impl<G: Described> From<game::PlyEvent<G>> for Event {
    fn from(event: game::PlyEvent<G>) -> Self {
        match event {
            game::PlyEvent::Own(event) => event.into(),
            game::PlyEvent::Pass(player) => Self::Shared(SharedEvent::Pass { player }),
            game::PlyEvent::Roll(roll) => Self::Shared(SharedEvent::Roll { roll: roll.into() }),
            game::PlyEvent::TurnSkipped(player) => Self::Shared(SharedEvent::TurnSkipped { player }),
            game::PlyEvent::Ended(outcome) => Self::Shared(SharedEvent::Ended { outcome }),
        }
    }
}
