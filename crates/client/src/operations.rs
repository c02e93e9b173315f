//! The operations: each has the name that the document gives it.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    Answers, Client, Error,
    request::Request,
    stream::{Event, Framing},
};
use cublino_api::{
    Code, PositionsQuestion, ProblemPage, StateQuestion,
    analysis::{Analysis, AnalysisLine, AnalysisQuestion},
    apply::{Applied, Apply},
    evaluation::{Evaluation, EvaluationQuestion, EvaluationsQuestion},
    games::{GameDetails, Games},
    health::Health,
    legal_moves::{LegalMoves, LegalMovesOfManyQuestion, LegalMovesQuestion},
    limits::ServiceLimits,
    many::{PositionResult, Results},
    paths::{self, of_game},
    picture::PictureQuestion,
    random_positions::{RandomPositions, RandomPositionsLine, RandomPositionsQuestion},
    roll::{Roll, Rolled},
    score::Score,
    suggestion::{Suggestion, SuggestionEvent, SuggestionQuestion, SuggestionsQuestion},
    validation::{TextQuestion, Validation},
};
use cublino_rules::games::GameId;

/// Media types of answers that come piece by piece.
const LINES: &str = "application/x-ndjson";
const EVENTS: &str = "text/event-stream";

/// Questions about the games, and about one state.
impl Client {
    /// The games, with their starts, goals and notations.
    ///
    /// # Errors
    /// The service cannot be reached.
    pub async fn list_games(&self) -> Result<Games, Error> {
        self.get(paths::GAMES, &()).await
    }

    /// A game, with its rules and levels.
    ///
    /// # Errors
    /// The service cannot be reached.
    pub async fn describe_game(&self, game: GameId) -> Result<GameDetails, Error> {
        self.get(&of_game(paths::GAME, game), &()).await
    }

    /// Whether a text is a state, and if not, why not.
    ///
    /// # Errors
    /// The service cannot be reached.
    pub async fn validate_state(&self, game: GameId, question: &TextQuestion) -> Result<Validation, Error> {
        self.get(&of_game(paths::VALIDATION, game), question).await
    }

    /// The legal moves in a state.
    ///
    /// # Errors
    /// The state is none.
    pub async fn list_legal_moves(
        &self,
        game: GameId,
        question: &LegalMovesQuestion,
    ) -> Result<LegalMoves, Error> {
        self.get(&of_game(paths::LEGAL_MOVES, game), question).await
    }

    /// Who has won, and by how much.
    ///
    /// # Errors
    /// The state is none.
    pub async fn get_score(&self, game: GameId, question: &StateQuestion) -> Result<Score, Error> {
        self.get(&of_game(paths::SCORE, game), question).await
    }

    /// What a position is worth.
    ///
    /// # Errors
    /// The state is none, a limit is above that of the service, or the service has too much to do.
    pub async fn evaluate_position(
        &self,
        game: GameId,
        question: &EvaluationQuestion,
    ) -> Result<Evaluation, Error> {
        self.get(&of_game(paths::EVALUATION, game), question).await
    }

    /// What to play.
    ///
    /// # Errors
    /// There is no move to play, a limit is above that of the service, or the service has too much to do.
    pub async fn suggest_move(
        &self,
        game: GameId,
        question: &SuggestionQuestion,
    ) -> Result<Suggestion, Error> {
        self.get(&of_game(paths::SUGGESTION, game), question).await
    }

    /// What to play, told after each finished depth.
    ///
    /// # Errors
    /// There is no move to play, a limit is above that of the service, or the service has too much to do.
    pub async fn stream_suggestion(
        &self,
        game: GameId,
        question: &SuggestionQuestion,
    ) -> Result<Answers<SuggestionEvent<'static>>, Error> {
        let request = Request::get(&of_game(paths::SUGGESTION_STREAM, game), question, EVENTS);
        Ok(Answers::of(self.send(&request).await?, Framing::Events(Event::default())))
    }

    /// A picture of a state, as SVG.
    ///
    /// # Errors
    /// The state is none, or the move is not legal there.
    pub async fn draw_state(&self, game: GameId, question: &PictureQuestion) -> Result<String, Error> {
        self.get_text(&of_game(paths::BOARD, game), question).await
    }

    /// What becomes of a list of moves.
    ///
    /// # Errors
    /// The state is none, or one of the moves cannot be played; then none is.
    pub async fn apply_moves(&self, game: GameId, question: &Apply) -> Result<Applied, Error> {
        self.post(&of_game(paths::APPLY, game), question).await
    }

    /// Rolls the dice.
    ///
    /// # Errors
    /// The game has no dice, or they are not to be rolled in the state.
    pub async fn roll_dice(&self, game: GameId, question: &Roll) -> Result<Rolled, Error> {
        self.post(&of_game(paths::ROLL, game), question).await
    }
}

/// Questions about many positions at once.
impl Client {
    /// Whether each of many texts is a state.
    ///
    /// # Errors
    /// There are too many.
    pub async fn validate_states(
        &self,
        game: GameId,
        question: &PositionsQuestion,
    ) -> Result<Results<Validation>, Error> {
        self.post(&of_game(paths::VALIDATION, game), question).await
    }

    /// The same as [`validate_states`](Self::validate_states), one after the other.
    ///
    /// # Errors
    /// There are too many.
    pub async fn stream_validations(
        &self,
        game: GameId,
        question: &PositionsQuestion,
    ) -> Result<Answers<PositionResult<Validation>>, Error> {
        self.lines(&of_game(paths::VALIDATION, game), question).await
    }

    /// The legal moves in each of many positions.
    ///
    /// # Errors
    /// There are too many.
    pub async fn list_legal_moves_of_many(
        &self,
        game: GameId,
        question: &LegalMovesOfManyQuestion,
    ) -> Result<Results<LegalMoves>, Error> {
        self.post(&of_game(paths::LEGAL_MOVES, game), question).await
    }

    /// The same as [`list_legal_moves_of_many`](Self::list_legal_moves_of_many), one after the other.
    ///
    /// # Errors
    /// There are too many.
    pub async fn stream_legal_moves(
        &self,
        game: GameId,
        question: &LegalMovesOfManyQuestion,
    ) -> Result<Answers<PositionResult<LegalMoves>>, Error> {
        self.lines(&of_game(paths::LEGAL_MOVES, game), question).await
    }

    /// The score of each of many positions.
    ///
    /// # Errors
    /// There are too many.
    pub async fn get_scores(
        &self,
        game: GameId,
        question: &PositionsQuestion,
    ) -> Result<Results<Score>, Error> {
        self.post(&of_game(paths::SCORE, game), question).await
    }

    /// The same as [`get_scores`](Self::get_scores), one after the other.
    ///
    /// # Errors
    /// There are too many.
    pub async fn stream_scores(
        &self,
        game: GameId,
        question: &PositionsQuestion,
    ) -> Result<Answers<PositionResult<Score>>, Error> {
        self.lines(&of_game(paths::SCORE, game), question).await
    }

    /// What each of many positions is worth.
    ///
    /// # Errors
    /// There are too many, they take too much work, or the service has too much to do.
    pub async fn evaluate_positions(
        &self,
        game: GameId,
        question: &EvaluationsQuestion,
    ) -> Result<Results<Evaluation>, Error> {
        self.post(&of_game(paths::EVALUATION, game), question).await
    }

    /// The same as [`evaluate_positions`](Self::evaluate_positions), one after the other, each as soon as it
    /// is known.
    ///
    /// # Errors
    /// There are too many, they take too much work, or the service has too much to do.
    pub async fn stream_evaluations(
        &self,
        game: GameId,
        question: &EvaluationsQuestion,
    ) -> Result<Answers<PositionResult<Evaluation>>, Error> {
        self.lines(&of_game(paths::EVALUATION, game), question).await
    }

    /// What to play in each of many positions.
    ///
    /// # Errors
    /// There are too many, they take too much work, or the service has too much to do.
    pub async fn suggest_moves(
        &self,
        game: GameId,
        question: &SuggestionsQuestion,
    ) -> Result<Results<Suggestion>, Error> {
        self.post(&of_game(paths::SUGGESTION, game), question).await
    }

    /// The same as [`suggest_moves`](Self::suggest_moves), one after the other, each as soon as it is known.
    ///
    /// # Errors
    /// There are too many, they take too much work, or the service has too much to do.
    pub async fn stream_suggestions(
        &self,
        game: GameId,
        question: &SuggestionsQuestion,
    ) -> Result<Answers<PositionResult<Suggestion>>, Error> {
        self.lines(&of_game(paths::SUGGESTION, game), question).await
    }

    /// What each move of a game was worth.
    ///
    /// # Errors
    /// A move cannot be played, the game takes too much work, or the service has too much to do.
    pub async fn analyse_game(&self, game: GameId, question: &AnalysisQuestion) -> Result<Analysis, Error> {
        self.post(&of_game(paths::ANALYSIS, game), question).await
    }

    /// The same as [`analyse_game`](Self::analyse_game), ply by ply, each as soon as it is judged, and in the
    /// end the players.
    ///
    /// # Errors
    /// A move cannot be played, the game takes too much work, or the service has too much to do.
    pub async fn stream_analysis(
        &self,
        game: GameId,
        question: &AnalysisQuestion,
    ) -> Result<Answers<AnalysisLine>, Error> {
        self.lines(&of_game(paths::ANALYSIS, game), question).await
    }

    /// Positions of games that are drawn.
    ///
    /// # Errors
    /// There are too many, or the service has too much to do.
    pub async fn draw_positions(
        &self,
        game: GameId,
        question: &RandomPositionsQuestion,
    ) -> Result<RandomPositions, Error> {
        self.post(&of_game(paths::RANDOM_POSITIONS, game), question).await
    }

    /// The same as [`draw_positions`](Self::draw_positions), one after the other, with the seed first.
    ///
    /// # Errors
    /// There are too many, or the service has too much to do.
    pub async fn stream_positions(
        &self,
        game: GameId,
        question: &RandomPositionsQuestion,
    ) -> Result<Answers<RandomPositionsLine>, Error> {
        self.lines(&of_game(paths::RANDOM_POSITIONS, game), question).await
    }

    /// The lines of an answer.
    async fn lines<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        question: &impl Serialize,
    ) -> Result<Answers<T>, Error> {
        Ok(Answers::of(self.send(&Request::post(path, question, LINES)).await?, Framing::Lines))
    }
}

/// Questions about the service itself.
impl Client {
    /// What the service allows.
    ///
    /// # Errors
    /// The service cannot be reached.
    pub async fn get_limits(&self) -> Result<ServiceLimits, Error> {
        self.get(paths::LIMITS, &()).await
    }

    /// What a problem means, and what to do about it.
    ///
    /// # Errors
    /// The service cannot be reached.
    pub async fn explain_problem(&self, code: Code) -> Result<ProblemPage, Error> {
        self.get(&paths::PROBLEM.replace("{code}", code.name()), &()).await
    }

    /// Whether the service is alive.
    ///
    /// # Errors
    /// The service cannot be reached.
    pub async fn healthz(&self) -> Result<Health, Error> {
        self.get(paths::HEALTHZ, &()).await
    }

    /// Whether the service is to be sent requests.
    ///
    /// # Errors
    /// It is shutting down, or cannot be reached.
    pub async fn readyz(&self) -> Result<Health, Error> {
        self.get(paths::READYZ, &()).await
    }

    /// What the service counts, in the text format of OpenMetrics.
    ///
    /// # Errors
    /// It counts nothing, or tells it on another port.
    pub async fn get_metrics(&self) -> Result<String, Error> {
        self.get_text(paths::METRICS, &()).await
    }

    /// The OpenAPI document.
    ///
    /// # Errors
    /// The service cannot be reached.
    pub async fn get_open_api(&self) -> Result<Value, Error> {
        self.get(paths::OPENAPI, &()).await
    }

    /// The OpenAPI document in the words of version 3.0.
    ///
    /// # Errors
    /// The service cannot be reached.
    pub async fn get_open_api30(&self) -> Result<Value, Error> {
        self.get(paths::OPENAPI_3_0, &()).await
    }
}
