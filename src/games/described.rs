//! Positions, steps and events of any game, for answers that one operation gives for all of them.

use serde::Serialize;

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

/// A position taken apart, so that nobody needs to parse the notation; `kind` tells the family of games.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Position {
    /// Cublino Pur, Contra and Ecke.
    Cublino(cublino::Description),
    /// Mahbusa.
    Mahbusa(mahbusa::Description),
    /// Wari.
    Wari(wari::Description),
}

/// One step of a move; `kind` tells what it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Step {
    /// A step in Cublino.
    Cublino(cublino::StepDescription),
    /// A step in Mahbusa.
    Mahbusa(mahbusa::StepDescription),
    /// The step of a move in Wari.
    Wari(wari::Step),
    /// A step in any game.
    Shared(SharedStep),
}

/// Calls a function with each step of a legal spelling, in order: one at least, since a pass is a step, too.
pub fn steps<G: Described>(position: &G, spelling: &G::Spelling, mut step: impl FnMut(Step)) {
    let mut passes = true;
    position.steps(spelling, |own| {
        passes = false;
        step(own.into());
    });
    if passes {
        step(Step::Shared(SharedStep::Pass));
    }
}

impl Step {
    /// Appends the JSON that `Serialize` writes; for the family with the most steps in a fraction of the time.
    pub fn append_json(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Cublino(step) => bytes.extend_from_slice(step.json()),
            other => serde_json::to_writer(bytes, other).expect("writing to memory cannot fail"),
        }
    }
}

/// A step that more than one game knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SharedStep {
    /// The player cannot move.
    Pass,
}

/// Something that happens while moves are played, for a user interface; `kind` tells what it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

/// An event that more than one game knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SharedEvent {
    /// The dice were rolled.
    Roll {
        /// What they show, the larger number first.
        #[cfg_attr(feature = "openapi", schema(min_items = 2, max_items = 2, example = json!([6, 3])))]
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

/// Something that counts in the score.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

impl<G: Described> From<game::PlyEvent<G>> for Event {
    fn from(event: game::PlyEvent<G>) -> Self {
        match event {
            game::PlyEvent::Own(event) => event.into(),
            game::PlyEvent::Roll(roll) => Self::Shared(SharedEvent::Roll { roll: roll.into() }),
            game::PlyEvent::TurnSkipped(player) => Self::Shared(SharedEvent::TurnSkipped { player }),
            game::PlyEvent::Ended(outcome) => Self::Shared(SharedEvent::Ended { outcome }),
        }
    }
}

/// The lines in which a family of games says what its parts are in the common form.
macro_rules! family {
    ($family:ident: $position:ty, $step:ty, $event:ty, $counted:ty) => {
        impl From<$position> for Position {
            fn from(position: $position) -> Self {
                Self::$family(position)
            }
        }

        impl From<$step> for Step {
            fn from(step: $step) -> Self {
                Self::$family(step)
            }
        }

        impl From<$event> for Event {
            fn from(event: $event) -> Self {
                Self::$family(event)
            }
        }

        impl From<$counted> for Counted {
            fn from(counted: $counted) -> Self {
                Self::$family(counted)
            }
        }
    };
}

family!(Cublino: cublino::Description, cublino::StepDescription, cublino::Event, cublino::Counted);
family!(Mahbusa: mahbusa::Description, mahbusa::StepDescription, mahbusa::Event, mahbusa::Counted);
family!(Wari: wari::Description, wari::Step, wari::Event, wari::Counted);
