//! The state notation: what a text says, and whether the rules allow it.

use std::{fmt, str::FromStr};

use super::{
    ABOUT, Wari,
    board::{CUPS, MARBLES, ROW, Row, number},
    moves::Letter,
};
use crate::game::{Coded, Faults, MalformedHead, Player, read_head};

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

/// Why a text is not well-formed. Places are counted in characters from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Malformed {
    /// The text does not begin like a state of this game.
    #[error(transparent)]
    #[strum(transparent)]
    Head(#[from] MalformedHead),
    /// The numbers follow the letter without a dash.
    #[error("the first number has no - before it; every number has one")]
    NoDash {
        /// Where it should be.
        at: usize,
    },
    /// A dash is followed by another one, or by nothing.
    #[error("there is no number after this -")]
    NoNumber {
        /// Where the number should be.
        at: usize,
    },
    /// A number has something else in it.
    #[error("'{found}' is not a digit")]
    NotADigit {
        /// What is there instead.
        found: char,
        /// Where.
        at: usize,
    },
    /// A number begins with a zero that says nothing.
    #[error("a number has no leading zero")]
    LeadingZero {
        /// Where the number begins.
        at: usize,
    },
    /// A number is larger than any number of marbles.
    #[error("a number has one or two digits, not {digits}")]
    TooManyDigits {
        /// How many there are.
        digits: usize,
        /// Where the number begins.
        at: usize,
    },
    /// There are not fourteen numbers.
    #[error("a state has {NUMBERS} numbers ({CUPS} cups, A's and B's prisoners), but this one has {found}")]
    NumberCount {
        /// How many there are.
        found: usize,
        /// Where the first one too many begins, or where the text ends.
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
            Self::NoDash { at }
            | Self::NoNumber { at }
            | Self::NotADigit { at, .. }
            | Self::LeadingZero { at }
            | Self::TooManyDigits { at, .. }
            | Self::NumberCount { at, .. } => Some(at),
        }
    }
}

/// Why a well-formed state is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Invalid {
    /// The side to move would have no cup to sow from, and the opponent may not leave it so.
    #[error("{} is to move and has no marbles, but the opponent must leave at least one", Letter(*.0))]
    SideEmpty(Player),
    /// The players would have divided the marbles before.
    #[error("all cups are empty, but the game ends before that")]
    CupsEmpty,
    /// No capture takes a single marble.
    #[error("{} has one prisoner, but a capture takes at least two", Letter(*.player))]
    OnePrisoner {
        /// Whose prisoner it is.
        player: Player,
        /// Where the number stands in the text, in characters from 0.
        at: usize,
    },
    /// Marbles are neither added nor lost.
    #[error("Wari is played with {MARBLES} marbles, but cups and stores hold {0}")]
    MarbleCount(u32),
}

impl Coded for Invalid {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn at(&self) -> Option<usize> {
        match *self {
            Self::OnePrisoner { at, .. } => Some(at),
            Self::SideEmpty(_) | Self::CupsEmpty | Self::MarbleCount(_) => None,
        }
    }
}

impl FromStr for Setup {
    type Err = Faults<Malformed>;

    fn from_str(text: &str) -> Result<Self, Faults<Malformed>> {
        let (turn, rest) = read_head(text, ABOUT.letter).map_err(Malformed::from)?;
        let has_dash = rest.is_empty() || rest.starts_with('-');
        let pieces = || rest.split('-').skip(usize::from(has_dash));
        let found = pieces().count();
        let mut at = if has_dash { "W-".len() } else { "W".len() };
        let mut faults = Vec::new();
        let mut numbers = [0; NUMBERS];
        if !has_dash {
            faults.push(Malformed::NoDash { at });
        }
        for (i, piece) in pieces().enumerate() {
            if i == NUMBERS {
                faults.push(Malformed::NumberCount { found, at });
            }
            match (number(piece), numbers.get_mut(i)) {
                (Some(number), Some(place)) => *place = number,
                (Some(_), None) => {}
                (None, _) => faults_of(piece, at, &mut faults),
            }
            at += piece.chars().count() + "-".len();
        }
        if found < NUMBERS {
            faults.push(Malformed::NumberCount { found, at: text.chars().count() });
        }
        Faults::or(faults, Self { turn, numbers })
    }
}

/// Adds what is wrong with a piece of the text that is not a number.
fn faults_of(piece: &str, at: usize, faults: &mut Vec<Malformed>) {
    if piece.is_empty() {
        return faults.push(Malformed::NoNumber { at });
    }
    let others = piece.chars().enumerate().filter(|(_, found)| !found.is_ascii_digit());
    let before = faults.len();
    faults.extend(others.map(|(i, found)| Malformed::NotADigit { found, at: at + i }));
    if faults.len() > before {
        return;
    }
    if piece.starts_with('0') {
        faults.push(Malformed::LeadingZero { at });
    }
    if piece.len() > DIGITS {
        faults.push(Malformed::TooManyDigits { digits: piece.len(), at });
    }
}

impl Setup {
    /// Where a number stands in the text: after the letter, the numbers before it, and a dash before each.
    fn place_of(&self, index: usize) -> usize {
        let before = self.numbers[..index].iter();
        before.map(|&number| "-".len() + if number < 10 { 1 } else { 2 }).sum::<usize>() + "W-".len()
    }
}

impl TryFrom<Setup> for Wari {
    type Error = Faults<Invalid>;

    fn try_from(setup: Setup) -> Result<Self, Faults<Invalid>> {
        let Setup { turn, numbers } = setup;
        let (cups, prisoners) = numbers.split_at(CUPS);
        let (cups, _) = cups.as_chunks::<ROW>();
        let is_empty = |player: Player| cups[player.index()] == [0; ROW];
        let total = numbers.iter().copied().map(u32::from).sum();
        let mut faults = Vec::new();
        if is_empty(turn) {
            faults.push(Invalid::SideEmpty(turn));
        }
        if Player::ALL.into_iter().all(is_empty) {
            faults.push(Invalid::CupsEmpty);
        }
        for player in Player::ALL {
            if prisoners[player.index()] == 1 {
                faults.push(Invalid::OnePrisoner { player, at: setup.place_of(CUPS + player.index()) });
            }
        }
        if total != u32::from(MARBLES) {
            faults.push(Invalid::MarbleCount(total));
        }
        Faults::or(faults, ())?;
        let row = |player: Player| Row::new(cups[player.index()], prisoners[player.index()]);
        Ok(Self::new(Player::ALL.map(row), turn))
    }
}

/// The only way to write the position: the letter, then each number after a dash.
impl fmt::Display for Wari {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(self.turn.in_case(ABOUT.letter as u8)))?;
        let rows = Player::ALL.map(|player| self.row(player));
        let cups = rows.iter().flat_map(|row| row.cups());
        for number in cups.chain(rows.iter().map(|row| row.prisoners())) {
            write!(f, "-{number}")?;
        }
        Ok(())
    }
}
