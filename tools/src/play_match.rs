//! `tools match`.

use std::{
    fs::File,
    io::{self, Write},
    num::NonZeroUsize,
    ops::ControlFlow,
    path::PathBuf,
    process,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, available_parallelism},
    time::{Duration, Instant},
};

use clap::Args;
use signal_hook::{consts::SIGINT, iterator::Signals};

use crate::{
    arena::{self, Decision, Match, Played, Report, Spec, Sprt},
    tablebases,
};
use cublino_engine::Playable;
use cublino_rules::{game::Notation, games::GameId, with_game};

/// Play two players against each other to see which is stronger
///
/// The players change sides, and each opening is played twice. Ctrl-C prints the result so far.
///
/// A player (SPEC) is random, greedy, level=1 to level=8, nodes=N, time=MILLISECONDS or depth=PLIES.
///
/// Options may follow after commas: network=FILE (a learned evaluation), table=MIB, tablebase=built-in
/// (without the file of --wari-database), or a technique of the search to switch off: reductions=off,
/// quiescence=off, null-windows=off, star2=off, progress=off, solver=off, tablebase=off, deeper-entries=off,
/// reverse-futility=off, futility=off, late-move-pruning=off, internal-reductions=off, singular=off.
/// Parameters of the search can be set, too, such as futility=50; an unknown name lists them all with their
/// ranges.
#[derive(Args, Clone, Debug)]
pub struct PlayMatch {
    /// The game
    game: GameId,
    /// The player whose score is printed
    #[arg(long, value_name = "SPEC")]
    one: Spec,
    /// The other player
    #[arg(long, value_name = "SPEC")]
    two: Spec,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The seed of openings, rolls and players
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Threads; each plays one pair of games at a time [default: one per processor]
    #[arg(
        long, value_name = "N", hide_default_value = true,
        default_value_t = available_parallelism().unwrap_or(NonZeroUsize::MIN)
    )]
    threads: NonZeroUsize,
    /// File with larger endgames of Wari, written by `cublino endgames wari`
    #[arg(long, value_name = "FILE")]
    wari_database: Option<PathBuf>,
    /// Stop as soon as a sequential test (SPRT) decides whether the first player is stronger by ELO1 or only
    /// by ELO0 points, with 5 % errors
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Write the games to a file, one per line, as requests to `apply`
    #[arg(long, value_name = "FILE")]
    games_to: Option<PathBuf>,
}

/// How often the score so far is printed.
const PROGRESS_EVERY: Duration = Duration::from_secs(5);
/// The exit status after SIGINT, by convention.
const INTERRUPTED: i32 = 128 + SIGINT;

impl PlayMatch {
    /// Plays the match, and prints the result of the first player.
    pub fn run(&self) -> io::Result<()> {
        with_game!(self.game, G => self.play::<G>())
    }

    fn play<G: Playable + Notation>(&self) -> io::Result<()> {
        let Self { games, seed, threads, sprt, .. } = *self;
        let (one, two) = (self.one.clone(), self.two.clone());
        let config = Match { one, two, games, seed, threads };
        let tablebases = tablebases(self.wari_database.as_deref())?;
        let mut file = self.games_to.as_ref().map(File::create).transpose()?;
        let so_far = Arc::new(Mutex::new(Report::default()));
        print_when_interrupted(Arc::clone(&so_far), sprt)?;
        let mut written = Ok(());
        let mut shown = Instant::now();
        let mut on_game = |report: &Report, played: &Played| {
            let mut so_far = locked(&so_far);
            *so_far = *report;
            if let Some(file) = &mut file {
                let line = serde_json::to_string(played).map_err(io::Error::from);
                written = line.and_then(|line| file.write_all(format!("{line}\n").as_bytes()));
            }
            if shown.elapsed() >= PROGRESS_EVERY {
                shown = Instant::now();
                let (score, error) = (100.0 * report.score(), 100.0 * report.standard_error());
                eprintln!("game {} of {games}: {score:.1} % ± {error:.1} %", report.games());
            }
            let decided = sprt.is_some_and(|test| test.decision(report).is_some());
            if written.is_err() || decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        arena::run::<G>(&config, &tablebases, &mut on_game).map_err(io::Error::other)?;
        written?;
        print(&locked(&so_far), sprt)
    }
}

/// On Ctrl-C, prints the result of the games played so far, and ends the process.
fn print_when_interrupted(so_far: Arc<Mutex<Report>>, sprt: Option<Sprt>) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT])?;
    thread::spawn(move || {
        if signals.forever().next().is_some() {
            // Nobody gets the lock any more: no game is added or written, and the result is printed once.
            let report = locked(&so_far);
            if let Err(error) = print(&report, sprt) {
                eprintln!("tools: {error}");
            }
            process::exit(INTERRUPTED);
        }
    });
    Ok(())
}

fn locked(so_far: &Mutex<Report>) -> MutexGuard<'_, Report> {
    so_far.lock().unwrap_or_else(PoisonError::into_inner)
}

fn print(report: &Report, sprt: Option<Sprt>) -> io::Result<()> {
    writeln!(io::stdout(), "{report}")?;
    let Some(test) = sprt else { return Ok(()) };
    let decision = match test.decision(report) {
        Some(Decision::Stronger) => "the first player is stronger by the higher number",
        Some(Decision::NotStronger) => "the first player is not stronger by more than the lower number",
        None => "not yet clear",
    };
    let ratio = test.log_likelihood_ratio(report);
    writeln!(io::stdout(), "test {test}: {decision} ({ratio:.2}, the bounds are ±{:.2})", Sprt::BOUND)
}
