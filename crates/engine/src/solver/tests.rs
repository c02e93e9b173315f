//! The solver against an exhaustive search.

use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64Mcg;

use super::*;
use crate::{
    Control, GameResult, Playable, Proven, SearchLimits, StoppedBy,
    testing::{nodes, position, searched},
    tests::exhaustive::Exhaustive,
};
use cublino_rules::{
    game::{Game, Player, Stage},
    games::{Contra, Ecke, Pur},
};

/// The plies of the shortest win that a player can force, at most `plies`.
fn shortest<G: Game>(position: &G, attacker: Player, plies: u32) -> Option<u32> {
    let mut exhaustive = Exhaustive::new();
    (0..=plies).find(|&plies| exhaustive.forces(position, attacker, plies).expect("it is within the budget"))
}

/// Asserts that solver, bounds and sure wins agree with a plain search of `plies` plies. Returns the number
/// of wins.
fn assert_agrees<G: Playable>(position: &G, plies: u32) -> usize {
    let control = Control::new();
    let mut wins = 0;
    for attacker in Player::ALL {
        let shortest = shortest(position, attacker, plies);
        wins += usize::from(shortest.is_some());
        let within = shortest.unwrap_or(u32::MAX);
        if position.stage() == Stage::Move {
            let fewest = position.fewest_plies(attacker);
            assert!(fewest <= within, "{position}: {attacker:?} needs {fewest}, and wins in {within}");
            if let Some((winner, sure)) = position.sure_win() {
                let expected = winner == attacker;
                assert!(expected == (within <= sure) || sure > plies, "{position}: {winner:?} in {sure}");
                assert!(expected || shortest.is_none(), "{position}: {winner:?} in {sure}");
            }
        }
        for table in [0, 1 << 16] {
            let history = GameHistory::default();
            let mut solver = Solver::new(&SearchLimits::default(), &control, table, &history);
            for within_plies in 0..=plies {
                match solver.probe(position, attacker, within_plies).unwrap() {
                    WinBound::Within(found) => {
                        assert!(
                            found <= within_plies && found >= within,
                            "{position}: {attacker:?} in {found}"
                        );
                    }
                    WinBound::NotWithin(found) => {
                        assert!(
                            found >= within_plies && found < within,
                            "{position}: {attacker:?} not in {found}"
                        );
                    }
                }
            }
        }
    }
    wins
}

/// A random position with `dice` dice a side on some of the squares.
fn thrown<G: Game>(letter: char, squares: &[&str], dice: RangeInclusive<usize>, rng: &mut Pcg64Mcg) -> G {
    loop {
        let mut squares = squares.to_vec();
        squares.shuffle(rng);
        let (one, two) = (rng.random_range(dice.clone()), rng.random_range(dice.clone()));
        let letter = if rng.random() { letter } else { letter.to_ascii_lowercase() };
        let one_dice = thrown_on("A", &squares[..one], one, rng);
        let two_dice = thrown_on("a", &squares[one..], two, rng);
        if let Ok(position) = G::read(&format!("{letter}{one_dice}{two_dice}")) {
            return position;
        }
    }
}

/// Random dice of a player, whose first orientation is given, on `count` of the squares.
fn thrown_on(first: &str, squares: &[&str], count: usize, rng: &mut Pcg64Mcg) -> String {
    let mut squares = squares.to_vec();
    squares.shuffle(rng);
    let die = |square: &&str| {
        let orientation = char::from(first.as_bytes()[0] + rng.random_range(0..24));
        format!("{orientation}{square}")
    };
    squares[..count].iter().map(die).collect()
}

/// Corners of the board in which dice stand in each other's way.
const NARROW: [&[&str]; 2] = [
    &["a2", "b2", "c2", "a3", "b3", "c3", "a4", "b4", "c4", "a5", "b5"],
    &["f3", "g3", "f4", "g4", "e5", "f5", "g5", "e6", "f6", "g6"],
];
const WIDE: &[&str] = &[
    "a2", "b2", "c2", "d2", "e2", "f2", "g2", "a3", "c3", "e3", "g3", "a4", "b4", "d4", "f4", "g4", "b5",
    "d5", "f5", "a6", "c6", "e6", "g6",
];

#[test]
fn contra_and_ecke_agree_with_a_plain_search_where_dice_are_thrown_together() {
    fn agrees<G: Playable>(letter: char, most: usize, plies: u32) {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let mut wins = 0;
        for i in 0..400 {
            wins += assert_agrees(&thrown::<G>(letter, NARROW[i % 2], 0..=4, &mut rng), plies);
            wins += assert_agrees(&thrown::<G>(letter, WIDE, 0..=most, &mut rng), plies);
        }
        assert!(wins > 300, "{wins}");
    }
    agrees::<Contra>('C', 2, 8);
    agrees::<Ecke>('E', 3, 5);
}

#[test]
fn pur_agrees_with_a_plain_search_where_the_dice_have_nearly_passed() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut wins = 0;
    for _ in 0..250 {
        let one = thrown_on("A", &["a7", "b7", "c7", "d7", "e7", "f7", "g7", "a6", "g6", "d5"], 7, &mut rng);
        let two = thrown_on("a", &["a1", "b1", "c1", "d1", "e1", "f1", "g1", "b2", "f2", "d4"], 7, &mut rng);
        let letter = if rng.random() { 'P' } else { 'p' };
        let Ok(position) = Pur::read(&format!("{letter}{one}{two}")) else { continue };
        wins += assert_agrees(&position, 3);
    }
    assert!(wins > 20, "{wins}");
}

/// The fixture positions of a game in which a player is to move.
fn fixtures<G: Game>() -> impl Iterator<Item = G> {
    let path = format!("{}/../../tests/fixtures/{}.jsonl", env!("CARGO_MANIFEST_DIR"), G::ABOUT.id);
    let text = std::fs::read_to_string(path).unwrap();
    let states: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    states.into_iter().filter_map(|line| {
        let position = G::read(line["state"].as_str().unwrap()).unwrap();
        (position.stage() == Stage::Move).then_some(position)
    })
}

#[test]
fn every_game_agrees_with_a_plain_search_on_the_fixtures() {
    /// Each is searched to a depth that takes about `positions` positions.
    fn agrees<G: Playable>(positions: usize) {
        let of = |position: G| assert_agrees(&position, positions.ilog(position.count_moves().max(2)));
        assert!(fixtures::<G>().map(of).sum::<usize>() > 0);
    }
    agrees::<Contra>(1_500);
    agrees::<Ecke>(10_000);
    agrees::<Pur>(400);
}

#[test]
fn the_verdict_is_the_shortest_win_with_its_line() {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    let mut wins = 0;
    for i in 0..200 {
        let position = thrown::<Contra>('C', NARROW[i % 2], 1..=4, &mut rng);
        if position.stage() != Stage::Move {
            continue;
        }
        let verdict = solve(
            &position,
            &SearchLimits { depth: Some(7), ..SearchLimits::default() },
            &Control::new(),
            1 << 16,
        );
        let shortest = Player::ALL.map(|player| shortest(&position, player, 7));
        let Some(ForcedWin { winner, plies, line }) = verdict.win else {
            assert_eq!(shortest, [None; 2], "{position}");
            assert!(verdict.not_within.into_iter().flatten().all(|plies| plies >= 7), "{position}");
            continue;
        };
        wins += 1;
        assert_eq!(shortest[winner.index()], Some(plies), "{position}");
        assert_eq!(line.len(), plies as usize, "{position}");
        let end = line.iter().fold(position, |position, &m| {
            assert!(position.legal_moves().contains(&m), "{m:?} in {position}");
            position.after(m)
        });
        assert_eq!(end.stage().outcome().unwrap().winner, Some(winner), "{position}");
    }
    assert!(wins > 50, "{wins}");
}

#[test]
fn a_player_without_dice_is_skipped_and_can_never_win() {
    let verdict = solve(&position::<Contra>("Cvd7"), &SearchLimits::default(), &Control::new(), 1 << 10);
    // A pass, then six turns in a row.
    assert_eq!(verdict.win.map(|win| (win.winner, win.plies)), Some((Player::Two, 7)));
    assert_eq!(verdict.not_within[0], None);
}

#[test]
fn from_the_start_of_contra_neither_player_can_force_a_win_soon() {
    let limits = SearchLimits { depth: Some(17), ..SearchLimits::default() };
    let verdict = solve(&Contra::default(), &limits, &Control::new(), 1 << 22);
    assert_eq!((verdict.win, verdict.stopped_by), (None, StoppedBy::Depth));
    assert!(verdict.not_within.into_iter().flatten().all(|plies| plies >= 17));
}

#[test]
fn a_search_answers_with_a_forced_win_that_is_near() {
    let mut wins = 0;
    for position in fixtures::<Contra>() {
        let options = nodes(20_000);
        let Some(verdict) =
            find_forced_win(&position, &GameHistory::default(), &options.limits, &Control::new())
        else {
            continue;
        };
        let Some(win) = verdict.win else { continue };
        wins += 1;
        let result = if win.winner == position.turn() { GameResult::Win } else { GameResult::Loss };
        let analysis = searched(&position, options);
        let proven = Some(Proven { result, plies: Some(win.plies) });
        assert_eq!(
            (analysis.lines[0].value.proven, &analysis.lines[0].pv),
            (proven, &win.line),
            "{position}"
        );
        assert_eq!((analysis.nodes, analysis.stopped_by), (verdict.nodes, StoppedBy::Proven), "{position}");
        if wins == 100 {
            return;
        }
    }
    panic!("{wins}");
}

#[test]
fn the_limits_end_the_search() {
    let start = Contra::default();
    for nodes in [1, 255, 256, 257, 5_000] {
        let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
        let verdict = solve(&start, &limits, &Control::new(), 1 << 16);
        assert_eq!((verdict.nodes, verdict.stopped_by), (nodes, StoppedBy::Nodes));
    }
    let control = Control::new();
    control.stop();
    assert_eq!(solve(&start, &SearchLimits::default(), &control, 0).stopped_by, StoppedBy::Time);
}
