//! Playing a list of moves.

use actix_web::{HttpResponse, web::Data};

use super::{Code, Contract, GameParameter, Problem, body_problems, json, read_state, state_problems};
use crate::{
    game::{Ply, Record},
    games::{GameId, described::Described},
    http::{
        State,
        api::{Applied, Apply, PlyBody, Text},
        extract::{Json, Path},
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::post(body_problems![MalformedMove, IllegalMove, GameOver, RollFirst], |_, example| {
        let body = || serde_json::json!({"state": example.state, "moves": example.moves});
        (!example.moves.is_empty()).then(body)
    });

/// Play a list of moves
///
/// Plays the moves in order and tells what happened, for a user interface to show. All moves are legal, or nothing is played: the problem
/// then names the index of the first that is not, and says why. After the moves a player may resign.
#[utoipa::path(
    post,
    path = "/v1/games/{game}/apply",
    operation_id = "applyMoves",
    tag = "play",
    params(GameParameter),
    request_body = Apply,
    responses((status = 200, description = "What became of the moves.", body = Applied)),
)]
pub async fn answer(
    state: Data<State>,
    Path(game): Path<GameId>,
    Json(body): Json<Apply>,
) -> Result<HttpResponse, Problem> {
    let max = state.limits.max_moves;
    let count = body.moves.len();
    if count > max {
        let detail = format!("'moves' has {count} entries, and must have no more than {max}");
        return Err(Problem::invalid_parameter("moves", detail));
    }
    with_game!(game, G => apply::<G>(read_state(&body.state)?, &body))
}

fn apply<G: Described>(start: G, body: &Apply) -> Result<HttpResponse, Problem> {
    let limit = body.repetition_limit.map(|limit| limit.get() as u32);
    let mut record = Record::new(start, limit);
    let play =
        |(i, text): (usize, &String)| record.play(text).map_err(|refusal| Problem::refused(i, &refusal));
    let mut plies: Vec<Ply<G>> = body.moves.iter().enumerate().map(play).collect::<Result<_, _>>()?;
    if let Some(player) = body.resign {
        let ended = record.resign(player)?;
        if let Some(last) = plies.last_mut() {
            last.events.push(ended);
        }
    }
    let position = record.position();
    let body = Applied {
        state: Text(position),
        turn: position.turn(),
        stage: record.stage().into(),
        outcome: record.standing(),
        position: position.describe().into(),
        plies: plies.iter().map(ply).collect(),
    };
    Ok(json(&body))
}

fn ply<G: Described>(ply: &Ply<G>) -> PlyBody<'_> {
    PlyBody {
        text: &ply.text,
        player: ply.player,
        state: Text(&ply.position),
        events: ply.events.iter().cloned().map(Into::into).collect(),
    }
}
