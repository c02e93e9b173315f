//! Files of training games: one game per line, as JSON. Concatenate files to merge them.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use cublino_rules::game::{Notation, Player, Record};

/// A training game: its first state, every move and roll, and its result. State and moves are as in the body
/// of a request to `apply`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrainingGame {
    /// The state in which the game began.
    pub state: String,
    /// The moves, and the rolls where the dice were rolled.
    pub moves: Vec<String>,
    /// The expected result before each move, for the player to move, and before each roll, on average over
    /// all rolls, in ten-thousandths; `None` for random moves, and where none was recorded.
    pub values: Vec<Option<i16>>,
    /// The result for player one: 1 a win, 0 a draw, -1 a loss.
    pub result: i8,
}

impl TrainingGame {
    /// The result for a player.
    #[must_use]
    pub fn result_for(&self, player: Player) -> i8 {
        match player {
            Player::One => self.result,
            Player::Two => -self.result,
        }
    }

    /// Calls `before` for each move and roll, with its index and the position before it.
    ///
    /// # Errors
    /// Fails if the state is invalid, or a move cannot be played.
    pub fn replay<G: Notation>(&self, mut before: impl FnMut(usize, &G)) -> Result<(), String> {
        let start = G::read(&self.state).map_err(|error| error.to_string())?;
        let mut record = Record::new(start, None);
        for (i, text) in self.moves.iter().enumerate() {
            before(i, record.position());
            record.play(text).map_err(|refusal| format!("'{text}' cannot be played: {refusal}"))?;
        }
        Ok(())
    }
}

/// The number for a certain win in [`TrainingGame::values`].
pub const VALUE_ONE: f32 = 10_000.0;

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// It cannot be read.
    #[error("the games {} cannot be read: {reason}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// Games cannot be added to it.
    #[error("the games {} cannot be written: {reason}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// A line does not hold a game.
    #[error("line {line} of {} is not a game: {reason}", .path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why not.
        reason: String,
    },
}

/// Calls `on_game` for each game of a file, in order.
///
/// # Errors
/// Fails if the file cannot be read, a line is not a game, or `on_game` fails.
pub fn read(
    path: &Path,
    mut on_game: impl FnMut(TrainingGame) -> Result<(), String>,
) -> Result<(), GameFileError> {
    let unreadable = |reason| GameFileError::Unreadable { path: path.to_owned(), reason };
    let lines = BufReader::new(File::open(path).map_err(unreadable)?).lines();
    for (number, line) in (1..).zip(lines) {
        let game = parse(path, number, line.map_err(unreadable)?.as_bytes())?;
        on_game(game).map_err(|reason| malformed(path, number, reason))?;
    }
    Ok(())
}

/// The game of a line of a file.
pub(super) fn parse(path: &Path, number: usize, line: &[u8]) -> Result<TrainingGame, GameFileError> {
    let game: TrainingGame =
        serde_json::from_slice(line).map_err(|reason| malformed(path, number, reason.to_string()))?;
    let (moves, values) = (game.moves.len(), game.values.len());
    if moves != values {
        return Err(malformed(
            path,
            number,
            format!("the number of moves is {moves}, and that of values {values}"),
        ));
    }
    Ok(game)
}

fn malformed(path: &Path, line: usize, reason: String) -> GameFileError {
    GameFileError::Malformed { path: path.to_owned(), line, reason }
}
