//! `cublino play`.

mod command;
mod prompt;
mod session;

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};

use self::{
    command::{Command, HELP, WORDS},
    prompt::Prompt,
    session::Session,
};
use super::{
    board,
    game_file::GameFile,
    source::{Asked, Refusal},
    words::{columns, name, standing, value},
};
use crate::{
    game::Player,
    games::GameId,
    search::Level,
    service::{RepetitionLimit, StageName, apply::Ply},
};

/// Play a game in the terminal, against the machine or another person
#[derive(Args, Clone, Debug)]
pub struct Play {
    /// The game
    game: GameId,

    /// How well the machine plays: 1, a beginner, to 8, nearly full strength
    #[arg(long, value_name = "N", default_value = "3")]
    level: Level,

    /// Who is player one
    #[arg(long, value_name = "WHO", value_enum, default_value_t = Who::Human)]
    one: Who,

    /// Who is player two
    #[arg(long, value_name = "WHO", value_enum, default_value_t = Who::Machine)]
    two: Who,

    /// Go on with a game that was saved
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,

    /// Start from another state
    #[arg(long, value_name = "STATE", conflicts_with = "load")]
    state: Option<String>,

    /// How often a position may occur until the game is drawn
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(2..=10))]
    repetition_limit: u64,

    /// What dice and levels draw from [default: chance]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    #[command(flatten)]
    asked: Asked,
}

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Who {
    /// Somebody at this terminal
    Human,
    /// The machine
    Machine,
}

/// What becomes of a game after something was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Something was played: the board is another.
    Played,
    /// Nothing was played.
    Same,
    /// Nobody plays on.
    Quit,
}

/// A game at a terminal.
struct Table {
    session: Session,
    level: u8,
    who: [Who; 2],
}

impl Play {
    /// Plays until the game is over or nobody wants to play on.
    pub(super) fn run(&self) -> io::Result<()> {
        let limit: RepetitionLimit = self.repetition_limit.try_into().map_err(io::Error::other)?;
        let kept = match &self.load {
            None => {
                GameFile { state: self.state.clone(), repetition_limit: Some(limit), ..GameFile::default() }
            }
            Some(file) => load(file)?,
        };
        let session = Session::begin(self.asked.source()?, self.game, kept, self.seed)?;
        Table { session, level: self.level.get(), who: [self.one, self.two] }.play()
    }
}

/// The first game of a file.
fn load(file: &Path) -> io::Result<GameFile> {
    let about = |error: &dyn std::fmt::Display| io::Error::other(format!("{}: {error}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| about(&error))?;
    let games = GameFile::read_all(&text).map_err(|error| about(&error))?;
    games.into_iter().next().ok_or_else(|| about(&"there is no game in it"))
}

impl Table {
    fn play(mut self) -> io::Result<()> {
        let mut prompt = Prompt::new()?;
        let mut next = Next::Played;
        say(&format!("{}; help tells what can be said\n", self.session.game.about().name))?;
        while next != Next::Quit {
            if next == Next::Played {
                self.show()?;
            }
            let (stage, turn) = (self.session.now.stage, self.session.now.turn);
            next = match (stage, self.who[turn.index()]) {
                (StageName::Over, _) if !self.has_human() => Next::Quit,
                (StageName::Move | StageName::Roll, Who::Machine) => self.let_machine_play()?,
                _ => self.ask(&mut prompt)?,
            };
        }
        Ok(())
    }

    fn has_human(&self) -> bool {
        self.who.contains(&Who::Human)
    }

    /// The board, and how the game stands.
    fn show(&self) -> io::Result<()> {
        let (game, now) = (self.session.game, &self.session.now);
        say(&format!("\n{}", board::draw(&now.position, now.turn)))?;
        let stands = standing(game, now.outcome);
        match now.stage {
            StageName::Over => say(&format!("the game is over: {stands}\n")),
            StageName::Move | StageName::Roll => say(&format!("score: {stands}\n")),
        }
    }

    fn let_machine_play(&mut self) -> io::Result<Next> {
        let ply = match self.session.now.stage {
            StageName::Roll => self.session.roll()?,
            StageName::Move | StageName::Over => {
                let best = self.session.suggest(Some(self.level))?.best;
                self.session.play(&best)?
            }
        };
        self.tell(&ply)
    }

    /// What was played. A roll leaves the board as it is.
    fn tell(&self, ply: &Ply) -> io::Result<Next> {
        say(&format!("{}: {}\n", name(self.session.game, ply.player), ply.text))?;
        Ok(if session::is_roll(ply) { Next::Same } else { Next::Played })
    }

    /// Asks a player what to do, and does it. What is refused is told, and is no failure.
    fn ask(&mut self, prompt: &mut Prompt) -> io::Result<Next> {
        let legal = self.session.legal_moves();
        let (now, count) = (&self.session.now, legal.len());
        let turn = name(self.session.game, now.turn);
        let question = match now.stage {
            StageName::Move => format!("{turn}, {count} moves> "),
            StageName::Roll => format!("{turn}, Enter rolls> "),
            StageName::Over => "undo, save or quit> ".to_owned(),
        };
        let words = legal.iter().cloned().chain(WORDS.map(str::to_owned)).collect();
        let Some(line) = prompt.ask(&question, words)? else { return Ok(Next::Quit) };
        match self.obey(Command::read(&line, &legal), &legal) {
            Ok(next) => Ok(next),
            // Who pipes commands in cannot do better after reading this.
            Err(refusal) if !io::stdin().is_terminal() => Err(io::Error::other(format!("{line}: {refusal}"))),
            Err(refusal) => say(&format!("{refusal}\n")).map(|()| Next::Same),
        }
    }

    fn obey(&mut self, command: Command, legal: &[String]) -> Result<Next, Refusal> {
        let stage = self.session.now.stage;
        let ply = match command {
            Command::Enter if stage == StageName::Over => return Ok(Next::Quit),
            Command::Enter if stage == StageName::Move => return Ok(Next::Same),
            Command::Enter | Command::Roll => self.session.roll()?,
            Command::Play(text) => self.session.play(&text)?,
            Command::PlayNumber(number) => {
                let legal = number.checked_sub(1).and_then(|index| legal.get(index));
                let none = || Refusal::new(format!("there is no move with the number {number}"));
                self.session.play(legal.ok_or_else(none)?)?
            }
            Command::Resign => {
                self.session.resign()?;
                return Ok(Next::Played);
            }
            Command::Undo => {
                let humans: Vec<_> =
                    Player::ALL.into_iter().filter(|it| self.who[it.index()] == Who::Human).collect();
                if self.session.undo(&humans)? {
                    return Ok(Next::Played);
                }
                return Err(Refusal::new("there is no move of yours to take back"));
            }
            Command::Quit => return Ok(Next::Quit),
            Command::Board => return Ok(Next::Played),
            other => {
                say(&self.answer(other, legal)?)?;
                return Ok(Next::Same);
            }
        };
        Ok(self.tell(&ply)?)
    }

    /// What is told without anything being played.
    fn answer(&mut self, command: Command, legal: &[String]) -> Result<String, Refusal> {
        Ok(match command {
            Command::Moves => list(legal),
            Command::Hint => {
                let suggestion = self.session.suggest(None)?;
                let worth = value(name(self.session.game, suggestion.turn), &suggestion.lines[0].value);
                format!("{}   {worth}\n", suggestion.best)
            }
            Command::Level(text) => {
                let level: Level = text.parse().map_err(|_| Refusal::new("levels are 1 to 8"))?;
                self.level = level.get();
                format!("the machine plays at level {} from now on\n", self.level)
            }
            Command::Save(None) => self.session.kept.to_string(),
            Command::Save(Some(file)) => {
                let text = format!("# {}\n{}", self.session.game.about().name, self.session.kept);
                let saved = fs::write(&file, text);
                saved.map_err(|error| Refusal::new(format!("{}: {error}", file.display())))?;
                format!("saved to {}\n", file.display())
            }
            _ => HELP.to_owned(),
        })
    }
}

/// The legal moves, each with its number where numbers are not moves themselves.
fn list(legal: &[String]) -> String {
    /// So many that they fill a screen.
    const MOST: usize = 80;
    let is_number = |text: &String| text.parse::<u32>().is_ok();
    let entry = |(number, text): (usize, &String)| {
        if is_number(text) { text.clone() } else { format!("{:>3} {text}", number + 1) }
    };
    let entries: Vec<_> = legal.iter().enumerate().take(MOST).map(entry).collect();
    let more = legal.len().saturating_sub(MOST);
    let rest = if more > 0 {
        format!("and {more} more; Tab shows those that begin as typed\n")
    } else {
        String::new()
    };
    columns(&entries) + &rest
}

/// Writes to the terminal at once.
fn say(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()
}
