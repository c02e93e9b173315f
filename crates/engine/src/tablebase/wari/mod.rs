//! The endgames of Wari: each player's share of the last marbles.

use std::path::Path;

use cublino_rules::{
    game::{Game, Player},
    games::{
        Wari,
        wari::{MARBLES, Row},
    },
};

use self::{
    file::{CheckedFile, Share},
    sides::{MOST, index, positions_up_to},
};
use crate::{
    GameResult, Score,
    tablebase::{Tablebase, TablebaseValue},
};

mod build;
mod file;
mod sides;

pub use self::{
    build::{BuildError, Event, Progress},
    file::DatabaseError,
};

/// The shares in all positions with up to some number of marbles in the cups.
#[derive(Debug)]
pub struct Endgames {
    marbles: u8,
    /// The built-in shares: a byte for each position, by its number.
    in_memory: &'static [u8],
    /// A file with more marbles.
    file: Option<CheckedFile>,
}

impl Endgames {
    /// The most marbles that endgames can be computed for: the numbers of their positions fit into 31 bits,
    /// and their shares into a byte each.
    pub const MOST_MARBLES: u8 = MOST;

    /// The most marbles of the built-in endgames: they are 2.7 MB.
    pub const BUILT_IN: u8 = 12;

    /// The number of positions with up to so many marbles, which is also the size of their file in bytes,
    /// without its header.
    ///
    /// ```
    /// use cublino_engine::tablebase::wari::Endgames;
    ///
    /// // No marble in any cup, or one in one of the twelve.
    /// assert_eq!(Endgames::positions(1), 13);
    /// ```
    pub fn positions(marbles: u8) -> u64 {
        positions_up_to(marbles.min(MOST)) as u64
    }

    /// The built-in endgames. Only the parts that are read are in memory.
    pub(crate) const fn built_in() -> Self {
        Self { marbles: Self::BUILT_IN, in_memory: file::BUILT_IN, file: None }
    }

    /// Opens the endgames in a file, and reads it once to check it. If the file changes later, it is no
    /// longer used, and the built-in endgames are used instead.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is not a valid database of this version.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        let (marbles, file) = CheckedFile::open(path)?;
        Ok(Self { marbles, file: Some(file), ..Self::built_in() })
    }

    /// The most marbles in the cups of the positions that are known.
    pub fn marbles(&self) -> u8 {
        let is_damaged = self.file.as_ref().is_some_and(CheckedFile::is_damaged);
        if is_damaged { Self::BUILT_IN } else { self.marbles }
    }

    /// The share of the side to move, by its own row and the other one; `None` if there are too many marbles.
    pub(crate) fn share(&self, mover: Row, other: Row) -> Option<Share> {
        let marbles = mover.total() + other.total();
        if marbles > self.marbles() {
            return None;
        }
        let position = index(mover, other);
        let in_file = self.file.as_ref().and_then(|file| file.byte(position));
        let byte = in_file.or_else(|| self.in_memory.get(position).copied())?;
        Some(Share::of_byte(byte, marbles))
    }
}

/// How the last marbles are likely to be split where the result depends on endless play: for all positions
/// with up to [`Endgames::BUILT_IN`] marbles, by their numbers. A test computes the file.
static SPLITS: &[u8] = include_bytes!("splits-12.bin");

/// Parts of a marble in which splits are counted.
const PARTS: u8 = 16;

/// The marbles in the cups that the side to move is likely to get, in parts of a marble; `None` if there are
/// too many marbles.
fn split(mover: Row, other: Row) -> Option<u8> {
    (mover.total() + other.total() <= Endgames::BUILT_IN).then(|| SPLITS[index(mover, other)])
}

/// The score of an estimate for each marble above half of them. Matches chose it among 300, 600, 1,000 and
/// 2,000.
const MARBLE: i32 = 1_000;

/// Answers where a side holds more than half of the marbles, or the result does not depend on endless play.
impl Tablebase<Wari> for Endgames {
    fn probe(&self, position: &Wari) -> Option<TablebaseValue> {
        let turn = position.turn();
        let (mover, other) = (position.row(turn), position.row(!turn));
        let decided = position
            .decided_for()
            .map(|winner| if winner == turn { GameResult::Win } else { GameResult::Loss });
        let result =
            decided.or_else(|| self.share(mover, other).and_then(|share| share.result(mover.prisoners())));
        result.map(|result| TablebaseValue::Exact { result, plies: None })
    }

    /// The score for how many marbles above half of them the side to move is likely to get.
    fn estimate(&self, position: &Wari) -> Option<Score> {
        if position.decided_for().is_some() {
            return None;
        }
        let (mover, other) = (position.row(position.turn()), position.row(!position.turn()));
        let parts = i32::from(PARTS);
        let ahead =
            i32::from(split(mover, other)?) + parts * (i32::from(mover.prisoners()) - i32::from(MARBLES / 2));
        Some(Score::new(ahead * MARBLE / parts))
    }

    fn best_result(&self, position: &Wari, player: Player) -> i8 {
        let (mover, other) = (position.row(position.turn()), position.row(!position.turn()));
        let marbles = mover.total() + other.total();
        let Some(share) = self.share(mover, other) else { return 1 };
        let most = if player == position.turn() { share.most } else { share.rest_of(marbles).most };
        (position.row(player).prisoners() + most).cmp(&(MARBLES / 2)) as i8
    }
}

#[cfg(test)]
mod tests;
