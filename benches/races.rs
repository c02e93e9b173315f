//! Counts how many races of Pur are worked out: positions of games in which the dice have passed each other.
//!
//! `cargo bench --bench races -- 20000`: the nodes that each may visit, of the search alone (with a depth
//! that it cannot reach, with which it asks nobody else), of the solver for forced wins, and of what works
//! races out.

mod played;

use std::collections::BTreeMap;

use ::cublino::{
    game::{Game, Stage},
    games::Pur,
    search::{Control, GameResult, LimitChecker, Playable, SearchLimits, TranspositionTable, solver},
};
use played::TABLE_BYTES;

/// Games, their plies at most, and the limits for a move.
const GAMES: u64 = 100;
const PLIES: usize = 300;
const A_MOVE: SearchLimits = SearchLimits { nodes: Some(1_000), depth: None, time: None };
/// Races are counted by how many plies of the game are left, so many together.
const TOGETHER: usize = 4;

/// How many races there are, and by what their results were found.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    races: u32,
    by_search: u32,
    by_solver: u32,
    worked_out: u32,
    /// Of those, draws.
    drawn: u32,
}

fn main() {
    let limits = SearchLimits { nodes: Some(played::nodes()), ..SearchLimits::default() };
    let mut table = TranspositionTable::new(TABLE_BYTES);
    let mut by_plies_left: BTreeMap<usize, Found> = BTreeMap::new();
    for seed in 0..GAMES {
        let mut positions: Vec<Pur> = played::game(seed, PLIES, A_MOVE, &mut table);
        let last = positions.pop().expect("a game has a first position");
        if last.stage() == Stage::Move {
            continue;
        }
        positions.retain(Playable::is_win_near);
        for (left, race) in (1..).zip(positions.iter().rev()) {
            let found = by_plies_left.entry(left / TOGETHER).or_default();
            let analysis = played::look(race, SearchLimits { depth: Some(100), ..limits }, &mut table);
            let verdict = solver::solve(race, &limits, &Control::new(), TABLE_BYTES);
            let solved = race.solve_race(&mut LimitChecker::new(&limits, &Control::new()));
            let result = solved.unwrap_or_default().map(|(result, _)| result);
            found.races += 1;
            found.by_search += u32::from(analysis.lines[0].value.proven.is_some());
            found.by_solver += u32::from(verdict.win.is_some());
            found.worked_out += u32::from(result.is_some());
            found.drawn += u32::from(result == Some(GameResult::Draw));
        }
    }
    println!("plies left\traces\tby search\tby solver\tworked out\tof these draws");
    for (left, Found { races, by_search, by_solver, worked_out, drawn }) in by_plies_left {
        let (from, to) = (left * TOGETHER, left * TOGETHER + TOGETHER - 1);
        println!("{from} to {to}\t{races}\t{by_search}\t{by_solver}\t{worked_out}\t{drawn}");
    }
}
