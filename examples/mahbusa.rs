//! A bot: level 3 plays Mahbusa against itself.

use cublino_api::{
    StageName,
    apply::{Applied, Apply},
    roll::{Roll, Rolled},
    suggestion::{Suggestion, SuggestionQuestion},
};
use cublino_client::{Client, Error};
use cublino_rules::games::GameId::Mahbusa;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let client = Client::new(&std::env::args().nth(1).expect("usage: mahbusa URL"))?;
    let mut state = client.describe_game(Mahbusa).await?.game.start;
    loop {
        let now = client.ask::<Applied>(Mahbusa, &Apply { state, ..Apply::default() }).await?;
        state = match now.stage {
            StageName::Over => {
                println!("player {:?} has won", now.outcome.winner);
                return Ok(());
            }
            StageName::Roll => {
                client.ask::<Rolled>(Mahbusa, &Roll { state: now.state, seed: None }).await?.state
            }
            StageName::Move => {
                let level = 3.try_into().ok();
                let question = SuggestionQuestion { level, ..SuggestionQuestion::about(now.state) };
                client.ask::<Suggestion>(Mahbusa, &question).await?.lines.swap_remove(0).state
            }
        };
    }
}
