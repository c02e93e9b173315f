//! The legal moves in a state.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{
    Entry, StageName,
    json::{Template, append_json, to_json},
};
use cublino_rules::{
    game::{AppendText, Game, Notation, Player, Points, Record, Stage, Standing},
    games::described::{self, Described, SharedStep, Step},
};

/// What can be played in a state?
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct LegalMovesQuestion {
    /// The state, in the notation of the game.
    #[cfg_attr(feature = "openapi", param(max_length = 512))]
    pub state: String,
    /// Which spellings are listed: `usual`, which is the default, or `all`, which makes a difference in
    /// Mahbusa only.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(inline))]
    pub spellings: Spellings,
}

/// A question about the legal moves of many positions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LegalMovesOfManyQuestion {
    /// The positions.
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Vec<crate::PositionQuestion>, max_items = 1000)
    )]
    pub positions: Vec<Entry>,
    /// Which spellings are listed: `usual`, which is the default, or `all`, which makes a difference in
    /// Mahbusa only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(inline, nullable))]
    pub spellings: Option<Spellings>,
}

/// In which spellings moves are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(default = "usual"))]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LegalMoves {
    /// The state in canonical form.
    pub state: String,
    /// The player to move, or to roll.
    pub turn: Player,
    /// Who acts next, and how.
    pub stage: StageName,
    /// Whether the game is over, and how it stands.
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Move))]
pub struct LegalMove {
    /// The move as it is written.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "openapi", schema(example = "e1e2c2"))]
    pub text: String,
    /// Its steps, in order; a pass is one.
    #[cfg_attr(feature = "openapi", schema(min_items = 1))]
    pub steps: Vec<Step>,
    /// The state after it, in canonical form.
    pub state: String,
}

/// A roll of the dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PossibleRoll {
    /// What the dice show, the larger number first.
    #[cfg_attr(feature = "openapi", schema(value_type = cublino_rules::game::RollText))]
    pub roll: String,
    /// How likely it is.
    #[cfg_attr(feature = "openapi", schema(exclusive_minimum = 0, maximum = 1, example = 0.0556))]
    pub probability: f64,
}

/// The legal moves of a game as far as it has been played.
#[must_use]
pub fn answer<G: Described>(record: &Record<G>, spellings: Spellings) -> LegalMoves {
    let moves = moves(record.position(), record.stage(), spellings);
    LegalMoves::of(record, moves.len(), moves)
}

/// The legal moves of a position in a stage; none unless there is a move to play.
pub(super) fn moves<G: Described>(position: &G, stage: Stage, spellings: Spellings) -> Vec<LegalMove> {
    let legal = |(spelling, m): (G::Spelling, G::Move)| {
        let mut steps = Vec::new();
        described::steps(position, &spelling, |step| steps.push(step));
        LegalMove { text: spelling.to_string(), steps, state: position.after(m).to_string() }
    };
    match spellings {
        Spellings::All if stage == Stage::Move => position.every_spelling().map(legal).collect(),
        Spellings::All | Spellings::Usual => listed(position, stage).into_iter().map(legal).collect(),
    }
}

/// The JSON of the same as [`answer`], in pieces, some of them empty. A piece is worked out when it is asked
/// for, so that the thread can do something else in between; the whole may be many megabytes.
pub fn pieces<G: Described>(record: Record<G>, spellings: Spellings) -> impl Iterator<Item = Vec<u8>> {
    /// How many moves are counted at a time.
    const COUNTED: usize = 1_000;

    let (position, stage) = (*record.position(), record.stage());
    let is_all = spellings == Spellings::All && stage == Stage::Move;
    let all = move || is_all.then(|| position.every_spelling()).into_iter().flatten();
    let mut listed = if is_all { Listed::<G>::new() } else { listed(&position, stage) };
    let (mut uncounted, mut count, mut answer) = (all(), listed.len(), None);
    std::iter::from_fn(move || {
        if answer.is_none() {
            let counted = uncounted.by_ref().take(COUNTED).count();
            count += counted;
            if counted == COUNTED {
                return Some(Vec::new());
            }
        }
        let pieces = answer.get_or_insert_with(|| {
            let mut beginning = Vec::with_capacity(BEGINNING);
            append_beginning(&record, count, &mut position.append_after(), &mut beginning);
            with_moves(beginning, position, std::mem::take(&mut listed).into_iter().chain(all()), END)
        });
        pieces.next()
    })
}

/// Bytes of an answer without its moves: somewhat more than most have.
const BEGINNING: usize = 512;

/// The pieces of a JSON text with a list of moves between `beginning` and `end`.
pub(super) fn with_moves<G: Described>(
    beginning: Vec<u8>,
    position: G,
    moves: impl Iterator<Item = (G::Spelling, G::Move)>,
    end: &'static [u8],
) -> impl Iterator<Item = Vec<u8>> {
    /// How much is added to a piece, in bytes; the last move in it may go beyond. It takes about as long as
    /// another request.
    const PIECE: usize = 8 * 1024;

    let (mut moves, mut beginning, mut is_first) = (moves.peekable(), Some(beginning), true);
    std::iter::from_fn(move || {
        let mut bytes = beginning.take()?;
        let length = bytes.len() + PIECE;
        append_moves(&position, &mut moves, &mut position.append_after(), is_first, length, &mut bytes);
        is_first = false;
        if moves.peek().is_some() {
            beginning = Some(Vec::with_capacity(PIECE + PIECE / 8));
        } else {
            bytes.extend_from_slice(end);
        }
        Some(bytes)
    })
}

/// Appends moves to a list of them until the text has a length.
fn append_moves<G: Described>(
    position: &G,
    mut moves: impl Iterator<Item = (G::Spelling, G::Move)>,
    append_state: &mut impl FnMut(Option<G::Move>, &mut Vec<u8>),
    mut is_first: bool,
    length: usize,
    bytes: &mut Vec<u8>,
) {
    let [before_text, before_steps, before_state, end] = MOVE.around();
    while bytes.len() < length
        && let Some((spelling, m)) = moves.next()
    {
        if !std::mem::take(&mut is_first) {
            bytes.push(b',');
        }
        before_text.append_to(bytes);
        spelling.append_text(bytes);
        before_steps.append_to(bytes);
        let mut is_first_step = true;
        described::steps(position, &spelling, |step| {
            if !std::mem::take(&mut is_first_step) {
                bytes.push(b',');
            }
            step.append_json(bytes);
        });
        before_state.append_to(bytes);
        append_state(Some(m), bytes);
        end.append_to(bytes);
    }
}

/// What stands after the moves in the JSON of an answer: they are its last member.
const END: &[u8] = b"]}";

/// Appends what stands before the moves in the JSON of an answer.
fn append_beginning<G: Described>(
    record: &Record<G>,
    count: usize,
    append_state: &mut impl FnMut(Option<G::Move>, &mut Vec<u8>),
    bytes: &mut Vec<u8>,
) {
    let stage = record.stage();
    if stage == Stage::Roll {
        append_json(&LegalMoves::of(record, count, Vec::new()), bytes);
    } else {
        let [start, to_turn, to_stage, to_outcome, to_count, end] = ANSWER.around();
        start.append_to(bytes);
        append_state(None, bytes);
        to_turn.append_to(bytes);
        append_json(&record.position().turn(), bytes);
        to_stage.append_to(bytes);
        append_json(&StageName::from(stage), bytes);
        to_outcome.append_to(bytes);
        append_outcome(record.standing(), bytes);
        to_count.append_to(bytes);
        append_json(&count, bytes);
        end.append_to(bytes);
    }
    assert!(bytes.ends_with(b"[]}"), "the moves are the last member");
    bytes.truncate(bytes.len() - END.len());
}

/// The JSON of an answer without rolls and moves, around its state, the turn, the stage, the outcome and the
/// count.
static ANSWER: LazyLock<Template<6, 16>> = LazyLock::new(|| {
    let (state, turn, stage, outcome) = ("STATE", Player::One, StageName::Move, Standing::in_progress(None));
    let parts = [state, &to_json(&turn), &to_json(&stage), &to_json(&outcome), "0"];
    let state = state.to_owned();
    Template::new(
        &LegalMoves { state, turn, stage, outcome, count: 0, rolls: None, moves: Vec::new() },
        &parts,
    )
});

/// Appends the JSON of an outcome.
fn append_outcome(outcome: Standing, bytes: &mut Vec<u8>) {
    match outcome.points {
        Some(points) if outcome == Standing::in_progress(Some(points)) => {
            let [before_one, before_two, end] = RUNNING.around();
            before_one.append_to(bytes);
            append_json(&points.one, bytes);
            before_two.append_to(bytes);
            append_json(&points.two, bytes);
            end.append_to(bytes);
        }
        _ => append_json(&outcome, bytes),
    }
}

/// The JSON of the outcome of a game that goes on, around the points.
static RUNNING: LazyLock<Template<3, 80>> =
    LazyLock::new(|| Template::new(&Standing::in_progress(Some(Points { one: 1, two: 2 })), &["1", "2"]));

/// The JSON of a move, around its text, its steps and the state after it.
static MOVE: LazyLock<Template<4, 16>> = LazyLock::new(|| {
    let (text, step, state) = ("MOVE", Step::Shared(SharedStep::Pass {}), "STATE");
    let parts = [text, &to_json(&step), state];
    Template::new(&LegalMove { text: text.to_owned(), steps: vec![step], state: state.to_owned() }, &parts)
});

/// The listed legal moves, each with what it stands for; none unless there is a move to play.
pub(super) fn listed<G: Described>(position: &G, stage: Stage) -> Listed<G> {
    let mut moves = Listed::<G>::new();
    if stage == Stage::Move {
        position.list(|spelling, m| moves.push((spelling, m)));
    }
    moves
}

/// Legal moves; those of most positions need no memory of their own.
pub(super) type Listed<G> = SmallVec<[(<G as Notation>::Spelling, <G as Game>::Move); 32]>;

impl LegalMoves {
    fn of<G: Described>(record: &Record<G>, count: usize, moves: Vec<LegalMove>) -> Self {
        let (position, stage) = (record.position(), record.stage());
        Self {
            state: position.to_string(),
            turn: position.turn(),
            stage: stage.into(),
            outcome: record.standing(),
            count,
            rolls: rolls::<G>(stage),
            moves,
        }
    }
}

/// All distinct rolls, each with its share of all rolls, where the dice are to be rolled.
pub(super) fn rolls<G: Described>(stage: Stage) -> Option<Vec<PossibleRoll>> {
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
    use cublino_rules::{game::playout, games::GameId, with_game};

    #[test]
    fn the_json_is_that_of_the_answer() {
        let mut pieces = 0;
        for &game in GameId::ALL {
            with_game!(game, G => {
                for position in playout::positions(G::default(), 60, &mut Pcg64::seed_from_u64(1)) {
                    let record = Record::<G>::from(position);
                    for spellings in [Spellings::Usual, Spellings::All] {
                        let all: Vec<_> = super::pieces(record.clone(), spellings).collect();
                        let expected = to_json(&answer(&record, spellings));
                        assert_eq!(String::from_utf8(all.concat()).unwrap(), expected, "{position}");
                        pieces = pieces.max(all.len());
                    }
                }
            });
        }
        assert!(pieces > 5, "{pieces}");
    }
}
