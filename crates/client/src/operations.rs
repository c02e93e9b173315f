//! What can be asked: every operation on a game by its type, and the service about itself.

use serde::de::DeserializeOwned;

use super::{
    Answers, Client, Error,
    stream::{Event, in_line},
};
use cublino_api::{
    EVENTS, Many, Method, NDJSON, Operation, PositionResult, Results,
    games::{GameDetails, Games},
    health::Health,
    paths::{self, of_game, of_operation},
    suggestion::{SuggestionEvent, SuggestionQuestion},
};
use cublino_rules::games::GameId;

/// Questions about a game.
impl Client {
    /// The answer to a question about a state or a game. The type of the answer says which operation is
    /// asked: `client.ask::<LegalMoves>(game, &question)`.
    ///
    /// ```no_run
    /// # async fn moves(client: cublino_client::Client) -> Result<(), cublino_client::Error> {
    /// use cublino_api::legal_moves::{LegalMoves, LegalMovesQuestion};
    /// use cublino_rules::games::GameId;
    ///
    /// let question = LegalMovesQuestion { state: "M63-o22O".to_owned(), spellings: None };
    /// let legal = client.ask::<LegalMoves>(GameId::Mahbusa, &question).await?;
    /// assert_eq!(legal.moves[0].text, "XR-XU");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The question has no answer, or the service is busy.
    pub async fn ask<O: Operation>(&self, game: GameId, question: &O::Question) -> Result<O, Error> {
        let path = of_operation::<O>(game);
        let request = match O::METHOD {
            Method::Get => self.get(&path, question),
            Method::Post | Method::PostOrQuery => self.post(&path, question),
        };
        let response = self.send(request, O::MEDIA).await?;
        let (status, body) = (response.status().as_u16(), response.bytes().await?);
        O::read(&body).map_err(|error| Error::Unreadable { status, reason: error.to_string() })
    }

    /// The answers to the same question about many positions.
    ///
    /// ```no_run
    /// # async fn scores(client: cublino_client::Client) -> Result<(), cublino_client::Error> {
    /// use cublino_api::{Many, PositionQuestion, StateQuestion, score::Score};
    /// use cublino_rules::games::GameId;
    ///
    /// let position = PositionQuestion { state: "M-o22O".to_owned(), ..PositionQuestion::default() };
    /// let question = Many::new([position], StateQuestion::default());
    /// let scores = client.ask_many::<Score>(GameId::Mahbusa, &question).await?;
    /// assert_eq!(scores.results.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// There are too many positions, they take too much work, or the service is busy.
    pub async fn ask_many<O: Operation>(
        &self,
        game: GameId,
        question: &Many<O::Question>,
    ) -> Result<Results<O>, Error> {
        self.read(self.post(&of_operation::<O>(game), question)).await
    }

    /// The same as [`ask_many`](Self::ask_many), one after the other, each as soon as it is known.
    ///
    /// # Errors
    /// There are too many positions, they take too much work, or the service is busy.
    pub async fn stream_many<O: Operation>(
        &self,
        game: GameId,
        question: &Many<O::Question>,
    ) -> Result<Answers<PositionResult<O>>, Error> {
        let request = self.post(&of_operation::<O>(game), question);
        Ok(Answers::of(self.send(request, NDJSON).await?, in_line))
    }

    /// An answer that comes from many searches, line by line, each as soon as it is known.
    ///
    /// # Errors
    /// The question has no answer, it takes too much work, or the service is busy.
    pub async fn stream<O: Operation<Item: DeserializeOwned>>(
        &self,
        game: GameId,
        question: &O::Question,
    ) -> Result<Answers<O::Item>, Error> {
        let request = self.post(&of_operation::<O>(game), question);
        Ok(Answers::of(self.send(request, NDJSON).await?, in_line))
    }

    /// What to play, after each finished depth.
    ///
    /// # Errors
    /// There is no move to play, a limit is above that of the service, or the service is busy.
    pub async fn stream_suggestion(
        &self,
        game: GameId,
        question: &SuggestionQuestion,
    ) -> Result<Answers<SuggestionEvent<'static>>, Error> {
        let request = self.get(&of_operation::<SuggestionEvent>(game), question);
        let mut event = Event::default();
        Ok(Answers::of(self.send(request, EVENTS).await?, move |line| event.add(line)))
    }
}

/// Questions about the games and the service itself: they fail if the service cannot be reached or refuses
/// to answer.
#[expect(clippy::missing_errors_doc, reason = "said above")]
impl Client {
    /// The games, with their starts, goals and notations.
    ///
    /// ```no_run
    /// # async fn games(client: cublino_client::Client) -> Result<(), cublino_client::Error> {
    /// for game in client.list_games().await?.games {
    ///     println!("{}: {}", game.name, game.start);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn list_games(&self) -> Result<Games, Error> {
        self.read_page(paths::GAMES).await
    }

    /// A game, with its rules and levels.
    pub async fn describe_game(&self, game: GameId) -> Result<GameDetails, Error> {
        self.read_page(&of_game(paths::GAME, game)).await
    }

    /// Whether the service is ready for requests; fails while it is shutting down.
    pub async fn readyz(&self) -> Result<Health, Error> {
        self.read_page(paths::READYZ).await
    }

    /// The metrics of the service, in the text format of OpenMetrics; fails if they are on another port.
    pub async fn get_metrics(&self) -> Result<String, Error> {
        Ok(self.send(self.get(paths::METRICS, &()), "*/*").await?.text().await?)
    }

    /// What is under one of the other [`paths`], in JSON: `client.read_page::<ServiceLimits>(paths::LIMITS)`.
    pub async fn read_page<A: DeserializeOwned>(&self, path: &str) -> Result<A, Error> {
        self.read(self.get(path, &())).await
    }
}
