//! The command line.

mod analyse;
mod endgames;
mod health;
mod serve;
mod state;

use std::{
    env,
    ffi::OsStr,
    io::{self, IsTerminal, Write},
    process::ExitCode,
    time::{Duration, Instant},
};

use clap::{
    CommandFactory, FromArgMatches, Parser, Subcommand,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
    error::{ContextKind, ContextValue, ErrorKind},
};
use clap_complete::Shell;

use self::{analyse::Analyse, endgames::Endgames, health::Health, serve::Serve, state::ShowState};
use crate::{config::REMOVED, games::GameId, http, with_game};

/// Rules, legal moves, scores and good moves of board games for two, over HTTP
#[derive(Debug, Parser)]
#[command(
    name = "cublino",
    version,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    max_term_width = 80,
    after_help = "`cublino serve --help` lists the settings. They also work without `serve`."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: Serve,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the service (also the default without a command)
    Serve(Box<Serve>),
    // The commands without a description here have it at their type, which a description here would replace.
    Analyse(Analyse),
    /// Show a state: its board, score, value and legal moves
    State(ShowState),
    /// Print the OpenAPI document
    Openapi,
    /// Compute endgames for the service
    #[command(subcommand)]
    Endgames(Endgames),
    /// Check whether a running service is ready
    Health(Health),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

impl Cli {
    /// Runs the command that the arguments of this process name.
    pub fn run() -> ExitCode {
        // The settings also work without `serve`, but are too many for the top-level help.
        let mut command = without_empty_variables(Self::command()).mut_args(|argument| argument.hide(true));
        let read = command.try_get_matches_from_mut(env::args_os());
        let read = read.and_then(|matches| Self::from_arg_matches(&matches));
        let cli =
            read.unwrap_or_else(|error| name_successor(suggest_state(error, &command), &mut command).exit());
        let done = match cli.command {
            None => return cli.serve.run(),
            Some(Command::Serve(serve)) => return serve.run(),
            Some(Command::Analyse(analyse)) => analyse.run(),
            Some(Command::State(state)) => with_game!(state.game, G => state.run::<G>()),
            Some(Command::Openapi) => io::stdout().write_all(http::DOCUMENT.as_bytes()),
            Some(Command::Endgames(Endgames::Wari(wari))) => wari.run(),
            Some(Command::Health(health)) => health.run(),
            Some(Command::Completions { shell }) => {
                let mut script = Vec::new();
                clap_complete::generate(shell, &mut Self::command(), "cublino", &mut script);
                io::stdout().write_all(&script)
            }
        };
        match done {
            // The reader, such as `head`, has closed the pipe.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("cublino: {error}");
                ExitCode::FAILURE
            }
            Ok(()) => ExitCode::SUCCESS,
        }
    }
}

/// Reads the name of a game: its id or the last word of it, such as `pur`.
fn game() -> impl TypedValueParser<Value = GameId> {
    let names = GameId::ALL.iter().map(|game| {
        let id = game.about().id;
        PossibleValue::new(id).alias(id.rsplit('-').next().unwrap_or(id))
    });
    PossibleValuesParser::new(names).map(|name| {
        let mut games = GameId::ALL.iter().copied();
        games.find(|game| game.about().id.ends_with(&name)).expect("the parser accepts only names of games")
    })
}

/// The error of a flag that was removed says what to use instead; any other stays as it is.
fn name_successor(error: clap::Error, command: &mut clap::Command) -> clap::Error {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return error };
    match REMOVED.iter().find(|(removed, _)| removed == flag) {
        Some((removed, successor)) => {
            let detail = format!("the flag {removed} was removed; use {successor}");
            command.error(ErrorKind::UnknownArgument, detail)
        }
        None => error,
    }
}

/// The error of a game where a command belongs suggests the command that shows a state of it.
fn suggest_state(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && game().parse_ref(command, None, OsStr::new(name)).is_ok()
    {
        let tip = format!("'cublino state {name} STATE' shows a state of this game");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Makes a command treat empty environment variables as unset.
fn without_empty_variables(command: clap::Command) -> clap::Command {
    let is_empty = |name: &OsStr| env::var_os(name).is_some_and(|value| value.is_empty());
    command
        .mut_args(|arg| if arg.get_env().is_some_and(is_empty) { arg.env(None::<&str>) } else { arg })
        .mut_subcommands(without_empty_variables)
}

/// Reports the progress of a long computation on standard error.
#[derive(Debug)]
pub struct Progress {
    is_terminal: bool,
    /// When progress was last written.
    last: Instant,
}

/// No progress has been written yet.
impl Default for Progress {
    fn default() -> Self {
        Self { is_terminal: io::stderr().is_terminal(), last: Instant::now() }
    }
}

impl Progress {
    /// Reports that `done` of `of` units of a stage are done, unless the last report is too recent.
    pub fn show(&mut self, stage: &str, done: u64, of: u64) {
        let pause = if self.is_terminal { Duration::from_millis(100) } else { Duration::from_secs(30) };
        if self.last.elapsed() < pause {
            return;
        }
        self.last = Instant::now();
        let text = format!("{stage}: {done} of {of}, {} %", 100 * done / of.max(1));
        if self.is_terminal { eprint!("\r\x1b[K{text}") } else { eprintln!("{text}") }
    }

    /// Writes a line that stays.
    pub fn line(&self, text: &str) {
        self.clear();
        eprintln!("{text}");
    }

    /// Erases the progress line.
    pub fn clear(&self) {
        if self.is_terminal {
            eprint!("\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn games_have_short_names_too() {
        let parse = |name: &str| game().parse_ref(&Cli::command(), None, OsStr::new(name)).ok();
        for (name, game) in [
            ("cublino-pur", GameId::CublinoPur),
            ("pur", GameId::CublinoPur),
            ("contra", GameId::CublinoContra),
            ("ecke", GameId::CublinoEcke),
            ("wari", GameId::Wari),
        ] {
            assert_eq!(parse(name), Some(game));
        }
        assert_eq!(parse("cublino"), None);
    }
}
