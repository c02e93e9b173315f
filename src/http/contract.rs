//! What the document says about an operation that the types of its question and its answer do not.

use std::sync::LazyLock;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use utoipa::openapi::OpenApi;

use super::{
    extract::{Json, Query},
    problem::Problem,
    state::RequestLimits,
};
use crate::{
    config::Config,
    game::Example,
    games::GameId,
    search::{Control, TranspositionTable},
    service::{
        Code, Entry, Failure, PositionQuestion,
        many::{Answered, Unanswered},
    },
};

/// What the document says about an operation that the types of its question and its answer do not.
#[derive(Clone, Copy, Debug)]
pub struct Contract {
    /// Whether the answer is a pure function of the request: it carries an entity tag, and may be a 304.
    pub has_etag: bool,
    /// Whether an operation with a body depends on nothing but that, so that it can also be asked by QUERY.
    pub is_pure: bool,
    /// The problems it can have, besides those that every operation has.
    pub problems: &'static [Code],
    /// What an example of a game becomes as the body of a request.
    pub body_example: BodyExample,
    /// What the examples ask in the query besides the state.
    pub query: &'static str,
    /// What the examples are answered with.
    pub shows: Shows,
}

/// The body of a request that an example of a game makes; nothing if it makes none.
pub type BodyExample = fn(GameId, &Example) -> Option<Value>;

/// What examples are answered with. It is worked out when the document is made, by what answers requests.
#[derive(Clone, Copy, Debug)]
pub enum Shows {
    /// Nothing yet.
    Nothing,
    /// One answer, which may tell of the document as far as it has been made.
    One(fn(&OpenApi) -> Shown),
    /// An answer for each question that an example of a game makes; nothing if the question has none.
    EachGame(fn(GameId, &Asked) -> Option<Shown>),
}

impl Contract {
    /// An operation without a body.
    pub const fn get(has_etag: bool, problems: &'static [Code]) -> Self {
        Self {
            has_etag,
            is_pure: true,
            problems,
            body_example: |_, _| None,
            query: "",
            shows: Shows::Nothing,
        }
    }

    /// An operation with a body, whose answer depends on nothing else.
    pub const fn pure(problems: &'static [Code], body_example: BodyExample) -> Self {
        Self { body_example, ..Self::get(false, problems) }
    }

    /// An operation with a body in which chance has a part.
    pub const fn drawing(problems: &'static [Code], body_example: BodyExample) -> Self {
        Self { is_pure: false, ..Self::pure(problems, body_example) }
    }

    /// The same, with examples that ask this besides the state.
    pub const fn asking(self, query: &'static str) -> Self {
        Self { query, ..self }
    }

    /// The same, showing answers about the games.
    pub const fn showing(self, answer: fn(GameId, &Asked) -> Option<Shown>) -> Self {
        Self { shows: Shows::EachGame(answer), ..self }
    }

    /// The same, showing the one answer that there is.
    pub const fn showing_one(self, answer: fn(&OpenApi) -> Shown) -> Self {
        Self { shows: Shows::One(answer), ..self }
    }
}

/// What an example asks.
#[derive(Clone, Debug)]
pub enum Asked {
    /// In the query.
    Query(String),
    /// In the body.
    Body(Value),
}

impl Asked {
    /// The question, read as that of a request.
    pub fn question<T: DeserializeOwned>(&self) -> T {
        let question = match self {
            Self::Query(query) => Query::read(query).map(|Query(question)| question),
            Self::Body(body) => Json::read(body.to_string().as_bytes()).map(|Json(question)| question),
        };
        question.expect("an example can be asked")
    }
}

/// An answer as the document shows it: its media type and its body.
#[derive(Clone, Debug)]
pub struct Shown(pub &'static str, pub Value);

impl Shown {
    /// An answer in JSON.
    pub fn json(answer: &impl Serialize) -> Self {
        Self("application/json", json!(answer))
    }

    /// The answers about many positions.
    pub fn results<A: Serialize>(
        positions: &[Entry],
        answer: impl Fn(&PositionQuestion) -> Result<A, Failure>,
    ) -> Self {
        let result = |position: &Entry| match position.get().and_then(|position| answer(&position)) {
            Ok(answer) => json!(Answered { answer }),
            Err(failure) => json!(Unanswered { problem: Problem::from(failure).body() }),
        };
        let results: Vec<_> = positions.iter().map(result).collect();
        Self::json(&json!({ "results": results }))
    }
}

/// What a service allows that has been set up in no way.
pub fn limits() -> &'static RequestLimits {
    static LIMITS: LazyLock<RequestLimits> = LazyLock::new(|| RequestLimits::from(&Config::default()));
    &LIMITS
}

/// What a search finds on a thread of such a service.
pub fn searched<T>(search: impl FnOnce(&Control, &mut TranspositionTable) -> T) -> T {
    search(&Control::new(), &mut TranspositionTable::new(limits().table_bytes))
}
