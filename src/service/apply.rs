//! Playing a list of moves.

use serde::{Deserialize, Serialize};

use super::{Failure, Ranged, StageName, read};
use crate::{
    game::{self, Player, Record, Standing},
    games::described::{Described, Event, Position},
};

/// How often a position may occur before the game is drawn.
pub type RepetitionLimit = Ranged<2, 10>;

/// A list of moves to be played.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Apply {
    /// The state to start from.
    #[cfg_attr(feature = "openapi", schema(example = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"))]
    pub state: String,
    /// The moves, in order, perhaps none; in a game with dice also the rolls, where the dice are rolled.
    #[cfg_attr(feature = "openapi", schema(max_items = 1000, example = json!(["e1e2", "b7b6", "d1e1e3"])))]
    pub moves: Vec<String>,
    /// The game is drawn when a position occurs for this time; without it, repetition means nothing. In
    /// Mahbusa it means nothing in any case, since the next roll changes everything; in Wari the rules
    /// themselves end the game when a position occurs again.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(inline, nullable))]
    pub repetition_limit: Option<RepetitionLimit>,
    /// The player who gives up after the moves, whether it is their turn or not; the opponent wins.
    #[serde(default)]
    pub resign: Option<Player>,
}

/// What became of a list of moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Applied {
    /// The state after the last move, in canonical form. It says nothing about repetition or a player who has
    /// resigned: asked about it alone, the service takes the game to go on.
    pub state: String,
    /// The player to move, or to roll; when the game is over, the one who would have been next.
    pub turn: Player,
    /// Who acts next, and how, with the moves played and a resignation taken into account.
    pub stage: StageName,
    /// Whether the game is over, and how it stands, with the moves played and a resignation taken into
    /// account.
    pub outcome: Standing,
    /// The position taken apart.
    pub position: Position,
    /// What was played, one entry for each of the list. That a player has resigned is told by the last event
    /// of the last one, if there is one.
    pub plies: Vec<Ply>,
}

/// A move or roll that has been played.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ply {
    /// The move or roll as it is recorded.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "openapi", schema(example = "e1e2"))]
    pub text: String,
    /// Who played or rolled.
    pub player: Player,
    /// The state after it, in canonical form.
    pub state: String,
    /// What happened, in order.
    pub events: Vec<Event>,
}

/// Plays the moves, of which there may be `max_moves`.
///
/// # Errors
/// The state cannot be read, or the failure names the first move that cannot be played; then nothing has been
/// played.
pub fn answer<G: Described>(question: &Apply, max_moves: usize) -> Result<Applied, Failure> {
    let count = question.moves.len();
    if count > max_moves {
        let detail = format!("'moves' has {count} entries, and must have no more than {max_moves}");
        return Err(Failure::invalid_parameter("moves", detail));
    }
    let limit = question.repetition_limit.map(RepetitionLimit::to);
    let mut record = Record::new(read::<G>(&question.state)?, limit);
    let mut plies = Vec::with_capacity(count);
    for (i, text) in question.moves.iter().enumerate() {
        let ply = record.play(text).map_err(|refusal| Failure::from(refusal).at(i))?;
        plies.push(Ply::from(ply));
    }
    if let Some(player) = question.resign {
        let ended: game::PlyEvent<G> = record.resign(player)?;
        if let Some(last) = plies.last_mut() {
            last.events.push(ended.into());
        }
    }
    let position = record.position();
    Ok(Applied {
        state: position.to_string(),
        turn: position.turn(),
        stage: record.stage().into(),
        outcome: record.standing(),
        position: position.describe().into(),
        plies,
    })
}

impl<G: Described> From<game::Ply<G>> for Ply {
    fn from(game::Ply { text, player, position, events }: game::Ply<G>) -> Self {
        Self {
            text,
            player,
            state: position.to_string(),
            events: events.into_iter().map(Into::into).collect(),
        }
    }
}
