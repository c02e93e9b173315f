//! A file that games are added to as they are played, and that is gone on with after an interruption.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, BufWriter, Write},
    num::NonZeroUsize,
    ops::ControlFlow,
    path::Path,
};

use super::{
    game_file::TrainingGame,
    self_play::{self, SelfPlay},
};
use crate::{
    game::Notation,
    search::{Engine, Learned, Playable},
};

/// A file of games, one a line, open for more. The number of a game is its place, from 0, so that what is
/// missing is known by how many there are.
pub(super) struct GamesToKeep {
    file: BufWriter<File>,
    pub(super) held: Held,
}

/// What a file holds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    pub(super) games: u64,
    /// Moves of all games together.
    pub(super) positions: u64,
}

impl GamesToKeep {
    /// Opens a file, or makes one. What an interruption has left of a line is taken away.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let held = whole_games(path)?;
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { file: BufWriter::new(file), held })
    }

    /// Plays games until there are enough; `on_game` hears of each.
    pub(super) fn play<G: Playable + Notation>(
        &mut self,
        (engine, settings, seed): (&Engine<Learned>, &SelfPlay, u64),
        threads: NonZeroUsize,
        is_enough: impl Fn(Held) -> bool,
        on_game: &mut dyn FnMut(Held),
    ) -> io::Result<()> {
        if is_enough(self.held) {
            return Ok(());
        }
        let numbers = self.held.games..u64::MAX;
        let mut written = Ok(());
        self_play::play::<G>(engine, settings, numbers, seed, threads, &mut |game| {
            self.held.add(&game);
            written = self.write(&game);
            on_game(self.held);
            if is_enough(self.held) || written.is_err() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        written.and_then(|()| self.file.flush())
    }

    fn write(&mut self, game: &TrainingGame) -> io::Result<()> {
        serde_json::to_writer(&mut self.file, game)?;
        writeln!(self.file)
    }
}

impl Held {
    fn add(&mut self, game: &TrainingGame) {
        self.games += 1;
        self.positions += u64::try_from(game.moves.len()).expect("games are short");
    }
}

/// Counts the games of a file, if there is one, and cuts it off after the last whole line.
fn whole_games(path: &Path) -> io::Result<Held> {
    let mut held = Held::default();
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(held),
        Err(error) => return Err(error),
    };
    let (mut reader, mut line, mut bytes) = (BufReader::new(file), String::new(), 0);
    loop {
        line.clear();
        let read = reader.read_line(&mut line)?;
        let game = serde_json::from_str::<TrainingGame>(&line);
        let (Ok(game), true) = (game, line.ends_with('\n')) else { break };
        held.add(&game);
        bytes += read as u64;
    }
    OpenOptions::new().write(true).open(path)?.set_len(bytes)?;
    Ok(held)
}
