//! A client of the service: a method for each operation, with the questions and answers that the service
//! itself reads and writes.
//!
//! It comes with the feature `client`, which brings neither the service nor its command line:
//! `cargo add cublino --no-default-features --features client`, and `client-tls` for a service behind https.
//!
//! ```
//! # #[cfg(feature = "server")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use cublino::{config::Config, http};
//! # let config = Config { listen: "127.0.0.1:0".parse()?, workers: 1, ..Config::default() };
//! # let (send, receive) = std::sync::mpsc::channel();
//! # std::thread::spawn(move || actix_web::rt::System::new().block_on(async {
//! #     let running = http::bind(&config).unwrap();
//! #     send.send(running.address).unwrap();
//! #     running.serve().await.unwrap();
//! # }));
//! # let base = format!("http://{}", receive.recv()?);
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! use cublino::{
//!     client::{Client, Error},
//!     games::GameId,
//!     service::{Code, apply::Apply, suggestion::SuggestionQuestion},
//! };
//!
//! let client = Client::new(&base)?; // such as http://127.0.0.1:8080
//! let start = client.describe_game(GameId::Wari).await?.game.start;
//!
//! let question = SuggestionQuestion { depth: Some(4.try_into()?), ..SuggestionQuestion::about(&start) };
//! let best = client.suggest_move(GameId::Wari, &question).await?.best;
//!
//! let played = Apply { state: start.clone(), moves: vec![best], ..Apply::default() };
//! let after = client.apply_moves(GameId::Wari, &played).await?;
//! assert_ne!(after.state, start);
//!
//! // What the service refuses is an error with the whole problem in it.
//! let illegal = Apply { state: start, moves: vec!["7".to_owned()], ..Apply::default() };
//! let error = client.apply_moves(GameId::Wari, &illegal).await.unwrap_err();
//! assert_eq!(error.code(), Some(Code::IllegalMove));
//! # Ok(()) })
//! # }
//! # #[cfg(not(feature = "server"))]
//! # fn main() {}
//! ```
//!
//! What takes long can be had piece by piece: each finished depth of a search with
//! [`stream_suggestion`](Client::stream_suggestion), and the answers about many positions one after the
//! other, as with [`stream_evaluations`](Client::stream_evaluations).

mod builder;
mod error;
mod operations;
mod request;
mod retries;
mod stream;

pub use self::{
    builder::ClientBuilder,
    error::{Error, Refused},
    request::Client,
    retries::Retries,
    stream::Answers,
};
