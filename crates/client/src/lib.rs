//! A client of the service: [`ask`](Client::ask) an operation by its type, with the questions and answers
//! that the service itself reads and writes.
//!
//! The feature `tls` adds services behind https.
//!
//! ```no_run
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! use cublino_api::{Code, apply::{Applied, Apply}, suggestion::{Suggestion, SuggestionQuestion}};
//! use cublino_client::{Client, Error};
//! use cublino_rules::games::GameId;
//!
//! let client = Client::new("http://127.0.0.1:8080")?;
//! let start = client.describe_game(GameId::Wari).await?.game.start;
//!
//! let question = SuggestionQuestion { depth: Some(4.try_into()?), ..SuggestionQuestion::about(&start) };
//! let best = client.ask::<Suggestion>(GameId::Wari, &question).await?.best;
//!
//! let played = Apply { state: start.clone(), moves: vec![best], ..Apply::default() };
//! let after = client.ask::<Applied>(GameId::Wari, &played).await?;
//! assert_ne!(after.state, start);
//!
//! // What the service refuses is an error with the whole problem in it.
//! let illegal = Apply { state: start, moves: vec!["7".to_owned()], ..Apply::default() };
//! let error = client.ask::<Applied>(GameId::Wari, &illegal).await.unwrap_err();
//! assert_eq!(error.code(), Some(Code::IllegalMove));
//! # Ok::<_, Box<dyn std::error::Error>>(()) })?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! Long answers can be streamed: each finished depth of a search with
//! [`stream_suggestion`](Client::stream_suggestion), and the answers about many positions one after the
//! other, with [`stream_many`](Client::stream_many).

mod client;
mod error;
mod operations;
mod stream;

pub use self::{
    client::{Client, ClientBuilder, Retries},
    error::Error,
    stream::Answers,
};
