//! States and moves as they are written: what a text says, and whether the rules allow it.

use std::{fmt, str::FromStr};

use derive_more::Display;

use super::{
    Wari,
    board::{CUPS, Cup, MARBLES, ROW, Row, number},
};
use crate::game::{
    Fault, Game, Player,
    state::{quoted, read_head, unless_faulty},
};

/// Numbers in a state: one for each cup, then the prisoners of both players.
const NUMBERS: usize = CUPS + 2;
/// Digits that a number has at most.
const DIGITS: usize = 2;

/// What a state text says: whose turn it is, and how many marbles are said to be where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    turn: Player,
    /// Cups 1 to 12, then the prisoners of player one and player two; 0 to 99 each.
    numbers: [u8; NUMBERS],
}

/// Why a text is not well-formed.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Malformed {
    /// The numbers follow the letter without a dash.
    #[error("the first number has no - before it; every number has one")]
    NoDash,
    /// A dash is followed by another one, or by nothing.
    #[error("there is no number after this -")]
    NoNumber,
    /// A number has something else in it.
    #[error("'{0}' is not a digit")]
    NotADigit(char),
    /// A number begins with a zero that says nothing.
    #[error("a number has no leading zero")]
    LeadingZero,
    /// A number is larger than any number of marbles.
    #[error("a number has one or two digits, not {0}")]
    TooManyDigits(usize),
    /// There are not fourteen numbers.
    #[error("a state has {NUMBERS} numbers ({CUPS} cups, A's and B's prisoners), but this one has {0}")]
    NumberCount(usize),
}

/// Why a well-formed state is not valid.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Invalid {
    /// The side to move would have no cup to sow from, and the opponent may not leave it so.
    #[error("{} is to move and has no marbles, but the opponent must leave at least one", letter(*.0))]
    SideEmpty(Player),
    /// The players would have divided the marbles before.
    #[error("all cups are empty, but the game ends before that")]
    CupsEmpty,
    /// No capture takes a single marble.
    #[error("{} has one prisoner, but a capture takes at least two", letter(*.0))]
    OnePrisoner(Player),
    /// Marbles are neither added nor lost.
    #[error("Wari is played with {MARBLES} marbles, but cups and stores hold {0}")]
    MarbleCount(u32),
}

impl FromStr for Setup {
    type Err = Vec<Fault>;

    fn from_str(text: &str) -> Result<Self, Vec<Fault>> {
        let (turn, rest) = read_head(text, Wari::ABOUT.letter)?;
        let has_dash = rest.is_empty() || rest.starts_with('-');
        let pieces = || rest.split('-').skip(usize::from(has_dash));
        let found = pieces().count();
        let mut at = if has_dash { "W-".len() } else { "W".len() };
        let mut faults = Vec::new();
        let mut numbers = [0; NUMBERS];
        if !has_dash {
            faults.push(Fault::at(at, Malformed::NoDash));
        }
        for (i, piece) in pieces().enumerate() {
            if i == NUMBERS {
                faults.push(Fault::at(at, Malformed::NumberCount(found)));
            }
            match (number(piece), numbers.get_mut(i)) {
                (Some(number), Some(place)) => *place = number,
                (Some(_), None) => {}
                (None, _) => faults_of(piece, at, &mut faults),
            }
            at += piece.chars().count() + "-".len();
        }
        if found < NUMBERS {
            faults.push(Fault::at(text.chars().count(), Malformed::NumberCount(found)));
        }
        unless_faulty(faults, Self { turn, numbers })
    }
}

/// Adds the fault of a piece of the text that is not a number.
fn faults_of(piece: &str, at: usize, faults: &mut Vec<Fault>) {
    if piece.is_empty() {
        return faults.push(Fault::at(at, Malformed::NoNumber));
    }
    let others = piece.chars().enumerate().filter(|(_, found)| !found.is_ascii_digit());
    let before = faults.len();
    faults.extend(others.map(|(i, found)| Fault::at(at + i, Malformed::NotADigit(found))));
    if faults.len() > before {
        return;
    }
    if piece.starts_with('0') {
        faults.push(Fault::at(at, Malformed::LeadingZero));
    }
    if piece.len() > DIGITS {
        faults.push(Fault::at(at, Malformed::TooManyDigits(piece.len())));
    }
}

impl TryFrom<Setup> for Wari {
    type Error = Vec<Fault>;

    fn try_from(setup: Setup) -> Result<Self, Vec<Fault>> {
        let Setup { turn, numbers } = setup;
        let (cups, prisoners) = numbers.split_at(CUPS);
        let (cups, _) = cups.as_chunks::<ROW>();
        let is_empty = |player: Player| cups[player.index()] == [0; ROW];
        let total = numbers.iter().copied().map(u32::from).sum();
        let mut faults = Vec::new();
        if is_empty(turn) {
            faults.push(Invalid::SideEmpty(turn).into());
        }
        if Player::ALL.into_iter().all(is_empty) {
            faults.push(Invalid::CupsEmpty.into());
        }
        for player in Player::ALL {
            if prisoners[player.index()] == 1 {
                // After the letter, the numbers before it, and a dash before each.
                let before = numbers[..CUPS + player.index()].iter();
                let lengths = before.map(|&number| "-".len() + if number < 10 { 1 } else { 2 });
                let at = "W-".len() + lengths.sum::<usize>();
                faults.push(Fault::at(at, Invalid::OnePrisoner(player)));
            }
        }
        if total != u32::from(MARBLES) {
            faults.push(Invalid::MarbleCount(total).into());
        }
        unless_faulty(faults, ())?;
        let row = |player: Player| Row::new(cups[player.index()], prisoners[player.index()]);
        Ok(Self::new(Player::ALL.map(row), turn))
    }
}

/// The only way to write the position: the letter, then each number after a dash.
impl fmt::Display for Wari {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(self.turn.in_case(Self::ABOUT.letter as u8)))?;
        let rows = Player::ALL.map(|player| self.row(player));
        let cups = rows.iter().flat_map(|row| row.cups());
        for number in cups.chain(rows.iter().map(|row| row.prisoners())) {
            write!(f, "-{number}")?;
        }
        Ok(())
    }
}

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

/// The letter that Wari gives a player.
pub(super) const fn letter(player: Player) -> &'static str {
    Wari::ABOUT.players[player.index()]
}

/// A player's cups in words.
fn row(player: Player) -> &'static str {
    match player {
        Player::One => "1 to 6",
        Player::Two => "7 to 12",
    }
}
