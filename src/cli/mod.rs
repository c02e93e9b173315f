//! The command line.

mod analyse;
mod board;
mod database;
mod free_space;
mod game_file;
mod health;
mod log_lines;
mod openapi;
mod perft;
mod play;
mod play_match;
pub mod progress;
mod serve;
mod show_state;
mod solve;
mod source;
mod words;

use std::{env, ffi::OsStr, io, process::ExitCode};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::log_lines::{LogFormat, START};
pub use self::{
    analyse::Analyse, database::Database, health::Health, openapi::Openapi, perft::Perft, play::Play,
    play_match::PlayMatch, serve::Serve, show_state::ShowState, solve::SolveState, source::Asked,
};

/// Rules, legal moves, scores and good moves of board games for two, over HTTP
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_help = "`cublino serve --help` lists the settings; they can stand without `serve`, too."
)]
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
    /// Play a game in the terminal, against the machine or another person
    Play(Play),
    // Described at the type, as the others are of which there is more to say.
    Analyse(Analyse),
    /// Show a state: the board, the score, its value, and the legal moves
    State(ShowState),
    /// Print the OpenAPI document
    Openapi(Openapi),
    /// Count the leaves of a game's tree, to test and time move generation
    Perft(Perft),
    /// Play players against each other, to find out which is stronger
    Match(PlayMatch),
    /// Work out what the service can look up, and write it to a file
    Database(Database),
    Solve(SolveState),
    /// Ask a running service whether it is ready
    Health(Health),
}

impl Cli {
    /// Does what the command line of this process says.
    #[must_use]
    pub fn run() -> ExitCode {
        // The settings of the service can stand without its command, where they are not listed: there are
        // many.
        let command = without_empty_variables(Self::command()).mut_args(|argument| argument.hide(true));
        let read = command.try_get_matches().and_then(|mut matches| Self::from_arg_matches_mut(&mut matches));
        match read {
            Ok(cli) => cli.execute(),
            Err(error) => refuse(&error),
        }
    }

    fn execute(self) -> ExitCode {
        let done = match self.command {
            None => return self.serve.run(),
            Some(Command::Serve(serve)) => return serve.run(),
            Some(Command::Play(play)) => play.run(),
            Some(Command::Analyse(analyse)) => analyse.run(),
            Some(Command::State(state)) => state.run(),
            Some(Command::Openapi(asked)) => asked.run(),
            Some(Command::Perft(perft)) => perft.run(),
            Some(Command::Match(play_match)) => play_match.run(),
            Some(Command::Database(database)) => database.run(),
            Some(Command::Solve(solve)) => solve.run(),
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

/// A command that takes empty variables of the environment for variables that are not set.
fn without_empty_variables(command: clap::Command) -> clap::Command {
    let is_empty = |name: &OsStr| env::var_os(name).is_some_and(|value| value.is_empty());
    command
        .mut_args(|arg| if arg.get_env().is_some_and(is_empty) { arg.env(None::<&str>) } else { arg })
        .mut_subcommands(without_empty_variables)
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
