//! Rolling the dice.

use actix_web::HttpResponse;

use super::{Code, Contract, GameParameter, Problem, Shown, body_problems, json, state_problems};
use crate::{
    game::{Game, Stage},
    http::{
        cache_control::no_store,
        extract::{GameOfPath, Json},
    },
    service::{
        self, paths,
        roll::{self, Roll, Rolled},
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::drawing(body_problems![IllegalMove, GameOver, NoDice], |game, example| {
        let rolls = with_game!(game, G => {
            service::read::<G>(example.state).is_ok_and(|position| position.stage() == Stage::Roll)
        });
        rolls.then(|| serde_json::json!({"state": example.state, "seed": 42}))
    })
    .showing(|game, asked| {
        let question: Roll = asked.question();
        Some(Shown::json(&with_game!(game, G => roll::answer::<G>(&question)).ok()?))
    });

/// Roll the dice
///
/// Rolls the dice for the player to move. Without `seed` the service draws one; the seed in the answer
/// gives the same roll again.
#[utoipa::path(
    post,
    path = paths::ROLL,
    operation_id = "rollDice",
    tag = "play",
    params(GameParameter),
    request_body = Roll,
    responses((status = 200, description = "The roll, and the state after it.", body = Rolled)),
)]
pub async fn answer(
    GameOfPath(game): GameOfPath,
    Json(question): Json<Roll>,
) -> Result<HttpResponse, Problem> {
    let rolled = with_game!(game, G => roll::answer::<G>(&question))?;
    Ok(no_store(json(&rolled)))
}
