//! Rolling the dice.

use rand::SeedableRng as _;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{AboutGame, Code, Failure, Method, Operation, Pieces, Played, Seed, read, whole};
use cublino_rules::game::{NoDice, Stage, playout};

/// A request to roll the dice.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// The state in which the dice are to be rolled.
    pub state: String,
    /// Makes the roll reproducible. Default: random.
    #[schema(inline, nullable, example = 42)]
    pub seed: Option<Seed>,
}

/// A roll of the dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Rolled {
    /// The state after the roll, in canonical form.
    pub state: String,
    /// What the dice show, the larger number first.
    #[schema(value_type = cublino_rules::game::RollNumbers)]
    pub roll: [u8; 2],
    /// The roll as it stands in a list of moves.
    #[serde(rename = "move")]
    #[schema(value_type = cublino_rules::game::RollText)]
    pub text: String,
    /// The seed that gives this roll again.
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_u64, example = 42)]
    pub seed: u64,
}

impl Operation for Rolled {
    const NAME: &'static str = "roll";
    const METHOD: Method = Method::Post;

    type Question = Roll;
}

impl AboutGame for Rolled {
    fn answer<G: Played>(question: &Roll) -> Result<Pieces, Failure> {
        if G::ROLLS.is_empty() {
            return Err(Failure::new(Code::NoDice, NoDice.to_string()));
        }
        let mut position: G = read(&question.state)?;
        match position.stage() {
            Stage::Roll => {}
            Stage::Move => {
                let detail = "the dice have been rolled, and a move is to be played";
                return Err(Failure::new(Code::IllegalMove, detail));
            }
            Stage::Over(_) => {
                return Err(Failure::new(Code::GameOver, "the game is over, so nothing can be rolled"));
            }
        }
        let seed = Seed::or_drawn(question.seed);
        let roll = playout::roll::<G>(&mut Pcg64::seed_from_u64(seed)).expect("a game that rolls has rolls");
        position = position.rolled(roll);
        let (state, text) = (position.to_string(), roll.to_string());
        Ok(whole(move || Rolled { state, roll: roll.into(), text, seed }))
    }
}
