//! What to play.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Code, Failure, Ranged, Seed};
use crate::{
    game::{Game, Notation, Player, Stage},
    // utoipa takes whatever is called `Value` for any JSON.
    search::{Analysis, Level, Options, SearchLimits, StoppedBy, Value as MoveValue},
};

/// Time, in milliseconds.
pub type TimeMs = Ranged<1, 600_000>;
/// Plies to look ahead.
pub type Depth = Ranged<1, 100>;
/// Positions to visit.
pub type Nodes = Ranged<1, 1_000_000_000>;
/// How many moves are wanted.
pub type LineCount = Ranged<1, 10>;
/// How well to play.
pub type LevelNumber = Ranged<1, 8>;

/// A question about what to play, and how hard to think about it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct SuggestionQuestion {
    /// The state, in the notation of the game.
    #[cfg_attr(feature = "openapi", param(max_length = 512))]
    pub state: String,
    /// How long to think, in milliseconds, at most as long as the service allows (10,000 unless it is set up
    /// otherwise), from the start of the search. Without any limit and without a level, 500.
    #[cfg_attr(feature = "openapi", param(inline, nullable = false))]
    pub time_ms: Option<TimeMs>,
    /// How many plies to look ahead, at most as many as the service allows (64 unless it is set up
    /// otherwise), which is the default.
    #[cfg_attr(feature = "openapi", param(inline, nullable = false))]
    pub depth: Option<Depth>,
    /// How many positions to visit, at most as many as the service allows (20,000,000 unless it is set up
    /// otherwise), which is the default.
    #[cfg_attr(feature = "openapi", param(inline, nullable = false))]
    pub nodes: Option<Nodes>,
    /// How many of the best moves are wanted; 1 by default.
    #[cfg_attr(feature = "openapi", param(inline, nullable = false))]
    pub lines: Option<LineCount>,
    /// How well to play against people: 1, a beginner, to 8, nearly full strength. Full strength by default.
    /// A level has limits of its own on depth and positions, and none on time.
    #[cfg_attr(feature = "openapi", param(inline, nullable = false))]
    pub level: Option<LevelNumber>,
    /// What a level draws its errors from: with another seed it may play another move. 0 by default.
    #[cfg_attr(feature = "openapi", param(inline, nullable = false))]
    pub seed: Option<Seed>,
}

/// What to play.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Suggestion {
    /// The state in canonical form.
    pub state: String,
    /// The player to move.
    pub turn: Player,
    /// The move to play: the first of the first line.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "openapi", schema(example = "d1d2"))]
    pub best: String,
    /// The best moves, best first: as many as were asked for, if there are as many.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 10))]
    pub lines: Vec<SuggestedLine>,
    /// How the service came to it.
    pub search: SearchReport,
}

/// A move, and what follows if both sides play their best.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuggestedLine {
    /// The move.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "openapi", schema(example = "d1d2"))]
    pub first: String,
    /// The moves that are expected, this one included. With dice the line ends where they are rolled.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, example = json!(["d1d2", "d7d6"])))]
    pub pv: Vec<String>,
    /// What the move is worth to the player to move.
    pub value: MoveValue,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SearchReport {
    /// The depth to which the lines were searched, in plies; 0 if they are those of the static evaluation, or
    /// were looked up.
    #[cfg_attr(feature = "openapi", schema(example = 11))]
    pub depth: u32,
    /// Whether all moves were searched to that depth. If a limit ended the search before, the line is the
    /// best of those that were.
    #[cfg_attr(feature = "openapi", schema(example = true))]
    pub complete: bool,
    /// How many positions were visited.
    #[cfg_attr(feature = "openapi", schema(example = 1_830_211))]
    pub nodes: u64,
    /// How long it took, in milliseconds; null in an answer that is the same whenever and wherever it is
    /// worked out.
    #[cfg_attr(feature = "openapi", schema(required, example = 498))]
    pub time_ms: Option<u64>,
    /// What ended it.
    pub stopped_by: StoppedBy,
}

/// How far the service searches for one question.
#[derive(Clone, Copy, Debug)]
pub struct SearchBounds {
    /// The longest that a search thinks.
    pub time: Duration,
    /// The deepest that a search looks, in plies.
    pub depth: u32,
    /// The most positions that a search visits.
    pub nodes: u64,
    /// The most best moves that a search tells apart.
    pub lines: u64,
}

/// What is asked of the search.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The limits of the search, and how it plays.
    pub options: Options,
    /// Whether the answer depends on nothing but the position and the options, and not on how fast the
    /// machine is.
    pub is_reproducible: bool,
}

/// How long the service thinks if it is told no limit and no level.
const DEFAULT_TIME: Duration = Duration::from_millis(500);

impl Plan {
    /// What is asked for, within the bounds of the service.
    ///
    /// # Errors
    /// A limit is above that of the service.
    pub fn of(question: &SuggestionQuestion, bounds: &SearchBounds) -> Result<Self, Failure> {
        let time = question.time_ms.map(TimeMs::get);
        let nodes = question.nodes.map(Nodes::get);
        check("time_ms", time, millis(bounds.time))?;
        check("depth", question.depth.map(Depth::get), bounds.depth.into())?;
        check("nodes", nodes, bounds.nodes)?;
        check("lines", question.lines.map(LineCount::get), bounds.lines)?;

        let is_reproducible =
            time.is_none() && (question.depth.is_some() || nodes.is_some() || question.level.is_some());
        let default_time = (!is_reproducible).then_some(DEFAULT_TIME.min(bounds.time));
        let limits = SearchLimits {
            time: time.map(Duration::from_millis).or(default_time),
            depth: Some(question.depth.map_or(bounds.depth, Depth::to)),
            nodes: Some(nodes.unwrap_or(bounds.nodes)),
        };
        let level = |level: LevelNumber| Level::try_from(level.to::<u8>()).expect("levels are 1 to 8");
        let options = Options {
            limits,
            lines: question.lines.map_or(1, LineCount::to),
            level: question.level.map(level),
            seed: question.seed.map_or(0, Seed::get),
        };
        Ok(Self { options, is_reproducible })
    }
}

/// Whole milliseconds.
fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A limit must not be above that of the service.
fn check(name: &str, asked: Option<u64>, max: u64) -> Result<(), Failure> {
    match asked {
        Some(asked) if asked > max => {
            let detail = format!(
                "the parameter '{name}' is wrong: {asked} is more than {max}, the limit of this service"
            );
            Err(Failure::invalid_parameter(name, detail))
        }
        _ => Ok(()),
    }
}

/// There is something to suggest only where the player to move has a choice of moves.
///
/// # Errors
/// The game is over, or the dice are to be rolled first.
pub fn check_stage(position: &impl Game) -> Result<(), Failure> {
    match position.stage() {
        Stage::Move => Ok(()),
        Stage::Roll => {
            let detail = "the dice are to be rolled before there is a move to suggest";
            Err(Failure::new(Code::RollFirst, detail))
        }
        Stage::Over(_) => {
            Err(Failure::new(Code::GameOver, "the game is over, so there is no move to suggest"))
        }
    }
}

/// What a search has found. A reproducible answer does not tell how long it took.
#[must_use]
pub fn answer<G: Notation>(position: &G, analysis: &Analysis<G::Move>, is_reproducible: bool) -> Suggestion {
    let lines: Vec<_> = analysis
        .lines
        .iter()
        .map(|line| {
            let pv = position.spell_line(&line.pv);
            SuggestedLine { first: pv[0].clone(), pv, value: line.value }
        })
        .collect();
    Suggestion {
        state: position.to_string(),
        turn: position.turn(),
        best: lines[0].first.clone(),
        lines,
        search: SearchReport {
            depth: analysis.depth,
            complete: analysis.complete,
            nodes: analysis.nodes,
            time_ms: (!is_reproducible).then(|| millis(analysis.time)),
            stopped_by: analysis.stopped_by,
        },
    }
}
