//! The state notation: what a text says, and whether the rules allow it.

use std::{marker::PhantomData, str::FromStr};

use smallvec::SmallVec;

use super::{
    Cublino,
    board::{Board, Die},
    claimed::{Claimed, Invalid},
    die::Orientation,
    rules::Rules,
    square::Square,
    text::DIE_CHARS,
};
use crate::game::{Coded, Faults, MalformedHead, Player, read_head};

/// What a state text says: whose turn it is, and where dice are said to lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup<R> {
    turn: Player,
    dice: Placed,
    rules: PhantomData<R>,
}

impl<R> Setup<R> {
    /// The player who is said to be to move.
    #[must_use]
    pub const fn turn(&self) -> Player {
        self.turn
    }

    /// The dice that the text names, in its order.
    #[must_use]
    pub fn dice(&self) -> &[(Square, Die)] {
        &self.dice
    }
}

/// Why a text is not well-formed. Places are counted in characters from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The text does not begin like a state of this game.
    #[error(transparent)]
    Head(#[from] MalformedHead),
    /// Not one of the 24 orientations.
    #[error("'{found}' is not an orientation: A to X for a white die, a to x for a black one")]
    Orientation {
        /// What is there instead.
        found: char,
        /// Where.
        at: usize,
    },
    /// Not one of the seven files.
    #[error("'{found}' is not a file: a to g")]
    File {
        /// What is there instead.
        found: char,
        /// Where.
        at: usize,
    },
    /// Not one of the seven ranks.
    #[error("'{found}' is not a rank: 1 to 7")]
    Rank {
        /// What is there instead.
        found: char,
        /// Where.
        at: usize,
    },
    /// The text ends in the middle of a die.
    #[error("the last die is cut off: a die is three characters, orientation, file and rank, and only \
        {found} of them {verb} there", verb = if *.found == 1 { "is" } else { "are" })]
    Incomplete {
        /// How many of the three characters are there.
        found: usize,
        /// Where the die begins.
        at: usize,
    },
}

impl Coded for Malformed {
    fn code(&self) -> &'static str {
        match self {
            Self::Head(head) => head.code(),
            Self::Orientation { .. } => "not-an-orientation",
            Self::File { .. } => "not-a-file",
            Self::Rank { .. } => "not-a-rank",
            Self::Incomplete { .. } => "incomplete-die",
        }
    }

    fn at(&self) -> Option<usize> {
        match *self {
            Self::Head(head) => head.at(),
            Self::Orientation { at, .. }
            | Self::File { at, .. }
            | Self::Rank { at, .. }
            | Self::Incomplete { at, .. } => Some(at),
        }
    }
}

impl<R: Rules> FromStr for Setup<R> {
    type Err = Faults<Malformed>;

    fn from_str(text: &str) -> Result<Self, Faults<Malformed>> {
        let (turn, rest) = read_head(text, R::ABOUT.letter).map_err(Malformed::from)?;
        let (dice, faults) = if rest.is_ascii() {
            read_dice(rest.as_bytes())
        } else {
            read_dice(&rest.chars().collect::<Vec<_>>())
        };
        Faults::or(faults, Self { turn, dice, rules: PhantomData })
    }
}

/// Dice as a text names them, and where.
type Placed = SmallVec<[(Square, Die); 16]>;

/// The dice that the characters after the letter describe, and what is wrong with them.
fn read_dice<C: Copy + Into<char>>(chars: &[C]) -> (Placed, Vec<Malformed>) {
    let mut placed = Placed::new();
    let mut faults = Vec::new();
    let (dice, rest) = chars.as_chunks::<DIE_CHARS>();
    let mut at = 1;
    for die in dice {
        if let Some(die) = read_die(die.map(Into::into), at, &mut faults) {
            placed.push(die);
        }
        at += DIE_CHARS;
    }
    if !rest.is_empty() {
        faults.push(Malformed::Incomplete { found: rest.len(), at });
    }
    (placed, faults)
}

/// The die that three characters describe; adds what is wrong with them.
fn read_die(
    [orientation, file, rank]: [char; DIE_CHARS],
    at: usize,
    faults: &mut Vec<Malformed>,
) -> Option<(Square, Die)> {
    let player = Player::of_case(orientation);
    let first = if player == Player::One { 'A' } else { 'a' };
    let from = |base: char, found: char| u32::from(found).wrapping_sub(u32::from(base)).min(0xff) as u8;
    let read_orientation = Orientation::new(from(first, orientation));
    let read_square = Square::new(from('a', file), from('1', rank));
    if let (Some(orientation), Some(square)) = (read_orientation, read_square) {
        return Some((square, Die { player, orientation }));
    }
    if read_orientation.is_none() {
        faults.push(Malformed::Orientation { found: orientation, at });
    }
    if !('a'..='g').contains(&file) {
        faults.push(Malformed::File { found: file, at: at + 1 });
    }
    if !('1'..='7').contains(&rank) {
        faults.push(Malformed::Rank { found: rank, at: at + 2 });
    }
    None
}

impl<R: Rules> TryFrom<Setup<R>> for Cublino<R> {
    type Error = Faults<Invalid>;

    fn try_from(setup: Setup<R>) -> Result<Self, Faults<Invalid>> {
        let mut board = Board::default();
        let mut claimed = Claimed::default();
        let mut faults = Vec::new();
        for (i, &(square, die)) in setup.dice.iter().enumerate() {
            if board.occupied().contains(square) {
                faults.push(Invalid::SquareTaken { square, at: 1 + DIE_CHARS * i + 1 });
            } else {
                board.put(square, die);
            }
            claimed.add(square, die.player);
        }
        faults.extend(R::faults(&claimed));
        Faults::or(faults, Self::new(board, setup.turn))
    }
}
