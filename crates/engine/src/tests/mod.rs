//! The search as a whole, against a search without tricks and in positions whose answer is known.

#![expect(clippy::cast_possible_truncation, reason = "counts in tests are small")]

/// A test that a law holds for each game.
macro_rules! for_all_games {
    ($test:ident: $law:ident) => {
        #[test]
        fn $test() {
            for &game in cublino_rules::games::GameId::ALL {
                cublino_rules::with_game!(game, G => $law::<G>());
            }
        }
    };
}

mod all_games;
pub(super) mod claims;
mod comparison;
mod dice;
mod evaluated;
pub(super) mod exhaustive;
mod game_history;
mod possible;
mod tablebase;
mod yardstick;

use std::{collections::HashSet, time::Duration};

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use self::yardstick::{result_of, root_scores, values_of};
use super::{
    testing::{depth, in_full, nodes, position, search, searched, searched_in_full},
    *,
};
use cublino_rules::{
    game::{Game, Player, playout},
    games::{Pur, cublino::Move},
};

const MEBIBYTE: usize = 1 << 20;

/// The most by which rounding may change a value.
const ROUNDED: f64 = 1.001e-4;

fn pur(state: &str) -> Pur {
    position(state)
}

/// The same with two lines: with one, a move that makes progress is preferred to one that is hardly better.
fn two_lines(options: Options) -> Options {
    Options { lines: 2, ..options }
}

/// The content of an analysis except its time.
fn said<M: Copy>(analysis: &Analysis<M>) -> (Vec<Line<M>>, u32, u64, StoppedBy) {
    (analysis.lines.clone(), analysis.depth, analysis.nodes, analysis.stopped_by)
}

/// Positions of random games in which the game goes on, early and late ones.
fn random_positions(count: u64) -> impl Iterator<Item = Pur> {
    (0..count).map(|seed| {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let passed = playout::positions(Pur::default(), 10 + 15 * seed as usize, &mut rng);
        passed.filter(|position| position.stage().outcome().is_none()).last().unwrap()
    })
}

/// Positions shortly before the end of games between players who look one ply ahead.
fn late_positions() -> impl Iterator<Item = Pur> {
    (0..4).flat_map(|seed| {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let opening = playout::positions(Pur::default(), 8, &mut rng).last().unwrap();
        let next = |position: &Pur| {
            let goes_on = position.stage().outcome().is_none();
            goes_on.then(|| position.after(searched(position, depth(1)).best()))
        };
        let passed: Vec<_> = std::iter::successors(Some(opening), next).take(200).collect();
        passed.into_iter().rev().filter(|position| position.stage().outcome().is_none()).take(6)
    })
}

/// White is to move and stays on the move, for Black is stuck.
const BLACK_IS_STUCK: &str = "Pva1vb1vc1vd1ve1vf1Wg1va2Wb2Wc2Wa5Wb5Wc5Wd5";
/// White finishes with g6g7 and has 39 points to none.
const WHITE_FINISHES: &str = "Pva3vb3vc3vd3ve3vf3vg3Wg6Wa7Wb7Wc7Wd7We7Wf7";
/// White could finish, with fewer points than Black's 36.
const WHITE_WOULD_LOSE: &str = "Pva1vb1vc1vd1ve1vf1vg5Ag6Aa7Ab7Ac7Ad7Ae7Af7";

#[test]
fn the_best_value_is_that_of_plain_negamax_also_where_a_player_stays_on_the_move() {
    // Plain negamax to four plies is slow, so this is for positions with few moves.
    for (position, most) in [
        (pur(BLACK_IS_STUCK), 3),
        (pur(WHITE_WOULD_LOSE), 3),
        (Pur::default(), 4),
        (pur("pva7vb7vc7vd7ve7vf7vg7Wa1Wb1Wc1Wd1We1Lf2Wg1"), 4),
    ] {
        for plies in 1..=most {
            let analysis = searched_in_full(&position, two_lines(depth(plies)));
            let wanted = values_of(&position, &root_scores(&position, plies, 2), analysis.nodes);
            assert_eq!(result_of(analysis.lines[0].value), result_of(wanted[0]), "{position} depth {plies}");
        }
    }
}

#[test]
fn a_table_changes_the_work_and_not_the_value() {
    // It holds only without reductions (which depend on the order of the moves, and so on the table), without
    // entries of deeper searches, and without contempt, which depends on the end of the line. From 5,000
    // nodes on, the meaning of a score depends on the number of nodes.
    for position in random_positions(6) {
        let value = |bytes| {
            let mut table = TranspositionTable::new(bytes);
            let (engine, options) = (in_full::<Pur>(), Options { lines: 2, ..depth(3) });
            engine.search(&position, &options, &Control::new(), &mut table, &mut |_| {}).lines[0].value
        };
        let one_bucket = 0;
        assert_eq!(value(one_bucket), value(MEBIBYTE), "{position}");
    }
}

#[test]
fn several_lines_are_the_best_moves_in_order() {
    for position in random_positions(6) {
        let scores = root_scores(&position, 2, 5);
        let Analysis { lines, nodes, .. } = searched(&position, Options { lines: 5, ..depth(2) });
        assert_eq!(lines.len(), scores.len());
        for (line, wanted) in lines.iter().zip(values_of(&position, &scores, nodes)) {
            assert_eq!(result_of(line.value), result_of(wanted), "{position}");
        }
        let mut firsts: Vec<_> = lines.iter().map(|line| line.pv[0]).collect();
        firsts.dedup();
        assert_eq!(firsts.len(), lines.len(), "{position}");
    }
}

#[test]
fn a_line_is_legal_and_as_long_as_the_search_is_deep() {
    for position in random_positions(6) {
        for line in searched(&position, Options { lines: 3, ..depth(3) }).lines {
            let mut passed = position;
            for &m in &line.pv {
                assert!(passed.legal_moves().contains(&m), "{m:?} in {passed}");
                passed = passed.after(m);
            }
            let ended = passed.stage().outcome().is_some();
            assert!(ended || line.pv.len() == 3, "{position}: {:?}", line.pv);
        }
    }
}

#[test]
fn a_win_on_points_in_one_move_is_found_and_proven() {
    let analysis = searched(&pur(WHITE_FINISHES), depth(8));
    assert_eq!(analysis.stopped_by, StoppedBy::Proven);
    assert_eq!(analysis.depth, 1);
    let proven = Some(Proven { result: GameResult::Win, plies: Some(1) });
    assert_eq!((analysis.lines[0].value.expected, analysis.lines[0].value.proven), (1.0, proven));
    let won = pur(WHITE_FINISHES).after(analysis.best());
    assert_eq!(won.stage().outcome().unwrap().winner, Some(Player::One));
}

#[test]
fn a_player_with_fewer_points_does_not_finish() {
    let position = pur(WHITE_WOULD_LOSE);
    let after = position.after(searched(&position, depth(2)).best());
    assert_eq!(after.stage().outcome(), None, "{after}");
}

#[test]
fn all_legal_moves_are_searched_and_listed() {
    // White could bring nothing home but a1; moves at home hold the game up, and are legal.
    for state in
        ["psa1xb1xc1ve1wf1cg1Ga5Ba7fb7Rc7Ud7Ve7Rf7Sg7", "PWa1vb1vc1vd1ve1vf1vg1va2Wb7Wc7Wd7We7Wf7Wg7"]
    {
        let position = pur(state);
        let results: HashSet<_> = position.legal_moves().into_iter().map(|m| position.after(m)).collect();
        let lines = searched(&position, Options { lines: 100, ..depth(3) }).lines;
        assert_eq!(lines.len(), results.len(), "{state}");
    }
}

#[test]
fn a_move_that_loses_is_not_played_because_it_makes_progress() {
    // Jumping to a3 lets Black finish, and win. Black cannot as long as White keeps a1, and White can, by
    // moving to and fro on the far rank.
    for state in
        ["PWa1vb1vc1vd1ve1vf1vg1va2Wb7Wc7Wd7We7Wf7Wg7", "psa1xb1xc1ve1wf1cg1Ga5Ba7fb7Rc7Ud7Ve7Rf7Sg7"]
    {
        let position = pur(state);
        let analysis = searched(&position, depth(4));
        assert!(analysis.lines[0].value.expected > -0.9, "{state}: {analysis:?}");
    }
}

#[test]
fn progress_decides_only_between_moves_of_nearly_equal_value() {
    for position in random_positions(10) {
        let chosen = searched(&position, depth(3)).lines[0].value.expected;
        let best = searched(&position, Options { lines: 100, ..depth(3) }).lines[0].value.expected;
        assert!(chosen > best - 0.1, "{position}: {chosen} and {best}");
    }
}

#[test]
fn the_value_of_a_level_is_without_its_errors() {
    for position in random_positions(10) {
        let all = searched(&position, Options { lines: 100, ..depth(2) }).lines;
        for seed in 0..4 {
            // The second ply is the depth of this level.
            let options = Options { level: Some(Level::try_from(3).unwrap()), seed, ..depth(2) };
            let played = &searched(&position, options).lines[0];
            let after = |line: &Line<_>| position.after(line.pv[0]);
            let honest = all.iter().find(|line| after(line) == after(played)).unwrap();
            // Because of contempt, the search may prefer another reply that is about as good.
            let difference = played.value.expected - honest.value.expected;
            assert!(difference.abs() < 0.05, "{position} {seed}: {played:?}, {honest:?}");
        }
    }
}

#[test]
fn a_position_with_only_a_pass_is_answered_with_it() {
    let position = pur(&BLACK_IS_STUCK.replacen('P', "p", 1));
    let analysis = searched(&position, depth(8));
    assert_eq!(analysis.best(), Move::Pass);
    assert_eq!(analysis.stopped_by, StoppedBy::OnlyMove);
}

#[test]
fn a_proven_result_is_what_the_line_leads_to() {
    let mut proven = 0;
    for position in late_positions() {
        let analysis = searched(&position, nodes(3_000));
        let line = &analysis.lines[0];
        let Some(Proven { result, plies }) = line.value.proven else { continue };
        let end = line.pv.iter().fold(position, |position, &m| position.after(m));
        let outcome = end.stage().outcome().unwrap_or_else(|| panic!("{position} {:?}", line.pv));
        let expected = match result {
            GameResult::Win => 1,
            GameResult::Draw => 0,
            GameResult::Loss => -1,
        };
        assert_eq!(outcome.result_for(position.turn()), expected, "{position}");
        if let Some(plies) = plies {
            assert_eq!(plies as usize, line.pv.len(), "{position}");
        }
        proven += 1;
    }
    assert!(proven > 0);
}

#[test]
fn the_node_limit_is_exact() {
    for limit in [1, 2, 127, 128, 129, 1_000, 5_001] {
        let analysis = searched(&Pur::default(), nodes(limit));
        assert_eq!((analysis.nodes, analysis.stopped_by), (limit, StoppedBy::Nodes));
    }
}

#[test]
fn the_depth_limit_is_exact() {
    for limit in 1..=5 {
        let analysis = searched(&Pur::default(), depth(limit));
        assert_eq!((analysis.depth, analysis.stopped_by), (limit, StoppedBy::Depth));
    }
}

#[test]
fn every_finished_depth_is_reported() {
    let mut depths = Vec::new();
    let mut table = TranspositionTable::new(MEBIBYTE);
    search(&Pur::default(), &depth(4), &Tablebases::none(), &Control::new(), &mut table, &mut |analysis| {
        depths.push(analysis.depth);
    });
    assert_eq!(depths, [1, 2, 3, 4]);
}

#[test]
fn a_search_without_time_answers_with_the_move_that_looks_best() {
    let no_time = Options::new(SearchLimits { time: Some(Duration::ZERO), ..SearchLimits::default() });
    for position in random_positions(4).chain([pur(WHITE_FINISHES)]) {
        let analysis = searched(&position, no_time);
        assert_eq!((analysis.depth, analysis.nodes, analysis.stopped_by), (0, 0, StoppedBy::Time));
        assert!(position.legal_moves().contains(&analysis.best()));
    }
    assert!(searched(&pur(WHITE_FINISHES), no_time).lines[0].value.proven.is_some());
}

#[test]
fn the_stop_flag_ends_a_search() {
    let control = Control::new();
    let mut stop_at_two = |analysis: &Analysis<_>| {
        if analysis.depth == 2 {
            control.stop();
        }
    };
    let limits = SearchLimits::default();
    let mut table = TranspositionTable::new(MEBIBYTE);
    let analysis = search(
        &Pur::default(),
        &Options::new(limits),
        &Tablebases::none(),
        &control,
        &mut table,
        &mut stop_at_two,
    );
    assert_eq!(analysis.stopped_by, StoppedBy::Time);
    assert!(analysis.depth >= 2);
}

#[test]
fn what_the_table_held_before_changes_nothing() {
    let mut used = TranspositionTable::new(MEBIBYTE);
    for position in random_positions(6) {
        for options in [depth(3), nodes(2_000), Options { lines: 3, ..nodes(2_000) }] {
            let answer = |table: &mut TranspositionTable| {
                said(&search(&position, &options, &Tablebases::none(), &Control::new(), table, &mut |_| {}))
            };
            assert_eq!(answer(&mut used), answer(&mut TranspositionTable::new(MEBIBYTE)), "{position}");
        }
    }
}

#[test]
fn levels_play_the_same_with_the_same_seed() {
    let position = random_positions(3).last().unwrap();
    let best = |level, seed| searched(&position, Options { level: Some(level), seed, ..nodes(2_000) }).best();
    for level in Level::all() {
        assert_eq!(best(level, 7), best(level, 7));
    }
    let moves: HashSet<_> = (0..20).map(|seed| best(Level::LOWEST, seed)).collect();
    assert!(moves.len() > 1, "the lowest level errs");
}

#[test]
fn levels_are_the_numbers_from_1_to_8() {
    assert_eq!(Level::all().map(Level::get).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8]);
    for number in [0, 9, u8::MAX] {
        assert_eq!(Level::try_from(number), Err(NotALevel), "{number}");
    }
}

#[test]
fn expected_results_and_scores_go_over_into_each_other() {
    for units in [-2_000, -150, -1, 0, 1, 42, 300, 5_000] {
        let score = Score::new(units);
        assert_eq!(Score::expecting(score.expected()), score);
    }
    assert!((Score::new(600).expected() - 0.5_f64.sqrt()).abs() < 1e-9);
}
