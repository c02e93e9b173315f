//! Is it a state, and if not, why not?

use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{Code, Contract, GameParameter, Problem, json};
use crate::{
    games::{GameId, described::Described},
    http::{
        api::{Text, Validation},
        cache::{Tag, tagged},
        extract::{Path, Query},
        problem::Reason,
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, &[Code::InvalidParameter, Code::UnknownGame]);

/// A question about any text: unlike a state, it may be as long as a query may.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct TextQuery {
    /// The text that may be a state, in the notation of the game.
    state: String,
}

/// Check a state
///
/// Says of any text whether it is a state of the game, and if not, everything that is wrong with it. A state that is valid is also
/// taken apart.
#[utoipa::path(
    get,
    path = "/v1/games/{game}/validation",
    operation_id = "validateState",
    tag = "states",
    params(GameParameter, TextQuery),
    responses((status = 200, description = "What is right or wrong with the text.", body = Validation)),
)]
pub async fn answer(
    request: HttpRequest,
    Path(game): Path<GameId>,
    Query(TextQuery { state }): Query<TextQuery>,
) -> Result<HttpResponse, Problem> {
    tagged(&request, Tag::of("validation", &[&game, &state]), || {
        Ok(with_game!(game, G => validate::<G>(&state)))
    })
}

fn validate<G: Described>(state: &str) -> HttpResponse {
    let (well_formed, read) = match state.parse::<G::Setup>() {
        Ok(setup) => (true, G::try_from(setup).map_err(|faults| Reason::all(&faults))),
        Err(faults) => (false, Err(Reason::all(&faults))),
    };
    let position = read.as_ref().ok();
    let body = Validation {
        state,
        well_formed,
        valid: position.is_some(),
        canonical: position.map(|position| Text(position)),
        turn: position.map(G::turn),
        stage: position.map(|position| position.stage().into()),
        outcome: position.map(G::standing),
        position: position.map(|position| position.describe().into()),
        problems: read.as_ref().err().cloned().unwrap_or_default(),
    };
    json(&body)
}
