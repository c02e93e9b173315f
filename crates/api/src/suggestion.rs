//! What to play.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Asked, Bounds, Code, EVENTS, Effort, Failure, Found, MoveList, OnProgress, Operation, Plan, Planned,
    Played, ProblemBody, Ranged, Search, Seed,
    limits::{LIGHT_LINES, MAX_LINES, SearchAllowance},
    searching::{Depth, Nodes, SearchReport, TimeMs, time_ms},
};
use cublino_engine::{Analysis, Engine, Level, Line, Options, RootPosition, Value as MoveValue};
use cublino_rules::game::{Notation, Player, Record, Refusal, Stage, Unplayable};

/// How many moves are wanted.
pub type LineCount = Ranged<1, MAX_LINES>;
/// How well to play.
pub type LevelNumber = Ranged<1, 8>;

/// A question about the best moves, and the limits of the search.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SuggestionQuestion {
    /// The state, in the notation of the game.
    #[schema(max_length = 512)]
    pub state: String,
    /// Maximum time to search, in milliseconds. Without limit or level: 500.
    #[schema(inline, nullable)]
    pub time_ms: Option<TimeMs>,
    /// Maximum depth, in plies. Default: the service's limit.
    #[schema(inline, nullable)]
    pub depth: Option<Depth>,
    /// Maximum nodes to search. Default: the service's limit.
    #[schema(inline, nullable)]
    pub nodes: Option<Nodes>,
    /// How many of the best moves to return. Default: 1, the move to play. It may be worth a little less than
    /// the best one if that avoids a draw.
    #[schema(inline, nullable)]
    pub lines: Option<LineCount>,
    /// Legal moves to search; in a query, separate them by commas. Default: all.
    #[schema(value_type = Option<Vec<String>>, nullable)]
    pub moves: Option<MoveList>,
    /// Playing strength: 1 (beginner) to 8. Default: full strength.
    #[schema(inline, nullable)]
    pub level: Option<LevelNumber>,
    /// Seed for the errors of a level. Default: 0.
    #[schema(inline, nullable)]
    pub seed: Option<Seed>,
}

impl SuggestionQuestion {
    /// The question about a state, without limits.
    ///
    /// ```
    /// use cublino_api::suggestion::SuggestionQuestion;
    ///
    /// let depth = Some(4.try_into()?);
    /// let question = SuggestionQuestion { depth, ..SuggestionQuestion::about("M63-o22O") };
    /// assert_eq!((&*question.state, question.nodes), ("M63-o22O", None));
    /// # Ok::<(), cublino_api::OutOfRange>(())
    /// ```
    pub fn about(state: impl Into<String>) -> Self {
        Self { state: state.into(), ..Self::default() }
    }
}

/// What to play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Suggestion {
    /// The state in canonical form.
    pub state: String,
    /// The player to move.
    pub turn: Player,
    /// The move to play: the first of the first line.
    #[serde(rename = "move")]
    #[schema(example = "d1d2")]
    pub best: String,
    /// The best moves, best first: up to `lines` of them.
    #[schema(min_items = 1)]
    pub lines: Vec<SuggestedLine>,
    /// A report on the search.
    pub search: SearchReport,
}

/// A move, and the best play after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SuggestedLine {
    /// The move.
    #[serde(rename = "move")]
    #[schema(example = "d1d2")]
    pub first: String,
    /// The state after it.
    pub state: String,
    /// The principal variation, starting with this move. It ends before a roll.
    #[schema(min_items = 1, example = json!(["d1d2", "d7d6"]))]
    pub pv: Vec<String>,
    /// The value of the move for the player to move.
    pub value: MoveValue,
}

/// The id of the last event. A browser that reconnects sends it, and then gets no new answer.
pub const DONE: &str = "done";

/// An event of a streamed suggestion: `event` is the text after `event:`, and `data` the JSON after `data:`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SuggestionEvent<'a> {
    /// A depth is finished.
    Progress {
        /// The answer so far.
        data: Suggestion,
    },
    /// The end of the stream, with the answer.
    Done {
        /// The text after `id:`, for the header Last-Event-ID.
        #[schema(pattern = "^done$", example = "done")]
        id: Cow<'static, str>,
        /// What to play.
        data: Suggestion,
    },
    /// The end of the stream, if there is no full answer.
    Problem {
        /// Why there is no answer.
        data: ProblemBody<'a>,
    },
}

/// The options of the search, checked against the bounds of the service.
fn effort(question: &SuggestionQuestion, bounds: &SearchAllowance) -> Result<Effort, Failure> {
    let &SuggestionQuestion { time_ms, depth, nodes, lines, level, seed, .. } = question;
    let options = bounds.options(time_ms, depth, nodes, level.is_some())?;
    let of_number = |level: LevelNumber| Level::try_from(level.to::<u8>()).expect("levels are 1 to 8");
    let (lines, level) = (lines.map_or(1, LineCount::to), level.map(of_number));
    let options = Options { lines, level, seed: seed.map_or(0, Seed::get), ..options };
    Ok(Effort { options, searches: 1 })
}

/// The answer of a search. A reproducible answer does not contain the time that it took.
fn answer<G: Notation>(position: &G, analysis: &Analysis<G::Move>, is_reproducible: bool) -> Suggestion {
    let line = |line: &Line<G::Move>| {
        let (pv, state) = (position.spell_line(&line.pv), position.after(line.pv[0]).to_string());
        SuggestedLine { first: pv[0].clone(), state, pv, value: line.value }
    };
    let lines: Vec<_> = analysis.lines.iter().map(line).collect();
    let Analysis { depth, complete, nodes, time, stopped_by, .. } = *analysis;
    Suggestion {
        state: position.to_string(),
        turn: position.turn(),
        best: lines[0].first.clone(),
        lines,
        search: SearchReport { depth, complete, nodes, time_ms: time_ms(time, is_reproducible), stopped_by },
    }
}

/// Checks that there is a move to play: otherwise there is none to suggest, or to draw.
pub(super) fn check_stage(stage: Stage) -> Result<(), Failure> {
    match stage {
        Stage::Move => Ok(()),
        Stage::Roll => Err(Failure::new(Code::RollFirst, Unplayable::RollFirst.to_string())),
        Stage::Over(outcome) => Err(Refusal::GameOver(outcome).into()),
    }
}

/// The search for a suggestion. The moves played so far count, and only the requested moves are searched.
/// With `on_depth`, each answer contains the time that it took.
///
/// # Errors
/// There is no move to suggest, or a requested move is not legal.
fn searching<G: Played>(
    asked: Asked<'_, G, SuggestionQuestion>,
    effort: Effort,
    mut on_depth: Option<OnProgress<Suggestion>>,
) -> Result<Search<Suggestion>, Failure> {
    let Asked { record, question, bounds, .. } = asked;
    check_stage(record.stage())?;
    let mut root = RootPosition::from(&record);
    if let Some(moves) = &question.moves {
        root = root.with_moves(moves.resolve(&record)?);
    }
    let (position, engine) = (*record.position(), Engine::built_in::<G>(bounds.tablebases.clone()));
    let is_reproducible = effort.options.limits.time.is_none() && on_depth.is_none();
    Ok(Search::new(effort, move |control, table| {
        let mut on_depth = |analysis: &Analysis<G::Move>| {
            if let Some(report) = &mut on_depth {
                report(answer(&position, analysis, false));
            }
        };
        let found = engine.search(root, &effort.options, control, table, &mut on_depth);
        let answer = answer(&position, &found, is_reproducible);
        Found { answer, nodes: found.nodes, time: found.time, stopped_by: found.stopped_by }
    }))
}

impl Suggestion {
    /// The search for a suggestion in a game; `on_depth` gets each finished depth.
    ///
    /// # Errors
    /// A limit is above that of the service, there is no move to suggest, or a requested move is not legal.
    pub fn search<G: Played>(
        record: &Record<G>,
        question: &SuggestionQuestion,
        bounds: &Bounds,
        on_depth: Option<OnProgress<Self>>,
    ) -> Result<Search<Self>, Failure> {
        let effort = effort(question, &bounds.search)?;
        searching(Asked { text: "", record: record.clone(), question, bounds }, effort, on_depth)
    }
}

impl Operation for Suggestion {
    const NAME: &'static str = "suggestion";
    const HAS_MANY: bool = true;
    const USES_ENGINE: bool = true;

    type Question = SuggestionQuestion;
    type Item = ();

    fn state(question: &SuggestionQuestion) -> Option<&str> {
        Some(&question.state)
    }

    fn plan<G: Played>(question: &SuggestionQuestion, bounds: &Bounds, _: Stage) -> Planned<G, Self> {
        let effort = effort(question, &bounds.search)?;
        Ok(Plan::Search(effort, |asked, effort| searching(asked, effort, None)))
    }

    fn is_large(question: &SuggestionQuestion) -> bool {
        question.lines.is_some_and(|lines| lines.to::<usize>() > LIGHT_LINES)
    }
}

/// A suggestion as a stream of events.
impl Operation for SuggestionEvent<'static> {
    const NAME: &'static str = "suggestion/stream";
    const MEDIA: &'static str = EVENTS;
    const USES_ENGINE: bool = true;

    type Question = SuggestionQuestion;
    type Item = Self;

    fn state(question: &SuggestionQuestion) -> Option<&str> {
        Some(&question.state)
    }

    fn plan<G: Played>(question: &SuggestionQuestion, bounds: &Bounds, _: Stage) -> Planned<G, Self> {
        let effort = effort(question, &bounds.search)?;
        Ok(Plan::Events(effort, |asked, effort, mut on_progress| {
            let on_depth: OnProgress<Suggestion> = Box::new(move |data| on_progress(Self::Progress { data }));
            let search = searching(asked, effort, Some(on_depth))?;
            Ok(search.map(|data| Self::Done { id: DONE.into(), data }))
        }))
    }
}
