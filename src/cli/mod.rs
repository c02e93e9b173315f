//! The command line.

mod database;
mod health;
mod log_lines;
mod perft;
mod play_match;
mod progress;
mod serve;
mod solve;
#[cfg(feature = "training")]
mod train;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

use self::log_lines::{LogFormat, START};
#[cfg(feature = "training")]
pub use self::train::Train;
pub use self::{
    database::Database, health::Health, perft::Perft, play_match::PlayMatch, serve::Serve, solve::SolveState,
};
use crate::http::openapi;

/// Rules, legal moves, scores and good moves of board games for two, over HTTP
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: Serve,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answer requests; this is what happens without a command
    Serve(Box<Serve>),
    /// Print the OpenAPI document
    Openapi,
    /// Count the leaves of a game's tree, to test and to time the generation of moves
    Perft(Perft),
    /// Play players against each other, to find out which is the stronger
    Match(PlayMatch),
    /// Work out what the service can look up, and write it to a file
    Database(Database),
    // Described at the type: a description here would replace all of that.
    Solve(SolveState),
    #[cfg(feature = "training")]
    // Described at the type: a description here would replace all of that.
    Train(Train),
    /// Ask a running service whether it is ready
    Health(Health),
}

impl Cli {
    /// Does what the command line of this process says.
    #[must_use]
    pub fn run() -> ExitCode {
        match Self::try_parse() {
            Ok(cli) => cli.execute(),
            Err(error) => refuse(&error),
        }
    }

    fn execute(self) -> ExitCode {
        let done = match self.command {
            None => return self.serve.run(),
            Some(Command::Serve(serve)) => return serve.run(),
            Some(Command::Openapi) => io::stdout().write_all(&openapi::text()),
            Some(Command::Perft(perft)) => perft.run(),
            Some(Command::Match(play_match)) => play_match.run(),
            Some(Command::Database(database)) => database.run(),
            Some(Command::Solve(solve)) => solve.run(),
            #[cfg(feature = "training")]
            Some(Command::Train(train)) => train.run(),
            Some(Command::Health(health)) => health.run(),
        };
        match done {
            // Whoever read the output has read enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("cublino: {error}");
                ExitCode::FAILURE
            }
            Ok(()) => ExitCode::SUCCESS,
        }
    }
}

/// Says what is wrong with the command line, or prints the help that it asks for. Whoever reads the log as
/// JSON gets JSON.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() || LogFormat::asked_for() != LogFormat::Json {
        error.exit();
    }
    LogFormat::Json.start("off");
    let text = error.to_string();
    // What follows the first paragraph points to the help.
    let sentence = text.split("\n\n").next().unwrap_or_default();
    log::error!(target: START, "{}", sentence.trim_start_matches("error: ").trim_end());
    ExitCode::from(USAGE)
}

/// The exit status of a command line that cannot be read, as clap has it.
const USAGE: u8 = 2;
