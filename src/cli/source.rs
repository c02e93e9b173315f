//! Where the commands for people get their answers: they are worked out here, or asked of a running service.

use std::{fmt, io, time::Duration};

use actix_web::rt::{System, SystemRunner};
use clap::Args;

use crate::{
    client::{self, Client},
    games::GameId,
    search::{Control, Tablebases, TranspositionTable, evaluate, search},
    service::{
        self, Failure, SearchBounds,
        analysis::{self, AnalysedPly, Analysis, AnalysisLine, AnalysisQuestion},
        apply::{self, Applied, Apply},
        evaluation::{self, Evaluation, EvaluationQuestion},
        many::PositionResult,
        roll::{self, Roll, Rolled},
        suggestion::{self, Plan, Suggestion, SuggestionsQuestion},
        validation::{self, TextQuestion, Validation},
    },
    with_game,
};

/// Memory for what a search has seen.
const TABLE_BYTES: usize = 64 << 20;

/// Nobody else waits here, so that a search may go as far as it can be asked to.
const BOUNDS: SearchBounds =
    SearchBounds { time: Duration::from_secs(600), depth: 100, nodes: 1_000_000_000, lines: 10_000 };

/// The longest game, as the service has it.
const MAX_MOVES: usize = 1_000;

/// Whom to ask.
#[derive(Args, Clone, Debug)]
pub struct Asked {
    /// Ask a running service, such as <http://127.0.0.1:8080>, instead of working it out here
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// A key for a service that wants one
    #[arg(long, env = "CUBLINO_KEY", hide_env_values = true, value_name = "KEY")]
    key: Option<String>,
}

impl Asked {
    /// What answers.
    ///
    /// # Errors
    /// The URL is none.
    pub(super) fn source(&self) -> Result<Source, Refusal> {
        let Some(url) = &self.url else {
            let table = TranspositionTable::new(TABLE_BYTES);
            return Ok(Source::Here { table: Box::new(table), tablebases: Tablebases::built_in() });
        };
        let mut client = Client::builder(url);
        if let Some(key) = &self.key {
            client = client.key(key);
        }
        Ok(Source::There { client: client.build()?, runner: System::new() })
    }
}

/// Why there is no answer, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    /// A sentence of our own.
    pub(super) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

/// The terminal cannot be written to, say.
impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self(failure.detail)
    }
}

impl From<client::Error> for Refusal {
    fn from(error: client::Error) -> Self {
        match error.problem() {
            Some(problem) => Self(problem.detail.to_string()),
            None => Self(error.to_string()),
        }
    }
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        Self::other(refusal.0)
    }
}

type Answer<T> = Result<T, Refusal>;

/// What answers.
pub enum Source {
    /// This process.
    Here { table: Box<TranspositionTable>, tablebases: Tablebases },
    /// A running service.
    There { client: Client, runner: SystemRunner },
}

impl Source {
    /// The state that a game starts from.
    pub(super) fn start(game: GameId) -> String {
        with_game!(game, G => G::default().to_string())
    }

    /// Whether a text is a state.
    pub(super) fn validate(&self, game: GameId, state: &str) -> Answer<Validation> {
        let question = TextQuestion { state: state.to_owned() };
        match self {
            Self::Here { .. } => Ok(with_game!(game, G => validation::answer::<G>(question))),
            Self::There { client, runner } => Ok(runner.block_on(client.validate_state(game, &question))?),
        }
    }

    /// What becomes of a list of moves.
    pub(super) fn apply(&self, game: GameId, question: &Apply) -> Answer<Applied> {
        match self {
            Self::Here { .. } => Ok(with_game!(game, G => apply::answer::<G>(question, MAX_MOVES))?),
            Self::There { client, runner } => Ok(runner.block_on(client.apply_moves(game, question))?),
        }
    }

    /// Rolls the dice.
    pub(super) fn roll(&self, game: GameId, question: &Roll) -> Answer<Rolled> {
        match self {
            Self::Here { .. } => Ok(with_game!(game, G => roll::answer::<G>(question))?),
            Self::There { client, runner } => Ok(runner.block_on(client.roll_dice(game, question))?),
        }
    }

    /// What a position is worth.
    pub(super) fn evaluate(&mut self, game: GameId, question: EvaluationQuestion) -> Answer<Evaluation> {
        match self {
            Self::Here { table, tablebases } => {
                let (state, wish) = question.split();
                let plan = evaluation::plan(&wish, &BOUNDS)?;
                with_game!(game, G => {
                    let record = service::read::<G>(&state)?.into();
                    let found = evaluate(&record, &plan.limits, tablebases, &Control::new(), table);
                    Ok(evaluation::answer(&record, &found, plan.is_reproducible))
                })
            }
            Self::There { client, runner } => Ok(runner.block_on(client.evaluate_position(game, &question))?),
        }
    }

    /// What to play in the first of the positions that are asked about, which is the only one.
    pub(super) fn suggest(&mut self, game: GameId, question: SuggestionsQuestion) -> Answer<Suggestion> {
        match self {
            Self::Here { table, tablebases } => {
                let (positions, wish) = question.split();
                let plan = Plan::of(&wish, &BOUNDS)?;
                let position = positions.first().expect("one position is asked about").get()?;
                with_game!(game, G => {
                    let record = position.record::<G>(MAX_MOVES)?;
                    let root = suggestion::root(&record, None)?;
                    let found = search(root, &plan.options, tablebases, &Control::new(), table, &mut |_| {});
                    Ok(suggestion::answer(record.position(), &found, plan.is_reproducible))
                })
            }
            Self::There { client, runner } => {
                let mut results = runner.block_on(client.suggest_moves(game, &question))?.results;
                match results.pop() {
                    Some(PositionResult::Answered(answered)) => Ok(answered.answer),
                    Some(PositionResult::Unanswered(unanswered)) => {
                        Err(Refusal(unanswered.problem.detail.into_owned()))
                    }
                    None => Err(Refusal("the service has answered nothing".to_owned())),
                }
            }
        }
    }

    /// What each move of a game was worth. `on_ply` is told of each as soon as it is judged.
    pub(super) fn analyse(
        &mut self,
        game: GameId,
        question: &AnalysisQuestion,
        mut on_ply: impl FnMut(&AnalysedPly),
    ) -> Answer<Analysis> {
        match self {
            Self::Here { table, tablebases } => {
                let plan = analysis::plan(question, &BOUNDS)?;
                with_game!(game, G => {
                    let read = analysis::Game::<G>::read(question, MAX_MOVES)?;
                    Ok(read.judge(|ply| {
                        let judged = ply.judge(&plan, tablebases, &Control::new(), table).ply;
                        on_ply(&judged);
                        judged
                    }))
                })
            }
            Self::There { client, runner } => runner.block_on(async {
                let end = Apply {
                    state: question.state.clone().unwrap_or_else(|| Self::start(game)),
                    moves: question.moves.clone(),
                    ..Apply::default()
                };
                let state = client.apply_moves(game, &end).await?.state;
                let (mut lines, mut plies) = (client.stream_analysis(game, question).await?, Vec::new());
                while let Some(line) = lines.next().await {
                    match line? {
                        AnalysisLine::Ply(ply) => {
                            on_ply(&ply);
                            plies.push(ply);
                        }
                        AnalysisLine::End(end) => {
                            return Ok(Analysis { state, outcome: end.outcome, plies, players: end.players });
                        }
                        AnalysisLine::Unjudged(unanswered) => {
                            return Err(Refusal(unanswered.problem.detail.into_owned()));
                        }
                    }
                }
                Err(Refusal("the service has stopped before the end of the game".to_owned()))
            }),
        }
    }
}
