//! The state notation: what a text says, and whether the rules allow it.

use std::{fmt, marker::PhantomData, str::FromStr};

use smallvec::SmallVec;

use super::{
    Cublino,
    board::{Die, Orientation},
    square::{Square, Squares},
};
use crate::game::{
    Fault, Game, Player,
    state::{read_head, unless_faulty},
};

/// What a state text says: whose turn it is, and where dice are said to lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup<R> {
    pub(super) turn: Player,
    pub(super) dice: Placed,
    rules: PhantomData<R>,
}

/// Why a text is not well-formed.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Malformed {
    /// Not one of the 24 orientations.
    #[error("'{0}' is not an orientation: A to X for a white die, a to x for a black one")]
    NotAnOrientation(char),
    /// Not one of the seven files.
    #[error("'{0}' is not a file: a to g")]
    NotAFile(char),
    /// Not one of the seven ranks.
    #[error("'{0}' is not a rank: 1 to 7")]
    NotARank(char),
    /// The text ends in the middle of a die, after this many of its characters.
    #[error("the last die is cut off: a die is three characters (orientation, file, rank), but it has {0}")]
    IncompleteDie(usize),
}

impl<R> FromStr for Setup<R>
where
    Cublino<R>: Game,
{
    type Err = Vec<Fault>;

    fn from_str(text: &str) -> Result<Self, Vec<Fault>> {
        let (turn, rest) = read_head(text, Cublino::<R>::ABOUT.letter)?;
        let mut dice = Placed::new();
        let mut faults = Vec::new();
        let mut chars = rest.chars();
        let mut at = 1;
        while let Some(orientation) = chars.next() {
            match (chars.next(), chars.next()) {
                (Some(file), Some(rank)) => read_die([orientation, file, rank], at, &mut dice, &mut faults),
                (file, _) => {
                    let found = 1 + usize::from(file.is_some());
                    faults.push(Fault::at(at, Malformed::IncompleteDie(found)));
                }
            }
            at += DIE_CHARS;
        }
        unless_faulty(faults, Self { turn, dice, rules: PhantomData })
    }
}

/// Dice as a text names them, and where.
type Placed = SmallVec<[(Square, Die); 16]>;

/// Adds the die that three characters describe, or what is wrong with them.
fn read_die(
    [orientation, file, rank]: [char; DIE_CHARS],
    at: usize,
    dice: &mut Placed,
    faults: &mut Vec<Fault>,
) {
    let player = Player::of_case(orientation);
    let first = if player == Player::One { 'A' } else { 'a' };
    let from = |base: char, found: char| u32::from(found).wrapping_sub(u32::from(base)).min(0xff) as u8;
    let read_orientation = Orientation::new(from(first, orientation));
    let read_square = Square::new(from('a', file), from('1', rank));
    if let (Some(orientation), Some(square)) = (read_orientation, read_square) {
        dice.push((square, Die { player, orientation }));
        return;
    }
    if read_orientation.is_none() {
        faults.push(Fault::at(at, Malformed::NotAnOrientation(orientation)));
    }
    if !('a'..='g').contains(&file) {
        faults.push(Fault::at(at + 1, Malformed::NotAFile(file)));
    }
    if !('1'..='7').contains(&rank) {
        faults.push(Fault::at(at + 2, Malformed::NotARank(rank)));
    }
}

/// All dice that a text names, also several on one square, which a board cannot hold: no fault may hide
/// another.
#[derive(Clone, Copy, Debug)]
pub struct Claimed<'a>(pub(super) &'a [(Square, Die)]);

impl Claimed<'_> {
    fn dice(&self, player: Player) -> impl Iterator<Item = Square> {
        self.0.iter().filter(move |(_, die)| die.player == player).map(|&(square, _)| square)
    }

    /// How many dice are named for a player.
    pub(super) fn count(&self, player: Player) -> usize {
        self.dice(player).count()
    }

    /// How many of them are named on the far rank.
    pub(super) fn home(&self, player: Player) -> usize {
        self.dice(player).filter(|&square| Squares::far_rank(player).contains(square)).count()
    }

    /// The squares on which a die of a player is said to lie.
    pub(super) fn squares(&self, player: Player) -> Squares {
        self.dice(player).collect()
    }
}

/// Why a well-formed state is not valid.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Invalid {
    /// Two dice on one square.
    #[error("there is more than one die on {0}")]
    SquareTaken(Square),
    /// Pur is played with seven dice each.
    #[error("{} plays with exactly seven dice, but has {count}", .player.colour())]
    NotSevenDice { player: Player, count: usize },
    /// Contra and Ecke are played with up to seven dice each.
    #[error("{} never has more than seven dice, but has {count}", .player.colour())]
    TooManyDice { player: Player, count: usize },
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

/// Characters of a die: orientation, file and rank.
pub(super) const DIE_CHARS: usize = 3;

/// Characters of the longest text of a position: the letter, and seven dice each.
const STATE_CHARS: usize = 1 + 14 * DIE_CHARS;

/// The canonical form: the letter, then the dice rank by rank from 1, file by file from a.
impl<R> fmt::Display for Cublino<R>
where
    Self: Game,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; STATE_CHARS];
        let mut end = 1;
        text[0] = self.turn.in_case(Self::ABOUT.letter as u8);
        for (square, Die { player, orientation }) in self.board.all_dice() {
            text[end] = player.in_case(orientation.letter());
            text[end + 1..end + DIE_CHARS].copy_from_slice(square.name().as_bytes());
            end += DIE_CHARS;
        }
        f.write_str(str::from_utf8(&text[..end]).expect("letters and digits are ASCII"))
    }
}
