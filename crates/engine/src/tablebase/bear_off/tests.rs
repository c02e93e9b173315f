mod build;

use std::{collections::HashMap, env, fs};

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use self::build::build;
use super::*;
use crate::{
    tablebase::numbering::{number, things},
    testing,
};
use cublino_rules::{
    game::{Game, Player, Stage, playout},
    games::{
        Mahbusa,
        mahbusa::{Board, Checkers, Mover, Stack},
    },
};

fn position(state: &str) -> Mahbusa {
    testing::position(state)
}

/// The expected result of the side to move or to roll, by exhaustive search.
fn exhaustive(position: &Mahbusa, known: &mut HashMap<Mahbusa, f64>) -> f64 {
    if let Some(&expected) = known.get(position) {
        return expected;
    }
    let expected = match position.stage() {
        Stage::Over(outcome) => f64::from(outcome.result_for(position.turn())),
        Stage::Roll => {
            let rolled = |&(roll, ways)| {
                let rolled = position.rolled(roll);
                f64::from(ways) / 36.0 * exhaustive(&rolled, known)
            };
            Mahbusa::ROLLS.iter().map(rolled).sum()
        }
        Stage::Move => {
            let after = position.legal_moves().into_iter().map(|m| -exhaustive(&position.after(m), known));
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

/// The probabilities of every number of rolls, from none on.
fn chances(checkers: [u8; HOME]) -> Vec<f64> {
    let way = number(checkers);
    let none = vec![0.0; usize::from(BEAR_OFF.fewest[way])];
    none.into_iter().chain(BEAR_OFF.chances(way).map(|(_, chance)| chance)).collect()
}

#[test]
fn the_table_in_the_program_is_what_is_worked_out() {
    let table = build();
    if table != include_bytes!("table.bin") {
        let file = env::current_exe().unwrap().with_file_name("table.bin");
        fs::write(&file, table).unwrap();
        panic!("the table has changed: copy {} to crates/engine/src/tablebase/bear_off", file.display());
    }
}

#[test]
fn chances_add_up_to_one() {
    for way in 0..WAYS {
        let sum: f64 = BEAR_OFF.chances(way).map(|(_, chance)| chance).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{:?}: {sum}", things::<HOME>(way));
    }
}

#[test]
fn the_last_checkers_are_gone_as_soon_as_the_dice_allow() {
    let close = |found: Vec<f64>, expected: &[f64]| {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1.0 / CERTAIN), "{found:?}");
    };
    close(chances([0; HOME]), &[1.0]);
    close(chances([2, 0, 0, 0, 0, 0]), &[0.0, 1.0]);
    // From F: not with 21, 31, 41, 32 and 11, but with the 27 of 36 others.
    close(chances([0, 0, 0, 0, 0, 1]), &[0.0, 0.75, 0.25]);
    // Three on A need a double.
    close(chances([3, 0, 0, 0, 0, 0]), &[0.0, 1.0 / 6.0, 5.0 / 6.0]);
}

#[test]
fn the_fewest_and_the_most_rolls_are_those_of_the_best_and_the_worst_dice() {
    let rolls = |checkers| (BEAR_OFF.fewest[number(checkers)], BEAR_OFF.most[number(checkers)]);
    assert_eq!(rolls([0; HOME]), (0, 0));
    assert_eq!(rolls([1, 0, 0, 0, 0, 0]), (1, 1));
    assert_eq!(rolls([3, 0, 0, 0, 0, 0]), (1, 2));
    // Fifteen on A: four doubles, or eight rolls without one.
    assert_eq!(rolls([15, 0, 0, 0, 0, 0]), (4, 8));
    // With the worst dice, two and one twice, a checker on F takes two rolls.
    assert_eq!(rolls([0, 0, 0, 0, 0, 1]), (1, 2));
}

#[test]
fn fifteen_checkers_take_as_long_as_everybody_knows() {
    // A closed board with three to spare on F, E and D takes 8.2 rolls or so, and all on A not quite seven.
    let mean = |checkers: [u8; HOME]| Rolls::of_chances(BEAR_OFF.chances(number(checkers))).mean;
    assert!((mean([15, 0, 0, 0, 0, 0]) - 6.95).abs() < 0.2);
    assert!((mean([2, 2, 2, 3, 3, 3]) - 8.2).abs() < 0.2, "{}", mean([2, 2, 2, 3, 3, 3]));
}

#[test]
fn with_few_checkers_the_result_is_that_of_trying_everything() {
    let mut known = HashMap::new();
    for state in ["M-A22a", "M-1A20a1", "M-5A12a5", "M-AA20aa", "M-3A1A12a1a3", "m-2B17a2a", "M-A3A14b4"] {
        let position = position(state);
        let (table, expected) = (from_the_table(&position), exhaustive(&position, &mut known));
        assert!((table - expected).abs() < 2.0 / CERTAIN, "{state}: {table} and {expected}");
    }
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "there are fewer than a million pairs")]
fn playing_for_the_fewest_rolls_costs_little() {
    let pairs = || (1..FEW_WAYS).flat_map(|own| (1..FEW_WAYS).map(move |other| (own, other)));
    let differences = pairs().map(|(own, other)| {
        let exact = BEAR_OFF.chance_to_be_first(own, other).unwrap();
        (exact - chance_to_be_first(own, other)).abs()
    });
    let (sum, most) = differences.fold((0.0_f64, 0.0_f64), |(sum, most), cost| (sum + cost, most.max(cost)));
    assert!(sum < 0.001 * pairs().count() as f64 && (0.01..0.015).contains(&most), "{most}");
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

/// The expected number of rolls, by exhaustive search.
fn mean_by_trying(board: Board, known: &mut HashMap<Checkers, f64>) -> f64 {
    let mover = Mover::new(&board, Player::One);
    if mover.checkers.occupied().is_empty() {
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
        let (estimate, mean) = (Rolls::of(board.side(Player::One)).mean, mean_by_trying(board, &mut known));
        assert!((estimate - mean).abs() < 0.4, "{points:?}: {estimate} and {mean}");
    }
}

/// In how many plies, rolls not counted, a player wins whatever is rolled, by exhaustive search.
fn forced(position: &Mahbusa, winner: Player, known: &mut HashMap<Mahbusa, Option<u32>>) -> Option<u32> {
    match position.stage() {
        Stage::Over(outcome) => return (outcome.winner == Some(winner)).then_some(0),
        _ if known.contains_key(position) => return known[position],
        _ => {}
    }
    let all = |plies: Vec<Option<u32>>| plies.into_iter().collect::<Option<Vec<u32>>>()?.into_iter().max();
    let forced = if position.stage() == Stage::Roll {
        let rolled = |&(roll, _)| {
            let rolled = position.rolled(roll);
            forced(&rolled, winner, known)
        };
        all(Mahbusa::ROLLS.iter().map(rolled).collect())
    } else {
        let after: Vec<_> = position
            .legal_moves()
            .into_iter()
            .map(|m| forced(&position.after(m), winner, known).map(|plies| plies + 1))
            .collect();
        if position.turn() == winner { after.into_iter().flatten().min() } else { all(after) }
    };
    known.insert(*position, forced);
    forced
}

#[test]
fn a_result_is_certain_where_trying_everything_says_so_with_as_many_plies() {
    let mut known: [HashMap<_, _>; 2] = Default::default();
    let mut found = [0; 3];
    for state in [
        "M-A22a",
        "M-B22a",
        "M-1A20a1",
        "M-5A12a5",
        "M-C22b",
        "M-F17a5",
        "M-AA20aa",
        "M-3A1A12a1a3",
        "m-2B17a2a",
        "m-B22a",
        "M-A3A14b4",
        "m-C20ab1",
        "M-E22a",
        "m-1B21e",
        "M-D22d",
    ] {
        let position = position(state);
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let passed: Vec<_> = playout::positions(position, 4, &mut rng)
            .filter(|position| position.stage() == Stage::Roll)
            .collect();
        for position in passed {
            let mover = position.turn();
            let expected =
                [mover, !mover].map(|winner| forced(&position, winner, &mut known[winner.index()]));
            let expected = match expected {
                [Some(plies), _] => {
                    Some(TablebaseValue::Exact { result: GameResult::Win, plies: Some(plies) })
                }
                [_, Some(plies)] => {
                    Some(TablebaseValue::Exact { result: GameResult::Loss, plies: Some(plies) })
                }
                [None, None] => None,
            };
            let side = |player| position.board().side(player);
            assert_eq!(exact_result(side(mover), side(!mover)), expected, "{position}");
            found[match expected {
                Some(TablebaseValue::Exact { result: GameResult::Win, .. }) => 0,
                Some(_) => 1,
                None => 2,
            }] += 1;
        }
    }
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
}

#[test]
fn who_is_far_away_needs_as_many_rolls_as_the_pips_and_the_checkers_at_least() {
    // Black has a checker on the 24-point: one double six is not enough to bear it off after the other.
    let position = position("M-A22a");
    assert_eq!(fewest_rolls(position.board().side(Player::Two)), 1);
    let far = alone(&[23, 22]);
    assert_eq!(fewest_rolls(far.side(Player::One)), 2);
    let many = alone(&[6, 5, 4, 3, 2]);
    assert_eq!(fewest_rolls(many.side(Player::One)), 2);
}

#[test]
fn the_normal_distribution_is_close() {
    for (x, expected) in [(0.0, 0.5), (1.0, 0.8413), (-1.0, 0.1587), (2.0, 0.9772), (-3.0, 0.0013)] {
        assert!((normal(x) - expected).abs() < 5e-4, "{x}");
    }
}
