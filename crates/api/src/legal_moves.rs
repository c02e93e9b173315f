//! The legal moves in a state.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    AboutState, Asked, Failure, Operation, Pieces, Played, StageName, Work, append_json, json::optional_word,
    limits::PRICES,
};
use cublino_rules::{
    game::{Notation, Player, Record, Stage, Standing},
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

/// In which spellings moves are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(default = "usual")]
pub enum Spellings {
    /// As few as possible: in Mahbusa one for each result, in the other games those that differ in more than
    /// their order.
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

    type Question = LegalMovesQuestion;
}

impl AboutState for LegalMoves {
    fn state(question: &LegalMovesQuestion) -> &str {
        &question.state
    }

    fn price(question: &LegalMovesQuestion) -> u32 {
        if question.spellings == Some(Spellings::All) { PRICES.all_spellings } else { 1 }
    }

    fn ask<G: Played>(asked: Asked<'_, G, LegalMovesQuestion>) -> Result<Work<Self>, Failure> {
        Ok(Work::AtOnce(pieces(&asked.record, asked.question.spellings.unwrap_or_default())))
    }
}

/// Appends the JSON of a [`LegalMove`] but for the state after it. No notation has a character that JSON
/// escapes, so texts are written as they are: looking for such characters would take as long as everything
/// else.
fn append_move<G: Notation>(position: &G, spelling: &G::Spelling, bytes: &mut Vec<u8>) {
    let mut is_first = true;
    bytes.extend_from_slice(br#"{"move":""#);
    G::append_spelling(spelling, bytes);
    bytes.extend_from_slice(br#"","steps":["#);
    position.steps(spelling, |step| {
        if !std::mem::take(&mut is_first) {
            bytes.push(b',');
        }
        step.append_json(bytes);
    });
    bytes.extend_from_slice(br#"],"state":""#);
}

/// The JSON of [`LegalMoves`] about a position, in pieces, some of them empty. A piece is computed on
/// request, so that the thread can do something else in between; the whole may be many megabytes.
fn pieces<G: Notation>(record: &Record<G>, spellings: Spellings) -> Pieces {
    /// How many moves are counted at a time.
    const COUNTED: usize = 1_000;
    let (position, stage, outcome) = (*record.position(), record.stage(), record.standing());
    let is_all = spellings == Spellings::All && stage == Stage::Move;
    let mut uncounted = is_all.then(|| position.every_spelling()).into_iter().flatten();
    let mut listed = if is_all { Vec::new() } else { listed(&position, stage) };
    let (mut count, mut answer) = (listed.len(), None);
    Box::new(move |piece| {
        if answer.is_none() {
            let counted = uncounted.by_ref().take(COUNTED).count();
            count += counted;
            if counted == COUNTED {
                return true;
            }
        }
        let pieces = answer.get_or_insert_with(|| {
            // Serde takes three times as long.
            let mut begin = format!(r#"{{"state":"{position}","turn":"#).into_bytes();
            append_json(&position.turn(), &mut begin);
            begin.extend_from_slice(br#","stage":"#);
            append_json(&StageName::from(stage), &mut begin);
            begin.extend_from_slice(br#","outcome":"#);
            append_json(&outcome, &mut begin);
            begin.extend_from_slice(br#","count":"#);
            append_json(&count, &mut begin);
            if let Some(rolls) = rolls::<G>(stage) {
                begin.extend_from_slice(br#","rolls":"#);
                append_json(&rolls, &mut begin);
            }
            begin.extend_from_slice(br#","moves":["#);
            let moves: Box<dyn Iterator<Item = _>> = if is_all {
                Box::new(position.every_spelling())
            } else {
                Box::new(std::mem::take(&mut listed).into_iter())
            };
            with_moves(begin, position, moves)
        });
        pieces(piece)
    })
}

/// The pieces of the JSON of an answer whose last member is a list of moves. `begin` is the text before the
/// first move.
pub(super) fn with_moves<G: Notation>(
    begin: Vec<u8>,
    position: G,
    mut moves: impl Iterator<Item = (G::Spelling, G::Move)>,
) -> impl FnMut(&mut Vec<u8>) -> bool {
    /// The size of a piece, in bytes, which the last move in it may exceed. A piece takes about as long as
    /// another request.
    const PIECE: usize = 8 * 1024;

    let (mut begin, mut append_after, mut is_first) = (begin, position.append_after(), true);
    move |text| {
        let length = text.len() + PIECE;
        text.append(&mut begin);
        while text.len() < length {
            let Some((spelling, m)) = moves.next() else {
                text.extend_from_slice(b"]}");
                return false;
            };
            if !std::mem::take(&mut is_first) {
                text.push(b',');
            }
            append_move(&position, &spelling, text);
            append_after(m, text);
            text.extend_from_slice(br#""}"#);
        }
        true
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

/// All distinct rolls, each with its share of all rolls, where the dice are to be rolled.
pub(super) fn rolls<G: Notation>(stage: Stage) -> Option<Vec<PossibleRoll>> {
    let total: u32 = G::ROLLS.iter().map(|(_, weight)| weight).sum();
    let possible = |&(roll, weight): &(G::Roll, u32)| PossibleRoll {
        roll: roll.to_string(),
        probability: f64::from(weight) / f64::from(total),
    };
    (stage == Stage::Roll).then(|| G::ROLLS.iter().map(possible).collect())
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    use super::*;
    use crate::to_json;
    use cublino_rules::{game::playout, games::GameId, with_game};

    /// The answer, move by move.
    fn answer<G: Notation>(position: &G, spellings: Spellings) -> LegalMoves {
        let legal = |(spelling, m): (G::Spelling, G::Move)| {
            let mut steps = Vec::new();
            position.steps(&spelling, |step| steps.push(step));
            LegalMove { text: spelling.to_string(), steps, state: position.after(m).to_string() }
        };
        let stage = position.stage();
        let moves: Vec<_> = match spellings {
            Spellings::All if stage == Stage::Move => position.every_spelling().map(legal).collect(),
            Spellings::All | Spellings::Usual => listed(position, stage).into_iter().map(legal).collect(),
        };
        LegalMoves {
            state: position.to_string(),
            turn: position.turn(),
            stage: stage.into(),
            outcome: position.standing(),
            count: moves.len(),
            rolls: rolls::<G>(stage),
            moves,
        }
    }

    #[test]
    fn the_json_is_that_of_the_answer() {
        let mut pieces = 0;
        for &game in GameId::ALL {
            with_game!(game, G => {
                for position in playout::positions(G::default(), 60, &mut Pcg64::seed_from_u64(1)) {
                    let record = Record::<G>::from(position);
                    for spellings in [Spellings::Usual, Spellings::All] {
                        let mut next = super::pieces(&record, spellings);
                        let (mut text, mut count) = (Vec::new(), 1);
                        while next(&mut text) {
                            count += 1;
                        }
                        let expected = to_json(&answer(&position, spellings));
                        assert_eq!(String::from_utf8(text).unwrap(), expected, "{position}");
                        pieces = pieces.max(count);
                    }
                }
            });
        }
        assert!(pieces > 5, "{pieces}");
    }
}
