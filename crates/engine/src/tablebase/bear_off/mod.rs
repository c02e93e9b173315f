//! How long a player of Mahbusa takes to bear off, when the players are out of each other's way.
//!
//! For each of the 54,264 ways to have up to fifteen checkers at home the table has the chances of every
//! number of rolls, when each roll is played so that the expected number of rolls is lowest. Against an
//! opponent who races as well that is not always the best: who is far behind had better play for a double.
//! Where both have six checkers at most, that and the other's doing the same change a player's chances by
//! 0.001 on average, and by 0.014 at most. So results that follow are close, and are never called proven.
//!
//! For each of the 853,776 pairs of ways with six checkers at most it also has the chances of who is about to
//! roll, when both play for the result: exact but for rounding.
//!
//! It also has the fewest rolls, with the luckiest dice, and the most, when the player keeps them low and the
//! dice are the worst there can be. What follows from those alone is certain.
//!
//! The table is always the same, so it comes with the program: `table.bin`, which `cublino endgames mahbusa`
//! writes. A test compares the two.

mod build;
mod estimate;
mod table;
#[cfg(test)]
mod tests;

pub use self::build::build;
use self::{
    estimate::{Rolls, chance_by_estimate},
    table::{BEAR_OFF, HOME, number_of},
};
use super::probe::{Tablebase, TablebaseValue};
use crate::{
    limits::{Interrupted, LimitChecker},
    value::GameResult,
};
use cublino_rules::{
    game::Game,
    games::{
        Mahbusa,
        mahbusa::{Point, Side},
    },
};

/// The most pips that a roll moves: a double six is played four times.
const MOST_PIPS: u32 = 24;
/// The most checkers that a roll bears off: a double is played four times.
pub(crate) const MOST_CHECKERS: u32 = 4;

/// The table as a tablebase.
#[derive(Clone, Copy, Debug)]
pub struct BearOff;

impl Tablebase<Mahbusa> for BearOff {
    /// Before a roll, where the players are out of each other's way: what no dice can change, and what each
    /// player's chances of every number of rolls say where all checkers are at home.
    fn probe(
        &self,
        position: &Mahbusa,
        _: &mut LimitChecker<'_>,
    ) -> Result<Option<TablebaseValue>, Interrupted> {
        if position.roll().is_some() {
            return Ok(None);
        }
        let (own, other) = (position.board().side(position.turn()), position.board().side(!position.turn()));
        if !have_passed(own, other) {
            return Ok(None);
        }
        let are_home = || is_home(own) && is_home(other);
        let expected = || are_home().then(|| TablebaseValue::Expected(expected_result(own, other)));
        Ok(exact_result(own, other).or_else(expected))
    }
}

/// Whether the players are out of each other's way: no checker is pinned, and none has an opposing one before
/// it.
#[inline]
#[must_use]
pub fn have_passed(own: &Side, other: &Side) -> bool {
    let highest = |side: &Side| side.occupied().highest().map_or(0, |point| usize::from(point.pips()));
    highest(own) + highest(other) <= Point::COUNT
}

/// The result that the player who is about to roll can expect, -1 to 1, when both are out of each other's
/// way. It is exact where both have few checkers, all at home. Where there are more the chances are those of
/// the table for each player; for those whose checkers are not all at home the way home is estimated by pips.
#[must_use]
pub fn expected_result(own: &Side, other: &Side) -> f64 {
    let won = match (way_home(own), way_home(other)) {
        (Some(own), Some(other)) => {
            BEAR_OFF.chance_to_be_first(own, other).unwrap_or_else(|| chance_to_be_first(own, other))
        }
        _ => chance_by_estimate(Rolls::of(own), Rolls::of(other)),
    };
    2.0 * won - 1.0
}

/// The result for the player who is about to roll, when both are out of each other's way and no dice can
/// change it, with the plies that it takes with the worst dice for the winner.
///
/// Whoever is certain to win needs no more rolls with the worst dice than the other with the best.
#[must_use]
pub fn exact_result(own: &Side, other: &Side) -> Option<TablebaseValue> {
    let most = |side: &Side| way_home(side).map(|way| BEAR_OFF.most_rolls(way));
    if let Some(rolls) = most(own).filter(|&rolls| rolls <= fewest_rolls(other)) {
        return Some(TablebaseValue::Exact { result: GameResult::Win, plies: Some(2 * rolls - 1) });
    }
    let rolls = most(other).filter(|&rolls| rolls < fewest_rolls(own))?;
    Some(TablebaseValue::Exact { result: GameResult::Loss, plies: Some(2 * rolls) })
}

/// Whether all that a player has left is at home.
#[must_use]
pub fn is_home(side: &Side) -> bool {
    side.pinned.is_empty() && side.free.occupied().highest().is_none_or(|highest| highest.index() < HOME)
}

/// The number of the way in which a player's checkers stand at home; none unless all are there.
fn way_home(side: &Side) -> Option<usize> {
    is_home(side).then(|| number_of(side.free))
}

/// A number of rolls of which a player needs at least so many: exactly as many with the best dice if all
/// checkers are at home.
fn fewest_rolls(side: &Side) -> u32 {
    way_home(side).map_or_else(
        || {
            let points = side.free.occupied().into_iter();
            let pips: u32 =
                points.map(|point| u32::from(point.pips()) * u32::from(side.free.on(point))).sum();
            pips.div_ceil(MOST_PIPS).max(side.free.total().div_ceil(MOST_CHECKERS))
        },
        |way| BEAR_OFF.fewest_rolls(way),
    )
}

/// The chance that a player who rolls first needs no more rolls than the other, by the ways in which they
/// stand.
fn chance_to_be_first(own: usize, other: usize) -> f64 {
    let mut others = BEAR_OFF.chances(other).peekable();
    let (mut not_yet, mut won) = (1.0, 0.0);
    for (rolls, chance) in BEAR_OFF.chances(own) {
        // The other has had one roll less so far.
        while let Some((_, done)) = others.next_if(|&(others_rolls, _)| others_rolls < rolls) {
            not_yet -= done;
        }
        won += chance * not_yet;
    }
    won.clamp(0.0, 1.0)
}
