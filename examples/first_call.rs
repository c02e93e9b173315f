//! The first call of docs/clients.md: what to play at the start of Wari.

use cublino::{
    games::GameId::Wari,
    service::suggestion::{Suggestion, SuggestionQuestion},
};
use cublino_client::Client;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), cublino_client::Error> {
    let client = Client::new(&std::env::args().nth(1).expect("usage: first_call URL"))?;
    let state = client.describe_game(Wari).await?.game.start;
    let question = SuggestionQuestion { depth: 6.try_into().ok(), ..SuggestionQuestion::about(state) };
    println!("play {}", client.ask::<Suggestion>(Wari, &question).await?.best);
    Ok(())
}
