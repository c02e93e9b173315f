//! A bot that plays a game over HTTP: player one asks the service what to play, player two draws its moves.
//!
//! `cargo run --release --example bot -- mahbusa` plays Mahbusa at the service of this machine. Without a
//! game it is Wari, and after the game may stand where the service is. It prints, with most plies left out:
//!
//! ```text
//! 1 player "one" rolls [6,2]
//! 2 player "one" plays XR-RP
//! 194 player "one" plays B0-B0
//! {"points":{"one":15,"two":0},"reason":"borne-off","status":"won","winner":"one"}
//! ```

use std::{env, error::Error, time::Duration};

use rand::{SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64;
use reqwest::{Client, RequestBuilder, StatusCode, header::RETRY_AFTER};
use serde_json::{Value, json};
use tokio::time::sleep;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Positions that each suggestion visits: the answer is then the same on every machine.
const NODES: &str = "20000";

/// Moves and rolls after which a game is given up: some need not end.
const MOST_PLIES: usize = 1_000;

/// How long to wait when the service does not say.
const PAUSE: Duration = Duration::from_secs(1);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let game = arguments.next().unwrap_or_else(|| "wari".to_owned());
    let service = arguments.next().unwrap_or_else(|| "http://127.0.0.1:8080".to_owned());
    let bot = Bot { client: Client::new(), url: format!("{service}/v1/games/{game}") };
    let mut rng = Pcg64::seed_from_u64(1);

    let about = ask(bot.client.get(&bot.url)).await?;
    let mut state = text(&about["start"])?;
    for ply in 1..=MOST_PLIES {
        let now = bot.get("legal-moves", &[("state", &state)]).await?;
        state = match text(&now["stage"])?.as_str() {
            "over" => {
                println!("{}", now["outcome"]);
                return Ok(());
            }
            "roll" => {
                let rolled = bot.post("roll", &json!({"state": state})).await?;
                println!("{ply} player {} rolls {}", now["turn"], rolled["roll"]);
                text(&rolled["state"])?
            }
            _ => {
                let played = if now["turn"] == "one" {
                    let suggestion = bot.get("suggestion", &[("state", &state), ("nodes", NODES)]).await?;
                    text(&suggestion["move"])?
                } else {
                    let moves = now["moves"].as_array().ok_or("there is a list of moves")?;
                    text(&moves.choose(&mut rng).ok_or("who is to move has a move")?["move"])?
                };
                println!("{ply} player {} plays {played}", now["turn"]);
                text(&bot.post("apply", &json!({"state": state, "moves": [played]})).await?["state"])?
            }
        };
    }
    println!("nobody has won after {MOST_PLIES} plies");
    Ok(())
}

/// A player of one game.
struct Bot {
    client: Client,
    url: String,
}

impl Bot {
    /// Asks an operation of the game that only reads.
    async fn get(&self, operation: &str, query: &[(&str, &str)]) -> Result<Value> {
        // States and moves are safe in a URL as they are.
        let query: Vec<_> = query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        ask(self.client.get(format!("{}/{operation}?{}", self.url, query.join("&")))).await
    }

    /// Asks an operation that takes a body.
    async fn post(&self, operation: &str, body: &Value) -> Result<Value> {
        ask(self.client.post(format!("{}/{operation}", self.url)).json(body)).await
    }
}

/// The answer to a request. A service that is busy says when to come back; other problems come with a
/// sentence.
async fn ask(request: RequestBuilder) -> Result<Value> {
    loop {
        let again = request.try_clone().ok_or("a request without a stream can be sent again")?;
        let answer = again.send().await?;
        let status = answer.status();
        if status == StatusCode::SERVICE_UNAVAILABLE || status == StatusCode::TOO_MANY_REQUESTS {
            let seconds =
                answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
            sleep(seconds.map_or(PAUSE, Duration::from_secs)).await;
            continue;
        }
        let body: Value = answer.json().await?;
        return if status.is_success() { Ok(body) } else { Err(text(&body["detail"])?.into()) };
    }
}

fn text(value: &Value) -> Result<String> {
    Ok(value.as_str().ok_or_else(|| format!("{value} is not a text"))?.to_owned())
}
