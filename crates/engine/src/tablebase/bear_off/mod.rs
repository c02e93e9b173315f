//! How long a player of Mahbusa takes to bear off, when the players are out of each other's way.
//!
//! For each of the 54,264 ways to have up to fifteen checkers at home, the table has the probability of each
//! number of rolls, with the play that minimizes the expected number. In a race that play is not always the
//! best: a player who is far behind should play for a double. With at most six checkers each, this
//! simplification for both players changes the chances by 0.001 on average, and by 0.014 at most. So the
//! results are close, and are never called proven.
//!
//! For each of the 853,776 pairs of ways with six checkers at most it also has the winning chances of the
//! player to roll, when both play for the result: exact but for rounding.
//!
//! It also has the fewest rolls, with the best dice, and the most, with the worst dice and the play that
//! keeps them low. Results that follow from these bounds alone are certain.
//!
//! The table never changes, so it is built in: `table.bin`. A test computes it and compares.

use cublino_rules::{
    game::Game,
    games::{
        Mahbusa,
        mahbusa::{CHECKERS, Checkers, Point, Side},
    },
};

use super::{Tablebase, TablebaseValue};
use crate::{
    GameResult,
    tablebase::numbering::{number, ways_up_to},
};

/// The most pips that a roll moves: a double six is played four times.
const MOST_PIPS: u32 = 24;
/// The most checkers that a roll bears off: a double is played four times.
pub(crate) const MOST_CHECKERS: u32 = 4;

/// The table as a tablebase.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BearOff;

impl Tablebase<Mahbusa> for BearOff {
    /// Answers before a roll, where the players are out of each other's way: a result that no dice can
    /// change, or the expected result where all checkers are at home.
    fn probe(&self, position: &Mahbusa) -> Option<TablebaseValue> {
        if position.roll().is_some() {
            return None;
        }
        let (own, other) = (position.board().side(position.turn()), position.board().side(!position.turn()));
        if !have_passed(own, other) {
            return None;
        }
        let are_home = || is_home(own) && is_home(other);
        let expected = || are_home().then(|| TablebaseValue::Expected(expected_result(own, other)));
        exact_result(own, other).or_else(expected)
    }
}

/// Whether the players are out of each other's way: no checker is pinned, and none has an opposing one before
/// it.
pub(crate) fn have_passed(own: &Side, other: &Side) -> bool {
    let highest = |side: &Side| side.occupied().highest().map_or(0, |point| usize::from(point.pips()));
    highest(own) + highest(other) <= Point::COUNT
}

/// The expected result of the player to roll, -1 to 1, when both are out of each other's way. It is exact
/// where both have few checkers, all at home. With more it comes from the table's chances for each player;
/// for checkers that are not all at home, the way home is estimated by pips.
pub(crate) fn expected_result(own: &Side, other: &Side) -> f64 {
    let won = if let (Some(own), Some(other)) = (way_home(own), way_home(other)) {
        BEAR_OFF.chance_to_be_first(own, other).unwrap_or_else(|| chance_to_be_first(own, other))
    } else {
        // Approximates the numbers of rolls by normal distributions. With equal numbers the player who rolls
        // first wins, which the half roll stands for.
        let (own, other) = (Rolls::of(own), Rolls::of(other));
        normal((other.mean - own.mean + 0.5) / (own.variance + other.variance).sqrt())
    };
    2.0 * won - 1.0
}

/// The result for the player who is about to roll, when both are out of each other's way and no dice can
/// change it, with the plies that it takes with the worst dice for the winner.
///
/// It is a win if the most rolls of the player are no more than the fewest of the other; a loss if the most
/// rolls of the other are fewer than the fewest of the player.
pub(crate) fn exact_result(own: &Side, other: &Side) -> Option<TablebaseValue> {
    let most = |side: &Side| way_home(side).map(|way| u32::from(BEAR_OFF.most[way]));
    if let Some(rolls) = most(own).filter(|&rolls| rolls <= fewest_rolls(other)) {
        return Some(TablebaseValue::Exact { result: GameResult::Win, plies: Some(2 * rolls - 1) });
    }
    let rolls = most(other).filter(|&rolls| rolls < fewest_rolls(own))?;
    Some(TablebaseValue::Exact { result: GameResult::Loss, plies: Some(2 * rolls) })
}

/// Whether all that a player has left is at home.
pub(crate) fn is_home(side: &Side) -> bool {
    side.pinned.is_empty() && side.free.occupied().highest().is_none_or(|highest| highest.index() < HOME)
}

/// The number of the way in which a player's checkers stand at home; `None` unless all are there.
fn way_home(side: &Side) -> Option<usize> {
    is_home(side).then(|| number_of(side.free))
}

/// A lower bound on the rolls that a player needs: exact with the best dice if all checkers are at home.
fn fewest_rolls(side: &Side) -> u32 {
    way_home(side).map_or_else(
        || {
            let points = side.free.occupied();
            let pips: u32 =
                points.map(|point| u32::from(point.pips()) * u32::from(side.free.on(point))).sum();
            pips.div_ceil(MOST_PIPS).max(side.total().div_ceil(MOST_CHECKERS))
        },
        |way| BEAR_OFF.fewest[way].into(),
    )
}

/// The chance that a player who rolls first needs no more rolls than the other, by the ways in which they
/// stand.
fn chance_to_be_first(own: usize, other: usize) -> f64 {
    let mut others = BEAR_OFF.chances(other).peekable();
    let mut not_yet = 1.0;
    let mut won = 0.0;
    for (rolls, chance) in BEAR_OFF.chances(own) {
        // The other has had one roll less so far.
        while let Some((_, done)) = others.next_if(|&(others_rolls, _)| others_rolls < rolls) {
            not_yet -= done;
        }
        won += chance * not_yet;
    }
    won.clamp(0.0, 1.0)
}

/// Points of the home board.
const HOME: usize = 6;

/// The bear-off table, by the numbers of the ways.
#[derive(Clone, Copy, Debug)]
struct Table<'a> {
    /// The rolls that each way takes with the best dice.
    fewest: &'a [u8],
    /// The rolls that each way takes with the worst dice, with the play that keeps them low.
    most: &'a [u8],
    begins: &'a [[u8; 4]],
    chances: &'a [[u8; 2]],
    both_with_few: &'a [[u8; 2]],
}

/// The built-in table.
static BEAR_OFF: Table<'static> = Table::of_bytes(include_bytes!("table.bin"));

/// The stored number for a probability of 1.
const CERTAIN: f64 = u16::MAX as f64;

/// The ways in which up to fifteen checkers can stand at home.
const WAYS: usize = ways_up_to(CHECKERS as usize, HOME);

/// The most checkers that are few: the usual size of two-sided tables in backgammon.
const FEW: usize = 6;

/// The ways in which few checkers can stand at home; their numbers come first.
const FEW_WAYS: usize = ways_up_to(FEW, HOME);

impl<'a> Table<'a> {
    /// Reads the table from its bytes. Fails to compile if the built-in bytes are too few.
    const fn of_bytes(bytes: &'a [u8]) -> Self {
        let (fewest, rest) = bytes.split_at(WAYS);
        let (most, rest) = rest.split_at(WAYS);
        let (begins, rest) = rest.split_at(4 * (WAYS + 1));
        let (chances, both_with_few) = rest.split_at(rest.len() - 2 * FEW_WAYS * FEW_WAYS);
        Self {
            fewest,
            most,
            begins: begins.as_chunks().0,
            chances: chances.as_chunks().0,
            both_with_few: both_with_few.as_chunks().0,
        }
    }

    /// The numbers of rolls with their probabilities, the lowest number first. All others have a probability
    /// of about 0.
    fn chances(&self, way: usize) -> impl Iterator<Item = (u32, f64)> + use<'a> {
        let begin = |way: usize| u32::from_le_bytes(self.begins[way]) as usize;
        let parts = &self.chances[begin(way)..begin(way + 1)];
        (u32::from(self.fewest[way])..).zip(parts.iter().map(|&part| of_parts(part)))
    }

    /// The chance of the player who is about to roll to be first, where both have few checkers.
    fn chance_to_be_first(&self, own: usize, other: usize) -> Option<f64> {
        let are_few = own < FEW_WAYS && other < FEW_WAYS;
        are_few.then(|| of_parts(self.both_with_few[own * FEW_WAYS + other]))
    }
}

/// The probability that is stored in two bytes.
fn of_parts(parts: [u8; 2]) -> f64 {
    f64::from(u16::from_le_bytes(parts)) / CERTAIN
}

/// The number of the way in which checkers, all at home, stand.
fn number_of(checkers: Checkers) -> usize {
    let points = (0..).take(HOME).map(|index| Point::new(index).expect("there are more points than at home"));
    number(points.map(|point| checkers.on(point)))
}

/// A roll of the dice moves this many pips on average: eight and a sixth.
const PIPS_A_ROLL: f64 = 49.0 / 6.0;
/// The variance of the pips of a roll: 18.47.
const VARIANCE_OF_A_ROLL: f64 = 665.0 / 36.0;

/// Mean and variance of the rolls that a player needs.
#[derive(Clone, Copy, Debug)]
struct Rolls {
    mean: f64,
    variance: f64,
}

impl Rolls {
    /// An estimate: until all checkers are at home, every roll moves as many pips as it shows, and checkers
    /// from outside arrive on the highest point of the home board.
    #[expect(clippy::cast_precision_loss, reason = "there are a few hundred pips at most")]
    fn of(side: &Side) -> Self {
        let mut home = [0; HOME];
        let mut pips_outside = 0;
        for point in side.free.occupied() {
            let count = side.free.on(point);
            let outside = (point.index() + 1).saturating_sub(HOME);
            pips_outside += outside * usize::from(count);
            home[point.index() - outside] += count;
        }
        let Self { mean, variance } = Self::of_chances(BEAR_OFF.chances(number(home)));
        let before = pips_outside as f64 / PIPS_A_ROLL;
        Self {
            mean: before + mean,
            variance: before * VARIANCE_OF_A_ROLL / (PIPS_A_ROLL * PIPS_A_ROLL) + variance,
        }
    }

    /// The mean and variance of a distribution of rolls.
    fn of_chances(chances: impl Iterator<Item = (u32, f64)>) -> Self {
        let (mut mean, mut mean_square) = (0.0, 0.0);
        for (rolls, chance) in chances {
            let rolls = f64::from(rolls);
            mean += rolls * chance;
            mean_square += rolls * rolls * chance;
        }
        Self { mean, variance: mean_square - mean * mean }
    }
}

/// The normal distribution, correct to 0.0005 (Abramowitz and Stegun, 7.1.27). Unlike the exact one it needs
/// only operations that every machine rounds alike: the powers are written out, since the standard library
/// promises no precision for `powi`.
fn normal(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 4] = [0.278_393, 0.230_389, 0.000_972, 0.078_108];
    let z = x.abs() / std::f64::consts::SQRT_2;
    let sum = 1.0 + COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| z * (coefficient + sum));
    let square = sum * sum;
    let beyond = 0.5 / (square * square);
    if x < 0.0 { beyond } else { 1.0 - beyond }
}

#[cfg(test)]
mod tests;
