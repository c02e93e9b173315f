//! Playing moves and rolling dice.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{RepetitionLimit, Seed, Stage, Text};
use crate::{
    game::{Player, Standing},
    games::described::{Event, Position},
};

/// A list of moves to be played.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Apply {
    /// The state to start from.
    #[schema(example = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7")]
    pub state: String,
    /// The moves, in order, perhaps none; in a game with dice also the rolls, where the dice are rolled.
    #[schema(max_items = 1000, example = json!(["e1e2", "b7b6", "d1e1e3"]))]
    pub moves: Vec<String>,
    /// The game is drawn when a position occurs for this time; without it, repetition means nothing. In Mahbusa it means
    /// nothing in any case, since the next roll changes everything; in Wari the rules themselves end the game when a
    /// position occurs again.
    #[schema(inline, nullable)]
    #[serde(default)]
    pub repetition_limit: Option<RepetitionLimit>,
    /// The player who gives up after the moves, whether it is their turn or not; the opponent wins.
    #[serde(default)]
    pub resign: Option<Player>,
}

/// What became of a list of moves.
#[derive(Debug, Serialize, ToSchema)]
pub struct Applied<'a> {
    /// The state after the last move, in canonical form. It says nothing about repetition or a player who has resigned:
    /// asked about it alone, the service takes the game to go on.
    #[schema(value_type = String)]
    pub state: Text<'a>,
    /// The player to move, or to roll; when the game is over, the one who would have been next.
    pub turn: Player,
    /// Who acts next, and how, with the moves played and a resignation taken into account.
    pub stage: Stage,
    /// Whether the game is over, and how it stands, with the moves played and a resignation taken into account.
    pub outcome: Standing,
    /// The position taken apart.
    pub position: Position,
    /// What was played, one entry for each of the list. That a player has resigned is told by the last event of the last
    /// one, if there is one.
    pub plies: Vec<PlyBody<'a>>,
}

/// A move or roll that has been played.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Ply)]
pub struct PlyBody<'a> {
    /// The move or roll as it is recorded.
    #[serde(rename = "move")]
    #[schema(example = "e1e2")]
    pub text: &'a str,
    /// Who played or rolled.
    pub player: Player,
    /// The state after it, in canonical form.
    #[schema(value_type = String)]
    pub state: Text<'a>,
    /// What happened, in order.
    pub events: Vec<Event>,
}

/// A request to roll the dice.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// The state in which the dice are to be rolled.
    pub state: String,
    /// Makes the roll reproducible; without it, chance decides.
    #[schema(inline, nullable, example = 42)]
    #[serde(default)]
    pub seed: Option<Seed>,
}

/// A roll of the dice.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rolled<'a> {
    /// The state after the roll, in canonical form.
    #[schema(value_type = String)]
    pub state: Text<'a>,
    /// What the dice show, the larger number first.
    #[schema(min_items = 2, max_items = 2, example = json!([6, 3]))]
    pub roll: [u8; 2],
    /// The seed that gives this roll again.
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_u64, example = 42)]
    pub seed: u64,
}
