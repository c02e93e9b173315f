//! What a position is worth, in every stage.

use serde::{Deserialize, Serialize};

use super::{
    Failure, Ranged, StageName,
    questions::questions,
    searching::{Nodes, SearchBounds, SearchPlan, SearchReport, TimeMs},
};
use cublino_engine::{Evaluated, Value as PositionValue};
use cublino_rules::game::{Notation, Player, Record};

/// Plies to look ahead; 0 is the static evaluation.
pub type EvaluationDepth = Ranged<0, 100>;

questions! {
    /// What is asked about the value of a position, besides which position: how hard to think about it.
    EvaluationWish;
    /// A question about what a position is worth, and how hard to think about it.
    EvaluationQuestion;
    /// A question about what each of many positions is worth, and how hard to think about each.
    EvaluationsQuestion;

    /// How long to think about a position, in milliseconds, at most as long as the service allows (10,000
    /// unless it is set up otherwise), from the start of the search. Without any limit, 500.
    time_ms: Option<TimeMs>, param(inline, nullable = false), schema(inline, nullable);
    /// How many plies to look ahead, at most as many as the service allows (64 unless it is set up
    /// otherwise), which is the default. With 0 nothing is searched: the value is the static evaluation, at
    /// the price of a cheap call.
    depth: Option<EvaluationDepth>, param(inline, nullable = false), schema(inline, nullable, example = 0);
    /// How many positions to visit, at most as many as the service allows (20,000,000 unless it is set up
    /// otherwise), which is the default. Before a roll they are split among all rolls.
    nodes: Option<Nodes>, param(inline, nullable = false), schema(inline, nullable);
}

/// What a position is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Evaluation {
    /// The state in canonical form.
    pub state: String,
    /// The player to move, or to roll; when the game is over, the one who would have been next.
    pub turn: Player,
    /// Who acts next, and how, with the moves played taken into account.
    pub stage: StageName,
    /// What the position is worth to the player whose turn it is: where there is a move to play, with the
    /// best one; where the dice are to be rolled, the mean over all rolls; when the game is over, the result.
    pub value: PositionValue,
    /// What each roll would make of it; only in the stage `roll`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(required = false, nullable = false))]
    pub rolls: Option<Vec<RollValue>>,
    /// How the service came to it.
    pub search: SearchReport,
}

/// What a roll of the dice would make of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RollValue {
    /// What the dice show, the larger number first.
    #[cfg_attr(feature = "openapi", schema(value_type = cublino_rules::game::RollText))]
    pub roll: String,
    /// How likely it is.
    #[cfg_attr(feature = "openapi", schema(exclusive_minimum = 0, maximum = 1, example = 0.0556))]
    pub probability: f64,
    /// What the position is worth after it, to the player who rolls.
    pub value: PositionValue,
}

/// How hard to think about the value of a position, within the bounds of the service.
///
/// # Errors
/// A limit is above that of the service.
pub fn plan(wish: &EvaluationWish, bounds: &SearchBounds) -> Result<SearchPlan, Failure> {
    bounds.plan(wish.time_ms, wish.depth.map(EvaluationDepth::to), wish.nodes, false)
}

/// What has been found out. A reproducible answer does not tell how long it took.
#[must_use]
pub fn answer<G: Notation>(
    record: &Record<G>,
    found: &Evaluated<G::Roll>,
    is_reproducible: bool,
) -> Evaluation {
    let (position, rolls) = (record.position(), &found.rolls);
    let &Evaluated { value, depth, complete, nodes, time, stopped_by, .. } = found;
    let of_roll = |roll: &cublino_engine::RollValue<G::Roll>| RollValue {
        roll: roll.roll.to_string(),
        probability: roll.probability,
        value: roll.value,
    };
    Evaluation {
        state: position.to_string(),
        turn: position.turn(),
        stage: record.stage().into(),
        value,
        rolls: (!rolls.is_empty()).then(|| rolls.iter().map(of_roll).collect()),
        search: SearchReport::new(depth, complete, nodes, (!is_reproducible).then_some(time), stopped_by),
    }
}
