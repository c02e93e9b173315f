//! Whether a text is a state, and if not, why not.

use serde::{Deserialize, Serialize};

use super::{Fault, StageName};
use crate::{
    game::{Player, Standing},
    games::described::{Described, Position},
};

/// A question about any text: unlike a state, it may be as long as a request may.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct TextQuestion {
    /// The text that may be a state, in the notation of the game.
    pub state: String,
}

/// Whether a text is a state of a game, and if not, why not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Validation {
    /// The text as it was given.
    pub state: String,
    /// Whether it can be read.
    pub well_formed: bool,
    /// Whether it can be read and the rules allow it.
    pub valid: bool,
    /// Everything that is wrong with it, in the order of the text; empty if it is valid.
    pub problems: Vec<Fault>,
    /// The state as the service writes it; null unless it is valid.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub canonical: Option<String>,
    /// The player to move, or to roll; null unless the state is valid.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub turn: Option<Player>,
    /// Who acts next, and how; null unless the state is valid.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub stage: Option<StageName>,
    /// Whether the game is over, and how it stands; null unless the state is valid.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub outcome: Option<Standing>,
    /// The position taken apart; null unless the state is valid.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub position: Option<Position>,
}

/// Checks a text.
#[must_use]
pub fn answer<G: Described>(TextQuestion { state }: TextQuestion) -> Validation {
    let (well_formed, read) = match state.parse::<G::Setup>() {
        Ok(setup) => (true, G::try_from(setup).map_err(|faults| Fault::all(&faults))),
        Err(faults) => (false, Err(Fault::all(&faults))),
    };
    let position = read.as_ref().ok();
    Validation {
        state,
        well_formed,
        valid: position.is_some(),
        canonical: position.map(G::to_string),
        turn: position.map(G::turn),
        stage: position.map(|position| position.stage().into()),
        outcome: position.map(G::standing),
        position: position.map(|position| position.describe().into()),
        problems: read.err().unwrap_or_default(),
    }
}
