//! What a position is worth, in every stage.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Answer, Asked, Bounds, Effort, Found, Operation, Plan, Planned, Played, Search, StageName,
    searching::{Nodes, SearchLimit, SearchReport, TimeMs, time_ms},
};
use cublino_engine::{
    Control, Engine, Evaluated, RollValue as OfRoll, SearchLimits, TranspositionTable, Value as PositionValue,
};
use cublino_rules::game::{Player, Stage};

/// A question about the value of a position, and the limits of the search.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EvaluationQuestion {
    /// The state, in the notation of the game.
    #[schema(max_length = 512)]
    pub state: String,
    /// Maximum time to search, in milliseconds. Without any limit: 500.
    #[schema(inline, nullable)]
    pub time_ms: Option<TimeMs>,
    /// Maximum depth, in plies. 0 means static evaluation.
    #[schema(inline, nullable)]
    pub depth: Option<SearchLimit<0, 100>>,
    /// Maximum nodes to search, shared among all rolls.
    #[schema(inline, nullable)]
    pub nodes: Option<Nodes>,
}

/// The value of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Evaluation {
    /// The state in canonical form.
    pub state: String,
    /// The player to move or to roll. After the end, the player who would have been next.
    pub turn: Player,
    /// What happens next: a move, a roll, or nothing. Repetition counts.
    pub stage: StageName,
    /// The value for the player whose turn it is: with the best move; before a roll, the mean over all rolls;
    /// after the end, the result.
    pub value: PositionValue,
    /// The value after each roll; only in the stage `roll`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub rolls: Option<Vec<RollValue>>,
    /// A report on the search.
    pub search: SearchReport,
}

/// The value of a position after a roll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RollValue {
    /// What the dice show, the larger number first.
    #[schema(value_type = cublino_rules::game::RollText)]
    pub roll: String,
    /// How likely it is.
    #[schema(exclusive_minimum = 0, maximum = 1, example = 0.0556)]
    pub probability: f64,
    /// The value after the roll, for the player who rolls.
    pub value: PositionValue,
}

impl Operation for Evaluation {
    const NAME: &'static str = "evaluation";
    const HAS_MANY: bool = true;
    const USES_ENGINE: bool = true;

    type Question = EvaluationQuestion;
    type Item = ();

    fn state(question: &EvaluationQuestion) -> Option<&str> {
        Some(&question.state)
    }

    fn plan<G: Played>(question: &EvaluationQuestion, bounds: &Bounds, stage: Stage) -> Planned<G, Self> {
        let &EvaluationQuestion { time_ms, depth, nodes, .. } = question;
        let options = bounds.search.options(time_ms, depth, nodes, false)?;
        if options.limits.depth == Some(0) || matches!(stage, Stage::Over(_)) {
            return Ok(Plan::AtOnce(|asked| {
                let limits = SearchLimits { depth: Some(0), ..SearchLimits::default() };
                // The table is not used, so it is as small as possible.
                let search = searching(asked, limits);
                Ok(Answer::Value(search(&Control::new(), &mut TranspositionTable::new(0)).answer))
            }));
        }
        let searches = if stage == Stage::Roll { G::ROLLS.len() } else { 1 };
        Ok(Plan::Search(Effort { options, searches }, |asked, effort| {
            Ok(Search::new(effort, searching(asked, effort.options.limits)))
        }))
    }
}

/// Evaluates a position within some limits.
fn searching<G: Played>(
    asked: Asked<'_, G, EvaluationQuestion>,
    limits: SearchLimits,
) -> impl FnOnce(&Control, &mut TranspositionTable) -> Found<Evaluation> + use<G> {
    let (record, engine) = (asked.record, Engine::built_in::<G>(asked.bounds.tablebases.clone()));
    move |control, table| {
        let found = engine.evaluate(&record, &limits, control, table);
        let Evaluated { value, rolls, depth, complete, nodes, time, stopped_by } = found;
        let of_roll = |of_roll: &OfRoll<G::Roll>| RollValue {
            roll: of_roll.roll.to_string(),
            probability: of_roll.probability,
            value: of_roll.value,
        };
        // A reproducible answer does not contain the time that it took.
        let time_ms = time_ms(time, limits.time.is_none());
        let answer = Evaluation {
            state: record.position().to_string(),
            turn: record.position().turn(),
            stage: record.stage().into(),
            value,
            rolls: (!rolls.is_empty()).then(|| rolls.iter().map(of_roll).collect()),
            search: SearchReport { depth, complete, nodes, time_ms, stopped_by },
        };
        Found { answer, nodes, time, stopped_by }
    }
}
