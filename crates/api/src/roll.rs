//! Rolling the dice.

use rand::SeedableRng as _;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Answer, Asked, Bounds, Code, Failure, Method, Operation, Plan, Planned, Played, Seed};
use cublino_rules::game::{Game, NoDice, Notation, Stage, playout};

/// A request to roll the dice.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// The state in which to roll the dice.
    pub state: String,
    /// Makes the roll reproducible: the same state with the same seed gives the same roll. Default: random.
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
    /// The seed that gives this roll again in this state.
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_u64, example = 42)]
    pub seed: u64,
}

impl Operation for Rolled {
    const NAME: &'static str = "roll";
    const METHOD: Method = Method::Post;

    type Question = Roll;
    type Item = ();

    fn state(question: &Roll) -> Option<&str> {
        Some(&question.state)
    }

    fn plan<G: Played>(_: &Roll, _: &Bounds, _: Stage) -> Planned<G, Self> {
        if G::ROLLS.is_empty() {
            return Err(Failure::new(Code::NoDice, NoDice.to_string()));
        }
        Ok(Plan::AtOnce(|asked| Ok(Answer::Value(answer(asked)?))))
    }
}

/// Rolls the dice, if that is what happens next.
fn answer<G: Notation>(Asked { record, question, .. }: Asked<'_, G, Roll>) -> Result<Rolled, Failure> {
    match record.stage() {
        Stage::Roll => {
            let seed = Seed::or_drawn(question.seed);
            let roll = drawn(record.position(), seed);
            let (state, text) = (record.position().rolled(roll).to_string(), roll.to_string());
            Ok(Rolled { state, roll: roll.into(), text, seed })
        }
        Stage::Move => {
            let detail = "the dice have been rolled already; play a move";
            Err(Failure::new(Code::IllegalMove, detail))
        }
        Stage::Over(_) => Err(Failure::new(Code::GameOver, "the game is over, so nothing can be rolled")),
    }
}

/// The roll that a seed gives in a position before a roll. The rolls of different positions are independent:
/// a seed that is always the same does not freeze the dice.
///
/// # Panics
/// If the game has no dice.
pub fn drawn<G: Game>(position: &G, seed: u64) -> G::Roll {
    // The constants of FNV-1a with 64 bits.
    let bytes = seed.to_le_bytes().into_iter().chain(position.to_string().into_bytes());
    let mixed = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    playout::roll::<G>(&mut Pcg64::seed_from_u64(mixed)).expect("a game that rolls has rolls")
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use cublino_rules::games::Mahbusa;

    fn number(count: usize) -> f64 {
        f64::from(u32::try_from(count).unwrap())
    }

    /// The states of random games in which the dice must be rolled, each once.
    fn states() -> Vec<Mahbusa> {
        let mut states: Vec<Mahbusa> = (0..40)
            .flat_map(|seed| {
                let rng = &mut Pcg64::seed_from_u64(seed);
                playout::positions(Mahbusa::default(), 300, rng).collect::<Vec<_>>()
            })
            .filter(|position| position.stage() == Stage::Roll)
            .collect();
        let mut seen = HashSet::new();
        states.retain(|state| seen.insert(*state));
        states
    }

    #[test]
    fn with_one_seed_the_rolls_of_different_states_are_as_likely_as_they_should_be() {
        let states = states();
        for seed in [0, 7] {
            let mut counts = HashMap::new();
            for state in &states {
                *counts.entry(drawn(state, seed).to_string()).or_insert(0.0) += 1.0;
            }
            let total: u32 = Mahbusa::ROLLS.iter().map(|&(_, weight)| weight).sum();
            let chi_squared: f64 = Mahbusa::ROLLS
                .iter()
                .map(|&(roll, weight)| {
                    let expected = number(states.len()) * f64::from(weight) / f64::from(total);
                    (counts[&roll.to_string()] - expected).powi(2) / expected
                })
                .sum();
            // With 20 degrees of freedom, one in a thousand is above 45.3.
            assert!(states.len() > 2_000 && chi_squared < 45.3, "{} {chi_squared}", states.len());
        }
    }

    #[test]
    fn two_seeds_agree_no_more_often_than_dice_do() {
        let states = states();
        let same = states.iter().filter(|state| {
            let [one, two] = [7, 8].map(|seed| <[u8; 2]>::from(drawn(*state, seed)));
            one == two
        });
        // Two pairs of dice agree in one of 19.6 throws.
        let (same, expected) = (number(same.count()), number(states.len()) / 19.6);
        assert!((same - expected).abs() < 4.0 * expected.sqrt(), "{same} {expected}");
    }
}
