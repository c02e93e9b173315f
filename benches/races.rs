//! Counts how many races of Pur are worked out: positions of games in which the dice have passed each other.
//!
//! `cargo bench --bench races -- 20000`: the nodes that each may visit, of the search alone (with a depth
//! that it cannot reach, with which it asks nobody else), of the solver for forced wins, and of what works
//! races out.

use std::collections::BTreeMap;

use ::cublino::{
    game::{Game, Stage, playout},
    games::Pur,
    search::{
        Control, GameResult, LimitChecker, Options, SearchLimits, SolverBounds, Tablebases,
        TranspositionTable, search, solver,
    },
};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Memory for search and solver.
const TABLE_BYTES: usize = 1 << 22;
/// Games, their random opening plies, their plies at most, and the nodes that a move is chosen with.
const GAMES: u64 = 100;
const OPENING: usize = 8;
const PLIES: usize = 300;
const NODES_A_MOVE: u64 = 1_000;
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
    // Cargo adds an argument of its own.
    let given = std::env::args().skip(1).find(|argument| argument != "--bench");
    let nodes = given.map_or(20_000, |text| text.parse().expect("a number of nodes"));
    let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
    let mut table = TranspositionTable::new(TABLE_BYTES);
    let mut look = |position: &Pur, limits| {
        let options = Options::new(limits);
        search(position, &options, &Tablebases::none(), &Control::new(), &mut table, &mut |_| {})
    };
    let mut by_plies_left: BTreeMap<usize, Found> = BTreeMap::new();
    for seed in 0..GAMES {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let opening = playout::positions(Pur::default(), OPENING, &mut rng).last();
        let mut position = opening.expect("a game has a first position");
        let mut races = Vec::new();
        for _ in 0..PLIES {
            if position.stage() != Stage::Move {
                break;
            }
            if position.is_win_near() {
                races.push(position);
            }
            let limits = SearchLimits { nodes: Some(NODES_A_MOVE), ..SearchLimits::default() };
            position.play_unchecked(look(&position, limits).best());
        }
        if position.stage() == Stage::Move {
            continue;
        }
        for (left, race) in (1..).zip(races.iter().rev()) {
            let found = by_plies_left.entry(left / TOGETHER).or_default();
            let analysis = look(race, SearchLimits { depth: Some(100), ..limits });
            let verdict = solver::solve(race, &limits, &Control::new(), TABLE_BYTES);
            let solved = race.solve_race(&mut LimitChecker::new(&limits, &Control::new()));
            let result = solved.unwrap_or_default().map(|race| race.result);
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
