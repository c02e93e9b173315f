//! What an operation is: the facts that routes, document, client, metrics and log need, each stated once.

use std::{fmt, time::Duration};

use serde::{Serialize, de::DeserializeOwned};
use utoipa::ToSchema;

use super::{
    Failure, analysis::Analysis, append_json, apply::Applied, evaluation::Evaluation,
    legal_moves::LegalMoves, limits::SearchAllowance, picture::Svg, puzzles::Puzzles,
    random_positions::RandomPositions, roll::Rolled, score::Score, suggestion::Suggestion,
    validation::Validation,
};
use cublino_engine::{Control, Options, Playable, StoppedBy, Tablebases, TranspositionTable};
use cublino_rules::game::{Notation, Record};

/// An operation on a game. The type of its answers stands for it: [`LegalMoves`], for example.
pub trait Operation: Serialize + DeserializeOwned + ToSchema + Send + Sized + 'static {
    /// The end of its path, after the game. Metrics, the log and entity tags use it, too.
    const NAME: &'static str;
    /// How its question is sent.
    const METHOD: Method = Method::Get;
    /// The media type of a good answer.
    const MEDIA: &'static str = JSON;
    /// Whether a short answer is compressed for callers that accept it: if that is worth the time.
    const IS_COMPRESSED: bool = false;

    /// The question.
    type Question: Serialize + DeserializeOwned + ToSchema + Clone + Default + fmt::Debug + 'static;

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

/// An operation about a state in the query, and perhaps about many positions in a body.
pub trait AboutState: Operation {
    /// Whether the same question can be asked about many positions.
    const HAS_MANY: bool = true;
    /// Whether answers depend on the engine: on its tablebases, and on the limits and tables of its searches.
    const USES_ENGINE: bool = false;

    /// The state that a question is about.
    fn state(question: &Self::Question) -> &str;

    /// The effort of a search for an answer, before a roll or otherwise; `None` if nothing is searched.
    ///
    /// # Errors
    /// The question is not within the bounds.
    fn effort<G: Played>(
        _: &Self::Question,
        _: &Bounds,
        _before_roll: bool,
    ) -> Result<Option<Effort>, Failure> {
        Ok(None)
    }

    /// The price of a single question, in requests. An expensive answer may be long.
    fn price(_: &Self::Question) -> u32 {
        1
    }

    /// How to answer a question.
    ///
    /// # Errors
    /// The question has no answer in this position.
    fn ask<G: Played>(asked: Asked<'_, G, Self::Question>) -> Result<Work<Self>, Failure>;

    /// How to answer a question about a text that is not a state; most operations cannot.
    fn about_no_state<G: Played>(_text: &str) -> Option<Work<Self>> {
        None
    }
}

/// A question about a state, and what it is about.
#[derive(Clone, Debug)]
pub struct Asked<'a, G, Q> {
    /// The state as it was written.
    pub text: &'a str,
    /// The game that began with the state.
    pub record: Record<G>,
    /// The question.
    pub question: &'a Q,
    /// The bounds of the service.
    pub bounds: &'a Bounds,
}

/// An operation with a question about a game, without a state in the query, that is answered at once.
pub trait AboutGame: Operation {
    /// How many moves are played for the answer.
    fn moves(_: &Self::Question) -> usize {
        0
    }

    /// How many plies the answer tells.
    fn plies(_: &Self::Question) -> usize {
        0
    }

    /// The answer.
    ///
    /// # Errors
    /// The question has no answer.
    fn answer<G: Played>(question: &Self::Question) -> Result<Pieces, Failure>;
}

/// An operation whose answer comes from many searches, one line for each or all in one value.
pub trait Streamed: Operation {
    /// A line of the answer.
    type Line: DeserializeOwned + ToSchema + Send + 'static;
    /// What a search finds.
    type Found: Send + 'static;

    /// The searches of a question.
    ///
    /// # Errors
    /// The question has no answer.
    fn series<G: Played>(question: &Self::Question, bounds: &Bounds) -> Result<Series<Self::Found>, Failure>;
}

/// A visitor of all operations.
pub trait Visitor {
    /// Visits an operation about a state.
    fn about_state<O: AboutState>(&mut self);
    /// Visits an operation about a game.
    fn about_game<O: AboutGame>(&mut self);
    /// Visits an operation with many searches.
    fn streamed<O: Streamed>(&mut self);
    /// Visits the operation that sends each finished depth of a suggestion as an event.
    fn events(&mut self);
}

/// The operations, in the order of the document. A new one is one line here.
pub fn visit(visitor: &mut impl Visitor) {
    visitor.about_state::<Validation>();
    visitor.about_state::<LegalMoves>();
    visitor.about_state::<Score>();
    visitor.about_state::<Evaluation>();
    visitor.about_state::<Suggestion>();
    visitor.events();
    visitor.about_state::<Svg>();
    visitor.about_game::<Applied>();
    visitor.about_game::<Rolled>();
    visitor.about_game::<Puzzles>();
    visitor.streamed::<Analysis>();
    visitor.streamed::<RandomPositions>();
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

/// Text that is computed piece by piece: a call appends the next piece, which may be empty, and returns
/// whether there are more.
pub type Pieces = Box<dyn FnMut(&mut Vec<u8>) -> bool>;

/// An answer in JSON, as one piece.
pub fn whole<A: Serialize>(answer: impl FnOnce() -> A + 'static) -> Pieces {
    let mut answer = Some(answer);
    Box::new(move |text| {
        if let Some(answer) = answer.take() {
            append_json(&answer(), text);
        }
        false
    })
}

/// How to get an answer. The answer depends on nothing but the question and the [`Bounds`], unless a search
/// has a time limit.
#[derive(derive_more::Debug)]
pub enum Work<A> {
    /// The answer is the text of these pieces.
    #[debug("AtOnce")]
    AtOnce(Pieces),
    /// A search finds the answer.
    Search(Search<A>),
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

impl<T> Search<T> {
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

/// Searches whose results make one answer.
#[derive(derive_more::Debug)]
#[debug("Series({efforts:?})")]
pub struct Series<T> {
    /// The searches, perhaps infinitely many.
    pub searches: Box<dyn Iterator<Item = Search<T>>>,
    /// The efforts, each with the number of searches that need it.
    pub efforts: Vec<(Effort, usize)>,
    /// How many positions and how many moves the caller pays for.
    pub price: (usize, usize),
    /// Builds the answer.
    pub answer: Box<dyn Gather<T>>,
}

impl<T> Series<T> {
    /// Runs one search after the other on the calling thread, calls `on_found` with each result, and returns
    /// the answer in JSON.
    pub fn run(mut self, table: &mut TranspositionTable, mut on_found: impl FnMut(&T)) -> String {
        let mut added = Vec::new();
        while !self.answer.is_complete()
            && let Some(search) = self.searches.next()
        {
            let found = search.run(&Control::new(), table).answer;
            on_found(&found);
            added.extend(self.answer.add(found));
        }
        self.answer.whole(&added.join(","))
    }
}

/// Builds an answer from the results of searches, in their order.
pub trait Gather<T> {
    /// The line before all others.
    fn first_line(&self) -> Option<String> {
        None
    }

    /// The JSON that a result adds, if it adds anything.
    fn add(&mut self, found: T) -> Option<String>;

    /// Whether the answer is complete.
    fn is_complete(&self) -> bool {
        false
    }

    /// The line after all others.
    fn last_line(&self) -> Option<String> {
        None
    }

    /// The whole answer in JSON, with what was added, separated by commas.
    fn whole(&self, added: &str) -> String;
}
