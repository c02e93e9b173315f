//! `cublino database`.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::PathBuf,
    thread::available_parallelism,
    time::{Duration, Instant},
};

use clap::{Args, Subcommand, ValueEnum};

use super::{free_space, progress};
use crate::search::tablebase::{
    bear_off,
    wari::{Endgames, Event, Progress, Resumable},
};

/// Work out what the service can look up, and write it to a file
#[derive(Args, Clone, Debug)]
pub struct Database {
    #[command(subcommand)]
    game: Game,
}

#[derive(Clone, Debug, Subcommand)]
enum Game {
    /// What each player gets of the last marbles of Wari, for `serve --wari-database`
    Wari(Wari),
    /// The chances of bearing off in Mahbusa; the program has them already, and this is how they came into it
    Mahbusa {
        /// The file; one that is there already is replaced
        file: PathBuf,
    },
}

#[derive(Args, Clone, Debug)]
struct Wari {
    /// The file; one that is there already is left if it is whole and has as many marbles, and else replaced
    /// at the end. What is done by then is kept in the folder FILE.parts, and a second run goes on from
    /// there. A disk without room for all of that is refused at once
    file: PathBuf,

    /// The most marbles in the cups: 16 are 30 MB, 20 are 226 MB, 24 are 1.25 GB, and while they are worked
    /// out twice that
    #[arg(
        long, value_name = "N", default_value_t = 16,
        value_parser = clap::value_parser!(u8).range(1..=i64::from(Endgames::MOST_MARBLES))
    )]
    marbles: u8,

    /// Threads that work on it [default: one for each processor]
    #[arg(
        long, value_name = "N", hide_default_value = true,
        default_value_t = available_parallelism().map_or(1, usize::from)
    )]
    threads: usize,

    /// The most memory that the process has, in MiB, pages of its files included; where its work does not fit
    /// into that, it is slower
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: u64,

    /// Check the file instead: its digest, and whether what it says of one position in 64, or with `=whole`
    /// of all, follows from what it says of the next ones
    #[arg(
        long, value_enum, value_name = "HOW MUCH", num_args = 0..=1, require_equals = true,
        default_missing_value = "sample", conflicts_with_all = ["marbles", "threads", "memory"]
    )]
    verify: Option<HowMuch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HowMuch {
    /// One position in 64
    Sample,
    /// Every position
    Whole,
}

impl HowMuch {
    const fn one_in(self) -> usize {
        match self {
            Self::Sample => 64,
            Self::Whole => 1,
        }
    }
}

/// How often a log is told how far the work has come.
const TELL_EVERY: Duration = Duration::from_secs(30);
/// Bytes in a MiB.
const MIB: u64 = 1 << 20;

impl Database {
    /// Works it out, tells on standard error how far it has come, and writes the file.
    pub(super) fn run(&self) -> io::Result<()> {
        match &self.game {
            Game::Wari(wari) => wari.run(),
            Game::Mahbusa { file } => fs::write(file, bear_off::build()),
        }
    }
}

impl Wari {
    fn run(&self) -> io::Result<()> {
        self.verify.map_or_else(|| self.work_out(), |how_much| self.check(how_much))
    }

    fn work_out(&self) -> io::Result<()> {
        let Self { marbles, threads, memory, .. } = *self;
        let mut told = Told::new(marbles);
        let disk = free_space::with(&self.file, &Resumable::left_by_earlier_run(&self.file));
        let resumable = Resumable { marbles, threads, memory: memory.saturating_mul(MIB), disk };
        resumable.run(&self.file, &mut |event| told.tell(event)).map_err(io::Error::other)?;
        if let Some(bar) = &told.bar {
            bar.finish();
        }
        Ok(())
    }

    fn check(&self, how_much: HowMuch) -> io::Result<()> {
        let endgames = Endgames::open(&self.file).map_err(io::Error::other)?;
        let marbles = endgames.marbles();
        let told = Told::new(marbles);
        told.line(&format!("{marbles} marbles, and the digest is right"));
        let mut on_marbles = |marbles| told.line(&format!("{marbles} marbles agree"));
        let compared = endgames.verify(how_much.one_in(), &mut on_marbles)?;
        writeln!(
            io::stdout(),
            "{}: {marbles} marbles, {compared} of {} positions compared, all agree",
            self.file.display(),
            Endgames::positions(marbles)
        )
    }
}

/// Telling on standard error what happens: a person by a bar, a log by a line now and then.
struct Told {
    bar: Option<progress::Progress>,
    started: Instant,
    /// When a line was written last.
    last: Instant,
    /// When work on the present number of marbles began, and which that is.
    layer: Option<(u8, Instant)>,
    /// Positions with up to the most marbles.
    all: u64,
}

impl Told {
    fn new(marbles: u8) -> Self {
        let bar = io::stderr().is_terminal().then(progress::Progress::new);
        let now = Instant::now();
        Self { bar, started: now, last: now, layer: None, all: Endgames::positions(marbles) }
    }

    fn tell(&mut self, event: Event) {
        match event {
            Event::Found(marbles) => {
                self.line(&format!("{marbles} marbles are done with since an earlier run"));
            }
            Event::Damaged(marbles) => {
                self.line(&format!("what there is of {marbles} marbles is damaged, and is worked out anew"));
            }
            Event::Resumed(marbles) => {
                self.line(&format!("{marbles} marbles were broken off, and go on from there"));
            }
            Event::Progress(progress) => self.progress(progress),
            Event::Done(marbles) => self.done(marbles),
            Event::Whole => self.line("the file is there, and whole"),
        }
    }

    fn progress(&mut self, Progress { marbles, sweep, passed, of, left, .. }: Progress) {
        if self.layer.is_none_or(|(layer, _)| layer != marbles) {
            self.layer = Some((marbles, Instant::now()));
        }
        let stage = format!("{marbles} marbles, sweep {sweep}");
        if let Some(bar) = &mut self.bar {
            bar.tell(&stage, passed, of);
        } else if self.last.elapsed() >= TELL_EVERY {
            self.last = Instant::now();
            self.line(&format!("{stage}: {passed} of {of} passed, {left} were to be looked at"));
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "rates and what is left are estimates")]
    fn done(&mut self, marbles: u8) {
        let took = self.layer.map_or(Duration::ZERO, |(_, began)| began.elapsed()).as_secs_f64();
        let up_to = Endgames::positions(marbles);
        let positions = up_to - marbles.checked_sub(1).map_or(0, Endgames::positions);
        let rate = positions as f64 / took.max(1e-3);
        let rest = (self.all - up_to) as f64 / rate;
        self.line(&format!(
            "{marbles} marbles: {positions} positions in {took:.1} s, {rate:.0} a second; some {rest:.0} s \
             are left"
        ));
    }

    /// Writes a line with the time since the start.
    fn line(&self, text: &str) {
        let line = format!("{:>6.0} s  {text}", self.started.elapsed().as_secs_f64());
        match &self.bar {
            Some(bar) => bar.line(&line),
            None => eprintln!("{line}"),
        }
    }
}
