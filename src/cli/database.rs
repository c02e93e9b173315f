//! `cublino database`.

use std::{fs, io, path::PathBuf, thread::available_parallelism};

use clap::{Args, Subcommand};

use crate::search::tablebase::{
    bear_off,
    wari::{Endgames, Progress},
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
    /// The file; one that is there already is replaced at the end
    file: PathBuf,

    /// The most marbles in the cups: 13 are 5 MB, 16 are 30 MB, 20 are 226 MB; working them out takes up to
    /// 80 MB of memory more
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
}

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
        let mut shown = super::progress::Progress::new();
        let mut tell = |Progress { marbles, done, of }| shown.tell(&format!("{marbles} marbles"), done, of);
        let endgames = Endgames::build(self.marbles, self.threads, &mut tell);
        shown.finish();
        endgames.save(&self.file)
    }
}
