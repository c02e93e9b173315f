//! The state notation: what a text says, and whether the rules allow it.

use std::{fmt, marker::PhantomData, str::FromStr};

use smallvec::SmallVec;

use super::{
    Cublino,
    board::{Board, Die},
    die::Orientation,
    rules::Rules,
    square::{Square, Squares},
};
use crate::{
    game::{Coded, Faults, MalformedHead, Player, read_head},
    games::Colour,
};

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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Malformed {
    /// The text does not begin like a state of this game.
    #[error(transparent)]
    #[strum(transparent)]
    Head(#[from] MalformedHead),
    /// Not one of the 24 orientations.
    #[error("'{found}' is not an orientation: A to X for a white die, a to x for a black one")]
    #[strum(serialize = "not-an-orientation")]
    Orientation {
        /// What is there instead.
        found: char,
        /// Where.
        at: usize,
    },
    /// Not one of the seven files.
    #[error("'{found}' is not a file: a to g")]
    #[strum(serialize = "not-a-file")]
    File {
        /// What is there instead.
        found: char,
        /// Where.
        at: usize,
    },
    /// Not one of the seven ranks.
    #[error("'{found}' is not a rank: 1 to 7")]
    #[strum(serialize = "not-a-rank")]
    Rank {
        /// What is there instead.
        found: char,
        /// Where.
        at: usize,
    },
    /// The text ends in the middle of a die.
    #[error("the last die is cut off: a die is three characters, orientation, file and rank, and only \
        {found} of them {verb} there", verb = if *.found == 1 { "is" } else { "are" })]
    #[strum(serialize = "incomplete-die")]
    Incomplete {
        /// How many of the three characters are there.
        found: usize,
        /// Where the die begins.
        at: usize,
    },
}

impl Coded for Malformed {
    fn code(&self) -> &'static str {
        self.into()
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

/// How many dice a text names for each player, and where: also those on a square that is taken, for which a
/// board has no room. One problem must not hide another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claimed {
    counts: [u32; 2],
    home: [u32; 2],
    squares: [Squares; 2],
}

impl Claimed {
    pub(super) fn add(&mut self, square: Square, player: Player) {
        self.counts[player.index()] += 1;
        self.home[player.index()] += u32::from(Squares::far_rank(player).contains(square));
        self.squares[player.index()] |= square.set();
    }

    /// How many dice are named for a player.
    #[must_use]
    pub const fn count(&self, player: Player) -> u32 {
        self.counts[player.index()]
    }

    /// How many of them are named on the far rank.
    #[must_use]
    pub const fn home(&self, player: Player) -> u32 {
        self.home[player.index()]
    }

    /// The squares on which a die of a player is said to lie.
    #[must_use]
    pub const fn squares(&self, player: Player) -> Squares {
        self.squares[player.index()]
    }
}

/// Why a well-formed state is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Invalid {
    /// Two dice on one square.
    #[error("there is more than one die on {square}")]
    SquareTaken {
        /// The square.
        square: Square,
        /// Where the text names it again, in characters from 0.
        at: usize,
    },
    /// Pur is played with seven dice each.
    #[error("{} plays with exactly seven dice, but has {count}", Colour(*.player))]
    NotSevenDice {
        /// Whose dice they are.
        player: Player,
        /// How many there are.
        count: u32,
    },
    /// Contra and Ecke are played with up to seven dice each.
    #[error("{} never has more than seven dice, but has {count}", Colour(*.player))]
    TooManyDice {
        /// Whose dice they are.
        player: Player,
        /// How many there are.
        count: u32,
    },
    /// In Contra the first die on a far rank ends the game.
    #[error("both players have a die on their far rank, but the game ends with the first")]
    BothOnFarRank,
    /// In Ecke a player who has won ends the game.
    #[error(
        "both players have won, each by holding both corners or because the other has fewer than two dice"
    )]
    BothWon,
    /// The game would have ended before the second player finished.
    #[error("both players have seven dice on the far rank, but the game ends as soon as one has")]
    BothFinished,
}

impl Coded for Invalid {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn at(&self) -> Option<usize> {
        match *self {
            Self::SquareTaken { at, .. } => Some(at),
            Self::NotSevenDice { .. }
            | Self::TooManyDice { .. }
            | Self::BothOnFarRank
            | Self::BothWon
            | Self::BothFinished => None,
        }
    }
}

/// Characters of a die: orientation, file and rank.
pub(super) const DIE_CHARS: usize = 3;

/// Characters of the longest text of a position: the letter, and seven dice each.
const STATE_CHARS: usize = 1 + 14 * DIE_CHARS;

/// The canonical form: the letter, then the dice rank by rank from 1, file by file from a. They are put where
/// they belong and written together, without a formatter for each: a list of moves has many states.
impl<R: Rules> fmt::Display for Cublino<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = [0; STATE_CHARS];
        bytes[0] = self.turn.in_case(R::ABOUT.letter as u8);
        let mut end = 1;
        for (square, Die { player, orientation }) in self.board.all_dice() {
            let [file, rank] = square.text();
            bytes[end..][..DIE_CHARS].copy_from_slice(&[player.in_case(orientation.letter()), file, rank]);
            end += DIE_CHARS;
        }
        f.write_str(str::from_utf8(&bytes[..end]).expect("letters and digits are ASCII"))
    }
}
