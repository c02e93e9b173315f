//! A whole game judged: what each move was worth beside the best one, and where the game was lost.

mod explanation;
mod judgment;
mod players;
mod plies;
mod why;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use self::plies::{PlayedPly, Task};
pub use self::{
    explanation::{Explanation, ExplanationKind},
    judgment::Judgment,
    players::{AnalysedPlayer, AnalysedPlayers, JudgmentCounts, Tally},
    plies::{AnalysedMove, AnalysedPly, AnalysedRoll, BestMove, PlayedMove, UnjudgedPly},
};
use super::{
    Bounds, Code, Effort, Failure, Gather, Method, Operation, Played, RepetitionLimit, Search, SearchBounds,
    SearchPlan, Series, Streamed,
    evaluation::effort,
    json::optional_word,
    many::Unanswered,
    position::{REPLAYED, Replay},
    read,
    searching::{Depth, Nodes, TimeMs},
    to_json,
};
use cublino_engine::{Options, Playable, RootPosition};
use cublino_rules::{
    game::{self, Notation, Player, Record, Stage, Standing},
    games::described::{Event, SharedEvent},
};

/// A game to be judged, and how hard to think about each of its positions.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisQuestion {
    /// The state that the game starts from; the start of the game by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable, example = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7")]
    pub state: Option<String>,
    /// The moves, in order; in a game with dice also the rolls, where the dice were rolled.
    #[schema(max_items = 1000, example = json!(["e1e2", "b7b6", "d1e1e3"]))]
    pub moves: Vec<String>,
    /// The game is drawn when a position occurs for this time; see `apply`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable)]
    pub repetition_limit: Option<RepetitionLimit>,
    /// The player who gave up after the moves; the opponent has won.
    #[serde(default, deserialize_with = "optional_word", skip_serializing_if = "Option::is_none")]
    pub resign: Option<Player>,
    /// How many positions to visit for each position of the game, at most as many as the service allows;
    /// before a roll they are split among all rolls. Without any limit, 500 ms are thought about each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable, example = 2000)]
    pub nodes: Option<Nodes>,
    /// How many plies to look ahead in each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable)]
    pub depth: Option<Depth>,
    /// How long to think about each, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable)]
    pub time_ms: Option<TimeMs>,
}

/// A game that has been judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Analysis {
    /// The state after the last move, in canonical form.
    pub state: String,
    /// Whether the game is over, and how it stands, with the moves played and a resignation taken into
    /// account.
    pub outcome: Standing,
    /// Every move and roll, in order.
    pub plies: Vec<AnalysedPly>,
    /// How well each player has played.
    pub players: AnalysedPlayers,
}

/// The last line of an analysis that is told line by line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnalysisEnd {
    /// How well each player has played.
    pub players: AnalysedPlayers,
    /// Whether the game is over, and how it stands.
    pub outcome: Standing,
}

/// A line of an analysis that is told line by line: a ply, in the end the players, or why there is no more.
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

/// How hard to think about each position, within the bounds of the service.
///
/// # Errors
/// A limit is above that of the service.
pub fn plan(question: &AnalysisQuestion, bounds: &SearchBounds) -> Result<SearchPlan, Failure> {
    bounds.plan(question.time_ms, question.depth.map(Depth::to), question.nodes, false)
}

/// A game that has been read: all its moves are legal.
#[derive(Clone, Debug)]
pub struct Game<G: Notation> {
    /// As far as it has been replayed.
    record: Record<G>,
    /// The moves that have not been replayed.
    moves: std::vec::IntoIter<String>,
    /// The last state.
    pub state: String,
    /// Whether it is over, and how it stands.
    pub outcome: Standing,
    /// How many plies are moves.
    pub move_count: usize,
    /// How many plies are rolls.
    pub roll_count: usize,
}

impl<G: Notation + Playable> Game<G> {
    /// Reads a game, of which there may be `max_moves` moves.
    ///
    /// # Errors
    /// The state cannot be read, or the failure names the first move that cannot be played.
    pub fn read(question: &AnalysisQuestion, max_moves: usize) -> Result<Self, Failure> {
        let start = question.state.as_deref().map_or_else(|| Ok(G::default()), read)?;
        let start = Record::new(start, question.repetition_limit.map(RepetitionLimit::to));
        let (mut replay, mut roll_count) = (Replay::new(start.clone(), &question.moves, max_moves)?, 0);
        for ply in replay.by_ref() {
            roll_count +=
                usize::from(matches!(ply?.events[..], [Event::Shared(SharedEvent::Roll { .. }), ..]));
        }
        let mut record = replay.record;
        if let Some(player) = question.resign {
            record.resign(player)?;
        }
        Ok(Self {
            record: start,
            state: record.position().to_string(),
            outcome: record.standing(),
            move_count: question.moves.len() - roll_count,
            roll_count,
            moves: question.moves.clone().into_iter(),
        })
    }
}

impl<G: Notation + Playable> Game<G> {
    /// The game judged, ply by ply.
    pub fn judge(self, judge: impl FnMut(UnjudgedPly<G>) -> AnalysedPly) -> Analysis {
        let (state, outcome) = (self.state.clone(), self.outcome);
        let plies: Vec<_> = self.map(judge).collect();
        let mut tally = Tally::new(!G::ROLLS.is_empty());
        for ply in &plies {
            tally.add(ply);
        }
        Analysis { state, outcome, plies, players: tally.players() }
    }
}

/// The plies to be judged. Each knows what occurred before, and is made when it is asked for.
impl<G: Notation + Playable> Iterator for Game<G> {
    type Item = UnjudgedPly<G>;

    fn next(&mut self) -> Option<UnjudgedPly<G>> {
        let text = self.moves.next()?;
        let before = RootPosition::from(&self.record);
        let position = *self.record.position();
        let task = match text.parse() {
            Ok(roll) if self.record.stage() == Stage::Roll => Task::Evaluate(roll),
            _ => {
                let spelling = text.parse().expect("the move has been read before");
                Task::Compare(position.resolve(&spelling).expect("the move has been played before"))
            }
        };
        let ply = self.record.play(&text).expect("the ply has been played before");
        let index = self.move_count + self.roll_count - self.moves.len() - 1;
        let game::Ply { text, player, position, .. } = ply;
        Some(UnjudgedPly {
            before,
            task,
            played: PlayedPly { index, player, text, state: position.to_string() },
        })
    }
}

impl Operation for Analysis {
    const NAME: &'static str = "analysis";
    const ID: &'static str = "analyseGame";
    const TAG: &'static str = "many";
    const ABOUT: &'static str = "Analyse a game\n\n\
        Judges each move beside the best move from the same search, with the reasons, and each roll by its \
        luck. As NDJSON, each ply is a line as soon as it is judged.\n\n\
        `loss` is never negative: of the last two depths, the one with the smaller loss counts. The last \
        NDJSON line has the players, or a problem if a ply could not be judged. More searching than the \
        service allows is `too-much-work`. The searches stop when you close the connection.";
    const GOOD: &'static str = "The game, judged.";
    const METHOD: Method = Method::Post;
    const IS_SEARCHED: bool = true;
    const PROBLEMS: &'static [Code] =
        &[Code::MalformedMove, Code::IllegalMove, Code::GameOver, Code::RollFirst];

    type Question = AnalysisQuestion;

    fn example(state: &str, moves: &[&str]) -> Option<AnalysisQuestion> {
        let moves: Vec<_> = moves.iter().map(|&text| text.to_owned()).collect();
        let (state, nodes) = (Some(state.to_owned()), Nodes::try_from(200).ok());
        (!moves.is_empty()).then(|| AnalysisQuestion { state, moves, nodes, ..AnalysisQuestion::default() })
    }
}

impl Streamed for Analysis {
    const IS_PURE: bool = true;

    type Line = AnalysisLine;
    type Found = AnalysedPly;

    fn series<G: Played>(
        question: &AnalysisQuestion,
        bounds: &Bounds,
    ) -> Result<Series<AnalysedPly>, Failure> {
        /// Lines that are held of each ply: the best, the one that was played, and what is said about them.
        const LINES: usize = 16;
        let plan = plan(question, &bounds.search)?;
        let game = Game::<G>::read(question, bounds.max_moves)?;
        // To compare a move with the best one, several lines are told apart.
        let options = Options { lines: 2, ..Options::new(plan.limits) };
        let compare = Effort { options, searches: 1, lines: LINES };
        let evaluate = Effort { lines: LINES, ..effort::<G>(&plan, true) };
        let count = game.move_count + game.roll_count;
        let judged = Judged {
            state: game.state.clone(),
            outcome: game.outcome,
            tally: Tally::new(!G::ROLLS.is_empty()),
        };
        let efforts = vec![(compare, game.move_count), (evaluate, game.roll_count)];
        let tablebases = bounds.tablebases.clone();
        let searches = game.map(move |ply| {
            let tablebases = tablebases.clone();
            let effort = if ply.is_roll() { evaluate } else { compare };
            Search::new(effort, move |control, table| ply.judge(&plan, &tablebases, control, table))
        });
        Ok(Series {
            searches: Box::new(searches),
            efforts,
            price: (count, count),
            held: Box::new(move |window| count * REPLAYED * (1 + window / 4)),
            answer: Box::new(judged),
        })
    }
}

/// An analysis as far as it has come.
struct Judged {
    state: String,
    outcome: Standing,
    tally: Tally,
}

impl Gather<AnalysedPly> for Judged {
    fn add(&mut self, ply: AnalysedPly) -> Option<String> {
        self.tally.add(&ply);
        Some(to_json(&ply))
    }

    fn last_line(&self) -> Option<String> {
        Some(to_json(&AnalysisEnd { players: self.tally.players(), outcome: self.outcome }))
    }

    fn whole(&self, added: &str) -> String {
        let (state, outcome) = (self.state.clone(), self.outcome);
        let empty = Analysis { state, outcome, plies: Vec::new(), players: self.tally.players() };
        to_json(&empty).replacen("[]", &format!("[{added}]"), 1)
    }
}
