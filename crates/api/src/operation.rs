//! What an operation is: the facts that routes, document, client, metrics and log need, each stated once.

use std::{fmt, time::Duration};

use serde::{Serialize, de::DeserializeOwned};
use utoipa::ToSchema;

use super::{
    Failure,
    analysis::Analysis,
    apply::Applied,
    evaluation::Evaluation,
    legal_moves::LegalMoves,
    limits::SearchAllowance,
    picture::Svg,
    puzzles::Puzzles,
    random_positions::RandomPositions,
    roll::Rolled,
    score::Score,
    suggestion::{Suggestion, SuggestionEvent},
    to_json,
    validation::Validation,
};
use cublino_engine::{Control, Options, Playable, StoppedBy, Tablebases, TranspositionTable};
use cublino_rules::game::{Notation, Record, Stage};

/// An operation on a game. The type of its answers stands for it: [`LegalMoves`], for example.
pub trait Operation: Serialize + DeserializeOwned + ToSchema + Send + Sized + 'static {
    /// The end of its path, after the game. Metrics, the log and entity tags use it, too.
    const NAME: &'static str;
    /// How its question is sent.
    const METHOD: Method = Method::Get;
    /// The media type of a good answer.
    const MEDIA: &'static str = JSON;
    /// Whether the same question can be asked about many positions in a body.
    const HAS_MANY: bool = false;
    /// Whether the answer comes from many searches and is also sent line by line, as NDJSON.
    const HAS_LINES: bool = false;
    /// Whether a short answer is compressed for callers that accept it: if that is worth the time.
    const IS_COMPRESSED: bool = false;
    /// Whether answers depend on the engine: on its tablebases, and on the limits and tables of its searches.
    const USES_ENGINE: bool = false;

    /// The question.
    type Question: Serialize + DeserializeOwned + ToSchema + Clone + Default + fmt::Debug + Send + 'static;
    /// An entry of the list that the answer ends with, or a line of the answer as NDJSON, or an event; `()`
    /// if it is always sent as one value.
    type Item: Serialize + ToSchema + Send + 'static;

    /// The state that a question is about; `None` for the start of the game.
    fn state(question: &Self::Question) -> Option<&str>;

    /// How to answer a question in a stage of the game, and how much searching that takes.
    ///
    /// # Errors
    /// The question is not within the bounds.
    fn plan<G: Played>(question: &Self::Question, bounds: &Bounds, stage: Stage) -> Planned<G, Self>;

    /// The price of a question, in requests.
    fn price(_: &Self::Question) -> u32 {
        1
    }

    /// Whether the answer may hold much memory.
    fn is_large(_: &Self::Question) -> bool {
        false
    }

    /// The answer about a text that is not a state; most operations have none.
    fn about_no_state<G: Played>(_text: &str) -> Option<Self> {
        None
    }

    /// The body of an answer.
    fn write(&self) -> String {
        to_json(self)
    }

    /// Reads the body of an answer.
    ///
    /// # Errors
    /// It is not an answer to this operation.
    fn read(body: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(body)
    }
}

/// How the question of an operation is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// In the query.
    Get,
    /// In a body.
    Post,
    /// In a body. The answer depends on nothing else, so the request can be repeated safely.
    PostOrQuery,
}

/// The media type of JSON.
pub const JSON: &str = "application/json";
/// The media type of one JSON value a line.
pub const NDJSON: &str = "application/x-ndjson";
/// The media type of server-sent events.
pub const EVENTS: &str = "text/event-stream";

/// A game with everything that operations need.
pub trait Played: Notation + Playable {}

impl<G: Notation + Playable> Played for G {}

/// A visitor of all operations.
pub trait Visitor {
    /// Visits an operation.
    fn visit<O: Operation>(&mut self);
}

/// Visits the operations, in the order of the document. A new one is one line here.
pub fn visit(visitor: &mut impl Visitor) {
    visitor.visit::<Validation>();
    visitor.visit::<LegalMoves>();
    visitor.visit::<Score>();
    visitor.visit::<Evaluation>();
    visitor.visit::<Suggestion>();
    visitor.visit::<SuggestionEvent<'static>>();
    visitor.visit::<Svg>();
    visitor.visit::<Applied>();
    visitor.visit::<Rolled>();
    visitor.visit::<Puzzles>();
    visitor.visit::<Analysis>();
    visitor.visit::<RandomPositions>();
}

/// The limits of the service for a question, and the tablebases of its searches.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The limits of a search.
    pub search: SearchAllowance,
    /// The size of a transposition table, in bytes.
    pub table_bytes: usize,
    /// The tablebases.
    pub tablebases: Tablebases,
}

/// A question, and what it is about.
#[derive(Clone, Debug)]
pub struct Asked<'a, G, Q> {
    /// The state as it was written; empty for the start of the game.
    pub text: &'a str,
    /// The game that began with the state.
    pub record: Record<G>,
    /// The question.
    pub question: &'a Q,
    /// The bounds of the service.
    pub bounds: &'a Bounds,
}

/// How to answer a question, or why it is not within the bounds.
pub type Planned<G, O> = Result<Plan<G, O>, Failure>;

/// How to answer a question. An answer depends on nothing but the question and the [`Bounds`], unless a
/// search has a time limit.
#[expect(clippy::type_complexity, reason = "each type stands where it is needed")]
#[expect(missing_debug_implementations, reason = "functions have nothing to show")]
pub enum Plan<G, O: Operation> {
    /// At once.
    AtOnce(AnswerAtOnce<G, O>),
    /// By a search.
    Search(Effort, fn(Asked<'_, G, O::Question>, Effort) -> Result<Search<O>, Failure>),
    /// By a search whose progress is sent as events.
    Events(Effort, fn(Asked<'_, G, O::Question>, Effort, OnProgress<O>) -> Result<Search<O>, Failure>),
    /// By many searches: each effort with the number of searches that need it.
    Series(Vec<(Effort, usize)>, fn(Asked<'_, G, O::Question>) -> Result<Box<dyn Series<O>>, Failure>),
}

/// A function that answers at once.
pub type AnswerAtOnce<G, O> = fn(Asked<'_, G, <O as Operation>::Question>) -> Result<Answer<O>, Failure>;

/// A function that is called with the progress of a search, on its thread.
pub type OnProgress<O> = Box<dyn FnMut(O) + Send>;

/// An answer that is known.
#[derive(derive_more::Debug)]
pub enum Answer<O: Operation> {
    /// All of it.
    #[debug("Value")]
    Value(O),
    /// The answer with an empty list as its last member, and the entries of that list, which are made while
    /// they are sent.
    #[debug("List")]
    List(O, Box<dyn Iterator<Item = O::Item> + Send>),
}

/// The effort of a search.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Its limits.
    pub options: Options,
    /// How many searches it is, one after the other.
    pub searches: usize,
}

/// A search that can be made on any thread.
#[derive(derive_more::Debug)]
#[debug("Search({effort:?})")]
pub struct Search<T> {
    /// Its effort.
    pub effort: Effort,
    run: RunSearch<T>,
}

type RunSearch<T> = Box<dyn FnOnce(&Control, &mut TranspositionTable) -> Found<T> + Send>;

impl<T: 'static> Search<T> {
    /// A search with this effort.
    pub fn new(
        effort: Effort,
        run: impl FnOnce(&Control, &mut TranspositionTable) -> Found<T> + Send + 'static,
    ) -> Self {
        Self { effort, run: Box::new(run) }
    }

    /// Searches on the calling thread.
    pub fn run(self, control: &Control, table: &mut TranspositionTable) -> Found<T> {
        (self.run)(control, table)
    }

    /// The same search, for an answer that is made of what it finds.
    #[must_use]
    pub fn map<U: 'static>(self, map: impl FnOnce(T) -> U + Send + 'static) -> Search<U> {
        Search::new(self.effort, move |control, table| {
            let Found { answer, nodes, time, stopped_by } = (self.run)(control, table);
            Found { answer: map(answer), nodes, time, stopped_by }
        })
    }
}

/// The result of a search, and what it took.
#[derive(Clone, Copy, Debug)]
pub struct Found<T> {
    /// The answer.
    pub answer: T,
    /// How many nodes (positions) were visited.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

/// Searches whose results make one answer: its lines, or all in one value.
pub trait Series<O: Operation> {
    /// The line before all others.
    fn first_line(&self) -> Option<O::Item> {
        None
    }

    /// The next search.
    fn next(&mut self) -> Option<Search<Option<O::Item>>>;

    /// The entry that a result adds, if it adds any. Results come in the order of their searches.
    fn add(&mut self, found: Option<O::Item>) -> Option<O::Item>;

    /// Whether the answer is complete, even if there are more searches.
    fn is_complete(&self) -> bool {
        false
    }

    /// The line after all others.
    fn last_line(&self) -> Option<O::Item> {
        None
    }

    /// The answer with an empty list as its last member.
    fn whole(&self) -> O;

    /// Runs one search after the other on the calling thread, and calls `on_added` with each entry.
    fn run(&mut self, table: &mut TranspositionTable, on_added: &mut dyn FnMut(O::Item)) {
        while !self.is_complete()
            && let Some(search) = self.next()
        {
            let found = search.run(&Control::new(), table).answer;
            self.add(found).into_iter().for_each(&mut *on_added);
        }
    }
}
