//! A file that games are appended to as they are played; an interrupted run resumes it.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, BufWriter, Write},
    num::NonZeroUsize,
    ops::ControlFlow,
    path::Path,
};

use super::{
    game_file::{self, GameFileError, TrainingGame},
    self_play::{self, SelfPlay},
    training::Training,
};
use cublino_engine::Engine;

/// Plays games and appends them to a file until there are enough; `on_game` is called after each. The number
/// of a game is its place in the file, from 0, so the next number is the count of games.
pub(super) fn play_missing<G: Training>(
    path: &Path,
    (engine, settings, seed): (&Engine, &SelfPlay, u64),
    threads: NonZeroUsize,
    is_enough: impl Fn(Held) -> bool,
    on_game: &mut dyn FnMut(Held),
) -> Result<(), GameFileError> {
    let mut held = whole_games(path)?;
    if is_enough(held) {
        return Ok(());
    }
    let unwritable = |reason| GameFileError::Unwritable { path: path.to_owned(), reason };
    let file = OpenOptions::new().create(true).append(true).open(path).map_err(unwritable)?;
    let mut file = BufWriter::new(file);
    let mut written = Ok(());
    self_play::play::<G>(engine, settings, held.games..u64::MAX, seed, threads, &mut |game| {
        held.add(&game);
        written = write(&mut file, &game);
        on_game(held);
        if is_enough(held) || written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    written.and_then(|()| file.flush()).map_err(unwritable)
}

fn write(file: &mut impl Write, game: &TrainingGame) -> io::Result<()> {
    serde_json::to_writer(&mut *file, game)?;
    writeln!(file)
}

/// How much a file holds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    pub(super) games: u64,
    /// Moves and rolls of all games.
    pub(super) positions: u64,
}

impl Held {
    fn add(&mut self, game: &TrainingGame) {
        self.games += 1;
        self.positions += u64::try_from(game.moves.len()).expect("games are short");
    }
}

/// Counts the games of a file, if it exists. An incomplete last line, left by an interruption, is cut off. A
/// complete line that is not a game is an error, and stays.
fn whole_games(path: &Path) -> Result<Held, GameFileError> {
    let unreadable = |reason| GameFileError::Unreadable { path: path.to_owned(), reason };
    let mut held = Held::default();
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(held),
        Err(error) => return Err(unreadable(error)),
    };
    let (mut reader, mut line, mut whole) = (BufReader::new(file), Vec::new(), 0);
    for number in 1.. {
        line.clear();
        let read = reader.read_until(b'\n', &mut line).map_err(unreadable)?;
        if !line.ends_with(b"\n") {
            break;
        }
        held.add(&game_file::parse(path, number, &line)?);
        whole += read as u64;
    }
    if line.is_empty() {
        return Ok(held);
    }
    let cut = OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(whole));
    cut.map_err(|reason| GameFileError::Unwritable { path: path.to_owned(), reason })?;
    Ok(held)
}
