//! The state notation: what a text says, and whether the rules allow it.

use std::{
    fmt::{self, Write as _},
    str::FromStr,
};

use super::{
    Mahbusa,
    board::{Board, CHECKERS, Point, PointSet, Stack},
    dice::{Die, Roll},
};
use crate::game::{
    Fault, Game, Player,
    state::{quoted, read_head, unless_faulty},
};

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

/// Why a text is not well-formed.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Malformed {
    /// The dash that begins the points is missing.
    #[error("there is no - after the letter and the roll, where the points begin")]
    NoDash,
    /// A roll has two dice.
    #[error("a roll is two dice, but the state has {0}")]
    NotTwoDice(usize),
    /// Not what a die can show.
    #[error("'{0}' is not a die: 1 to 6")]
    NotADie(char),
    /// Not something that describes points.
    #[error(
        "'{0}' describes no point: A to O for 1 to 15 white checkers, a to o for black ones, p for a \
        pinned one, or a number of empty points"
    )]
    NotAPoint(char),
    /// A number that begins with zero.
    #[error("a number of empty points begins with 0")]
    LeadingZero,
    /// More empty points than the board has points, perhaps two numbers without a separator: at most 16
    /// digits of them.
    #[error(
        "'{0}' is not a number of empty points: 1 to 24, \
        and digits that follow one another are one number"
    )]
    NumberTooLarge(String),
    /// A pin where there is nobody to pin.
    #[error("a p must follow the checkers that pin, and here it follows none")]
    NobodyPins,
    /// Points are missing.
    #[error("the board has 24 points, but the text describes only {0}")]
    TooFewPoints(usize),
    /// There are points beyond the last one.
    #[error("the board has 24 points, but the text describes {0}")]
    TooManyPoints(usize),
}

/// Where the roll begins: after the letter.
const ROLL_AT: usize = 1;

/// Why a well-formed state is not valid.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Invalid {
    /// A player has more checkers than there are, pinned ones included.
    #[error("{} has {count} checkers, and plays with fifteen", .player.colour())]
    TooManyCheckers { player: Player, count: u32 },
    /// A player has borne off checkers and has others that are not at home, the highest on `outside`.
    #[error("{owner} has borne off {count}, and has a checker outside the home board, on {owner}'s {outside}",
        owner = .player.colour())]
    BorneOffTooEarly { player: Player, count: u8, outside: Point },
    /// No checker goes back to where it started, and there was nothing to pin before.
    #[error("{player} pins a checker on {player}'s own 24-point, where nobody can move to pin",
        player = .0.colour())]
    PinsAtStart(Player),
    /// The game would have ended before.
    #[error("both players have borne off all checkers, but the game ends as soon as one has")]
    BothFinished,
    /// Nobody rolls after the end.
    #[error("the game is over, so the state cannot have a roll")]
    RollAfterTheEnd,
}

impl FromStr for Setup {
    type Err = Vec<Fault>;

    fn from_str(text: &str) -> Result<Self, Vec<Fault>> {
        let (turn, rest) = read_head(text, Mahbusa::ABOUT.letter)?;
        let Some((roll, points)) = rest.split_once(DASH) else {
            return Err(vec![Malformed::NoDash.into()]);
        };
        let mut faults = Vec::new();
        let roll = read_roll(roll, &mut faults);
        let points_at = text.chars().count() - points.chars().count();
        let stacks = read_points(points, points_at, &mut faults);
        unless_faulty(faults, Self { turn, roll, stacks })
    }
}

/// Reads the roll that a text describes, if any; adds its faults.
fn read_roll(text: &str, faults: &mut Vec<Fault>) -> Option<Roll> {
    let mut shown = Vec::new();
    for (i, found) in text.chars().enumerate() {
        match Die::of_digit(found) {
            Some(die) => shown.push(die),
            None => faults.push(Fault::at(ROLL_AT + i, Malformed::NotADie(found))),
        }
    }
    match (shown.as_slice(), text.chars().count()) {
        (&[one, other], 2) => return Some(Roll::new(one, other)),
        (_, 0 | 2) => {}
        (_, count) => faults.push(Fault::at(ROLL_AT, Malformed::NotTwoDice(count))),
    }
    None
}

/// Reads what stands on the points from a text that begins at `at`; adds its faults.
fn read_points(text: &str, at: usize, faults: &mut Vec<Fault>) -> [Option<(Stack, usize)>; Point::COUNT] {
    let mut stacks = [None; Point::COUNT];
    let mut count = 0;
    let mut too_far_at = None;
    let before = faults.len();
    let mut chars = text.chars().enumerate().map(|(i, char)| (at + i, char)).peekable();
    while let Some((at, char)) = chars.next() {
        match char {
            PIN => faults.push(Fault::at(at, Malformed::NobodyPins)),
            '0'..='9' => {
                let mut digits = String::from(char);
                while let Some((_, digit)) = chars.next_if(|(_, next)| next.is_ascii_digit()) {
                    digits.push(digit);
                }
                match digits.parse() {
                    _ if char == '0' => faults.push(Fault::at(at, Malformed::LeadingZero)),
                    Ok(number @ ..=Point::COUNT) => count += number,
                    // A number that does not fit into its type is too large as well.
                    _ => faults.push(Fault::at(at, Malformed::NumberTooLarge(quoted(&digits)))),
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
            found => faults.push(Fault::at(at, Malformed::NotAPoint(found))),
        }
        if count > Point::COUNT {
            too_far_at = too_far_at.or(Some(at));
        }
    }
    if let Some(at) = too_far_at {
        faults.push(Fault::at(at, Malformed::TooManyPoints(count)));
    } else if count < Point::COUNT && faults.len() == before {
        // What cannot be read may have been meant for the points that are missing.
        faults.push(Malformed::TooFewPoints(count).into());
    }
    stacks
}

impl TryFrom<Setup> for Mahbusa {
    type Error = Vec<Fault>;

    fn try_from(setup: Setup) -> Result<Self, Vec<Fault>> {
        let mut board = Board::default();
        for (point, place) in Point::all().zip(&setup.stacks) {
            if let &Some((stack, _)) = place {
                board.put(point, stack);
            }
        }
        let mut faults = Vec::new();
        for player in Player::ALL {
            let count = board.side(player).total();
            if count > u32::from(CHECKERS) {
                faults.push(Invalid::TooManyCheckers { player, count }.into());
            }
        }
        for player in Player::ALL {
            let side = board.side(player);
            let count = side.borne_off();
            if let Some(outside) = side.occupied().without(PointSet::HOME).highest()
                && let Some((_, at)) = setup.stacks[outside.seen_by(player).index()]
                && count > 0
            {
                faults.push(Fault::at(at, Invalid::BorneOffTooEarly { player, count, outside }));
            }
            if let Some((stack, at)) = setup.stacks[Point::START.seen_by(player).index()]
                && stack.owner == player
                && stack.pinned
            {
                faults.push(Fault::at(at, Invalid::PinsAtStart(player)));
            }
        }
        let finished = Player::ALL.into_iter().filter(|&player| board.side(player).is_finished()).count();
        if finished == Player::ALL.len() {
            faults.push(Invalid::BothFinished.into());
        }
        let position = Self { board, turn: setup.turn, roll: setup.roll };
        if setup.roll.is_some() && (finished > 0 || position.is_deadlocked()) {
            faults.push(Fault::at(ROLL_AT, Invalid::RollAfterTheEnd));
        }
        unless_faulty(faults, position)
    }
}

/// The canonical form: the letter, the roll with the larger die first, a dash, the points in White's letters.
impl fmt::Display for Mahbusa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.turn.in_case(Self::ABOUT.letter as u8).into())?;
        if let Some(roll) = self.roll {
            roll.fmt(f)?;
        }
        f.write_char(DASH)?;
        let mut empty = 0;
        for point in Point::all() {
            let Some(Stack { owner, count, pinned }) = self.board.stack(point) else {
                empty += 1;
                continue;
            };
            write_number(f, std::mem::take(&mut empty))?;
            f.write_char(owner.in_case(b'A' + count - 1).into())?;
            if pinned {
                f.write_char(PIN)?;
            }
        }
        write_number(f, empty)
    }
}

/// Writes how many points are empty, if any are.
fn write_number(f: &mut fmt::Formatter<'_>, empty: u8) -> fmt::Result {
    if empty == 0 { Ok(()) } else { write!(f, "{empty}") }
}
