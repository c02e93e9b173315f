//! How long a player of Mahbusa takes to bear off, when the players are out of each other's way.
//!
//! For each of the 54,264 ways to have up to fifteen checkers at home the chances of every number of rolls are known, when
//! each roll is played so that the expected number of rolls is lowest. Against an opponent who races as well
//! that is not always the best: who is far behind had better play for a double. What this costs is a few
//! thousandths of a game at most, so results that follow are close, and are never called proven.

use std::sync::LazyLock;

use super::numbering::{number, things, ways_up_to};
use crate::{
    game::{Game, Player},
    games::{
        Mahbusa,
        mahbusa::{Board, CHECKERS, Checkers, Mover, Point, Side, Stack},
    },
};

/// Points of the home board.
const HOME: usize = 6;
/// Chances below this are left out: all that are left out make less of a difference than the rounding of the others.
const NEGLIGIBLE: f64 = 1e-9;
/// A roll of the dice moves this many pips on average: eight and a sixth.
const PIPS_A_ROLL: f64 = 49.0 / 6.0;
/// The variance of the pips of a roll: 18.47.
const VARIANCE_OF_A_ROLL: f64 = 665.0 / 36.0;
/// The chances of numbers of rolls.
#[derive(Debug)]
struct BearOff {
    /// For each way to have checkers at home, by its number, where its chances begin; then where the last ones end.
    begins: Vec<u32>,
    /// The chances of bearing off with exactly 0, 1, 2 and so on rolls.
    chances: Vec<f32>,
}

static BEAR_OFF: LazyLock<BearOff> = LazyLock::new(BearOff::new);

/// Works the table out, unless that has been done. It takes about a second and three megabytes.
pub fn prepare() {
    LazyLock::force(&BEAR_OFF);
}

/// The result that the player who is about to roll can expect, -1 to 1, when both are out of each other's way. The
/// chances are exact for each player whose checkers are all at home; for others the way home is estimated by pips.
#[must_use]
pub fn expected_result(own: &Side, other: &Side) -> f64 {
    let won = match (chances(own), chances(other)) {
        (Some(own), Some(other)) => chance_to_be_first(own, other),
        _ => chance_by_estimate(Rolls::of(own), Rolls::of(other)),
    };
    2.0 * won - 1.0
}

/// Whether all that a player has left is at home.
#[must_use]
pub fn is_home(side: &Side) -> bool {
    side.pinned.is_empty() && side.free.occupied().highest().is_none_or(|highest| highest.index() < HOME)
}

/// The chances of the player of exactly 0, 1, 2 and so on rolls; none unless all is at home.
#[must_use]
pub fn chances(side: &Side) -> Option<&'static [f32]> {
    is_home(side).then(|| BEAR_OFF.chances(number_of(side.free)))
}

/// The chance that a player who rolls first needs no more rolls than the other.
fn chance_to_be_first(own: &[f32], other: &[f32]) -> f64 {
    let mut not_yet = 1.0;
    let mut won = 0.0;
    for (rolls, &chance) in own.iter().enumerate() {
        // The other has had one roll less so far.
        if rolls > 0 {
            not_yet -= other.get(rolls - 1).map_or(0.0, |&chance| f64::from(chance));
        }
        won += f64::from(chance) * not_yet;
    }
    won.clamp(0.0, 1.0)
}

/// Mean and variance of the rolls that a player needs.
#[derive(Clone, Copy, Debug)]
struct Rolls {
    mean: f64,
    variance: f64,
}

impl Rolls {
    /// As if every roll brought the player as many pips as it shows until all are at home, those from outside on the
    /// highest point there.
    fn of(side: &Side) -> Self {
        let mut home = [0; HOME];
        let mut pips_outside = 0;
        for point in side.free.occupied() {
            let count = side.free.on(point);
            let outside = (point.index() + 1).saturating_sub(HOME);
            pips_outside += outside * usize::from(count);
            home[point.index() - outside] += count;
        }
        let Self { mean, variance } = Self::exactly(BEAR_OFF.chances(number(home)));
        let before = pips_outside as f64 / PIPS_A_ROLL;
        Self { mean: before + mean, variance: before * VARIANCE_OF_A_ROLL / PIPS_A_ROLL.powi(2) + variance }
    }

    fn exactly(chances: &[f32]) -> Self {
        let moment = |power| {
            let terms = chances.iter().enumerate();
            terms.map(|(rolls, &chance)| (rolls as f64).powi(power) * f64::from(chance)).sum::<f64>()
        };
        let mean = moment(1);
        Self { mean, variance: moment(2) - mean * mean }
    }
}

/// The chance that a player who rolls first needs no more rolls than the other, as if the numbers of rolls were normally
/// distributed.
fn chance_by_estimate(own: Rolls, other: Rolls) -> f64 {
    // Equal numbers are a win for who rolls first, which the half roll stands for.
    let lead = other.mean - own.mean + 0.5;
    normal(lead / (own.variance + other.variance).sqrt())
}

/// The normal distribution, correct to 0.0005 (Abramowitz and Stegun, 7.1.27): unlike the exact one it takes nothing but
/// what every machine rounds alike.
fn normal(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 4] = [0.278_393, 0.230_389, 0.000_972, 0.078_108];
    let z = x.abs() / std::f64::consts::SQRT_2;
    let sum = COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| z * (coefficient + sum));
    let beyond = 0.5 / (1.0 + sum).powi(4);
    if x < 0.0 { beyond } else { 1.0 - beyond }
}

/// The number of the way in which checkers, all at home, stand.
fn number_of(checkers: Checkers) -> usize {
    let points = (0..HOME as u8).map(|index| Point::new(index).expect("there are more points than at home"));
    number(points.map(|point| checkers.on(point)))
}

impl BearOff {
    fn new() -> Self {
        let ways = ways_up_to(CHECKERS.into(), HOME);
        // A roll leaves fewer pips, so those with fewer come first.
        let pips = |number: &usize| -> u32 {
            (1..).zip(things::<HOME>(*number)).map(|(p, n)| p * u32::from(n)).sum()
        };
        let mut order: Vec<_> = (0..ways).collect();
        order.sort_by_key(pips);
        let mut means = vec![0.0; ways];
        let mut found: Vec<Vec<f32>> = vec![Vec::new(); ways];
        for number in order {
            let chances = chances_of(number, &means, &found);
            means[number] = Rolls::exactly(&chances).mean;
            found[number] = chances;
        }
        let mut begins = vec![0];
        let mut chances = Vec::new();
        for some in found {
            chances.extend(some);
            begins.push(chances.len() as u32);
        }
        Self { begins, chances }
    }

    fn chances(&self, number: usize) -> &[f32] {
        &self.chances[self.begins[number] as usize..self.begins[number + 1] as usize]
    }
}

/// The chances in one way, from the expected numbers of rolls and the chances in those that follow.
fn chances_of(number: usize, means: &[f64], found: &[Vec<f32>]) -> Vec<f32> {
    if number == 0 {
        return vec![1.0];
    }
    let mut board = Board::default();
    for (index, count) in (0..).zip(things::<HOME>(number)).filter(|&(_, count)| count > 0) {
        let point = Point::new(index).expect("there are more points than at home");
        board.put(point, Stack { owner: Player::One, count, pinned: false });
    }
    let mover = Mover::new(&board, Player::One);
    let ways: u32 = Mahbusa::ROLLS.iter().map(|&(_, ways)| ways).sum();
    let mut chances = Vec::new();
    for &(roll, ways_to_roll) in Mahbusa::ROLLS {
        let mut best = number;
        mover.plays(roll, |checkers, _| {
            let next = number_of(checkers);
            if best == number || means[next] < means[best] {
                best = next;
            }
        });
        let chance = f64::from(ways_to_roll) / f64::from(ways);
        chances.resize(chances.len().max(found[best].len() + 1), 0.0);
        for (rolls, &after) in (1..).zip(&found[best]) {
            chances[rolls] += chance * f64::from(after);
        }
    }
    while chances.last().is_some_and(|&chance| chance < NEGLIGIBLE) {
        chances.pop();
    }
    chances.into_iter().map(|chance| chance as f32).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::{game::Stage, games::mahbusa::Setup};

    fn position(state: &str) -> Mahbusa {
        Mahbusa::try_from(state.parse::<Setup>().unwrap()).unwrap()
    }

    /// The result that the side to move or to roll can expect, by trying everything.
    fn exhaustive(position: &Mahbusa, known: &mut HashMap<Mahbusa, f64>) -> f64 {
        if let Some(&expected) = known.get(position) {
            return expected;
        }
        let expected = match position.stage() {
            Stage::Over(outcome) => f64::from(outcome.result_for(position.turn())),
            Stage::Roll => {
                let rolled = |&(roll, ways)| {
                    let mut rolled = *position;
                    rolled.roll_unchecked(roll);
                    f64::from(ways) / 36.0 * exhaustive(&rolled, known)
                };
                Mahbusa::ROLLS.iter().map(rolled).sum()
            }
            Stage::Move => {
                let mut moves = Vec::new();
                position.generate(&mut moves);
                let after = moves.into_iter().map(|m| -exhaustive(&position.after(m), known));
                after.fold(f64::NEG_INFINITY, f64::max)
            }
        };
        known.insert(*position, expected);
        expected
    }

    fn from_the_table(position: &Mahbusa) -> f64 {
        let side = |player| position.board().side(player);
        expected_result(side(position.turn()), side(!position.turn()))
    }

    #[test]
    fn chances_add_up_to_one() {
        for number in 0..ways_up_to(CHECKERS.into(), HOME) {
            let sum: f64 = BEAR_OFF.chances(number).iter().map(|&chance| f64::from(chance)).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{:?}: {sum}", things::<HOME>(number));
        }
    }

    #[test]
    fn the_last_checkers_are_gone_as_soon_as_the_dice_allow() {
        let rolls = |checkers: [u8; HOME]| BEAR_OFF.chances(number(checkers));
        assert_eq!(rolls([0; HOME]), [1.0]);
        assert_eq!(rolls([2, 0, 0, 0, 0, 0]), [0.0, 1.0]);
        // From F: not with 21, 31, 41, 32 and 11, but with the 27 of 36 others.
        assert_eq!(rolls([0, 0, 0, 0, 0, 1]), [0.0, 0.75, 0.25]);
        // Three on A need a double.
        let [none, one, two] = rolls([3, 0, 0, 0, 0, 0]) else { panic!("two rolls are enough") };
        assert!(*none == 0.0 && (one - 1.0 / 6.0).abs() < 1e-6 && (two - 5.0 / 6.0).abs() < 1e-6);
    }

    #[test]
    fn fifteen_checkers_take_as_long_as_everybody_knows() {
        // A closed board with three to spare on F, E and D takes 8.2 rolls or so, and all on A not quite seven.
        let mean = |checkers: [u8; HOME]| Rolls::exactly(BEAR_OFF.chances(number(checkers))).mean;
        assert!((mean([15, 0, 0, 0, 0, 0]) - 6.95).abs() < 0.2);
        assert!((mean([2, 2, 2, 3, 3, 3]) - 8.2).abs() < 0.2, "{}", mean([2, 2, 2, 3, 3, 3]));
    }

    #[test]
    fn with_few_checkers_the_result_is_that_of_trying_everything() {
        let mut known = HashMap::new();
        for state in ["M-A22a", "M-1A20a1", "M-5A12a5", "M-AA20aa", "M-3A1A12a1a3", "m-2B17a2a", "M-A3A14b4"]
        {
            let position = position(state);
            let (table, expected) = (from_the_table(&position), exhaustive(&position, &mut known));
            assert!((table - expected).abs() < 1e-3, "{state}: {table} and {expected}");
        }
    }

    #[test]
    fn the_normal_distribution_is_close() {
        for (x, expected) in [(0.0, 0.5), (1.0, 0.8413), (-1.0, 0.1587), (2.0, 0.9772), (-3.0, 0.0013)] {
            assert!((normal(x) - expected).abs() < 5e-4, "{x}");
        }
    }

    #[test]
    fn who_has_fewer_pips_or_the_next_roll_is_better_off() {
        // All at home on one side and not on the other, and on neither.
        assert!(from_the_table(&position("M-EEE4a12edda")) > 0.5);
        let even = "M-5EEE8eee5";
        assert!(from_the_table(&position(even)) > 0.0);
    }

    /// A player with checkers on some points, by their index, who is alone on the board.
    fn alone(points: &[u8]) -> Board {
        let mut board = Board::default();
        for &index in points {
            board.put(Point::new(index).unwrap(), Stack { owner: Player::One, count: 1, pinned: false });
        }
        board
    }

    /// The expected number of rolls, by trying everything.
    fn mean_by_trying(board: Board, known: &mut HashMap<Checkers, f64>) -> f64 {
        let mover = Mover::new(&board, Player::One);
        if mover.checkers.total() == 0 {
            return 0.0;
        }
        if let Some(&mean) = known.get(&mover.checkers) {
            return mean;
        }
        let mut mean = 1.0;
        for &(roll, ways) in Mahbusa::ROLLS {
            let mut best = f64::INFINITY;
            mover.plays(roll, |checkers, _| {
                let mut next = board;
                next.rearrange(Player::One, checkers);
                best = best.min(mean_by_trying(next, known));
            });
            mean += f64::from(ways) / 36.0 * best;
        }
        known.insert(mover.checkers, mean);
        mean
    }

    #[test]
    fn the_estimate_for_checkers_outside_is_near_what_trying_everything_gives() {
        let mut known = HashMap::new();
        for points in [&[6][..], &[11], &[6, 7], &[0, 8], &[7, 9, 10]] {
            let board = alone(points);
            let (estimate, mean) =
                (Rolls::of(board.side(Player::One)).mean, mean_by_trying(board, &mut known));
            assert!((estimate - mean).abs() < 0.4, "{points:?}: {estimate} and {mean}");
        }
    }
}
