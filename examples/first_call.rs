//! The first call of docs/clients.md: the best move at the start of Wari.

use cublino_api::suggestion::{Suggestion, SuggestionQuestion};
use cublino_client::Client;
use cublino_rules::games::GameId::Wari;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), cublino_client::Error> {
    let client = Client::new(&std::env::args().nth(1).expect("usage: first_call URL"))?;
    let state = client.describe_game(Wari).await?.game.start;
    let depth = 6.try_into().ok();
    let question = SuggestionQuestion { depth, ..SuggestionQuestion::about(state) };
    println!("play {}", client.ask::<Suggestion>(Wari, &question).await?.best);
    Ok(())
}
