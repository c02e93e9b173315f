//! One module for each operation, and in it `answer`, the handler that is documented and routed, and
//! `CONTRACT`, what the document says about its answers beyond the body.

pub mod analysis;
pub mod apply;
pub mod board_svg;
pub mod evaluation;
pub mod evaluation_of_many;
pub mod game;
pub mod games;
pub mod healthz;
pub mod legal_moves;
pub mod legal_moves_of_many;
pub mod limits;
pub mod metrics;
pub mod openapi_3_0_json;
pub mod openapi_json;
pub mod problem_page;
pub mod random_positions;
pub mod readyz;
pub mod roll;
pub mod score;
pub mod score_of_many;
pub mod suggestion;
pub mod suggestion_of_many;
pub mod suggestion_stream;
pub mod validation;
pub mod validation_of_many;

use actix_web::{
    Error, HttpResponse,
    http::header::{CONTENT_TYPE, HeaderName, HeaderValue},
    web::Bytes,
};
use futures_util::stream;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::task::yield_now;
use utoipa::IntoParams;

use super::{
    contract::{Contract, Shown, limits, searched},
    in_flight::UNCOUNTED,
    problem::Problem,
    state::AppState,
    turn::Turn,
};
use crate::{
    game::Example,
    games::GameId,
    service::{Code, many::Unanswered, to_json},
};

/// The list of documented operations, by module: whatever is done for all of them is done through this macro.
macro_rules! operations {
    ($callback:ident) => {
        $callback! {
            games, game, validation, legal_moves, score, evaluation, suggestion, suggestion_stream, board_svg,
            apply, roll,
            validation_of_many, legal_moves_of_many, score_of_many, evaluation_of_many, suggestion_of_many,
            analysis, random_positions,
            limits, problem_page, healthz, readyz, metrics, openapi_json, openapi_3_0_json
        }
    };
}
pub(super) use operations;

/// The problems that a state in a request can have.
macro_rules! state_problems {
    ($($more:ident),* $(,)?) => {
        &[
            Code::MalformedState, Code::InvalidState, Code::WrongGame, Code::InvalidParameter,
            Code::UnknownGame,
            $(Code::$more),*
        ]
    };
}
use state_problems;

/// The problems that an operation with a state in its body can have.
macro_rules! body_problems {
    ($($more:ident),*) => {
        state_problems![MalformedJson, RequestTimeout, PayloadTooLarge, UnsupportedMediaType, $($more),*]
    };
}
use body_problems;

/// A question about many positions: the example, and what it becomes after its moves.
#[expect(clippy::unnecessary_wraps, reason = "a body's example has to be one that there may be none of")]
fn positions_example(_: GameId, example: &Example) -> Option<Value> {
    let position = |moves: &[&str]| json!({"state": example.state, "moves": moves});
    Some(json!({"positions": [position(&[]), position(example.moves)]}))
}

/// The same for a question that is searched, with few positions to visit.
fn searched_positions_example(id: GameId, example: &Example) -> Option<Value> {
    let mut question = positions_example(id, example)?;
    question["nodes"] = json!(200);
    Some(question)
}

/// The game of a path.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "documents the parameter; the path itself is read as a GameId")]
struct GameParameter {
    /// The game.
    game: crate::games::GameId,
}

/// An answer in JSON.
fn json(body: &impl Serialize) -> HttpResponse {
    json_text(to_json(body).into_bytes())
}

/// The type of an answer in JSON. The library would write its own anew for each.
const JSON: (HeaderName, HeaderValue) = (CONTENT_TYPE, HeaderValue::from_static("application/json"));

/// An answer that is JSON already.
fn json_text(text: Vec<u8>) -> HttpResponse {
    HttpResponse::Ok().insert_header(JSON).body(text)
}

/// The last line of a list, which says why there is no more.
fn problem_line(problem: &Problem) -> Vec<u8> {
    to_json(&Unanswered { problem: problem.body() }).into_bytes()
}

/// An answer that is JSON already, in pieces. Others on the same thread have their turn while it is put
/// together. What is short needs no memory that is counted, so that it is answered whatever others hold.
///
/// # Errors
/// There is no memory for it.
async fn gathered(state: &AppState, pieces: impl Iterator<Item = Vec<u8>>) -> Result<HttpResponse, Problem> {
    let (mut text, mut share, turn) = (Vec::new(), state.in_flight.share(), Turn::begin());
    for piece in pieces {
        text.extend_from_slice(&piece);
        share.set(text.len().saturating_sub(UNCOUNTED))?;
        turn.pass().await;
    }
    Ok(json_text(text))
}

/// The same in pieces that are put together by the caller.
fn json_pieces(pieces: impl Iterator<Item = Vec<u8>> + 'static) -> HttpResponse {
    let pieces = stream::unfold(pieces, async |mut pieces| {
        loop {
            yield_now().await;
            let piece = pieces.next()?;
            // The library would take an empty one for the end.
            if !piece.is_empty() {
                return Some((Ok::<_, Error>(Bytes::from(piece)), pieces));
            }
        }
    });
    HttpResponse::Ok().insert_header(JSON).streaming(Box::pin(pieces))
}
