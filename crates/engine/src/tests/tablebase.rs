//! Searches with tablebases.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
};

use rand::{SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64Mcg;

use super::*;
use crate::{
    playable::possible,
    tablebase::{RootProbe, Tablebase, TablebaseValue, probe_root, wari::Endgames},
    testing::searched_with,
    transposition_table::key,
};
use cublino_rules::{
    game::{Outcome, Stage},
    games::{Mahbusa, Wari},
};

/// The most marbles in the tablebase of these tests.
const MARBLES: u8 = 5;

static TABLEBASES: LazyLock<Tablebases> = LazyLock::new(|| Endgames::build(MARBLES, 1, &mut |_| {}).into());

fn known<G: Playable>(position: &G, options: Options) -> Analysis<G::Move> {
    searched_with(&TABLEBASES, position, options)
}

fn in_cups(position: &Wari) -> u8 {
    Player::ALL.map(|player| position.row(player).total()).iter().sum()
}

fn after(position: &Wari) -> Vec<Wari> {
    position.legal_moves().into_iter().map(|m| position.after(m)).collect()
}

/// All positions that follow from some, these included.
fn all_from(positions: impl IntoIterator<Item = Wari>) -> HashSet<Wari> {
    let mut open: Vec<_> = positions.into_iter().collect();
    let mut found: HashSet<_> = open.iter().copied().collect();
    while let Some(position) = open.pop() {
        if position.stage() == Stage::Move {
            open.extend(after(&position).into_iter().filter(|&next| found.insert(next)));
        }
    }
    found
}

/// The positions in games that were played for the fixtures with few enough marbles.
fn fixtures(marbles: u8) -> impl Iterator<Item = Wari> {
    let lines = include_str!("../../../../tests/fixtures/wari.jsonl").lines();
    let states = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["state"].clone());
    let positions = states.map(|state| position::<Wari>(state.as_str().unwrap()));
    positions.filter(move |position| position.stage() == Stage::Move && in_cups(position) <= marbles)
}

/// The winner of each position that is won, and in how many plies, by plain iteration with one ply more each
/// time: without tables, from the rules alone.
fn wins(positions: &HashSet<Wari>) -> HashMap<Wari, (Player, u32)> {
    let mut wins = HashMap::new();
    let over = |position: &Wari| position.stage().outcome().map(|Outcome { winner, .. }| winner);
    for position in positions {
        if let Some(Some(winner)) = over(position) {
            wins.insert(*position, (winner, 0));
        }
    }
    for plies in 1.. {
        let mut found = Vec::new();
        for position in
            positions.iter().filter(|position| !wins.contains_key(position) && over(position).is_none())
        {
            let turn = position.turn();
            let next: Vec<_> =
                after(position).iter().map(|next| wins.get(next).map(|&(winner, _)| winner)).collect();
            if next.contains(&Some(turn)) {
                found.push((*position, (turn, plies)));
            } else if next.iter().all(|&winner| winner == Some(!turn)) {
                found.push((*position, (!turn, plies)));
            }
        }
        if found.is_empty() {
            return wins;
        }
        wins.extend(found);
    }
    unreachable!("some number of plies brings nothing new")
}

#[test]
fn what_is_proven_is_what_playing_everything_out_gives() {
    let starts = fixtures(3).chain([
        position("W-0-0-1-0-1-0-0-0-0-1-1-0-22-22"),
        position("w-1-0-0-0-0-1-0-0-2-0-0-0-23-21"),
        position("W-0-0-0-2-0-0-1-0-0-0-1-0-20-24"),
    ]);
    let positions = all_from(starts);
    let wins = wins(&positions);
    let (mut proven, mut uncounted) = ([0; 3], 0);
    // One of eight is enough.
    let some = positions.iter().filter(|position| key(position).is_multiple_of(8));
    for position in some.filter(|position| position.stage() == Stage::Move) {
        let analysis = known(position, depth(1));
        let line = &analysis.lines[0];
        if let Some(&(winner, _)) = wins.get(position) {
            let possible = possible(position, Wari::tablebase(&TABLEBASES));
            assert!(possible.contains(&if winner == position.turn() { 1 } else { -1 }), "{position}");
        }
        match (line.value.proven, wins.get(position)) {
            (Some(Proven { result: GameResult::Draw, plies: None }), None) => proven[1] += 1,
            (Some(found), Some(&(winner, plies))) => {
                let result = if winner == position.turn() { GameResult::Win } else { GameResult::Loss };
                assert_eq!(found, Proven { result, plies: Some(plies) }, "{position}");
                assert_eq!(plies as usize, line.pv.len(), "{position}");
                proven[if result == GameResult::Win { 0 } else { 2 }] += 1;
            }
            // A player who is far ahead wins, but the other can delay the end for ever.
            (Some(Proven { plies: None, .. }), None) => uncounted += 1,
            (None, None) => assert_ne!(analysis.stopped_by, StoppedBy::Database, "{position}"),
            (found, expected) => panic!("{position}: {found:?} instead of {expected:?}"),
        }
        let end = line.pv.iter().fold(*position, |position, &m| position.after(m));
        if let Some(Proven { result, plies: Some(_) }) = line.value.proven {
            let outcome = end.stage().outcome().unwrap();
            assert_eq!(GameResult::of(outcome.result_for(position.turn())), result, "{position}");
        }
    }
    assert!(proven.iter().all(|&count| count > 10) && uncounted > 10, "{proven:?} {uncounted}");
}

#[test]
fn a_search_without_a_tablebase_proves_nothing_else() {
    let mut compared = 0;
    for position in fixtures(MARBLES).step_by(4) {
        let (known, unknown) = (known(&position, depth(1)), searched(&position, nodes(2_000)));
        let proven = [&known, &unknown].map(|analysis| analysis.lines[0].value.proven);
        if let [Some(known), Some(unknown)] = proven {
            assert_eq!(known.result, unknown.result, "{position}");
            compared += 1;
        }
    }
    assert!(compared > 5, "{compared}");
}

#[test]
fn who_plays_as_the_database_says_gets_what_it_promises() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for start in fixtures(MARBLES).step_by(4) {
        let analysis = known(&start, depth(1));
        let line = &analysis.lines[0];
        let Some(Proven { result, plies }) = line.value.proven else { continue };
        if plies.is_none() && result != GameResult::Draw || analysis.depth > 0 {
            continue;
        }
        let plies = line.pv.len() as u32;
        let mut position = start;
        let mut played = 0;
        while position.stage() == Stage::Move {
            let m = if position.turn() == start.turn() || result == GameResult::Loss {
                known(&position, depth(1)).best()
            } else {
                *position.legal_moves().choose(&mut rng).unwrap()
            };
            position = position.after(m);
            played += 1;
        }
        let outcome = GameResult::of(position.stage().outcome().unwrap().result_for(start.turn()));
        match result {
            GameResult::Win => assert!(outcome == result && played <= plies, "{start} {played}"),
            GameResult::Draw => assert_ne!(outcome, GameResult::Loss, "{start}"),
            GameResult::Loss => assert!(outcome == result && played == plies, "{start} {played}"),
        }
    }
}

#[test]
fn every_wanted_line_is_answered_and_the_best_comes_first() {
    let mut several = 0;
    for position in fixtures(4) {
        let analysis = known(&position, Options { lines: 10, ..depth(1) });
        if analysis.stopped_by != StoppedBy::Database {
            continue;
        }
        let expected: Vec<_> = analysis.lines.iter().map(|line| line.value.expected).collect();
        assert!(expected.is_sorted_by(|a, b| a >= b), "{position} {expected:?}");
        assert_eq!(analysis.lines.len(), position.count_moves(), "{position}");
        several += usize::from(expected.len() > 1);
    }
    assert!(several > 0);
}

#[test]
fn the_first_of_several_lines_tells_plies_only_once_those_of_all_wins_are_counted() {
    // Cup 9 wins in four plies, and cup 7, which is counted first, in six.
    let position: Wari = position("w-0-0-0-0-1-1-1-0-1-0-0-0-13-31");
    for limit in 1..100 {
        let analysis = known(&position, Options { lines: 3, ..nodes(limit) });
        if let Some(Proven { plies: Some(plies), .. }) = analysis.lines[0].value.proven {
            assert_eq!((plies, analysis.lines[0].pv.len()), (4, 4), "{limit}: {analysis:?}");
        }
    }
}

#[test]
fn what_hinges_on_endless_play_is_not_proven() {
    // Both can go round for ever, and neither can be made to stop.
    let position: Wari = position("W-0-1-0-0-1-0-0-0-0-1-0-0-23-22");
    let analysis = known(&position, depth(20));
    assert_eq!(analysis.lines[0].value.proven, None, "{analysis:?}");
    assert_ne!(analysis.stopped_by, StoppedBy::Database);
}

#[test]
fn a_capture_that_leads_to_a_known_win_is_found_and_ends_the_search() {
    let larger = Endgames::build(MARBLES + 3, 1, &mut |_| {});
    let mut found = 0;
    for position in fixtures(MARBLES + 3).filter(|position| in_cups(position) > MARBLES).step_by(4) {
        let analysis = known(&position, nodes(5_000));
        if analysis.stopped_by != StoppedBy::Database {
            continue;
        }
        let expected = match larger.probe(&position) {
            Some(TablebaseValue::Exact { result: GameResult::Win, .. }) => 1.0,
            Some(TablebaseValue::Exact { result: GameResult::Draw, .. }) => 0.0,
            Some(TablebaseValue::Exact { result: GameResult::Loss, .. }) => -1.0,
            other => panic!("{position}: {other:?}"),
        };
        assert!((analysis.lines[0].value.expected - expected).abs() < 1e-9, "{position}");
        found += 1;
    }
    assert!(found > 0);
}

/// A tablebase that answers only a few times, like one whose file is damaged during a search.
struct Lost {
    answers_left: AtomicU32,
}

impl Tablebase<Wari> for Lost {
    fn probe(&self, position: &Wari) -> Option<TablebaseValue> {
        let left =
            self.answers_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        left.ok().and_then(|_| TABLEBASES.wari().unwrap().probe(position))
    }
}

#[test]
fn a_tablebase_that_is_lost_while_it_is_probed_proves_nothing_false() {
    let evaluator = Engine::built_in::<Wari>(Tablebases::none()).evaluator;
    let limits = SearchLimits { nodes: Some(2_000), ..SearchLimits::default() };
    let (control, mut found) = (Control::new(), 0);
    for position in fixtures(MARBLES).step_by(16) {
        let probe = |answers, lines| {
            let tablebase = Lost { answers_left: AtomicU32::new(answers) };
            probe_root(&position, &evaluator, &tablebase, lines, &limits, &control).1
        };
        let result = TABLEBASES.wari().unwrap().probe(&position).and_then(TablebaseValue::result);
        for answers in (0..40).chain((40..400).step_by(20)) {
            match probe(answers, 1) {
                None => {}
                Some(RootProbe::Lines(lines)) => {
                    let proven = lines[0].value.proven.map(|proven| proven.result);
                    assert!(proven.is_none() || proven == result, "{position} after {answers}: {proven:?}");
                    found += 1;
                }
                Some(RootProbe::Keeping(kept, moves)) => {
                    assert!(Some(kept) == result && !moves.is_empty(), "{position} after {answers}");
                    found += 1;
                }
            }
            drop(probe(answers, 10));
        }
    }
    assert!(found > 0);
}

#[test]
fn levels_know_nothing_but_the_rules() {
    let position = fixtures(4).next().unwrap();
    let options = Options { level: Some(Level::HIGHEST), ..nodes(500) };
    assert_ne!(known(&position, options).stopped_by, StoppedBy::Database);
}

#[test]
fn a_race_is_answered_with_the_expected_result() {
    // White has both on A after 21, and Black then bears off or not.
    let analysis = known(&position::<Mahbusa>("M21-1B19aaa"), depth(3));
    assert_eq!(analysis.stopped_by, StoppedBy::Database);
    let first: Mahbusa = position("M21-1B19aaa");
    let best = analysis.lines[0].value.expected;
    let lines = known(&first, Options { lines: 10, ..depth(3) }).lines;
    assert_eq!(lines.len(), first.count_moves());
    assert!(lines.iter().all(|line| line.value.expected <= best && line.value.proven.is_none()));
}
