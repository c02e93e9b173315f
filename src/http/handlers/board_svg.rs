//! What does it look like?

use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{Code, Contract, GameParameter, Problem, read_state, state_problems};
use crate::{
    game::{Notation, Player, Refusal, Stage},
    games::GameId,
    http::{
        cache::{Tag, tagged},
        extract::{Path, Query},
    },
    render::{self, Draw},
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::get(true, state_problems![MalformedMove, IllegalMove, GameOver, RollFirst]);

/// The media type of pictures.
const SVG: &str = "image/svg+xml";

/// A wish for a picture.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PictureQuery {
    /// The state, in the notation of the game.
    #[param(max_length = 512)]
    state: String,
    /// A legal move, drawn as an arrow on the state before it is played.
    #[serde(rename = "move")]
    #[param(nullable = false, example = "e1e2")]
    text: Option<String>,
    /// Whether the board is seen from the side of player two.
    #[serde(default)]
    flip: bool,
}

/// Draw the state
///
/// A picture to look at: what stands where, whose turn it is or how the game ended, and a move as an arrow if one is given. It needs nothing from
/// elsewhere, follows the reader's choice of light or dark, and has a title and a description for those who do not see it.
#[utoipa::path(
    get,
    path = "/v1/games/{game}/board.svg",
    operation_id = "drawState",
    tag = "states",
    params(GameParameter, PictureQuery),
    responses((
        status = 200,
        description = "The picture.",
        body = String,
        content_type = "image/svg+xml",
        example = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 608 674.2\">…</svg>",
    )),
)]
pub async fn answer(
    request: HttpRequest,
    Path(game): Path<GameId>,
    Query(query): Query<PictureQuery>,
) -> Result<HttpResponse, Problem> {
    with_game!(game, G => draw::<G>(&request, read_state(&query.state)?, &query))
}

fn draw<G: Draw>(request: &HttpRequest, position: G, query: &PictureQuery) -> Result<HttpResponse, Problem> {
    let m = query.text.as_deref().map(|text| read_move(&position, text)).transpose()?;
    let written = m.as_ref().map(G::Spelling::to_string).unwrap_or_default();
    tagged(request, Tag::of("board.svg", &[&position, &written, &query.flip]), || {
        let seen_by = if query.flip { Player::Two } else { Player::One };
        let picture = render::picture(&position, m.as_ref(), seen_by);
        Ok(HttpResponse::Ok().content_type(SVG).body(picture))
    })
}

/// Reads a move and checks that it is legal.
fn read_move<G: Notation>(position: &G, text: &str) -> Result<G::Spelling, Problem> {
    let refused = |refusal: Refusal<G>| Problem::from(&refusal);
    match position.stage() {
        Stage::Over(outcome) => Err(refused(Refusal::GameOver(outcome))),
        Stage::Roll => {
            let detail = "the dice are to be rolled before there is a move to draw";
            Err(Problem::new(Code::RollFirst, detail))
        }
        Stage::Move => {
            let spelling = text.parse().map_err(|fault| refused(Refusal::Malformed(fault)))?;
            position.resolve(&spelling).map_err(|fault| refused(Refusal::Illegal(fault)))?;
            Ok(spelling)
        }
    }
}
