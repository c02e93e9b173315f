//! A game in the terminal: you, as player one, against the service.
//!
//! `cargo run --release --example play -- wari` plays Wari at the service of this machine. The level of the
//! service may follow (1 to 8, 3 by default), and then its URL. It prints the board and asks for a move:
//!
//! ```text
//! cup   12  11  10   9   8   7
//!   B    4   4   4   4   4   4   0 prisoners
//!   A    4   4   4   4   4   4   0 prisoners
//! cup    1   2   3   4   5   6
//! your move, one of 6> 5
//! the service plays 11
//! ```

use std::{
    env,
    error::Error,
    io::{self, Write},
};

use cublino::{
    api::{
        Seed, StageName,
        apply::{Applied, Apply},
        roll::{Roll, Rolled},
        suggestion::{Suggestion, SuggestionQuestion},
    },
    game::{EndReason, Player},
    games::GameId,
};
use cublino_client::Client;

const HELP: &str = "\
Type a move in the notation of the game, or one of these commands:
  moves     list the legal moves
  hint      show what the service would play at full strength
  auto      let the service make this move for you
  undo      take back your last move
  level N   change the level of the service
  resign    give up
  quit      stop
";

struct Table {
    client: Client,
    game: GameId,
    level: u64,
    /// The state that the game starts from.
    start: String,
    /// The moves and rolls since.
    played: Vec<String>,
    /// How many of them there were before each of your moves.
    before_mine: Vec<usize>,
    resigned: Option<Player>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let game: GameId = arguments.next().ok_or("usage: play GAME [LEVEL [URL]]")?.parse()?;
    let level = arguments.next().map_or(Ok(3), |level| level.parse())?;
    let client = Client::new(&arguments.next().unwrap_or_else(|| "http://127.0.0.1:8080".to_owned()))?;
    let about = client.describe_game(game).await?.game;
    println!("{}: {}\nType help for help.", about.name, about.goal);
    let (played, before_mine) = (Vec::new(), Vec::new());
    Table { client, game, level, start: about.start, played, before_mine, resigned: None }.play().await
}

impl Table {
    async fn play(mut self) -> Result<(), Box<dyn Error>> {
        let mut now = self.now().await?;
        loop {
            println!("\n{}", now.position.text(Player::One));
            let text = match (now.stage, now.turn) {
                (StageName::Over, _) => {
                    let reason = now.outcome.reason.map_or("", EndReason::in_words);
                    match now.outcome.winner {
                        Some(Player::One) => println!("you have won ({reason})"),
                        Some(Player::Two) => println!("the service has won ({reason})"),
                        None => println!("a draw ({reason})"),
                    }
                    return Ok(());
                }
                (StageName::Roll, turn) => {
                    let question = Roll { state: now.state.clone(), seed: None };
                    let roll = self.client.ask::<Rolled>(self.game, &question).await?.text;
                    println!("{} rolled {roll}", if turn == Player::One { "you" } else { "the service" });
                    roll
                }
                (StageName::Move, Player::Two) => {
                    let best = self.suggestion(&now, Some(self.level)).await?.best;
                    println!("the service plays {best}");
                    best
                }
                (StageName::Move, Player::One) => match self.ask(&now).await? {
                    Answer::Play(text) => text,
                    Answer::Changed => {
                        now = self.now().await?;
                        continue;
                    }
                    Answer::Quit => return Ok(()),
                },
            };
            let mine = now.stage == StageName::Move && now.turn == Player::One;
            self.played.push(text);
            // The service checks the move, and says why it is not legal.
            match self.now().await {
                Ok(next) => now = next,
                Err(error) if mine && error.problem().is_some() => {
                    println!("{error}");
                    self.played.pop();
                    continue;
                }
                Err(error) => return Err(error.into()),
            }
            if mine {
                self.before_mine.push(self.played.len() - 1);
            }
        }
    }

    /// The position after everything that was played, and the legal moves there.
    async fn now(&self) -> Result<Applied, cublino_client::Error> {
        let question = Apply {
            state: self.start.clone(),
            moves: self.played.clone(),
            repetition_limit: 3.try_into().ok(),
            legal_moves: true,
            resign: self.resigned,
            ..Apply::default()
        };
        self.client.ask(self.game, &question).await
    }

    /// What to play: at a level, or at full strength.
    async fn suggestion(&self, now: &Applied, level: Option<u64>) -> Result<Suggestion, Box<dyn Error>> {
        let mut question = SuggestionQuestion::about(&now.state);
        match level {
            Some(level) => {
                question.level = Some(level.try_into()?);
                question.seed = Some(Seed::or_drawn(None).try_into()?);
            }
            None => question.nodes = Some(200_000.try_into()?),
        }
        Ok(self.client.ask(self.game, &question).await?)
    }

    /// Asks until there is a move, or something else to do.
    async fn ask(&mut self, now: &Applied) -> Result<Answer, Box<dyn Error>> {
        let legal = now.moves.iter().flatten().map(|legal| legal.text.as_str());
        loop {
            print!("your move, one of {}> ", legal.clone().count());
            io::stdout().flush()?;
            let mut line = String::new();
            if io::stdin().read_line(&mut line)? == 0 {
                return Ok(Answer::Quit);
            }
            match *line.split_whitespace().collect::<Vec<_>>() {
                [] => {}
                ["help"] => print!("{HELP}"),
                ["moves"] => println!("{}", legal.clone().collect::<Vec<_>>().join(" ")),
                ["hint"] => {
                    let hint = self.suggestion(now, None).await?;
                    let chances = hint.lines[0].value.chances;
                    println!("{}, which wins {:.0} % of games", hint.best, 100.0 * chances.win);
                }
                ["auto"] => return Ok(Answer::Play(self.suggestion(now, Some(self.level)).await?.best)),
                ["level", level] => match level.parse() {
                    Ok(level @ 1..=8) => self.level = level,
                    _ => println!("levels are 1 to 8"),
                },
                ["undo"] => match self.before_mine.pop() {
                    Some(length) => {
                        self.played.truncate(length);
                        return Ok(Answer::Changed);
                    }
                    None => println!("there is no move to take back"),
                },
                ["resign"] => {
                    self.resigned = Some(Player::One);
                    return Ok(Answer::Changed);
                }
                ["quit"] => return Ok(Answer::Quit),
                [text, ..] => return Ok(Answer::Play(text.to_owned())),
            }
        }
    }
}

/// What you want.
enum Answer {
    Play(String),
    /// Moves were taken back, or you have resigned.
    Changed,
    Quit,
}
