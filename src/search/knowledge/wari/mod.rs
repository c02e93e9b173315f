//! The endgames of Wari: what each player gets of the last marbles.

mod build;
mod file;
mod index;
mod share;
mod sides;
#[cfg(test)]
mod tests;

pub use self::{
    build::{Pace, Progress},
    file::DatabaseError,
    share::Share,
};
use self::{
    file::Mapped,
    index::{MOST, index},
};
use crate::games::wari::Row;

/// What is known about all positions with up to some number of marbles in the cups.
#[derive(Debug)]
pub struct Endgames {
    marbles: u8,
    bytes: Bytes,
}

/// A byte for the share in each position, by its number.
#[derive(Debug)]
enum Bytes {
    Built(Box<[u8]>),
    Mapped(Mapped),
}

impl Endgames {
    /// The most marbles that endgames can be worked out for: the numbers of their positions fit into 28 bits, and
    /// their shares into a byte each.
    pub const MOST_MARBLES: u8 = MOST;

    /// Works out the endgames with up to so many marbles, [`Self::MOST_MARBLES`] at most.
    #[must_use]
    pub fn build(marbles: u8, pace: Pace, on_progress: &mut dyn FnMut(Progress)) -> Self {
        let marbles = marbles.min(MOST);
        Self { marbles, bytes: Bytes::Built(build::build(marbles, pace, on_progress)) }
    }

    /// The most marbles in the cups of the positions that are known.
    #[must_use]
    pub const fn marbles(&self) -> u8 {
        self.marbles
    }

    /// What the side to move gets, by its own row and the other one; none if there are too many marbles.
    #[inline]
    #[must_use]
    pub fn share(&self, mover: Row, other: Row) -> Option<Share> {
        if mover.total() + other.total() > self.marbles {
            return None;
        }
        Some(Share::of_byte(self.bytes()[index(mover, other)]))
    }

    fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Built(bytes) => bytes,
            Bytes::Mapped(mapped) => mapped.bytes(),
        }
    }
}
