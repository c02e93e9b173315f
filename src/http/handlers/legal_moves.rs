//! What can be played?

use actix_web::{HttpRequest, HttpResponse};

use super::{Code, Contract, GameParameter, Problem, StateQuery, json_bytes, read_state, state_problems};
use crate::{
    game::Stage,
    games::{GameId, described::Described},
    http::{
        api::{LegalMoves, MoveBody, RollBody, Text},
        cache::{Tag, tagged},
        extract::{Path, Query},
    },
    with_game,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, state_problems![]);

/// Bytes of an answer without its moves, and of one move in it: somewhat more than most have, so that the buffer need
/// not grow.
const BYTES: (usize, usize) = (512, 192);

/// Room for the moves of most positions, and for the text of one, so that they seldom grow.
const USUAL_MOVES: usize = 128;
const USUAL_TEXT: usize = 64;

/// List the legal moves
///
/// Every legal move, each with its steps and the state after it. Where the dice are to be rolled there are no moves, but the distinct rolls with
/// their probabilities.
#[utoipa::path(
    get,
    path = "/v1/games/{game}/legal-moves",
    operation_id = "listLegalMoves",
    tag = "states",
    params(GameParameter, StateQuery),
    responses((status = 200, description = "The legal moves.", body = LegalMoves)),
)]
pub async fn answer(
    request: HttpRequest,
    Path(game): Path<GameId>,
    Query(StateQuery { state }): Query<StateQuery>,
) -> Result<HttpResponse, Problem> {
    with_game!(game, G => list::<G>(&request, read_state(&state)?))
}

fn list<G: Described>(request: &HttpRequest, position: G) -> Result<HttpResponse, Problem> {
    let mut text = Vec::with_capacity(USUAL_TEXT);
    position.append_text(&mut text);
    let text = str::from_utf8(&text).expect("states are ASCII");
    tagged(request, Tag::of("legal-moves", &[&text]), || {
        let stage = position.stage();
        let mut moves = Vec::with_capacity(USUAL_MOVES);
        if stage == Stage::Move {
            position.list(|spelling, m| moves.push((spelling, m)));
        }
        let count = moves.len();
        let body = LegalMoves {
            state: Text(&text),
            turn: position.turn(),
            stage: stage.into(),
            outcome: position.standing(),
            count,
            rolls: (stage == Stage::Roll).then(rolls::<G>),
            moves: Vec::new(),
        };
        let (frame, each) = BYTES;
        let mut bytes = Vec::with_capacity(frame + each * count);
        let mut append_after = position.append_after();
        body.write(&mut bytes, |array| {
            for (spelling, m) in &moves {
                MoveBody::write(array.item(), &position, spelling, |bytes| append_after(*m, bytes));
            }
        });
        Ok(json_bytes(bytes))
    })
}

/// All distinct rolls, each with its share of all rolls.
fn rolls<G: Described>() -> Vec<RollBody<'static>> {
    let total: u32 = G::ROLLS.iter().map(|(_, weight)| weight).sum();
    let probability = |weight| f64::from(weight) / f64::from(total);
    G::ROLLS
        .iter()
        .map(|(roll, weight)| RollBody { roll: Text(roll), probability: probability(*weight) })
        .collect()
}
