//! What a position looks like.

use serde::{Deserialize, Serialize};

use super::{Code, Failure, read};
use crate::{
    game::{Notation, Player, Refusal, Stage, drawing::Draw},
    render,
};

/// A wish for a picture.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct PictureQuestion {
    /// The state, in the notation of the game.
    #[cfg_attr(feature = "openapi", param(max_length = 512))]
    pub state: String,
    /// A legal move, drawn as an arrow on the state before it is played.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "openapi", param(nullable = false, example = "e1e2"))]
    pub text: Option<String>,
    /// Whether the board is seen from the side of player two.
    #[serde(default)]
    pub flip: bool,
}

/// What is to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture<G: Notation> {
    /// The position.
    pub position: G,
    /// The legal move that is shown on it.
    pub spelling: Option<G::Spelling>,
    /// Whether the board is seen from the side of player two.
    pub flip: bool,
}

impl<G: Draw> Picture<G> {
    /// What is asked for.
    ///
    /// # Errors
    /// The state cannot be read, or the move is not legal there.
    pub fn read(question: &PictureQuestion) -> Result<Self, Failure> {
        let position = read(&question.state)?;
        let spelling = question.text.as_deref().map(|text| read_move(&position, text)).transpose()?;
        Ok(Self { position, spelling, flip: question.flip })
    }

    /// The picture as SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        let seen_by = if self.flip { Player::Two } else { Player::One };
        render::picture(&self.position, self.spelling.as_ref(), seen_by)
    }
}

/// Reads a move and checks that it is legal.
fn read_move<G: Notation>(position: &G, text: &str) -> Result<G::Spelling, Failure> {
    let refused = |refusal: Refusal<G>| Failure::from(refusal);
    match position.stage() {
        Stage::Over(outcome) => Err(refused(Refusal::GameOver(outcome))),
        Stage::Roll => {
            Err(Failure::new(Code::RollFirst, "the dice are to be rolled before there is a move to draw"))
        }
        Stage::Move => {
            let spelling = text.parse().map_err(|fault| refused(Refusal::Malformed(fault)))?;
            position.resolve(&spelling).map_err(|fault| refused(Refusal::Illegal(fault)))?;
            Ok(spelling)
        }
    }
}
