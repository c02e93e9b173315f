//! Moves by their results, and the chains of squares that make them.

use smallvec::SmallVec;

use super::{
    board::Orientation,
    square::{Direction, Square},
};

/// A move by its result. The same die, the same first step and the same end give the same position,
/// whatever lies between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The player is stuck.
    Pass,
    /// A die travels.
    Go {
        /// Where it was.
        from: Square,
        /// How it is turned.
        opening: Opening,
        /// Where it ends.
        to: Square,
    },
}

/// The first step of a move, which alone can turn the die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opening {
    /// A tip in a direction.
    Tip(Direction),
    /// A jump; the die is not turned.
    Jump,
}

impl Opening {
    /// How a die lies after this step.
    pub(super) const fn turn(self, before: Orientation) -> Orientation {
        match self {
            Self::Tip(direction) => before.tipped(direction),
            Self::Jump => before,
        }
    }
}

/// The squares that a die passes.
///
/// Most chains have two or three; a chain as written may have any number.
pub type Chain = SmallVec<[Square; LONGEST_CHAIN]>;

/// Squares of the longest chain that visits none twice: the start, and after a tip every other square of
/// every other rank, which are 4x4.
pub(super) const LONGEST_CHAIN: usize = 17;
