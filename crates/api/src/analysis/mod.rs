//! The analysis of a whole game: each move compared with the best one, and where the game was lost.

mod plies;
mod why;

use std::{iter, vec};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use self::plies::Unjudged;
pub use self::{
    plies::{
        AnalysedMove, AnalysedPlayer, AnalysedPlayers, AnalysedPly, AnalysedRoll, BestMove, Judgment,
        JudgmentCounts, PlayedMove, Tally,
    },
    why::{Explanation, ExplanationKind},
};
use super::{
    Asked, Bounds, Depth, Effort, Failure, Method, Nodes, Operation, Plan, Planned, Played, RepetitionLimit,
    Search, Series, TimeMs, Unanswered,
    json::{at_most, optional_word},
    limits::{MAX_MOVES, PRICES},
    read, replay,
};
use cublino_engine::{Options, RootPosition, Tablebases};
use cublino_rules::game::{self, Player, Record, Stage, Standing};

/// A game to analyse, and the limits of the search for each of its positions.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisQuestion {
    /// The state that the game starts from. Default: the start of the game.
    #[schema(nullable, example = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7")]
    pub state: Option<String>,
    /// The moves in order. In games with dice, include each roll.
    #[serde(deserialize_with = "at_most::<MAX_MOVES, _, _>")]
    #[schema(max_items = 1000, example = json!(["e1e2", "b7b6", "d1e1e3"]))]
    pub moves: Vec<String>,
    /// The game is drawn when a position occurs this many times; see `apply`.
    #[schema(inline, nullable)]
    pub repetition_limit: Option<RepetitionLimit>,
    /// The player who resigned after the moves. The opponent has won.
    #[serde(default, deserialize_with = "optional_word", skip_serializing_if = "Option::is_none")]
    pub resign: Option<Player>,
    /// Maximum nodes to search for each position; before a roll, all rolls share them. Without any limit,
    /// each search takes 500 ms.
    #[schema(inline, nullable, example = 2000)]
    pub nodes: Option<Nodes>,
    /// Maximum depth of each search, in plies.
    #[schema(inline, nullable)]
    pub depth: Option<Depth>,
    /// Maximum time of each search, in milliseconds.
    #[schema(inline, nullable)]
    pub time_ms: Option<TimeMs>,
    /// How much to return. `all` (default): every ply. `mistakes`: only the moves with a judgment and the
    /// critical ones, with the first move of each line. `summary`: only the outcome and the players. The
    /// whole game is analysed in any case.
    #[serde(default, deserialize_with = "optional_word", skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable)]
    pub detail: Option<AnalysisDetail>,
}

/// How much an analysis returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(default = "all")]
pub enum AnalysisDetail {
    /// Every move and roll.
    #[default]
    All,
    /// Only the moves with a judgment and the critical ones, with the first move of each line.
    Mistakes,
    /// No moves and rolls, only the outcome and the players.
    Summary,
}

/// An analysed game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Analysis {
    /// The state after the last move, in canonical form.
    pub state: String,
    /// Whether the game is over, and the score. Repetition and resignation count.
    pub outcome: Standing,
    /// How well each player has played.
    pub players: AnalysedPlayers,
    /// Every move and roll that `detail` asks for, in order.
    pub plies: Vec<AnalysedPly>,
}

/// The last NDJSON line of an analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnalysisEnd {
    /// How well each player has played.
    pub players: AnalysedPlayers,
    /// Whether the game is over, and the score.
    pub outcome: Standing,
}

/// An NDJSON line of an analysis: a ply, or as the last line the players or a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum AnalysisLine {
    /// A ply.
    Ply(AnalysedPly),
    /// The last line.
    End(AnalysisEnd),
    /// The last line, if a ply cannot be judged.
    Unjudged(Unanswered<'static>),
}

impl Operation for Analysis {
    const NAME: &'static str = "analysis";
    const METHOD: Method = Method::PostOrQuery;
    const HAS_LINES: bool = true;

    type Question = AnalysisQuestion;
    type Item = AnalysisLine;

    fn state(question: &AnalysisQuestion) -> Option<&str> {
        question.state.as_deref()
    }

    fn plan<G: Played>(question: &AnalysisQuestion, bounds: &Bounds, _: Stage) -> Planned<G, Self> {
        let [compare, evaluate] = efforts::<G>(question, bounds)?;
        let rolls = question.moves.iter().filter(|text| text.parse::<G::Roll>().is_ok()).count();
        let searches = vec![(compare, question.moves.len() - rolls), (evaluate, rolls)];
        Ok(Plan::Series(searches, |asked| Ok(Box::new(Analysing::begin(asked)?))))
    }

    fn price(question: &AnalysisQuestion) -> u32 {
        PRICES.of(question.moves.len(), question.moves.len())
    }
}

/// The effort to compare a move with the best one, and to evaluate all rolls.
fn efforts<G: Played>(question: &AnalysisQuestion, bounds: &Bounds) -> Result<[Effort; 2], Failure> {
    let &AnalysisQuestion { time_ms, depth, nodes, .. } = question;
    let options = bounds.search.options(time_ms, depth, nodes, false)?;
    // Comparing a move with the best one takes a search of several lines (MultiPV).
    let compare = Effort { options: Options { lines: 2, ..options }, searches: 1 };
    Ok([compare, Effort { options, searches: G::ROLLS.len() }])
}

/// An analysis in progress.
struct Analysing<G: Played> {
    /// The game before the next ply to analyse.
    record: Record<G>,
    moves: iter::Enumerate<vec::IntoIter<String>>,
    efforts: [Effort; 2],
    tablebases: Tablebases,
    /// The state after the last move.
    state: String,
    outcome: Standing,
    tally: Tally,
    detail: AnalysisDetail,
}

impl Analysis {
    /// The searches for an analysis.
    ///
    /// # Errors
    /// A limit is above that of the service, or a move cannot be played.
    pub fn series<G: Played>(
        question: &AnalysisQuestion,
        bounds: &Bounds,
    ) -> Result<impl Series<Self> + use<G>, Failure> {
        let start: G = question.state.as_deref().map_or_else(|| Ok(G::default()), read)?;
        Analysing::begin(Asked { text: "", record: start.into(), question, bounds })
    }
}

impl<G: Played> Analysing<G> {
    /// Checks all moves before the first one is analysed.
    fn begin(asked: Asked<'_, G, AnalysisQuestion>) -> Result<Self, Failure> {
        let Asked { record, question, bounds, .. } = asked;
        let limit = question.repetition_limit.map(RepetitionLimit::to);
        let record = Record::new(*record.position(), limit);
        let mut end = record.clone();
        for ply in replay(&mut end, &question.moves)? {
            ply?;
        }
        if let Some(player) = question.resign {
            end.resign(player)?;
        }
        Ok(Self {
            record,
            moves: question.moves.clone().into_iter().enumerate(),
            efforts: efforts::<G>(question, bounds)?,
            tablebases: bounds.tablebases.clone(),
            state: end.position().to_string(),
            outcome: end.standing(),
            tally: Tally::new(!G::ROLLS.is_empty()),
            detail: question.detail.unwrap_or_default(),
        })
    }
}

impl<G: Played> Series<Analysis> for Analysing<G> {
    fn next(&mut self) -> Option<Search<Option<AnalysisLine>>> {
        let (index, text) = self.moves.next()?;
        let (root, is_roll) = (RootPosition::from(&self.record), self.record.stage() == Stage::Roll);
        let ply = self.record.play(&text).expect("the ply has been played before");
        let game::Ply { text, player, position, .. } = ply;
        let [compare, evaluate] = self.efforts;
        let limits = evaluate.options.limits;
        let (state, tablebases) = (position.to_string(), self.tablebases.clone());
        let ply = Unjudged { root, index, player, text, state, limits, tablebases };
        let search = if is_roll {
            Search::new(evaluate, move |control, table| ply.judge_roll(control, table))
        } else {
            Search::new(compare, move |control, table| ply.judge_move(control, table))
        };
        Some(search.map(|ply| Some(AnalysisLine::Ply(ply))))
    }

    fn add(&mut self, found: Option<AnalysisLine>) -> Option<AnalysisLine> {
        let Some(AnalysisLine::Ply(mut ply)) = found else { return found };
        self.tally.add(&ply);
        match (self.detail, &mut ply) {
            (AnalysisDetail::All, _) => {}
            (AnalysisDetail::Mistakes, AnalysedPly::Move(m)) if m.judgment.is_some() || m.critical => {
                m.best.pv.truncate(1);
                m.played.pv.truncate(1);
            }
            (AnalysisDetail::Mistakes | AnalysisDetail::Summary, _) => return None,
        }
        Some(AnalysisLine::Ply(ply))
    }

    fn last_line(&self) -> Option<AnalysisLine> {
        Some(AnalysisLine::End(AnalysisEnd { players: self.tally.players(), outcome: self.outcome }))
    }

    fn whole(&self) -> Analysis {
        let (state, outcome, players) = (self.state.clone(), self.outcome, self.tally.players());
        Analysis { state, outcome, players, plies: Vec::new() }
    }
}
