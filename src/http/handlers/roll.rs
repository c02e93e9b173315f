//! Rolling the dice.

use actix_web::HttpResponse;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{Code, Contract, GameParameter, Problem, body_problems, json, read_state, state_problems};
use crate::{
    game::{Game, NoDice, Stage, playout},
    games::GameId,
    http::{
        api::{MAX_SAFE_INTEGER, Roll, Rolled, Seed, Text},
        cache::unkept,
        extract::{Json, Path},
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::post(
    body_problems![IllegalMove, GameOver, NoDice],
    |game, example| {
        let body = || serde_json::json!({"state": example.state, "seed": 42});
        with_game!(game, G => read_state::<G>(example.state).is_ok_and(|position| position.stage() == Stage::Roll))
        .then(body)
    },
);

/// Roll the dice
///
/// Rolls the dice for the player whose turn it is. Without a seed, chance decides; the seed in the answer gives the same roll again.
#[utoipa::path(
    post,
    path = "/v1/games/{game}/roll",
    operation_id = "rollDice",
    tag = "play",
    params(GameParameter),
    request_body = Roll,
    responses((status = 200, description = "The roll, and the state after it.", body = Rolled)),
)]
pub async fn answer(Path(game): Path<GameId>, Json(body): Json<Roll>) -> Result<HttpResponse, Problem> {
    with_game!(game, G => roll::<G>(&body))
}

fn roll<G: Game>(body: &Roll) -> Result<HttpResponse, Problem> {
    if G::ROLLS.is_empty() {
        return Err(Problem::new(Code::NoDice, NoDice.to_string()));
    }
    let mut position: G = read_state(&body.state)?;
    match position.stage() {
        Stage::Roll => {}
        Stage::Move => {
            let detail = "the dice have been rolled, and a move is to be played";
            return Err(Problem::new(Code::IllegalMove, detail));
        }
        Stage::Over(_) => {
            return Err(Problem::new(Code::GameOver, "the game is over, so nothing can be rolled"));
        }
    }
    // A seed that was not given must survive readers of JSON that know only floating-point numbers.
    let seed = body.seed.map_or_else(|| rand::rng().random_range(0..=MAX_SAFE_INTEGER), Seed::get);
    let roll = playout::roll::<G>(&mut Pcg64::seed_from_u64(seed)).expect("a game that rolls has rolls");
    position.roll_unchecked(roll);
    Ok(unkept(json(&Rolled { state: Text(&position), roll: roll.into(), seed })))
}
