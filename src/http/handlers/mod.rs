//! One module for each operation, and in it `answer`, the handler that is documented and routed, and
//! `CONTRACT`, what the document says about its answers beyond the body.

pub mod apply;
pub mod board_svg;
pub mod game;
pub mod games;
pub mod healthz;
pub mod legal_moves;
pub mod metrics;
pub mod openapi_json;
pub mod problem_page;
pub mod readyz;
pub mod roll;
pub mod score;
pub mod suggestion;
pub mod suggestion_stream;
pub mod validation;

use actix_web::{
    HttpResponse,
    http::header::{ContentType, TryIntoHeaderValue},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::IntoParams;

use super::problem::Problem;
use crate::{
    game::Example,
    games::GameId,
    service::{Code, to_json},
};

/// The list of documented operations, by module: whatever is done for all of them is done through this macro.
macro_rules! operations {
    ($callback:ident) => {
        $callback! {
            games, game, validation, legal_moves, score, suggestion, suggestion_stream, board_svg, apply, roll,
            problem_page, healthz, readyz, metrics, openapi_json
        }
    };
}
pub(super) use operations;

/// What the document says about the answers of an operation, beyond the body of the good one.
#[derive(Clone, Copy, Debug)]
pub struct Contract {
    /// Whether the answer is a pure function of the request: it carries an entity tag, and may be a 304.
    pub tagged: bool,
    /// The problems it can have, besides those that every operation has.
    pub problems: &'static [Code],
    /// What an example of a game becomes as the body of a request.
    pub body_example: BodyExample,
}

/// The body of a request that an example of a game makes; nothing if it makes none.
pub type BodyExample = fn(GameId, &Example) -> Option<Value>;

impl Contract {
    /// An operation without a body.
    const fn get(tagged: bool, problems: &'static [Code]) -> Self {
        Self { tagged, problems, body_example: |_, _| None }
    }

    /// An operation with a body.
    const fn post(problems: &'static [Code], body_example: BodyExample) -> Self {
        Self { tagged: false, problems, body_example }
    }
}

/// The problems that a state in a request can have.
macro_rules! state_problems {
    ($($more:ident),*) => {
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

/// The game of a path.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "documents the parameter; the path itself is read as a GameId")]
struct GameParameter {
    /// The game.
    game: crate::games::GameId,
}

/// An operation that takes no parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoParameters {}

/// An answer in JSON.
fn json(body: &impl Serialize) -> HttpResponse {
    json_text(to_json(body).into_bytes())
}

/// An answer that is JSON already.
fn json_text(text: Vec<u8>) -> HttpResponse {
    let content_type = ContentType::json().try_into_value().expect("a constant");
    HttpResponse::Ok().insert_header((actix_web::http::header::CONTENT_TYPE, content_type)).body(text)
}
