//! What the service says about the games.

use serde::Serialize;
use utoipa::ToSchema;

use crate::games::GameId;

/// All games.
#[derive(Debug, Serialize, ToSchema)]
pub struct Games {
    /// The games, in a fixed order.
    pub games: Vec<GameBody>,
}

/// A game in a few lines.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Game)]
pub struct GameBody {
    /// Its name in paths.
    pub id: GameId,
    /// Its name for people.
    #[schema(example = "Cublino Pur")]
    pub name: &'static str,
    /// Whether it is played with dice that are rolled.
    pub dice: bool,
    /// The state it starts from.
    #[schema(example = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7")]
    pub start: String,
    /// Its goal, in one line.
    pub goal: &'static str,
    /// How its states and moves are written, in one line.
    pub notation: &'static str,
    /// Where its operations are.
    pub links: Links,
}

/// A game with its rules.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameDetails {
    /// The game in a few lines.
    #[serde(flatten)]
    pub game: GameBody,
    /// The rules and the notation, with a worked example, in Markdown.
    pub rules: &'static str,
}

/// Where the operations of a game are. Those that ask about a state lead to the start of the game; `apply` and `roll`
/// are for POST.
#[derive(Debug, Serialize, ToSchema)]
pub struct Links {
    /// The game with its rules.
    #[serde(rename = "self")]
    #[schema(format = "uri-reference", example = "/v1/games/cublino-pur")]
    pub itself: String,
    /// Checks a state.
    #[schema(format = "uri-reference")]
    pub validation: String,
    /// The legal moves.
    #[schema(format = "uri-reference")]
    pub legal_moves: String,
    /// The score.
    #[schema(format = "uri-reference")]
    pub score: String,
    /// What to play.
    #[schema(format = "uri-reference")]
    pub suggestion: String,
    /// A picture.
    #[schema(format = "uri-reference")]
    pub board: String,
    /// Plays a list of moves.
    #[schema(format = "uri-reference", example = "/v1/games/cublino-pur/apply")]
    pub apply: String,
    /// Rolls the dice; null in games without.
    #[schema(required, format = "uri-reference")]
    pub roll: Option<String>,
}
