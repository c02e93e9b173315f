//! The endgames of Wari: what each player gets of the last marbles.

use std::{borrow::Cow, io, ops::Range, path::Path};

use cublino_rules::{
    game::{Game, Player},
    games::{
        Wari,
        wari::{MARBLES, ROW, Row},
    },
};

use self::file::CheckedFile;
use crate::{
    GameResult, Interrupted, LimitChecker,
    tablebase::{
        Tablebase, TablebaseValue,
        numbering::{THINGS, number, numbers_with, things, ways_up_to},
    },
};

mod build;
mod file;
mod sides;

pub use self::{
    build::{BuildError, Event, Progress},
    file::DatabaseError,
};

/// What is known about all positions with up to some number of marbles in the cups.
#[derive(Debug)]
pub struct Endgames {
    marbles: u8,
    bytes: Bytes,
}

/// A byte for the share in each position, by its number.
#[derive(Debug)]
enum Bytes {
    /// Of the program itself, or worked out.
    InMemory(Cow<'static, [u8]>),
    /// Of a file.
    InFile(CheckedFile),
}

impl Endgames {
    /// The most marbles that endgames can be worked out for: the numbers of their positions fit into 31 bits,
    /// and their shares into a byte each.
    pub const MOST_MARBLES: u8 = MOST;

    /// The most marbles of the endgames that come with the program: they are 2.7 MB.
    pub const BUILT_IN: u8 = 12;

    /// How many positions there are with up to so many marbles, which is also how many bytes their file has
    /// beside its head.
    #[must_use]
    pub fn positions(marbles: u8) -> u64 {
        positions_up_to(marbles.min(MOST)) as u64
    }

    /// The endgames that come with the program, which are in memory only as far as they are looked at.
    #[must_use]
    pub const fn built_in() -> Self {
        Self { marbles: Self::BUILT_IN, bytes: Bytes::InMemory(Cow::Borrowed(file::BUILT_IN)) }
    }

    /// Takes the endgames from a file, all of which is read once to check it. Should it change from then on,
    /// what it says is not used any more, but the endgames that come with the program are.
    ///
    /// # Errors
    /// The file cannot be read, or it is not a whole database of this version.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        let (marbles, file) = CheckedFile::open(path)?;
        Ok(Self { marbles, bytes: Bytes::InFile(file) })
    }

    /// Writes the endgames to a file. Whoever opens it finds what was there before, or all of this.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        file::save(path, self.marbles, [self.bytes()?])
    }

    /// The most marbles in the cups of the positions that are known.
    #[must_use]
    pub fn marbles(&self) -> u8 {
        match &self.bytes {
            Bytes::InFile(file) if file.is_damaged() => Self::BUILT_IN,
            _ => self.marbles,
        }
    }

    /// What the side to move gets, by its own row and the other one; none if there are too many marbles.
    #[inline]
    #[must_use]
    pub(crate) fn share(&self, mover: Row, other: Row) -> Option<Share> {
        let marbles = mover.total() + other.total();
        if marbles > self.marbles() {
            return None;
        }
        let position = index(mover, other);
        let byte = match &self.bytes {
            Bytes::InMemory(bytes) => bytes[position],
            Bytes::InFile(file) => file.byte(position).or_else(|| file::BUILT_IN.get(position).copied())?,
        };
        Some(Share::of_byte(byte, marbles))
    }

    /// The bytes of the shares, by the number of the position.
    fn bytes(&self) -> io::Result<Cow<'_, [u8]>> {
        match &self.bytes {
            Bytes::InMemory(bytes) => Ok(Cow::Borrowed(bytes)),
            Bytes::InFile(file) => file.bytes(),
        }
    }
}

/// Where the result does not hinge on endless play.
impl Tablebase<Wari> for Endgames {
    fn probe(
        &self,
        position: &Wari,
        _: &mut LimitChecker<'_>,
    ) -> Result<Option<TablebaseValue>, Interrupted> {
        let (mover, other) = (position.row(position.turn()), position.row(!position.turn()));
        let result = self.share(mover, other).and_then(|share| share.result(mover.prisoners()));
        Ok(result.map(TablebaseValue::uncounted))
    }

    fn best_result(&self, position: &Wari, player: Player) -> i8 {
        let (mover, other) = (position.row(position.turn()), position.row(!position.turn()));
        let marbles = mover.total() + other.total();
        let Some(share) = self.share(mover, other) else { return 1 };
        let most = if player == position.turn() { share.most } else { share.rest_of(marbles).most };
        (position.row(player).prisoners() + most).cmp(&(MARBLES / 2)) as i8
    }
}

/// How many of the marbles that are in the cups the side to move gets in the end, captured or left on its
/// side.
///
/// Each player can make sure of one of the bounds, without help from the rule that ends endless play. Where
/// they are equal they are the value of the position. Where they are not it hinges on endless play: on which
/// position occurs again first, and so on the moves before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// So many at least, if the side to move plays its best.
    pub(crate) least: u8,
    /// So many at most, if the opponent does.
    pub(crate) most: u8,
}

/// The most marbles of which every pair of bounds has a byte of its own: there are 253 pairs.
const ALL_PAIRS: u8 = 21;
/// With more marbles, the byte of bounds that are too far apart for one of their own: it stands for all or
/// nothing. Bounds that are up to 12 apart always have one.
const WIDE: u8 = u8::MAX;

/// The bounds that a byte stands for: of up to [`ALL_PAIRS`] marbles, and of each number above. The rest of
/// the bytes stand for nothing, and nobody has to check that they do not occur.
static OF_BYTES: [[Share; BYTES]; TABLES] = of_bytes();
/// Different bytes.
const BYTES: usize = 1 << u8::BITS;
/// Tables of what bytes stand for.
const TABLES: usize = (MOST - ALL_PAIRS) as usize + 1;

const fn of_bytes() -> [[Share; BYTES]; TABLES] {
    let mut tables = [[Share { least: 0, most: 0 }; BYTES]; TABLES];
    let mut table = 0;
    while table < TABLES {
        #[expect(clippy::cast_possible_truncation, reason = "there are few tables")]
        let marbles = ALL_PAIRS + table as u8;
        let mut most = 0;
        while most <= marbles {
            let mut least = 0;
            while least <= most {
                let share = Share { least, most };
                tables[table][share.to_byte(marbles) as usize] = share;
                least += 1;
            }
            most += 1;
        }
        if table > 0 {
            tables[table][WIDE as usize] = Share::unknown(marbles);
        }
        table += 1;
    }
    tables
}

impl Share {
    /// Nothing is known: all or nothing of so many marbles.
    const fn unknown(marbles: u8) -> Self {
        Self { least: 0, most: marbles }
    }

    /// Exactly so many.
    const fn exactly(marbles: u8) -> Self {
        Self { least: marbles, most: marbles }
    }

    /// What is left of so many marbles for the opponent of the player who gets this.
    #[inline]
    const fn rest_of(self, marbles: u8) -> Self {
        Self { least: marbles - self.most, most: marbles - self.least }
    }

    /// The better of two for the player who may choose.
    #[inline]
    fn or(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.max(other.most) }
    }

    /// What both of two bounds for the same position allow.
    #[inline]
    fn and(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    /// Whether the value does not hinge on endless play.
    #[inline]
    const fn is_exact(self) -> bool {
        self.least == self.most
    }

    /// How the game ends for the side to move, if that does not hinge on endless play.
    const fn result(self, prisoners: u8) -> Option<GameResult> {
        const HALF: u8 = MARBLES / 2;
        let (least, most) = (prisoners + self.least, prisoners + self.most);
        if least > HALF {
            Some(GameResult::Win)
        } else if most < HALF {
            Some(GameResult::Loss)
        } else if least == HALF && most == HALF {
            Some(GameResult::Draw)
        } else {
            None
        }
    }

    /// The byte that stands for these bounds in positions with so many marbles, or for wider ones.
    #[expect(clippy::cast_possible_truncation, reason = "what is larger is cut off before")]
    #[inline]
    const fn to_byte(self, marbles: u8) -> u8 {
        let (least, most) = (self.least as u16, self.most as u16);
        if marbles <= ALL_PAIRS {
            return (most * (most + 1) / 2 + least) as u8;
        }
        // Narrow bounds come first: there are as many more marbles than bounds can be apart.
        let apart = most - least;
        let narrower = apart * (marbles as u16 + 1) - apart * apart.saturating_sub(1) / 2;
        if narrower + least < WIDE as u16 { (narrower + least) as u8 } else { WIDE }
    }

    /// What [`to_byte`](Self::to_byte) gave.
    #[inline]
    fn of_byte(byte: u8, marbles: u8) -> Self {
        OF_BYTES[usize::from(marbles.saturating_sub(ALL_PAIRS))][usize::from(byte)]
    }
}

/// Cups on the board.
const CUPS: usize = 2 * ROW;
/// The most marbles for which positions have numbers.
#[expect(clippy::cast_possible_truncation, reason = "there are 24")]
const MOST: u8 = THINGS as u8;

/// How many positions there are with up to so many marbles, those included in which the side to move has
/// none, which the rules do not allow.
fn positions_up_to(marbles: u8) -> usize {
    ways_up_to(marbles.into(), CUPS)
}

/// The numbers of the positions with exactly so many marbles.
fn positions_with(marbles: u8) -> Range<usize> {
    numbers_with(marbles.into(), CUPS)
}

/// The number of a position with up to [`MOST`] marbles, counted from 0: positions with fewer marbles come
/// first.
#[inline]
fn index(mover: Row, other: Row) -> usize {
    number(mover.cups().into_iter().chain(other.cups()))
}

/// The rows of the side to move and of the other in the position with a number.
fn rows(index: usize) -> [Row; 2] {
    let cups: [u8; CUPS] = things(index);
    [0, ROW].map(|first| Row::new(std::array::from_fn(|place| cups[first + place]), 0))
}

#[cfg(test)]
mod tests;
