//! The state notation: what a text says, and whether the rules allow it.

use std::{
    fmt,
    iter::{self, Peekable},
    str::FromStr,
};

use super::{
    Mahbusa,
    board::{Board, CHECKERS, Stack},
    play::{Die, Roll},
    point::{Point, PointSet},
};
use crate::{
    game::{Coded, Faults, MalformedHead, Player, read_head},
    games::Colour,
};

/// The letter of the game, in upper case.
pub(super) const LETTER: char = 'M';
/// Stands between the roll and the points.
const DASH: char = '-';
/// Says that a checker is pinned.
const PIN: char = 'p';

/// What a state text says: whose turn it is, what the dice show, and what is said to stand on the points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    turn: Player,
    roll: Option<Roll>,
    /// In White's letters, each with its place in the text, in characters from 0.
    stacks: [Option<(Stack, usize)>; Point::COUNT],
}

/// Why a text is not well-formed. Places are counted in characters from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Malformed {
    /// The text does not begin like a state of this game.
    #[error(transparent)]
    #[strum(transparent)]
    Head(#[from] MalformedHead),
    /// The dash that begins the points is missing.
    #[error("there is no - after the letter and the roll, where the points begin")]
    NoDash,
    /// A roll has two dice.
    #[error("a roll is two dice, and {0} {verb} there", verb = if *.0 == 1 { "is" } else { "are" })]
    NotTwoDice(usize),
    /// Not what a die can show.
    #[error("'{found}' is not a die: 1 to 6")]
    NotADie {
        /// What is there instead.
        found: char,
        /// Where.
        at: usize,
    },
    /// Not something that describes points.
    #[error(
        "'{found}' describes no point: A to O for 1 to 15 white checkers, a to o for black ones, p for a \
        pinned one, or a number of empty points"
    )]
    NotAPoint {
        /// What is there instead.
        found: char,
        /// Where.
        at: usize,
    },
    /// A number that begins with zero.
    #[error("a number of empty points begins with 0")]
    LeadingZero {
        /// Where.
        at: usize,
    },
    /// More empty points than the board has points, perhaps two numbers that cannot be told apart.
    #[error(
        "'{found}' is not a number of empty points: 1 to 24, \
        and digits that follow one another are one number"
    )]
    NumberTooLarge {
        /// What is there instead, at most 16 digits of it.
        found: String,
        /// Where it begins.
        at: usize,
    },
    /// A pin where there is nobody to pin.
    #[error("a p follows the checkers that pin, and here it follows none")]
    NobodyPins {
        /// Where.
        at: usize,
    },
    /// Points are missing.
    #[error("the board has 24 points, but the text describes only {0}")]
    TooFewPoints(usize),
    /// There are points beyond the last one.
    #[error("the board has 24 points, but the text describes {count}")]
    TooManyPoints {
        /// How many there are.
        count: usize,
        /// Where the first begins that goes too far.
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
            Self::NoDash | Self::TooFewPoints(_) => None,
            Self::NotTwoDice(_) => Some(ROLL_AT),
            Self::NotADie { at, .. }
            | Self::NotAPoint { at, .. }
            | Self::LeadingZero { at }
            | Self::NumberTooLarge { at, .. }
            | Self::NobodyPins { at }
            | Self::TooManyPoints { at, .. } => Some(at),
        }
    }
}

/// Where the roll begins: after the letter.
const ROLL_AT: usize = 1;

/// Why a well-formed state is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Invalid {
    /// A player has more checkers than there are.
    #[error("{} has {count} checkers, and plays with fifteen", Colour(*.player))]
    TooManyCheckers {
        /// Whose they are.
        player: Player,
        /// How many there are, pinned ones included.
        count: u32,
    },
    /// A player has borne off checkers and has others that are not at home.
    #[error("{} has borne off {count}, and has a checker outside the home board, on {}'s {outside}",
        Colour(*.player), Colour(*.player))]
    BorneOffTooEarly {
        /// Whose checkers they are.
        player: Player,
        /// How many are borne off.
        count: u8,
        /// The highest point with a checker, in that player's letters.
        outside: Point,
        /// Where the text describes it, in characters from 0.
        at: usize,
    },
    /// No checker goes back to where it started, and there was nothing to pin before.
    #[error("{} pins a checker on {}'s own 24-point, where nobody can move to pin",
        Colour(*.player), Colour(*.player))]
    PinsAtStart {
        /// Whose 24-point it is.
        player: Player,
        /// Where the text describes it, in characters from 0.
        at: usize,
    },
    /// The game would have ended before.
    #[error("both players have borne off all checkers, but the game ends as soon as one has")]
    BothFinished,
    /// Nobody rolls after the end.
    #[error("the game is over, and no dice are rolled then")]
    RollAfterTheEnd,
}

impl Coded for Invalid {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn at(&self) -> Option<usize> {
        match *self {
            Self::BorneOffTooEarly { at, .. } | Self::PinsAtStart { at, .. } => Some(at),
            Self::RollAfterTheEnd => Some(ROLL_AT),
            Self::TooManyCheckers { .. } | Self::BothFinished => None,
        }
    }
}

impl FromStr for Setup {
    type Err = Faults<Malformed>;

    fn from_str(text: &str) -> Result<Self, Faults<Malformed>> {
        let (turn, rest) = read_head(text, LETTER).map_err(Malformed::from)?;
        let Some((roll, points)) = rest.split_once(DASH) else {
            return Err(Malformed::NoDash.into());
        };
        let mut faults = Vec::new();
        let roll = read_roll(roll, &mut faults);
        let points_at = text.chars().count() - points.chars().count();
        let stacks = read_points(points, points_at, &mut faults);
        Faults::or(faults, Self { turn, roll, stacks })
    }
}

/// The roll that a text describes, if any; adds what is wrong with it.
fn read_roll(text: &str, faults: &mut Vec<Malformed>) -> Option<Roll> {
    let mut shown = Vec::new();
    for (i, found) in text.chars().enumerate() {
        match Die::of_digit(found) {
            Some(die) => shown.push(die),
            None => faults.push(Malformed::NotADie { found, at: ROLL_AT + i }),
        }
    }
    match (shown.as_slice(), text.chars().count()) {
        (&[one, other], 2) => return Some(Roll::new(one, other)),
        (_, 0 | 2) => {}
        (_, count) => faults.push(Malformed::NotTwoDice(count)),
    }
    None
}

/// What a text that begins at some place says to stand on the points; adds what is wrong with it.
fn read_points(text: &str, at: usize, faults: &mut Vec<Malformed>) -> [Option<(Stack, usize)>; Point::COUNT] {
    let mut stacks = [None; Point::COUNT];
    let mut count = 0;
    let mut too_far_at = None;
    let before = faults.len();
    let mut chars = text.chars().enumerate().map(|(i, char)| (at + i, char)).peekable();
    while let Some((at, char)) = chars.next() {
        match char {
            PIN => faults.push(Malformed::NobodyPins { at }),
            '0'..='9' => {
                let digits: String =
                    iter::once(char).chain(iter::from_fn(|| next_digit(&mut chars))).collect();
                match read_number(&digits, at) {
                    Ok(number) => count += number,
                    Err(fault) => faults.push(fault),
                }
            }
            'A'..='O' | 'a'..='o' => {
                let pinned = chars.next_if(|&(_, next)| next == PIN).is_some();
                let stack = Stack {
                    owner: Player::of_case(char),
                    count: char.to_ascii_uppercase() as u8 - b'A' + 1,
                    pinned,
                };
                if let Some(place) = stacks.get_mut(count) {
                    *place = Some((stack, at));
                }
                count += 1;
            }
            found => faults.push(Malformed::NotAPoint { found, at }),
        }
        if count > Point::COUNT {
            too_far_at = too_far_at.or(Some(at));
        }
    }
    if let Some(at) = too_far_at {
        faults.push(Malformed::TooManyPoints { count, at });
    } else if count < Point::COUNT && faults.len() == before {
        // What cannot be read may have been meant for the points that are missing.
        faults.push(Malformed::TooFewPoints(count));
    }
    stacks
}

fn next_digit(chars: &mut Peekable<impl Iterator<Item = (usize, char)>>) -> Option<char> {
    chars.next_if(|(_, next)| next.is_ascii_digit()).map(|(_, digit)| digit)
}

/// How many empty points a run of digits stands for that begins at some place of the text: a run is one
/// number.
fn read_number(digits: &str, at: usize) -> Result<usize, Malformed> {
    /// How many digits of what is not a number are quoted: enough to find it.
    const QUOTED: usize = 16;
    if digits.starts_with('0') {
        return Err(Malformed::LeadingZero { at });
    }
    // A number that does not fit into its type is too large as well.
    let number = digits.parse().ok().filter(|&number| number <= Point::COUNT);
    number.ok_or_else(|| Malformed::NumberTooLarge { found: digits.chars().take(QUOTED).collect(), at })
}

impl TryFrom<Setup> for Mahbusa {
    type Error = Faults<Invalid>;

    fn try_from(setup: Setup) -> Result<Self, Faults<Invalid>> {
        let mut board = Board::default();
        for (point, place) in Point::all().zip(&setup.stacks) {
            if let &Some((stack, _)) = place {
                board.put(point, stack);
            }
        }
        let mut faults: Vec<_> =
            Player::ALL.into_iter().filter_map(|player| too_many(&board, player)).collect();
        for player in Player::ALL {
            faults.extend(borne_off_too_early(&board, player, &setup));
            faults.extend(pins_at_start(player, &setup));
        }
        let finished = Player::ALL.into_iter().filter(|&player| board.side(player).is_finished()).count();
        if finished == Player::ALL.len() {
            faults.push(Invalid::BothFinished);
        }
        let position = Self::new(board, setup.turn, setup.roll);
        if setup.roll.is_some() && (finished > 0 || position.is_deadlocked()) {
            faults.push(Invalid::RollAfterTheEnd);
        }
        Faults::or(faults, position)
    }
}

/// At most fifteen checkers each, pinned ones included.
fn too_many(board: &Board, player: Player) -> Option<Invalid> {
    let count = board.side(player).total();
    (count > u32::from(CHECKERS)).then_some(Invalid::TooManyCheckers { player, count })
}

/// A player who has borne off anything has all the rest at home.
fn borne_off_too_early(board: &Board, player: Player, setup: &Setup) -> Option<Invalid> {
    let side = board.side(player);
    let count = side.borne_off();
    let outside = side.occupied().without(PointSet::HOME).highest()?;
    let (_, at) = setup.stacks[outside.seen_by(player).index()]?;
    (count > 0).then_some(Invalid::BorneOffTooEarly { player, count, outside, at })
}

/// Nobody pins on their own 24-point.
fn pins_at_start(player: Player, setup: &Setup) -> Option<Invalid> {
    let (stack, at) = setup.stacks[Point::START.seen_by(player).index()]?;
    (stack.owner == player && stack.pinned).then_some(Invalid::PinsAtStart { player, at })
}

/// The canonical form: the letter, the roll with the larger die first, a dash, the points in White's letters.
impl fmt::Display for Mahbusa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(self.turn.in_case(LETTER as u8)))?;
        if let Some(roll) = self.roll {
            roll.fmt(f)?;
        }
        write!(f, "{DASH}")?;
        let mut empty = 0;
        for point in Point::all() {
            let Some(Stack { owner, count, pinned }) = self.board.stack(point) else {
                empty += 1;
                continue;
            };
            write_number(f, std::mem::take(&mut empty))?;
            write!(f, "{}", char::from(owner.in_case(b'A' + count - 1)))?;
            if pinned {
                write!(f, "{PIN}")?;
            }
        }
        write_number(f, empty)
    }
}

/// Writes how many points are empty, if any are.
fn write_number(f: &mut fmt::Formatter<'_>, empty: u8) -> fmt::Result {
    if empty == 0 { Ok(()) } else { write!(f, "{empty}") }
}
