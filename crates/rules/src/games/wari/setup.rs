//! The state notation: what a text says, and whether the rules allow it.

use std::{fmt, str::FromStr};

use super::{
    Wari,
    board::{CUPS, MARBLES, ROW, Row, number},
    letter,
};
use crate::game::{
    Fault, Game, Player,
    state::{read_head, unless_faulty},
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
