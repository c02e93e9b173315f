//! Playing a list of moves.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Answer, Bounds, Failure, Method, Operation, Plan, Planned, Played, Ranged, RepetitionLimit, StageName,
    json::{at_most, optional_word},
    legal_moves::{LegalMove, PossibleRoll, listed, rolls},
    limits::{LIGHT_PLIES, MAX_MOVES, PRICES},
    replay,
};
use cublino_rules::{
    game::{self, Notation, Player, Record, Stage, Standing},
    games::described::{Event, Position},
};

/// A list of moves to play.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Apply {
    /// The state to start from.
    #[schema(example = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7")]
    pub state: String,
    /// The moves in order. In games with dice, include each roll.
    #[serde(deserialize_with = "at_most::<MAX_MOVES, _, _>")]
    #[schema(max_items = 1000, example = json!(["e1e2", "b7b6", "d1e1e3"]))]
    pub moves: Vec<String>,
    /// The game is drawn when a position occurs this many times. Default: no limit. It has no effect in
    /// Mahbusa, and in Wari the rules end the game when a position is repeated.
    #[schema(inline, nullable)]
    pub repetition_limit: Option<RepetitionLimit>,
    /// The player who resigns after the moves, in turn or not. The opponent wins.
    #[serde(default, deserialize_with = "optional_word", skip_serializing_if = "Option::is_none")]
    pub resign: Option<Player>,
    /// The index of the first ply to return, counted from 0. All moves are played and checked in any case.
    #[schema(inline, nullable, example = 2)]
    pub plies_from: Option<Ranged<0, { MAX_MOVES as u64 }>>,
    /// Whether to return the legal moves of the last position too. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub legal_moves: bool,
}

/// The position after a list of moves, and what happened on the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Applied {
    /// The state after the last move, in canonical form. A state does not contain repetition or resignation.
    pub state: String,
    /// The player to move or to roll. After the end, the player who would have been next.
    pub turn: Player,
    /// What happens next: a move, a roll, or nothing. Repetition and resignation count.
    pub stage: StageName,
    /// Whether the game is over, and the score. Repetition and resignation count.
    pub outcome: Standing,
    /// The parsed position.
    pub position: Position,
    /// One entry for each move or roll from `plies_from` on. A resignation is the last event of the last
    /// entry.
    pub plies: Vec<Ply>,
    /// The distinct rolls with their probabilities. Only with `legal_moves`, in the stage `roll`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rolls: Option<Vec<PossibleRoll>>,
    /// The legal moves in the last position, as `legal-moves` lists them. Only with `legal_moves`; empty in
    /// the stages `roll` and `over`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub moves: Option<Vec<LegalMove>>,
}

/// A move or roll that has been played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Ply {
    /// The move or roll as it is recorded.
    #[serde(rename = "move")]
    #[schema(example = "e1e2")]
    pub text: String,
    /// Who played or rolled.
    pub player: Player,
    /// The state after it, in canonical form.
    pub state: String,
    /// What happened, in order.
    pub events: Vec<Event>,
}

impl Operation for Applied {
    const NAME: &'static str = "apply";
    const METHOD: Method = Method::PostOrQuery;
    const IS_COMPRESSED: bool = true;

    type Question = Apply;
    type Item = LegalMove;

    fn state(question: &Apply) -> Option<&str> {
        Some(&question.state)
    }

    fn plan<G: Played>(_: &Apply, _: &Bounds, _: Stage) -> Planned<G, Self> {
        Ok(Plan::AtOnce(|asked| answer(*asked.record.position(), asked.question)))
    }

    fn price(question: &Apply) -> u32 {
        PRICES.of(1, question.moves.len())
    }

    fn is_large(question: &Apply) -> bool {
        question.moves.len().saturating_sub(question.plies_from.map_or(0, Ranged::to)) > LIGHT_PLIES
    }
}

/// Plays the moves from a position.
fn answer<G: Notation>(start: G, question: &Apply) -> Result<Answer<Applied>, Failure> {
    let mut record = Record::new(start, question.repetition_limit.map(RepetitionLimit::to));
    let first = question.plies_from.map_or(0, Ranged::to);
    let mut plies = Vec::with_capacity(question.moves.len().saturating_sub(first));
    for (i, ply) in replay(&mut record, &question.moves)?.enumerate() {
        let game::Ply { text, player, position, events } = ply?;
        if i >= first {
            plies.push(Ply { text, player, state: position.to_string(), events });
        }
    }
    if let Some(player) = question.resign {
        let ended = record.resign(player)?;
        if let Some(last) = plies.last_mut() {
            last.events.push(ended);
        }
    }
    let (position, stage) = (*record.position(), record.stage());
    let applied = Applied {
        state: position.to_string(),
        turn: position.turn(),
        stage: stage.into(),
        outcome: record.standing(),
        position: position.describe(),
        plies,
        rolls: question.legal_moves.then(|| rolls::<G>(stage)).flatten(),
        moves: question.legal_moves.then(Vec::new),
    };
    if !question.legal_moves {
        return Ok(Answer::Value(applied));
    }
    let moves = listed(&position, stage).into_iter();
    Ok(Answer::List(applied, Box::new(moves.map(move |(text, m)| LegalMove::of(&position, &text, m)))))
}
