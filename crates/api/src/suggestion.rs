//! What to play.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{
    Code, Failure, MoveList, ProblemBody, Ranged, Seed,
    questions::questions,
    searching::{Depth, Nodes, SearchBounds, SearchPlan, SearchReport, TimeMs, check},
};
use cublino_engine::{Analysis, Level, Options, Playable, RootPosition, Value as MoveValue};
use cublino_rules::game::{Notation, Player, Record, Stage};

/// How many moves are wanted.
pub type LineCount = Ranged<1, 10_000>;
/// How well to play.
pub type LevelNumber = Ranged<1, 8>;

questions! {
    /// What is asked about what to play, besides in which position, and how hard to think about it.
    SuggestionWish;
    /// A question about what to play, and how hard to think about it.
    SuggestionQuestion;
    /// A question about what to play in each of many positions, and how hard to think about each.
    SuggestionsQuestion;

    /// How long to think about a position, in milliseconds, at most as long as the service allows (10,000
    /// unless it is set up otherwise), from the start of the search. It is 500 where there is neither a limit
    /// nor a level.
    time_ms: Option<TimeMs>, param(inline, nullable = false), schema(inline, nullable);
    /// How many plies to look ahead, at most as many as the service allows (64 unless it is set up
    /// otherwise), which is the default.
    depth: Option<Depth>, param(inline, nullable = false), schema(inline, nullable);
    /// How many positions to visit, at most as many as the service allows (20,000,000 unless it is set up
    /// otherwise), which is the default.
    nodes: Option<Nodes>, param(inline, nullable = false), schema(inline, nullable, example = 2000);
    /// How many of the best moves are wanted; 1 by default. More than there are gives all.
    lines: Option<LineCount>, param(inline, nullable = false), schema(inline, nullable);
    /// Only these moves are searched: legal ones, in a query separated by commas. All by default.
    moves: Option<MoveList>,
        param(value_type = Option<String>, nullable = false, example = ""),
        schema(value_type = Option<Vec<String>>, nullable);
    /// How well to play against people: 1, a beginner, to 8, nearly full strength. Full strength by default.
    /// A level has limits of its own on depth and positions, and none on time.
    level: Option<LevelNumber>, param(inline, nullable = false), schema(inline, nullable);
    /// What a level draws its errors from: with another seed it may play another move. 0 by default.
    seed: Option<Seed>, param(inline, nullable = false), schema(inline, nullable);
}

/// What to play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    #[cfg_attr(feature = "openapi", schema(min_items = 1))]
    pub lines: Vec<SuggestedLine>,
    /// How the service came to it.
    pub search: SearchReport,
}

/// A move, and what follows if both sides play their best.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuggestedLine {
    /// The move.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "openapi", schema(example = "d1d2"))]
    pub first: String,
    /// The state after it.
    pub state: String,
    /// The moves that are expected, this one included. With dice the line ends where they are rolled.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, example = json!(["d1d2", "d7d6"])))]
    pub pv: Vec<String>,
    /// What the move is worth to the player to move.
    pub value: MoveValue,
}

/// The id of the last event. A browser that comes back after it says so, and need not be answered again.
pub const DONE: &str = "done";

/// An event of a suggestion that is told while it is worked out, with the name that follows `event:`, and as
/// `data` the JSON that follows `data:`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SuggestionEvent<'a> {
    /// A depth is finished.
    Progress {
        /// What is known by then.
        data: Suggestion,
    },
    /// The end of the stream, if the search could be answered.
    Done {
        /// What follows `id:`, for the header Last-Event-ID.
        #[cfg_attr(feature = "openapi", schema(pattern = "^done$", example = "done"))]
        id: Cow<'static, str>,
        /// What to play.
        data: Suggestion,
    },
    /// The end of the stream, if the search has failed, or could not be answered in full.
    Problem {
        /// Why there is no answer.
        data: ProblemBody<'a>,
    },
}

impl SuggestionEvent<'_> {
    /// The end of a search that could be answered.
    pub const fn done(data: Suggestion) -> Self {
        Self::Done { id: Cow::Borrowed(DONE), data }
    }
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

impl Plan {
    /// What is asked for, within the bounds of the service.
    ///
    /// # Errors
    /// A limit is above that of the service.
    pub fn of(wish: &SuggestionWish, bounds: &SearchBounds) -> Result<Self, Failure> {
        check("lines", wish.lines.map(LineCount::get), bounds.lines)?;
        let SearchPlan { limits, is_reproducible } =
            bounds.plan(wish.time_ms, wish.depth.map(Depth::to), wish.nodes, wish.level.is_some())?;
        let level = |level: LevelNumber| Level::try_from(level.to::<u8>()).expect("levels are 1 to 8");
        let options = Options {
            limits,
            lines: wish.lines.map_or(1, LineCount::to),
            level: wish.level.map(level),
            seed: wish.seed.map_or(0, Seed::get),
        };
        Ok(Self { options, is_reproducible })
    }
}

/// Where a search for a suggestion starts: what has been played counts, and only the moves that are asked for
/// are searched.
///
/// # Errors
/// The game is over, the dice are to be rolled first, or one of the moves is not legal.
pub fn root<G: Playable + Notation>(
    record: &Record<G>,
    moves: Option<&MoveList>,
) -> Result<RootPosition<G>, Failure> {
    match record.stage() {
        Stage::Move => {}
        Stage::Roll => {
            let detail = "the dice are to be rolled before there is a move to suggest";
            return Err(Failure::new(Code::RollFirst, detail));
        }
        Stage::Over(_) => {
            return Err(Failure::new(Code::GameOver, "the game is over, so there is no move to suggest"));
        }
    }
    let root = RootPosition::from(record);
    Ok(match moves {
        Some(moves) => root.with_moves(moves.resolve(record)?),
        None => root,
    })
}

/// What a search has found. A reproducible answer does not tell how long it took.
#[must_use]
pub fn answer<G: Notation>(position: &G, analysis: &Analysis<G::Move>, is_reproducible: bool) -> Suggestion {
    let lines: Vec<_> = analysis
        .lines
        .iter()
        .map(|line| {
            let (pv, state) = (position.spell_line(&line.pv), position.after(line.pv[0]).to_string());
            SuggestedLine { first: pv[0].clone(), state, pv, value: line.value }
        })
        .collect();
    let Analysis { depth, complete, nodes, time, stopped_by, .. } = *analysis;
    Suggestion {
        state: position.to_string(),
        turn: position.turn(),
        best: lines[0].first.clone(),
        lines,
        search: SearchReport::new(depth, complete, nodes, (!is_reproducible).then_some(time), stopped_by),
    }
}
