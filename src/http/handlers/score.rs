//! Who has won, why, and what counts?

use actix_web::{HttpRequest, HttpResponse};

use super::{Code, Contract, GameParameter, Problem, StateQuery, json, read_state, state_problems};
use crate::{
    games::{GameId, described::Described},
    http::{
        api::{CountedBody, Score, Text},
        cache::{Tag, tagged},
        extract::{Path, Query},
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, state_problems![]);

/// Tell the score
///
/// Whether the game is over, who has won and why, the points, and what they are made of, also while the game still runs.
#[utoipa::path(
    get,
    path = "/v1/games/{game}/score",
    operation_id = "tellScore",
    tag = "states",
    params(GameParameter, StateQuery),
    responses((status = 200, description = "The score.", body = Score)),
)]
pub async fn answer(
    request: HttpRequest,
    Path(game): Path<GameId>,
    Query(StateQuery { state }): Query<StateQuery>,
) -> Result<HttpResponse, Problem> {
    with_game!(game, G => score::<G>(&request, read_state(&state)?))
}

fn score<G: Described>(request: &HttpRequest, position: G) -> Result<HttpResponse, Problem> {
    tagged(request, Tag::of("score", &[&position]), || {
        let [one, two] = position.counted().map(|counted| counted.into_iter().map(Into::into).collect());
        let outcome = position.standing();
        Ok(json(&Score { state: Text(&position), outcome, counted: CountedBody { one, two } }))
    })
}
