//! The results that are still possible in a game, and that no others are reported.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{MEBIBYTE, depth, nodes, position, searched};
use crate::{
    Control, GameResult, Options, Playable, Proven, Tablebases, TranspositionTable, Value,
    playable::{possible, possible_after},
    testing::evaluate,
    testing::searched_with,
};
use cublino_rules::{
    game::{Game, Player, Stage, playout},
    games::{Contra, GameId, Pur, Wari},
    with_game,
};

/// Plies of a game.
const LONGEST: usize = 600;

/// A random game without moves after which a worse result is possible than before.
fn careful_game<G: Playable>(seed: u64) -> Vec<G> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut passed = vec![G::default()];
    while passed.len() < LONGEST {
        let position = passed[passed.len() - 1];
        match position.stage() {
            Stage::Over(_) => break,
            Stage::Roll => passed.push(playout::step(&position, &mut rng)),
            Stage::Move => {
                let worst = *possible(&position, None).start();
                let mut moves = position.legal_moves();
                moves.retain(|&m| *possible_after(&position, m, None).start() >= worst);
                assert!(!moves.is_empty(), "{position}: no move keeps {worst}");
                passed.push(position.after(moves[rng.random_range(..moves.len())]));
            }
        }
    }
    passed
}

fn is_within(value: Value, possible: &std::ops::RangeInclusive<i8>) -> bool {
    let chances = value.chances;
    let is_expected =
        f64::from(*possible.start()) <= value.expected && value.expected <= f64::from(*possible.end());
    let of_each = [(1, chances.win), (0, chances.draw), (-1, chances.loss)];
    let are_possible = of_each.iter().all(|(result, chance)| *chance == 0.0 || possible.contains(result));
    is_expected && are_possible && (chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-9
}

fn games_end_as_they_can<G: Playable>(has_bounds: bool) {
    let mut table = TranspositionTable::new(MEBIBYTE);
    let mut bounded = 0;
    for seed in 0..24 {
        let passed = careful_game::<G>(seed);
        // A game without an end counts as a draw.
        let outcome = passed[passed.len() - 1].stage().outcome();
        for (ply, position) in passed.iter().enumerate().filter(|(_, p)| p.stage().outcome().is_none()) {
            let possible = possible(position, None);
            let result = outcome.map_or(0, |outcome| outcome.result_for(position.turn()));
            assert!(possible.contains(&result), "{seed} {position}: {result} of {possible:?}");
            if possible == (-1..=1) {
                continue;
            }
            bounded += 1;
            if ply % 16 != 0 || position.stage() != Stage::Move {
                continue;
            }
            for limits in [depth(0).limits, nodes(50).limits] {
                let found =
                    evaluate(position, &limits, &Tablebases::none(), &Control::new(), &mut table).value;
                assert!(is_within(found, &possible), "{position}: {found:?} {possible:?}");
            }
            for line in searched(position, Options { lines: 3, ..nodes(50) }).lines {
                let after = possible_after(position, line.pv[0], None);
                assert!(is_within(line.value, &after), "{position}: {line:?} {after:?}");
            }
        }
    }
    assert_eq!(bounded > 20, has_bounds, "{}: {bounded}", G::ABOUT.id);
}

#[test]
fn games_end_as_they_can_and_nothing_else_is_reported() {
    for &game in GameId::ALL {
        let has_bounds = matches!(game, GameId::CublinoPur | GameId::CublinoContra | GameId::Wari);
        with_game!(game, G => games_end_as_they_can::<G>(has_bounds));
    }
}

#[test]
fn an_endgame_that_cannot_be_won_is_not_expected_to_be() {
    let position: Wari = position("w-0-1-1-0-2-0-0-0-0-0-0-2-21-21");
    for lines in [1, 3] {
        for line in searched_with(&Tablebases::built_in(), &position, Options { lines, ..nodes(10) }).lines {
            assert!(line.value.expected <= 0.0 && line.value.chances.win == 0.0, "{line:?}");
        }
    }
}

#[test]
fn who_has_25_prisoners_has_won_in_no_known_number_of_plies() {
    let won: Wari = position("W-0-0-3-0-0-1-0-0-5-0-1-1-25-12");
    let mut table = TranspositionTable::new(MEBIBYTE);
    for limits in [depth(0).limits, depth(2).limits] {
        let found = evaluate(&won, &limits, &Tablebases::none(), &Control::new(), &mut table).value;
        assert_eq!(found.proven, Some(Proven { result: GameResult::Win, plies: None }));
    }
}

#[test]
fn who_has_no_dice_in_contra_does_not_win() {
    let alone: Contra = position("CWa1Wc3");
    assert_eq!(possible(&alone, None), 0..=1);
    assert_eq!(possible(&alone.after(searched(&alone, depth(1)).best()), None), 0..=1);
}

#[test]
fn who_cannot_catch_up_in_pips_does_not_win() {
    // White is home in three turns; Black is not, and cannot have as many pips by then.
    let lost: Pur = position("pgb1cd1ee1jf1hc2bd2gf3Qf6Ba7Vb7Pc7Rd7Ge7Bg7");
    assert_eq!(possible(&lost, None), -1..=-1);
    for line in searched(&lost, Options { lines: 50, ..nodes(10) }).lines {
        assert_eq!(line.value.proven.map(|proven| proven.result), Some(GameResult::Loss), "{line:?}");
    }
}

/// White moves at random, but for the die on d1, against the search. The values that are reported while White
/// holds a fortress are close to the result of the game.
#[test]
fn a_fortress_of_pur_is_reported_as_it_holds() {
    let mut reported = 0;
    for seed in 0..2 {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut position = Pur::default();
        for _ in 0..150 {
            let d1 = cublino_rules::games::cublino::Square::new(3, 0).unwrap();
            let keeps = |m: &_| position.after(*m).board().dice(Player::One).contains(d1);
            if position.turn() == Player::One {
                let mut moves = position.legal_moves();
                moves.retain(keeps);
                position = position.after(moves[rng.random_range(..moves.len())]);
                continue;
            }
            let line = searched(&position, nodes(500)).lines.remove(0);
            if *possible(&position, None).end() == 0 {
                assert!((-0.2..=0.0).contains(&line.value.expected), "{position}: {:?}", line.value);
                reported += 1;
            }
            position = position.after(line.pv[0]);
            assert_eq!(position.stage(), Stage::Move, "White cannot lose, and does not finish");
        }
    }
    assert!(reported > 50, "{reported}");
}
