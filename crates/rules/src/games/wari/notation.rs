//! Moves as they are written, and why one is not legal.

use std::str::FromStr;

use derive_more::Display;

use super::{
    board::{Cup, MARBLES, number},
    letter,
};
use crate::game::{Fault, Player, state::quoted};

/// A move as it is written: the cup alone, `5`, which is how moves are listed, or as an entry of a log,
/// `A(5,4)`. A move is recorded as it was played.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spelling {
    /// The cup that is emptied.
    Cup(Cup),
    /// An entry of a log: who is said to play, from which cup, and how many marbles are said to be in it, 1
    /// to 48.
    #[display("{}({cup},{count})", letter(*player))]
    Logged { player: Player, cup: Cup, count: u8 },
}

impl Spelling {
    /// The cup that is emptied.
    pub(crate) const fn cup(self) -> Cup {
        match self {
            Self::Cup(cup) | Self::Logged { cup, .. } => cup,
        }
    }
}

/// Why a text is not a move.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum MalformedMove {
    /// There is nothing to read.
    #[error(
        "the move is empty; a move is the cup that is emptied, such as 5, or an entry of a log, such as \
        A(5,4)"
    )]
    EmptyMove,
    /// The cup is not one of the twelve: at most 16 characters of what is there instead.
    #[error("'{0}' is not a cup; a cup is a number from 1 to 12")]
    NotACup(String),
    /// It begins like an entry of a log, but is not one.
    #[error("an entry of a log is the player, the cup and its marbles, such as A(5,4)")]
    NotALogEntry,
    /// The marbles in an entry of a log are not a possible number: at most 16 characters of what is there
    /// instead.
    #[error("'{0}' is not a number of marbles that can be sown: 1 to {MARBLES}")]
    NotACount(String),
}

impl FromStr for Spelling {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let (player, entry) = match text.split_at_checked(1) {
            None if text.is_empty() => return Err(MalformedMove::EmptyMove.into()),
            Some(("A", entry)) => (Player::One, entry),
            Some(("B", entry)) => (Player::Two, entry),
            _ => return read_cup(text, 0).map(Self::Cup),
        };
        let inside = entry.strip_prefix('(').and_then(|entry| entry.strip_suffix(')'));
        let (cup, count) = inside
            .and_then(|inside| inside.split_once(','))
            .ok_or_else(|| Fault::at(1, MalformedMove::NotALogEntry))?;
        let cup_at = "A(".len();
        let count_at = cup_at + cup.chars().count() + ",".len();
        let cup = read_cup(cup, cup_at)?;
        let count = number(count)
            .filter(|count| (1..=MARBLES).contains(count))
            .ok_or_else(|| Fault::at(count_at, MalformedMove::NotACount(quoted(count))))?;
        Ok(Self::Logged { player, cup, count })
    }
}

impl FromStr for Cup {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        read_cup(text, 0)
    }
}

fn read_cup(text: &str, at: usize) -> Result<Cup, Fault> {
    let cup = number(text).and_then(Cup::new);
    cup.ok_or_else(|| Fault::at(at, MalformedMove::NotACup(quoted(text))))
}

/// Why a move is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Illegal {
    /// An entry of a log names the player who is not to move.
    #[error("{} is to move, not {}", letter(!*.player), letter(*.player))]
    WrongPlayer { player: Player },
    /// The cup is the opponent's, and `mover` is the side to move.
    #[error("cup {cup} is {}'s, and {} is to move and sows from cups {}",
        letter(!*.mover), letter(*.mover), row(*.mover))]
    NotYours { cup: Cup, mover: Player },
    /// There is nothing to sow.
    #[error("cup {0} is empty")]
    EmptyCup(Cup),
    /// An entry of a log gives another number of marbles than the cup holds.
    #[error("there {verb} {holds} in cup {cup}, not {count}", verb = if *.holds == 1 { "is" } else { "are" })]
    WrongCount { cup: Cup, count: u8, holds: u8 },
    /// The opponent has no marble and gets none.
    #[error("{} has no marbles left, and sowing from cup {cup} would give {} none",
        letter(*.opponent), letter(*.opponent))]
    DoesNotFeed { cup: Cup, opponent: Player },
    /// The opponent would lose the last marble.
    #[error("sowing from cup {cup} would capture all of {}'s marbles, and at least one must be left",
        letter(*.opponent))]
    CapturesAll { cup: Cup, opponent: Player },
}

/// A player's cups in words.
fn row(player: Player) -> &'static str {
    match player {
        Player::One => "1 to 6",
        Player::Two => "7 to 12",
    }
}
