//! `cublino endgames`.

use std::{
    io::{self, Write},
    path::PathBuf,
    thread::available_parallelism,
};

use clap::{Args, Subcommand, ValueEnum};

use super::Progress;
use crate::{
    config::Within as _,
    engine::tablebase::wari::{self, Event},
};

#[derive(Debug, Subcommand)]
pub(super) enum Endgames {
    /// Compute the endgames of Wari, for `serve --wari-database`
    Wari(Wari),
}

#[derive(Args, Debug)]
pub(super) struct Wari {
    /// The file to write. A complete file with the same number of marbles is kept. Finished layers go to the
    /// folder FILE.parts, and the next run continues from there
    file: PathBuf,

    /// Maximum marbles in the cups: 16 take 30 MB, 20 take 226 MB, 24 take 1.25 GB, and twice as much during
    /// the computation
    #[arg(long, default_value_t = 16, within(1..=wari::Endgames::MOST_MARBLES))]
    marbles: u8,

    /// Threads to use [default: one per processor]
    #[arg(
        long, value_name = "N", hide_default_value = true,
        default_value_t = available_parallelism().map_or(1, usize::from)
    )]
    threads: usize,

    /// Maximum memory, in MiB; a run that would need more fails at once
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
    /// Computes the endgames and writes the file, with progress on standard error; or verifies a file.
    pub(super) fn run(&self) -> io::Result<()> {
        if let Some(how_much) = self.verify {
            return self.check(how_much);
        }
        let Self { marbles, threads, memory, .. } = *self;
        let mut progress = Progress::default();
        // The option is in MiB.
        let memory = memory.saturating_mul(1 << 20);
        let on_event = &mut |event| show(&mut progress, event, marbles);
        let done = wari::Endgames::build_file(&self.file, marbles, threads, memory, on_event);
        progress.clear();
        done.map_err(io::Error::other)
    }

    fn check(&self, how_much: HowMuch) -> io::Result<()> {
        let endgames = wari::Endgames::open(&self.file).map_err(io::Error::other)?;
        let marbles = endgames.marbles();
        let progress = Progress::default();
        progress.line(&format!("the digest is correct; the file has endgames with up to {marbles} marbles"));
        let one_in = if how_much == HowMuch::Whole { 1 } else { 64 };
        let on_marbles = &mut |marbles| progress.line(&format!("layer {marbles}: verified"));
        let compared = wari::Endgames::verify(&self.file, one_in, on_marbles)?;
        writeln!(
            io::stdout(),
            "{}: {marbles} marbles, {compared} of {} positions compared, all agree",
            self.file.display(),
            wari::Endgames::positions(marbles)
        )
    }
}

/// Reports an event of the computation on standard error; `most` is the number of marbles to reach.
fn show(progress: &mut Progress, event: Event, most: u8) {
    match event {
        Event::Found(marbles) => {
            progress.line(&format!("layer {marbles}: done by an earlier run"));
        }
        Event::Damaged => progress.line("partial results are corrupt; starting over"),
        Event::Progress(wari::Progress { marbles, sweep, passed, of }) => {
            progress.show(&format!("layer {marbles}, sweep {sweep}"), passed, of);
        }
        Event::Done(marbles) => {
            let (done, all) = (wari::Endgames::positions(marbles), wari::Endgames::positions(most));
            let percent = 100 * done / all;
            progress.line(&format!("layer {marbles}: {done} of {all} positions done, {percent} %"));
        }
        Event::Whole => progress.line("the file is complete"),
    }
}
