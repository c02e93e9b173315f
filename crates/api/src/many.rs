//! Answers about many positions at once.

use serde::{Deserialize, Serialize};

use super::problem::ProblemBody;

/// What the answers about many positions are in one JSON value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Results<A> {
    /// One for each position, in their order.
    #[cfg_attr(feature = "openapi", schema(max_items = 1000))]
    pub results: Vec<PositionResult<A>>,
}

/// The answer about a position or, if it has none, why not; a problem of one spoils no other. One has the
/// member `answer`, the other `problem`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum PositionResult<A> {
    /// There is an answer.
    Answered(Answered<A>),
    /// There is none.
    Unanswered(Unanswered<'static>),
}

/// The answer about a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answered<A> {
    /// What the same question about this position alone is answered with.
    pub answer: A,
}

/// Why there is no answer, where others of the same request may have one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Unanswered<'a> {
    /// The problem, with places in the state of this position and in the moves since.
    pub problem: ProblemBody<'a>,
}
