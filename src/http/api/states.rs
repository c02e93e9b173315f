//! Answers to questions about one state.

use std::fmt;

use serde::{Serialize, Serializer, ser::SerializeSeq};
use utoipa::ToSchema;

use super::{Stage, Text};
use crate::{
    game::{Player, Standing},
    games::described::{Counted, Position, Step},
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
    /// The moves, in a fixed order; none in the stages `roll` and `over`.
    #[schema(value_type = Vec<MoveBody>)]
    pub moves: Moves<'a>,
    /// The distinct rolls with their probabilities; only in the stage `roll`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolls: Option<Vec<RollBody<'a>>>,
}

/// A legal move.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Move)]
pub struct MoveBody<'a> {
    /// The move as it is written.
    #[serde(rename = "move")]
    #[schema(value_type = String, example = "e1e2c2")]
    pub text: Text<'a>,
    /// Its steps, in order.
    pub steps: Vec<Step>,
    /// The state after it, in canonical form.
    #[schema(value_type = String)]
    pub state: Text<'a>,
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

/// Hands the legal moves to a function, one by one, each as it stands in the answer.
type ForEachMove<'a> = dyn Fn(&mut dyn FnMut(&MoveBody<'_>)) + 'a;

/// Legal moves that come into being while they are written, so that none needs memory of its own.
pub struct Moves<'a> {
    /// How many there are.
    pub count: usize,
    /// Hands them out, in order.
    pub for_each: &'a ForEachMove<'a>,
}

impl fmt::Debug for Moves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Moves").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.count))?;
        let mut written = Ok(());
        (self.for_each)(&mut |m| {
            if written.is_ok() {
                written = list.serialize_element(m);
            }
        });
        written.and_then(|()| list.end())
    }
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
