//! Who has won, why, and what counts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Answer, Bounds, Operation, Plan, Planned, Played, StateQuestion};
use cublino_rules::{
    game::{Notation, Record, Stage, Standing},
    games::described::Counted,
};

/// The score of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Score {
    /// The state in canonical form.
    pub state: String,
    /// Whether the game is over, who has won and why, and the points.
    pub outcome: Standing,
    /// What counts, also during the game.
    pub counted: CountedForEach,
}

/// What counts for each player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CountedForEach {
    /// What counts for player one.
    pub one: Vec<Counted>,
    /// What counts for player two.
    pub two: Vec<Counted>,
}

/// The score of a game so far.
///
/// ```
/// use cublino_rules::{game::{Game, Player, Status}, games::Contra};
///
/// let score = cublino_api::score::answer(&Contra::read("cWa1We7va7")?.into());
/// assert_eq!((score.outcome.status, score.outcome.winner), (Status::Won, Some(Player::One)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer<G: Notation>(record: &Record<G>) -> Score {
    let position = record.position();
    let [one, two] = position.counted(record.stage().outcome().is_some());
    let counted = CountedForEach { one, two };
    Score { state: position.to_string(), outcome: record.standing(), counted }
}

impl Operation for Score {
    const NAME: &'static str = "score";
    const HAS_MANY: bool = true;

    type Question = StateQuestion;
    type Item = ();

    fn state(question: &StateQuestion) -> Option<&str> {
        Some(&question.state)
    }

    fn plan<G: Played>(_: &StateQuestion, _: &Bounds, _: Stage) -> Planned<G, Self> {
        Ok(Plan::AtOnce(|asked| Ok(Answer::Value(answer(&asked.record)))))
    }
}
