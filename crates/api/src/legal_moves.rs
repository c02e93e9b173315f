//! The legal moves in a state.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Answer, Asked, Bounds, Operation, Plan, Planned, Played, StageName, json::optional_word, limits::PRICES,
};
use cublino_rules::{
    game::{Notation, Player, Stage, Standing},
    games::described::Step,
};

/// What can be played in a state?
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LegalMovesQuestion {
    /// The state, in the notation of the game.
    #[schema(max_length = 512)]
    pub state: String,
    /// `usual` (default), or `all`, which differs in Mahbusa only.
    #[serde(default, deserialize_with = "optional_word", skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable)]
    pub spellings: Option<Spellings>,
}

/// Which spellings of moves to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(default = "usual")]
pub enum Spellings {
    /// As few as possible: in Mahbusa, one for each result; in the other games, all.
    #[default]
    Usual,
    /// In Mahbusa a play is listed in every order in which its steps can be written, as a move of its own:
    /// all that `apply` accepts. A roll of two different dice has some hundreds at most, a double up to about
    /// 42,000. In the other games the order of the steps is the move, and this is the same as `usual`.
    All,
}

/// The legal moves in a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LegalMoves {
    /// The state in canonical form.
    pub state: String,
    /// The player to move, or to roll.
    pub turn: Player,
    /// What happens next: a move, a roll, or nothing.
    pub stage: StageName,
    /// Whether the game is over, and the score.
    pub outcome: Standing,
    /// How many moves there are.
    pub count: usize,
    /// The distinct rolls with their probabilities; only in the stage `roll`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolls: Option<Vec<PossibleRoll>>,
    /// The moves, in a fixed order; none in the stages `roll` and `over`.
    pub moves: Vec<LegalMove>,
}

/// A legal move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Move)]
pub struct LegalMove {
    /// The move as it is written.
    #[serde(rename = "move")]
    #[schema(example = "e1e2c2")]
    pub text: String,
    /// Its steps, in order; a pass is one.
    #[schema(min_items = 1)]
    pub steps: Vec<Step>,
    /// The state after it, in canonical form.
    pub state: String,
}

/// A roll of the dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PossibleRoll {
    /// What the dice show, the larger number first.
    #[schema(value_type = cublino_rules::game::RollText)]
    pub roll: String,
    /// How likely it is.
    #[schema(exclusive_minimum = 0, maximum = 1, example = 0.0556)]
    pub probability: f64,
}

impl Operation for LegalMoves {
    const NAME: &'static str = "legal-moves";
    const HAS_MANY: bool = true;

    type Question = LegalMovesQuestion;
    type Item = LegalMove;

    fn state(question: &LegalMovesQuestion) -> Option<&str> {
        Some(&question.state)
    }

    fn plan<G: Played>(_: &LegalMovesQuestion, _: &Bounds, _: Stage) -> Planned<G, Self> {
        Ok(Plan::AtOnce(|asked| Ok(answer(asked))))
    }

    fn price(question: &LegalMovesQuestion) -> u32 {
        if question.spellings == Some(Spellings::All) { PRICES.all_spellings } else { 1 }
    }
}

fn answer<G: Notation>(
    Asked { record, question, .. }: Asked<'_, G, LegalMovesQuestion>,
) -> Answer<LegalMoves> {
    let (position, stage) = (*record.position(), record.stage());
    let is_all = question.spellings == Some(Spellings::All) && stage == Stage::Move;
    let listed = if is_all { Vec::new() } else { listed(&position, stage) };
    let legal_moves = LegalMoves {
        state: position.to_string(),
        turn: position.turn(),
        stage: stage.into(),
        outcome: record.standing(),
        count: if is_all { position.every_spelling().count() } else { listed.len() },
        rolls: rolls::<G>(stage),
        moves: Vec::new(),
    };
    let described = move |(spelling, m)| LegalMove::of(&position, &spelling, m);
    if is_all {
        Answer::List(legal_moves, Box::new(position.every_spelling().map(described)))
    } else {
        Answer::List(legal_moves, Box::new(listed.into_iter().map(described)))
    }
}

impl LegalMove {
    /// A move as it is spelled, and as it is played.
    pub(super) fn of<G: Notation>(position: &G, spelling: &G::Spelling, m: G::Move) -> Self {
        let state = position.after(m).to_string();
        Self { text: spelling.to_string(), steps: position.steps(spelling), state }
    }
}

/// The listed legal moves, each as it is spelled and as it is played; none unless there is a move to play.
pub(super) fn listed<G: Notation>(position: &G, stage: Stage) -> Vec<(G::Spelling, G::Move)> {
    // Enough for most positions.
    let mut moves = Vec::with_capacity(20);
    if stage == Stage::Move {
        position.list(|spelling, m| moves.push((spelling, m)));
    }
    moves
}

/// All distinct rolls, each with its share of all rolls, where the dice must be rolled.
pub(super) fn rolls<G: Notation>(stage: Stage) -> Option<Vec<PossibleRoll>> {
    let total: u32 = G::ROLLS.iter().map(|(_, weight)| weight).sum();
    let possible = |&(roll, weight): &(G::Roll, u32)| PossibleRoll {
        roll: roll.to_string(),
        probability: f64::from(weight) / f64::from(total),
    };
    (stage == Stage::Roll).then(|| G::ROLLS.iter().map(possible).collect())
}
