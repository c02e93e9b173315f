//! Searches with the history of the game.

use std::collections::{HashMap, HashSet};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{
    MEBIBYTE, depth, nodes, position, searched_in_full, two_lines,
    yardstick::{move_scores, values_of},
};
use crate::{
    Analysis, Control, Engine, GameResult, Options, Playable, Proven, RootPosition, Tablebases, Techniques,
    TranspositionTable, Value,
    history::GameHistory,
    techniques::Technique,
    testing::{compare, evaluate, search},
};
use cublino_rules::{
    game::{Game, Notation, Record, Stage, playout},
    games::{Contra, Ecke, GameId, Pur, Wari},
    with_game,
};

/// A limit on repetition, as players agree on it.
const LIMIT: u32 = 3;

/// The positions of a random game in which both sides like to wait, so that positions occur again.
fn waiting_game<G: Playable>(start: G, seed: u64, plies: usize) -> Vec<G> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut passed = vec![start];
    while passed.len() <= plies && passed[passed.len() - 1].stage() == Stage::Move {
        let position = passed[passed.len() - 1];
        let moves = position.legal_moves();
        let waiting: Vec<_> =
            moves.iter().copied().filter(|&m| position.after(m).may_come_back_to(&position)).collect();
        let among = if waiting.is_empty() || rng.random_ratio(1, 8) { moves } else { waiting };
        // Moves to and fro, so that positions occur twice.
        let back = among.iter().find(|&&m| passed.iter().rev().take(8).any(|p| *p == position.after(m)));
        let m = match back {
            Some(&back) if rng.random_ratio(2, 3) => back,
            _ => among[rng.random_range(..among.len())],
        };
        passed.push(position.after(m));
    }
    passed
}

/// How often each position occurred.
fn counted<G: Game>(passed: &[G]) -> HashMap<G, u32> {
    let mut counts = HashMap::new();
    for &position in passed {
        *counts.entry(position).or_default() += 1;
    }
    counts
}

/// The root of a search from the last position of a game.
fn root<G: Playable>(passed: &[G], limit: Option<u32>) -> RootPosition<G> {
    let position = passed[passed.len() - 1];
    let counts = counted(passed);
    let occurrences = counts.iter().map(|(position, &count)| (position, count));
    RootPosition::new(position, GameHistory::new(&position, occurrences, limit))
}

fn searched<G: Playable>(root: RootPosition<G>, options: Options) -> Analysis<G::Move> {
    let mut table = TranspositionTable::new(MEBIBYTE);
    search(root, &options, &Tablebases::none(), &Control::new(), &mut table, &mut |_| {})
}

/// Games in which both sides wait, from early and from late positions.
fn waiting_games<G: Playable>(count: u64) -> impl Iterator<Item = Vec<G>> {
    (0..count).filter_map(|seed| {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let plies = rng.random_range(0..60);
        let passed: Vec<G> =
            cublino_rules::game::playout::positions(G::default(), plies + 1, &mut rng).collect();
        let start = passed.into_iter().rfind(|position| position.stage() == Stage::Move)?;
        let passed = waiting_game(start, seed, 24);
        (passed[passed.len() - 1].stage() == Stage::Move).then_some(passed)
    })
}

fn agrees_with_plain_negamax<G: Playable>(games: impl Iterator<Item = Vec<G>>) {
    let mut different = 0;
    for passed in games {
        let position = passed[passed.len() - 1];
        if position.stage() != Stage::Move || position.count_moves() < 2 {
            continue;
        }
        let ends = |(&position, &count): (&G, &u32)| {
            let is_over = count + 1 >= LIMIT || position.outcome_if_repeated().is_some();
            is_over.then_some(position)
        };
        let occurred: HashSet<G> = counted(&passed).iter().filter_map(ends).collect();
        for plies in 1..=3 {
            let scores = move_scores(&position, &occurred, plies);
            let best = scores[0].1;
            let without = move_scores(&position, &HashSet::new(), plies)[0].1;
            different += usize::from(best != without);
            let analysis = searched_in_full(root(&passed, Some(LIMIT)), two_lines(depth(plies)));
            let (found, wanted) =
                (analysis.lines[0].value, values_of(&position, &scores[..2], analysis.nodes)[0]);
            assert!((found.expected - wanted.expected).abs() < 1e-9, "{position} depth {plies}: {passed:?}");
            if best.is_win() || best.is_loss() {
                assert_eq!(found, wanted, "{position} depth {plies}: {passed:?}");
            }
        }
    }
    assert!(different > 0, "{}: the history changed {different} values", G::ABOUT.id);
}

#[test]
fn the_best_value_with_a_history_is_that_of_plain_negamax() {
    agrees_with_plain_negamax::<Pur>(waiting_games(100));
    agrees_with_plain_negamax::<Contra>(waiting_games(60));
    agrees_with_plain_negamax::<Ecke>(waiting_games(60));
    agrees_with_plain_negamax::<Wari>(late_games_of_wari(400));
}

/// Asserts that `may_come_back_to` holds at every position between two occurrences of a position.
fn positions_that_occur_again_could<G: Playable>(games: impl Iterator<Item = Vec<G>>) {
    let mut again = 0;
    for passed in games {
        for (i, earlier) in passed.iter().enumerate() {
            let Some(last) = passed.iter().rposition(|position| position == earlier) else { continue };
            again += usize::from(last > i);
            for between in &passed[i..=last] {
                assert!(between.may_come_back_to(earlier), "{between} to {earlier}");
            }
        }
    }
    let start = G::default();
    assert!(again > 0 || !G::ROLLS.is_empty() || !start.may_come_back_to(&start), "{}", G::ABOUT.id);
}

#[test]
fn no_position_comes_again_that_is_said_not_to() {
    for &game in GameId::ALL {
        if game != GameId::Wari {
            with_game!(game, G => positions_that_occur_again_could::<G>(waiting_games(200)));
        }
    }
    positions_that_occur_again_could::<Wari>(late_games_of_wari(100));
}

/// Games of Wari with four marbles in the cups, in which nobody captures as long as that can be avoided.
fn late_games_of_wari(count: u64) -> impl Iterator<Item = Vec<Wari>> {
    (0..count).filter_map(|seed| {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut cups = [0; 12];
        for _ in 0..4 {
            cups[rng.random_range(..cups.len())] += 1;
        }
        let state = format!("W-{}-22-22", cups.map(|count: u8| count.to_string()).join("-"));
        let start = Wari::read(&state).ok().filter(|start| start.stage() == Stage::Move)?;
        Some(waiting_game(start, seed, rng.random_range(1..80)))
    })
}

/// A position in which the side to move is far behind, but may wait, and one in which it is far ahead.
const BEHIND: &str = "CWa2We1va3vg3vf3ve3";
const AHEAD: &str = "CWa2We1Wg1Wf2Wc3vg5";

/// The root with a history in which the position after the waiting move has occurred `times` times.
fn with_repetition(state: &str, waiting: &str, times: u32) -> RootPosition<Contra> {
    let position: Contra = position(state);
    let mut record = Record::new(position, None);
    let next = record.play(waiting).unwrap().position;
    let occurrences = [(&position, 1), (&next, times)];
    RootPosition::new(position, GameHistory::new(&position, occurrences, Some(LIMIT)))
}

#[test]
fn who_is_behind_takes_a_third_occurrence_and_who_is_ahead_avoids_it() {
    let spelled = |state, times| {
        let root = with_repetition(state, "e1d1", times);
        let position = root.position;
        let analysis = searched(root, two_lines(depth(5)));
        (position.spell(analysis.best()).to_string(), analysis.lines[0].value)
    };
    let (best, value) = spelled(BEHIND, 2);
    assert_eq!((best.as_str(), value.expected.abs() < f64::EPSILON), ("e1d1", true), "{value:?}");
    let (best, value) = spelled(AHEAD, 2);
    assert!(best != "e1d1" && value.expected > 0.1, "{best} {value:?}");
}

#[test]
fn a_draw_by_repetition_is_proven_for_the_move() {
    let analysis = searched(with_repetition(BEHIND, "e1d1", 2), Options { lines: 100, ..depth(2) });
    let position: Contra = position(BEHIND);
    for line in analysis.lines {
        let ends = position.spell(line.pv[0]).to_string() == "e1d1";
        assert_eq!(
            line.value.proven == Some(Proven { result: GameResult::Draw, plies: None }),
            ends,
            "{line:?}"
        );
    }
    // The position may be worth more.
    let root = with_repetition(BEHIND, "e1d1", 2);
    let (limits, mut table) = (depth(2).limits, TranspositionTable::new(MEBIBYTE));
    let value = evaluate(root, &limits, &Tablebases::none(), &Control::new(), &mut table).value;
    assert_eq!((value.proven, value.chances.loss), (None, 0.0), "{value:?}");
}

#[test]
fn a_return_to_a_position_is_no_draw_before_the_limit() {
    // Black is lost, and cannot save itself by going back to where it was.
    for limit in [None, Some(3), Some(10)] {
        let mut record = Record::new(position::<Contra>("CWa5vg7"), limit);
        for m in ["a5b5", "g7f7", "b5a5"] {
            record.play(m).unwrap();
        }
        let (limits, mut table) = (depth(8).limits, TranspositionTable::new(MEBIBYTE));
        let (none, control) = (Tablebases::none(), Control::new());
        let found = evaluate(RootPosition::from(&record), &limits, &none, &control, &mut table);
        assert_eq!(found.value.proven.map(|proven| proven.result), Some(GameResult::Loss), "{limit:?}");
        let m = record.position().legal_moves()[0];
        let compared = compare(RootPosition::from(&record), m, &limits, &none, &control, &mut table);
        assert_eq!(compared.best.value.expected.to_bits(), (-1.0_f64).to_bits(), "{limit:?}");
    }
}

/// How often, in games of a search against itself, a move comes back to a position that has occurred. The
/// value of a line that does so is a draw, without contempt.
fn returns_in_ecke(techniques: Techniques) -> usize {
    let engine = Engine { techniques, ..Engine::built_in::<Ecke>(Tablebases::none()) };
    let (mut table, mut returns) = (TranspositionTable::new(MEBIBYTE), 0);
    for seed in 0..10 {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let opening = playout::positions(Ecke::default(), 8, &mut rng).last().unwrap();
        let (mut record, mut passed) = (Record::new(opening, Some(LIMIT)), HashSet::new());
        for _ in 0..150 {
            if record.stage() != Stage::Move {
                break;
            }
            let (root, position) = (RootPosition::from(&record), *record.position());
            let found = engine.search(root, &nodes(500), &Control::new(), &mut table, &mut |_| {});
            let line = &found.lines[0];
            // Only play with contempt counts a return to what occurred before the search.
            let counted = if techniques.has(Technique::Progress) { passed.clone() } else { HashSet::new() };
            let (mut end, mut before) = (position, counted);
            for &m in &line.pv {
                before.insert(end);
                end = end.after(m);
            }
            // At its horizon a search does not check the history.
            if before.contains(&end) && line.pv.len() < found.depth as usize {
                assert!(line.value.expected.abs() < f64::EPSILON, "{position} {line:?}");
            }
            passed.insert(position);
            record.play(&position.spell(found.best()).to_string()).unwrap();
            returns += usize::from(passed.contains(record.position()));
        }
    }
    returns
}

#[test]
fn who_plays_ecke_seldom_comes_back_to_a_position() {
    let calm = Techniques::default().without(Technique::Progress);
    let [with, without] = [Techniques::default(), calm].map(returns_in_ecke);
    assert!(10 * with < without, "{with} {without}");
}

/// How many games of a search against itself are over within so many plies, other than by repetition.
fn ended_games<G: Playable + Notation>(techniques: Techniques, plies: u32) -> usize {
    let engine = Engine { techniques, ..Engine::built_in::<G>(Tablebases::none()) };
    let mut table = TranspositionTable::new(MEBIBYTE);
    let is_ended = |&seed: &u64| {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let opening = playout::positions(G::default(), 8, &mut rng).last().unwrap();
        let mut record = Record::new(opening, Some(LIMIT));
        for _ in 0..plies {
            if record.stage() != Stage::Move {
                break;
            }
            let found = engine.search(
                RootPosition::from(&record),
                &nodes(200),
                &Control::new(),
                &mut table,
                &mut |_| {},
            );
            record.play(&record.position().spell(found.best()).to_string()).unwrap();
        }
        record.position().stage().outcome().is_some()
    };
    (0..40).filter(is_ended).count()
}

#[test]
fn who_plays_pur_does_not_wait_for_ever() {
    let calm = Techniques::default().without(Technique::Progress);
    let [with, without] = [Techniques::default(), calm].map(|played| ended_games::<Pur>(played, 150));
    assert!(with > 20 && with > without, "{with} {without}");
}

/// Asserts that the value of the move that is played is its value without contempt.
fn values_are_without_contempt<G: Playable>() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for position in playout::positions(G::default(), 60, &mut rng) {
        if position.stage() == Stage::Move {
            let [played, all] = [1, usize::MAX]
                .map(|lines| searched(RootPosition::from(&position), Options { lines, ..depth(1) }).lines);
            let same = all.iter().find(|line| line.pv == played[0].pv).expect("all moves are there");
            assert_eq!(played[0].value.expected.to_bits(), same.value.expected.to_bits(), "{position}");
        }
    }
}

#[test]
fn a_value_is_answered_without_contempt() {
    values_are_without_contempt::<Pur>();
    values_are_without_contempt::<Ecke>();
    values_are_without_contempt::<Wari>();
}

/// Asserts that moves which draw the game at once are proven draws.
fn moves_that_end_the_game_are_exact<G: Playable>(games: impl Iterator<Item = Vec<G>>) {
    let mut draws = 0;
    for passed in games {
        let root = root(&passed, Some(2));
        let position = root.position;
        let history = root.history.clone();
        for line in searched(root, Options { lines: usize::MAX, ..nodes(500) }).lines {
            let next = position.after(line.pv[0]);
            if history.is_draw(&next) {
                assert_eq!(line.value, Value::exact(GameResult::Draw, None), "{position} {:?}", line.pv);
                draws += 1;
            }
        }
    }
    assert!(draws > 10, "{}: {draws}", G::ABOUT.id);
}

#[test]
fn a_move_that_draws_at_once_is_a_proven_draw() {
    let mut record = Record::new(position::<Ecke>("ejd2oe2ea3Hg3Dg5Og6"), Some(2));
    for m in ["e2f2", "g6f6", "f2e2", "f6e6", "e2f2"] {
        record.play(m).unwrap();
    }
    let root = RootPosition::from(&record);
    let lines = searched(root, Options { lines: 1_000, ..nodes(500) }).lines;
    let drawn = lines.iter().find(|line| record.position().spell(line.pv[0]).to_string() == "e6f6");
    assert_eq!(drawn.unwrap().value, Value::exact(GameResult::Draw, None));
    moves_that_end_the_game_are_exact::<Pur>(waiting_games(120));
    moves_that_end_the_game_are_exact::<Contra>(waiting_games(60));
    moves_that_end_the_game_are_exact::<Ecke>(waiting_games(60));
}

#[test]
fn in_wari_the_position_that_occurs_again_has_the_result_that_the_rules_give_it() {
    let mut results = HashSet::new();
    for passed in waiting_games::<Wari>(200) {
        let present = passed[passed.len() - 1];
        let moves = present.legal_moves();
        for &m in &moves {
            let next = present.after(m);
            if next.stage() != Stage::Move {
                continue;
            }
            let history = GameHistory::new(&present, [(&present, 1), (&next, 1)], None);
            let outcome = next.outcome_if_repeated().unwrap();
            if !present.may_come_back_to(&next) {
                assert!(history.is_empty(), "{present} {next}");
                continue;
            }
            let root = RootPosition::new(present, history).with_moves(vec![m]);
            let line = searched(root, depth(3)).lines.remove(0);
            let result = match outcome.result_for(present.turn()) {
                1 => Proven { result: GameResult::Win, plies: Some(1) },
                0 => Proven { result: GameResult::Draw, plies: None },
                _ => Proven { result: GameResult::Loss, plies: Some(1) },
            };
            assert_eq!((line.value.proven, line.pv), (Some(result), vec![m]), "{present} {next}");
            results.insert(result.result);
        }
    }
    assert_eq!(results.len(), 3);
}

fn a_game_without_moves_is_a_bare_position<G: Playable + Notation>() {
    for passed in waiting_games::<G>(10) {
        let position = passed[passed.len() - 1];
        let root = RootPosition::from(&Record::new(position, Some(LIMIT)));
        assert!(root.history.is_empty() && root.ended.is_none(), "{position}");
    }
}

for_all_games!(
    a_game_without_moves_is_searched_as_its_position_in_every_game: a_game_without_moves_is_a_bare_position
);

#[test]
fn a_game_that_is_over_by_repetition_is_over_for_the_search() {
    let mut record = Record::new(position::<Contra>(BEHIND), Some(2));
    for m in ["e1d1", "e3d3", "d1e1", "d3e3"] {
        assert_eq!(RootPosition::from(&record).stage(), Stage::Move);
        record.play(m).unwrap();
    }
    let stage = RootPosition::from(&record).stage();
    assert!(stage.outcome().is_some_and(|outcome| outcome.winner.is_none()), "{stage:?}");
}
