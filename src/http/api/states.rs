//! Answers to questions about one state.

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Stage, Text,
    json::{Array, array},
};
use crate::{
    game::{AppendText, Player, Standing},
    games::described::{self, Counted, Described, Position, Step},
    http::problem::Reason,
};

/// Whether a text is a state of a game, and if not, why not.
#[derive(Debug, Serialize, ToSchema)]
pub struct Validation<'a> {
    /// The text as it was given.
    pub state: &'a str,
    /// Whether it can be read.
    pub well_formed: bool,
    /// Whether it can be read and the rules allow it.
    pub valid: bool,
    /// Everything that is wrong with it, in the order of the text; empty if it is valid.
    pub problems: Vec<Reason>,
    /// The state as the service writes it; null unless it is valid.
    #[schema(required, value_type = Option<String>)]
    pub canonical: Option<Text<'a>>,
    /// The player to move, or to roll; null unless the state is valid.
    #[schema(required)]
    pub turn: Option<Player>,
    /// Who acts next, and how; null unless the state is valid.
    #[schema(required)]
    pub stage: Option<Stage>,
    /// Whether the game is over, and how it stands; null unless the state is valid.
    #[schema(required)]
    pub outcome: Option<Standing>,
    /// The position taken apart; null unless the state is valid.
    #[schema(required)]
    pub position: Option<Position>,
}

/// The legal moves in a state.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalMoves<'a> {
    /// The state in canonical form.
    #[schema(value_type = String)]
    pub state: Text<'a>,
    /// The player to move, or to roll.
    pub turn: Player,
    /// Who acts next, and how.
    pub stage: Stage,
    /// Whether the game is over, and how it stands.
    pub outcome: Standing,
    /// How many moves there are.
    pub count: usize,
    /// The distinct rolls with their probabilities; only in the stage `roll`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolls: Option<Vec<RollBody<'a>>>,
    /// The moves, in a fixed order; none in the stages `roll` and `over`.
    pub moves: Vec<MoveBody<'a>>,
}

impl LegalMoves<'_> {
    /// Writes the answer in JSON, with the moves that a function writes in the place of its empty list.
    pub fn write(&self, bytes: &mut Vec<u8>, moves: impl FnOnce(&mut Array)) {
        const EMPTY_LIST: &[u8] = b"[]}";
        serde_json::to_writer(&mut *bytes, self).expect("an answer has no maps with odd keys");
        // The list is the last field.
        bytes.truncate(bytes.len() - EMPTY_LIST.len());
        array(bytes, moves);
        bytes.push(b'}');
    }
}

/// A legal move.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Move)]
pub struct MoveBody<'a> {
    /// The move as it is written.
    #[serde(rename = "move")]
    #[schema(value_type = String, example = "e1e2c2")]
    pub text: Text<'a>,
    /// Its steps, in order; a pass is one.
    #[schema(min_items = 1)]
    pub steps: Vec<Step>,
    /// The state after it, in canonical form.
    #[schema(value_type = String)]
    pub state: Text<'a>,
}

impl MoveBody<'_> {
    /// Writes the JSON that `Serialize` would, which takes much longer: most of an answer is moves. `state` writes the
    /// state after the move.
    pub fn write<G: Described>(
        bytes: &mut Vec<u8>,
        position: &G,
        spelling: &G::Spelling,
        state: impl FnOnce(&mut Vec<u8>),
    ) {
        bytes.extend_from_slice(br#"{"move":""#);
        spelling.append_text(bytes);
        bytes.extend_from_slice(br#"","steps":"#);
        array(bytes, |steps| {
            described::steps(position, spelling, |step| step.write_json(steps.item()));
        });
        bytes.extend_from_slice(br#","state":""#);
        state(bytes);
        bytes.extend_from_slice(br#""}"#);
    }
}

/// A roll of the dice.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PossibleRoll)]
pub struct RollBody<'a> {
    /// What the dice show, the larger number first.
    #[schema(value_type = String, pattern = "^[1-6]{2}$", example = "31")]
    pub roll: Text<'a>,
    /// How likely it is.
    #[schema(exclusive_minimum = 0, maximum = 1, example = 0.0556)]
    pub probability: f64,
}

/// How a game stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct Score<'a> {
    /// The state in canonical form.
    #[schema(value_type = String)]
    pub state: Text<'a>,
    /// Whether the game is over, who has won and why, and the points.
    pub outcome: Standing,
    /// What counts, also while the game still runs.
    pub counted: CountedBody,
}

/// What counts for each player.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CountedForEach)]
pub struct CountedBody {
    /// What counts for player one.
    pub one: Vec<Counted>,
    /// What counts for player two.
    pub two: Vec<Counted>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{Stage, playout},
        games::GameId,
        with_game,
    };
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    /// Every move of some random positions, written in both ways.
    fn check<G: Described>() {
        let rng = &mut Pcg64::seed_from_u64(1);
        let positions = playout::positions(G::default(), 60, rng);
        for position in positions.filter(|position: &G| position.stage() == Stage::Move) {
            let mut append_after = position.append_after();
            position.list(|spelling, m| {
                let mut written = Vec::new();
                MoveBody::write(&mut written, &position, &spelling, |bytes| append_after(m, bytes));
                let mut steps = Vec::new();
                described::steps(&position, &spelling, |step| steps.push(step));
                let body = MoveBody { text: Text(&spelling), steps, state: Text(&position.after(m)) };
                assert_eq!(String::from_utf8(written).unwrap(), serde_json::to_string(&body).unwrap());
            });
        }
    }

    #[test]
    fn a_move_is_written_as_its_body_says() {
        for &game in GameId::ALL {
            with_game!(game, G => check::<G>());
        }
    }
}
