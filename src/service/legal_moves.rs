//! The legal moves in a state.

use std::sync::LazyLock;

use serde::Serialize;

use super::{
    StageName,
    json::{Template, to_json},
};
use crate::{
    game::{AppendText, Player, Stage, Standing},
    games::described::{self, Described, SharedStep, Step},
};

/// The legal moves in a state.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PossibleRoll {
    /// What the dice show, the larger number first.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[1-6]{2}$", example = "31"))]
    pub roll: String,
    /// How likely it is.
    #[cfg_attr(feature = "openapi", schema(exclusive_minimum = 0, maximum = 1, example = 0.0556))]
    pub probability: f64,
}

/// The legal moves of a position.
#[must_use]
pub fn answer<G: Described>(position: &G) -> LegalMoves {
    let stage = position.stage();
    let mut moves = Vec::new();
    for (spelling, m) in listed(position, stage) {
        let mut steps = Vec::new();
        described::steps(position, &spelling, |step| steps.push(step));
        moves.push(LegalMove { text: spelling.to_string(), steps, state: position.after(m).to_string() });
    }
    LegalMoves::of(position, stage, moves.len(), moves)
}

/// The same in JSON, each move going straight into the text: most of an answer is moves.
#[must_use]
pub fn json<G: Described>(position: &G) -> Vec<u8> {
    /// Bytes of an answer without its moves, and of one move in it: somewhat more than most have, so that the
    /// buffer need not grow.
    const BYTES: (usize, usize) = (512, 192);

    let stage = position.stage();
    let moves = listed(position, stage);
    let MoveTemplate { empty, template } = &*MOVE;
    // The moves take the place of an empty one.
    let frame = to_json(&LegalMoves::of(position, stage, moves.len(), vec![LegalMove::default()]));
    // It is the last object, and has no other in it.
    let (before, rest) = frame.split_at(frame.rfind('{').expect("the empty move is in it"));
    let after = rest.strip_prefix(empty).expect("the empty move is in its place");
    let mut append_state_after = position.append_after();

    let mut bytes = Vec::with_capacity(BYTES.0 + BYTES.1 * moves.len());
    bytes.extend_from_slice(before.as_bytes());
    for (i, (spelling, m)) in moves.iter().enumerate() {
        if i > 0 {
            bytes.push(b',');
        }
        bytes.extend_from_slice(template.before(0));
        spelling.append_text(&mut bytes);
        bytes.extend_from_slice(template.before(1));
        let mut is_first = true;
        described::steps(position, spelling, |step| {
            if !std::mem::take(&mut is_first) {
                bytes.push(b',');
            }
            step.append_json(&mut bytes);
        });
        bytes.extend_from_slice(template.before(2));
        append_state_after(*m, &mut bytes);
        bytes.extend_from_slice(template.before(3));
    }
    bytes.extend_from_slice(after.as_bytes());
    bytes
}

/// The JSON of a move.
struct MoveTemplate {
    /// Of a move with nothing in it.
    empty: String,
    template: Template,
}

static MOVE: LazyLock<MoveTemplate> = LazyLock::new(|| {
    let (text, step, state) = ("MOVE", Step::Shared(SharedStep::Pass), "STATE");
    let parts = [text, &to_json(&step), state];
    let sample = LegalMove { text: text.to_owned(), steps: vec![step], state: state.to_owned() };
    MoveTemplate { empty: to_json(&LegalMove::default()), template: Template::new(&sample, &parts) }
});

/// The listed legal moves, each with what it stands for; none unless there is a move to play.
fn listed<G: Described>(position: &G, stage: Stage) -> Vec<(G::Spelling, G::Move)> {
    /// Room for the moves of most positions.
    const USUAL: usize = 128;
    if stage != Stage::Move {
        return Vec::new();
    }
    let mut moves = Vec::with_capacity(USUAL);
    position.list(|spelling, m| moves.push((spelling, m)));
    moves
}

impl LegalMoves {
    fn of<G: Described>(position: &G, stage: Stage, count: usize, moves: Vec<LegalMove>) -> Self {
        Self {
            state: position.to_string(),
            turn: position.turn(),
            stage: stage.into(),
            outcome: position.standing(),
            count,
            rolls: (stage == Stage::Roll).then(rolls::<G>),
            moves,
        }
    }
}

/// All distinct rolls, each with its share of all rolls.
fn rolls<G: Described>() -> Vec<PossibleRoll> {
    let total: u32 = G::ROLLS.iter().map(|(_, weight)| weight).sum();
    let probability = |weight| f64::from(weight) / f64::from(total);
    G::ROLLS
        .iter()
        .map(|&(roll, weight)| PossibleRoll { roll: roll.to_string(), probability: probability(weight) })
        .collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    use super::*;
    use crate::{game::playout, games::GameId, with_game};

    #[test]
    fn the_json_is_that_of_the_answer() {
        for &game in GameId::ALL {
            with_game!(game, G => {
                for position in playout::positions(G::default(), 60, &mut Pcg64::seed_from_u64(1)) {
                    let expected = serde_json::to_string(&answer::<G>(&position)).unwrap();
                    assert_eq!(String::from_utf8(json(&position)).unwrap(), expected, "{position}");
                }
            });
        }
    }
}
