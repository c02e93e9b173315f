//! Comparisons of a played move with the best one, and searches of only some moves or all of them.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::{
    MEBIBYTE,
    all_games::positions,
    depth, nodes, searched,
    yardstick::{move_scores, values_of},
};
use crate::{
    Comparison, Control, DOUBTED_LOSS, GameResult, Line, Options, Playable, RootPosition, SearchLimits,
    StoppedBy, Tablebases, TranspositionTable, Value,
    testing::{compare, in_full, search},
};
use cublino_rules::{
    game::{Game, Stage, playout},
    games::{GameId, Mahbusa},
    with_game,
};

fn compared<G: Playable>(position: &G, played: G::Move, limits: SearchLimits) -> Comparison<G::Move> {
    let mut table = TranspositionTable::new(MEBIBYTE);
    compare(position, played, &limits, &Tablebases::none(), &Control::new(), &mut table)
}

/// A few of the legal moves, from all over the list.
fn some_moves<G: Game>(position: &G) -> Vec<G::Move> {
    let moves = position.legal_moves();
    let step = moves.len().div_ceil(4);
    moves.into_iter().step_by(step).collect()
}

fn laws_hold<G: Playable>() {
    for position in positions::<G>(16) {
        for played in some_moves(&position) {
            let limits = nodes(1_500).limits;
            let found = compared(&position, played, limits);
            let context = format!("{position} {played:?} {found:?}");
            let (best, value) = (found.best.value, found.played.value);
            assert!(best.expected >= value.expected, "{context}");
            assert!((0.0..=best.more_than(&value)).contains(&found.loss), "{context}");
            assert!((1..=found.of).contains(&found.rank), "{context}");
            assert_eq!(found.played.pv[0], played, "{context}");
            assert_eq!(found.lead.is_some(), found.of > 1, "{context}");
            assert!(found.lead.is_none_or(|lead| lead >= 0.0), "{context}");
            assert!(found.nodes <= 1_500 * (1 + G::TUNING.verifying), "{context}");
            let again = compared(&position, played, limits);
            assert_eq!(Comparison { time: found.time, ..again }, found);
        }
    }
}

for_all_games!(a_move_is_never_better_than_the_best_in_any_game: laws_hold);

/// The loss of a move is that of a search of the two moves alone, to the depth that is reported.
fn its_loss_is_of_one_depth<G: Playable>() {
    let mut checked = 0;
    for position in positions::<G>(12) {
        for played in some_moves(&position) {
            let found = compared(&position, played, nodes(1_500).limits);
            let proofs = [&found.best, &found.played].map(|line| line.value.proven.is_some());
            if found.loss < DOUBTED_LOSS || found.stopped_by != StoppedBy::Nodes || proofs != [false; 2] {
                continue;
            }
            let moves = vec![found.best.pv[0], played];
            let root = RootPosition::from(&position).with_moves(moves);
            let options = Options { lines: 2, ..depth(found.depth) };
            let mut table = TranspositionTable::new(MEBIBYTE);
            let both =
                search(root, &options, &Tablebases::none(), &Control::new(), &mut table, &mut |_| {}).lines;
            let context = format!("{position} {played:?} {found:?}");
            assert_eq!([both[0].value, both[1].value], [found.best.value, found.played.value], "{context}");
            assert!((found.loss - both[0].value.more_than(&both[1].value)).abs() < 1e-9, "{context}");
            checked += 1;
        }
    }
    assert!(checked > 0, "{}", G::ABOUT.id);
}

for_all_games!(a_large_loss_is_that_of_a_search_of_the_two_moves_alone: its_loss_is_of_one_depth);

/// Compares moves late in random games, where results are proven.
fn a_proof_blames_no_move_without_need<G: Playable>() {
    let mut seen = [0; 3];
    for seed in 0..300 {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let passed: Vec<_> = playout::positions(G::default(), 400, &mut rng).collect();
        let mut late = passed.iter().rev().filter(|position| position.stage() == Stage::Move);
        let Some(position) = late.nth(seed as usize % 8) else { continue };
        for played in some_moves(position) {
            let found = compared(position, played, nodes(200).limits);
            let context = format!("{position} {played:?} {found:?}");
            let result = |line: &Line<G::Move>| line.value.proven.map(|proven| proven.result);
            let loss = found.best.value.more_than(&found.played.value);
            match [result(&found.best), result(&found.played)] {
                [_, Some(GameResult::Win)] | [Some(GameResult::Loss), _] => {
                    assert!(found.loss <= 0.0, "{context}");
                    seen[0] += 1;
                }
                [Some(_), Some(_)] => {
                    assert!((found.loss - loss).abs() < 1e-9, "{context}");
                    seen[1] += 1;
                }
                [None, None] => assert!((found.loss - loss).abs() < 1e-9, "{context}"),
                // The other one was searched further.
                [Some(_), None] | [None, Some(_)] => {
                    assert!(found.loss <= loss && found.nodes > 200, "{context}");
                    seen[2] += 1;
                }
            }
        }
    }
    assert!(seen[..2].iter().all(|&seen| seen > 0), "{} {seen:?}", G::ABOUT.id);
}

for_all_games!(
    no_winning_move_is_blamed_nor_any_move_of_a_lost_position: a_proof_blames_no_move_without_need
);

/// Plays on as a search suggests where the result is proven, and compares each move with the best.
fn a_proven_result_is_played_without_blame<G: Playable>() {
    let limits = nodes(1_000).limits;
    let mut played = 0;
    for mut position in early_and_late::<G>().take(200) {
        // A proven draw may go on for ever.
        for _ in 0..20 {
            let found = searched(&position, Options::new(limits));
            let [Line { value: Value { proven: Some(_), .. }, pv }] = &found.lines[..] else { break };
            let comparison = compared(&position, pv[0], limits);
            assert!(comparison.loss < 0.1, "{position} {:?} {comparison:?}", pv[0]);
            played += 1;
            position = position.after(pv[0]);
            if position.stage() != Stage::Move {
                break;
            }
        }
    }
    assert!(played > 20, "{}: {played} moves", G::ABOUT.id);
}

#[test]
fn perfect_play_is_not_blamed() {
    for &game in GameId::ALL {
        // With dice, hardly any result is proven before the end.
        with_game!(game, G => if G::ROLLS.is_empty() { a_proven_result_is_played_without_blame::<G>() });
    }
}

/// The environment variable with the number of plies of each game that are ranked; without it a few are.
const RANKED: &str = "CUBLINO_RANKED_PLIES";

/// Positions of random games, one of each, early and late ones.
fn early_and_late<G: Playable>() -> impl Iterator<Item = G> {
    (0..).filter_map(|seed| {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let passed = playout::positions(G::default(), 4 + 5 * (seed % 16) as usize, &mut rng);
        passed.last().filter(|position| position.stage() == Stage::Move)
    })
}

/// Checks the rank against the better moves in a search for all lines, at the depth of the ranking.
fn the_rank_is_the_place_among_all_lines<G: Playable>(plies: usize) {
    let (tablebases, mut table) = (Tablebases::built_in(), TranspositionTable::new(MEBIBYTE));
    let (mut ranked, mut not_best) = (0, 0);
    for position in early_and_late::<G>() {
        for played in some_moves(&position) {
            let limits = nodes(if ranked % 2 == 0 { 1_500 } else { 9_000 }).limits;
            let found = compare(&position, played, &limits, &tablebases, &Control::new(), &mut table);
            if found.rank_depth == 0 && found.stopped_by != StoppedBy::Database {
                continue;
            }
            let options = Options { lines: usize::MAX, ..depth(found.rank_depth.max(1)) };
            let all = search(&position, &options, &tablebases, &Control::new(), &mut table, &mut |_| {});
            let after = position.after(played);
            let same = all.lines.iter().find(|line| position.after(line.pv[0]) == after).unwrap();
            let more = all.lines.iter().filter(|line| line.value.expected > same.value.expected).count();
            let context = format!("{position} {played:?} {found:?}");
            assert_eq!((found.rank, found.of), (more + 1, all.lines.len()), "{context}");
            assert_eq!(found.rank_depth, all.depth, "{context}");
            not_best += usize::from(found.rank > 1);
            ranked += 1;
        }
        if ranked >= plies {
            break;
        }
    }
    println!("{}: {ranked} plies ranked, {not_best} of them not best", G::ABOUT.id);
    assert!(2 * not_best > ranked, "{}: {not_best} of {ranked}", G::ABOUT.id);
}

#[test]
fn the_rank_is_what_a_suggestion_of_all_lines_at_that_depth_says() {
    let plies = std::env::var(RANKED).map_or(24, |plies| plies.parse().expect("a number of plies"));
    for &game in GameId::ALL {
        with_game!(game, G => the_rank_is_the_place_among_all_lines::<G>(plies));
    }
}

/// Asserts that a comparison agrees with plain negamax of the same depth about both moves.
fn agrees_with_plain_negamax<G: Playable>() {
    let plies = if G::ROLLS.is_empty() { 2 } else { 1 };
    for position in positions::<G>(12).filter(|position| position.count_moves() > 1) {
        let scores = move_scores(&position, &std::collections::HashSet::new(), plies);
        for played in some_moves(&position) {
            let mut table = TranspositionTable::new(MEBIBYTE);
            let limits = depth(plies).limits;
            let found = in_full::<G>().compare(&position, played, &limits, &Control::new(), &mut table);
            let wanted = values_of(&position, &scores, found.nodes);
            let of_played = scores.iter().find(|&&(other, _)| other == played).unwrap();
            let of_played = values_of(&position, &[*of_played], found.nodes)[0];
            let alike = |value: Value, wanted: Value| (value.expected - wanted.expected).abs() < 1e-9;
            let context = format!("{position} {played:?} {found:?}");
            assert!(found.rank_depth == plies || found.best.value.proven.is_some(), "{context}");
            if found.rank_depth == plies && G::DISTINCT_MOVES {
                let better = |value: &&Value| value.expected > of_played.expected;
                assert_eq!(found.rank, 1 + wanted.iter().filter(better).count(), "{context}");
            }
            // A large loss and a proof are verified more deeply.
            if found.depth == plies {
                assert!(alike(found.best.value, wanted[0]), "{context}");
                assert!(alike(found.played.value, of_played), "{context}");
            } else if found.best.value.proven.or(found.played.value.proven).is_none() {
                assert!(wanted[0].more_than(&of_played) >= DOUBTED_LOSS, "{context}");
            }
        }
    }
}

for_all_games!(both_values_and_the_place_are_those_of_plain_negamax: agrees_with_plain_negamax);

fn only_some_are_searched<G: Playable>() {
    for position in positions::<G>(12) {
        let all = searched(&position, Options { lines: usize::MAX, ..depth(1) }).lines;
        let legal = position.legal_moves();
        assert!(all.len() <= legal.len(), "{position}");
        let moves = some_moves(&position);
        let root = RootPosition::from(&position).with_moves(moves.clone());
        let mut table = TranspositionTable::new(MEBIBYTE);
        let options = Options { lines: usize::MAX, ..depth(1) };
        let searched =
            search(root, &options, &Tablebases::none(), &Control::new(), &mut table, &mut |_| {}).lines;
        assert!(!searched.is_empty() && searched.len() <= moves.len(), "{position}");
        for line in searched {
            assert!(moves.contains(&line.pv[0]), "{position} {line:?}");
            let after = position.after(line.pv[0]);
            let same = all.iter().find(|other| position.after(other.pv[0]) == after).unwrap();
            assert!((same.value.expected - line.value.expected).abs() < 1e-9, "{position} {line:?}");
        }
    }
}

for_all_games!(only_the_moves_asked_for_are_searched_and_their_values_are_the_same: only_some_are_searched);

#[test]
fn a_move_is_told_as_it_was_asked_for() {
    // Plays that lead to the same position are listed once each.
    let position: Mahbusa = super::position("M11-o8AAAAAAAAAAAAAAA");
    let moves = position.legal_moves();
    for &m in moves.iter().step_by(97) {
        let root = RootPosition::from(&position).with_moves(vec![m]);
        let mut table = TranspositionTable::new(MEBIBYTE);
        let analysis = search(root, &depth(1), &Tablebases::none(), &Control::new(), &mut table, &mut |_| {});
        assert_eq!(analysis.best(), m);
        assert_eq!(compared(&position, m, depth(1).limits).played.pv[0], m);
    }
}
