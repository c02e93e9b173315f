//! `cublino endgames`.

use std::{
    io::{self, Write},
    path::PathBuf,
    thread::available_parallelism,
    time::{Duration, Instant},
};

use clap::{Args, Subcommand, ValueEnum};

use super::Progress;
use crate::search::tablebase::wari::{self, Event};

#[derive(Debug, Subcommand)]
pub(super) enum Endgames {
    /// Compute the endgames of Wari, for `serve --wari-database`
    Wari(Wari),
}

#[derive(Args, Debug)]
pub(super) struct Wari {
    /// The file to write. A complete file with as many marbles is kept. Finished layers are in the folder
    /// FILE.parts, where the next run continues
    file: PathBuf,

    /// The most marbles in the cups: 16 take 30 MB, 20 take 226 MB, 24 take 1.25 GB, and twice as much during
    /// the computation
    #[arg(
        long, value_name = "N", default_value_t = 16,
        value_parser = clap::value_parser!(u8).range(1..=i64::from(wari::Endgames::MOST_MARBLES))
    )]
    marbles: u8,

    /// Threads to use [default: one per processor]
    #[arg(
        long, value_name = "N", hide_default_value = true,
        default_value_t = available_parallelism().map_or(1, usize::from)
    )]
    threads: usize,

    /// The most memory to use, in MiB; a run that needs more fails at once
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: u64,

    /// Check the file instead: its digest, and the value of one position in 64 (with `=whole`: of every
    /// position) against its successors
    #[arg(
        long, value_enum, value_name = "HOW MUCH", num_args = 0..=1, require_equals = true,
        default_missing_value = "sample", conflicts_with_all = ["marbles", "threads", "memory"]
    )]
    verify: Option<HowMuch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HowMuch {
    Sample,
    Whole,
}

impl Wari {
    /// Works them out, says on standard error how far it has come, and writes the file.
    pub(super) fn run(&self) -> io::Result<()> {
        if let Some(how_much) = self.verify {
            return self.check(how_much);
        }
        let Self { marbles, threads, memory, .. } = *self;
        let mut shown = Shown::new(marbles);
        // The option is in MiB.
        let memory = memory.saturating_mul(1 << 20);
        let on_event = &mut |event| shown.tell(event);
        let done = wari::Endgames::build_file(&self.file, marbles, threads, memory, on_event);
        shown.progress.clear();
        done.map_err(io::Error::other)
    }

    fn check(&self, how_much: HowMuch) -> io::Result<()> {
        let endgames = wari::Endgames::open(&self.file).map_err(io::Error::other)?;
        let marbles = endgames.marbles();
        let shown = Shown::new(marbles);
        shown.line(&format!("the digest is right; the file has endgames with up to {marbles} marbles"));
        let one_in = if how_much == HowMuch::Whole { 1 } else { 64 };
        let compared =
            endgames.verify(one_in, &mut |marbles| shown.line(&format!("layer {marbles} agrees")))?;
        writeln!(
            io::stdout(),
            "{}: {marbles} marbles, {compared} of {} positions compared, all agree",
            self.file.display(),
            wari::Endgames::positions(marbles)
        )
    }
}

/// What happens, on standard error.
struct Shown {
    progress: Progress,
    started: Instant,
    /// When work on the present number of marbles began, and which that is.
    layer: Option<(u8, Instant)>,
    /// Positions with up to the most marbles.
    all: u64,
}

impl Shown {
    fn new(marbles: u8) -> Self {
        let all = wari::Endgames::positions(marbles);
        Self { progress: Progress::default(), started: Instant::now(), layer: None, all }
    }

    fn tell(&mut self, event: Event) {
        match event {
            Event::Found(marbles) => {
                self.line(&format!("layer {marbles} was finished by an earlier run"));
            }
            Event::Damaged => self.line("what an earlier run left is damaged: the work begins again"),
            Event::Progress(wari::Progress { marbles, sweep, passed, of }) => {
                if self.layer.is_none_or(|(layer, _)| layer != marbles) {
                    self.layer = Some((marbles, Instant::now()));
                }
                self.progress.tell(&format!("layer {marbles}, sweep {sweep}"), passed, of);
            }
            Event::Done(marbles) => self.done(marbles),
            Event::Whole => self.line("the file is there, and whole"),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "rates and what is left are estimates")]
    fn done(&mut self, marbles: u8) {
        let took = self.layer.map_or(Duration::ZERO, |(_, began)| began.elapsed()).as_secs_f64();
        let up_to = wari::Endgames::positions(marbles);
        let positions = up_to - marbles.checked_sub(1).map_or(0, wari::Endgames::positions);
        let rate = positions as f64 / took.max(1e-3);
        let rest = (self.all - up_to) as f64 / rate;
        self.line(&format!(
            "layer {marbles}: {positions} positions in {took:.1} s, {rate:.0} a second; {rest:.0} s left"
        ));
    }

    /// Writes a line with the time since the start.
    fn line(&self, text: &str) {
        self.progress.line(&format!("{:>6.0} s  {text}", self.started.elapsed().as_secs_f64()));
    }
}
