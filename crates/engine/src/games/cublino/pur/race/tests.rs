//! Races against what trying everything finds.

use std::collections::HashSet;

use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64Mcg;

use super::{
    Race, Sure, nth_move, solve,
    ways::{ALL, Most, Pips, Ways},
};
use crate::{
    Control, GameResult, Proven, SearchLimits, StoppedBy,
    options::LimitChecker,
    testing::{nodes, position, searched},
};
use cublino_rules::{
    game::{Game, Player, Stage, playout},
    games::{Pur, cublino::Board},
};

/// Races with up to two dice a side on the way, on the last ranks before home, and any of them to move.
fn short_races(seed: u64, count: usize) -> Vec<Pur> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let die = |rng: &mut Pcg64Mcg, player: Player, file: usize, rank: u8| {
        let orientation = char::from(b'a' + rng.random_range(0..24));
        let orientation = if player == Player::One { orientation.to_ascii_uppercase() } else { orientation };
        format!("{orientation}{}{rank}", char::from(b'a' + u8::try_from(file).unwrap()))
    };
    let mut races = Vec::new();
    while races.len() < count {
        let mut state = String::from(if rng.random() { "P" } else { "p" });
        for (player, home, ranks) in [(Player::One, 7, [5, 6]), (Player::Two, 1, [2, 3])] {
            let on_the_way = rng.random_range(1..=2);
            let out: HashSet<usize> = (0..on_the_way).map(|_| rng.random_range(0..7)).collect();
            for file in 0..7 {
                let rank = if out.contains(&file) { *ranks.choose(&mut rng).unwrap() } else { home };
                state += &die(&mut rng, player, file, rank);
            }
        }
        let position: Pur = position(&state);
        if position.stage() == Stage::Move {
            races.push(position);
        }
    }
    races
}

fn visiting<T>(nodes: u64, of: impl FnOnce(&mut LimitChecker<'_>) -> T) -> T {
    let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
    of(&mut LimitChecker::new(&limits, &Control::new()))
}

fn unlimited<T>(of: impl FnOnce(&mut LimitChecker<'_>) -> T) -> T {
    visiting(u64::MAX, of)
}

/// Whether a player can force to be ahead by so many pips at the end of a game, within so many plies.
fn can_force(position: &Pur, player: Player, ahead: i32, plies: u32) -> bool {
    if position.stage().outcome().is_some() {
        let pips = |player| {
            let board: &Board = position.board();
            i32::try_from(board.sum_of_tops(board.home(player))).unwrap()
        };
        return pips(player) - pips(!player) >= ahead;
    }
    if plies == 0 {
        return false;
    }
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let mut holds = moves.into_iter().map(|m| can_force(&position.after(m), player, ahead, plies - 1));
    if position.turn() == player { holds.any(|holds| holds) } else { holds.all(|holds| holds) }
}

#[test]
fn results_of_races_are_those_of_trying_everything() {
    let (mut forced, mut found) = (0, 0);
    for race in short_races(1, 300) {
        let mover = race.turn();
        for plies in 1..=4 {
            let wins = can_force(&race, mover, 1, plies);
            let loses = can_force(&race, !mover, 1, plies);
            let draws = can_force(&race, mover, 0, plies) && can_force(&race, !mover, 0, plies);
            let sure = unlimited(|limits| Race::of(&race).result(plies as usize, limits)).unwrap();
            forced += u32::from(wins || loses || draws);
            let Some(Sure { result, places, .. }) = sure else { continue };
            found += 1;
            assert_eq!([wins, loses], [result == GameResult::Win, result == GameResult::Loss], "{race}");
            let keeps = |after: &Pur| match result {
                GameResult::Win => can_force(after, mover, 1, plies - 1),
                GameResult::Draw => can_force(after, mover, 0, plies - 1),
                GameResult::Loss => true,
            };
            assert!(!places.is_empty(), "{race}");
            for place in places {
                assert!(keeps(&race.after(nth_move(&race, place))), "{race} {place}");
            }
        }
    }
    // What a player has most of after each number of moves need not all lie on one way.
    assert!(found <= forced && found * 100 > forced * 97, "{found} of {forced}");
}

#[test]
fn the_most_pips_are_those_of_all_ways() {
    for race in short_races(2, 60) {
        let player = race.turn();
        let start = race.board().without(race.board().dice(!player));
        let mut ways = Ways::new(player);
        let mut boards = HashSet::from([start]);
        for moves in 0..=3 {
            let (mut all, mut most) = (HashSet::new(), Most::default());
            for board in boards {
                let pips = ways.pips(&board);
                let is_finished = ways.on_the_way(&board) == 0;
                let kind = if is_finished { &mut most.finished } else { &mut most.unfinished };
                *kind = (*kind).max(Some(pips));
                if !is_finished {
                    all.extend(unlimited(|limits| ways.after(&board, limits)).unwrap().iter().copied());
                }
            }
            let found = unlimited(|limits| ways.most(&start, moves, limits)).unwrap();
            assert_eq!(found, most, "{race} after {moves}");
            let bound: Pips = ways.most_pips(&start, moves);
            assert!([most.unfinished, most.finished].iter().flatten().all(|&pips| pips <= bound), "{race}");
            boards = all;
        }
    }
}

#[test]
fn with_more_moves_there_are_no_fewer_pips() {
    for race in short_races(5, 60) {
        let ways = Ways::new(race.turn());
        let board = race.board().without(race.board().dice(!race.turn()));
        let most: Vec<_> = (0..40).map(|moves| ways.most_pips(&board, moves)).collect();
        assert!(most.is_sorted() && most[0] == ways.pips(&board) && most[39] == ALL, "{race}: {most:?}");
    }
}

#[test]
fn a_race_that_is_won_is_won() {
    for (seed, race) in (0..).zip(short_races(3, 60)) {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let (mut position, mut claimed) = (race, None);
        while position.stage() == Stage::Move {
            let m = if position.turn() == race.turn() {
                let analysis = searched(&position, nodes(40_000));
                let result = analysis.lines[0].value.proven.map(|proven| proven.result);
                assert!(claimed.is_none() || result == claimed, "{race}: {position}");
                claimed = result.filter(|&result| result == GameResult::Win).or(claimed);
                analysis.best()
            } else {
                playout::choose(&position, &mut rng)
            };
            position.play_unchecked(m);
        }
        let winner = position.stage().outcome().and_then(|outcome| outcome.winner);
        assert!(claimed.is_none() || winner == Some(race.turn()), "{race}");
    }
}

#[test]
fn a_race_that_nobody_wins_is_a_draw_for_certain() {
    let mut drawn = 0;
    for race in short_races(4, 500) {
        let solved = visiting(10_000, |limits| solve(&race, limits)).unwrap_or_default();
        if solved.is_none_or(|(result, _)| result != GameResult::Draw) || race.count_moves() == 1 {
            continue;
        }
        drawn += 1;
        let analysis = searched(&race, nodes(40_000));
        assert_eq!(analysis.lines[0].value.proven, Some(Proven::DRAW), "{race}");
        assert_eq!(analysis.stopped_by, StoppedBy::Proven, "{race}");
    }
    assert!(drawn > 3, "{drawn}");
}

#[test]
fn before_the_dice_have_passed_each_other_there_is_no_race() {
    assert_eq!(unlimited(|limits| solve(&Pur::default(), limits)), Ok(None));
}
