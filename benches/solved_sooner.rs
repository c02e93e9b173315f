//! Counts how many positions of games are proven to be won or lost by the search and by the solver for forced
//! wins, and with how many nodes.
//!
//! `cargo bench --bench solved_sooner -- 100000`: the nodes that each may visit. The search is given a
//! depth that it cannot reach, with which it does not ask the solver.

mod played;

use ::cublino::{
    engine::{Control, GameResult, Playable, SearchLimits, TranspositionTable, solver},
    game::Stage,
    games::{Contra, Ecke, Pur},
};
use played::TABLE_BYTES;

/// Games of each variant, and the plies from one position that is looked at to the next.
const GAMES: u64 = 20;
const EVERY: usize = 4;
/// A depth that cannot be reached, with which the search does not ask the solver.
const BY_SEARCH_ALONE: SearchLimits = SearchLimits { depth: Some(100), nodes: None, time: None };
/// Plies of a game at most, and the limits for a move.
const PLIES: usize = 120;
const A_MOVE: SearchLimits = SearchLimits { nodes: Some(500), ..BY_SEARCH_ALONE };

fn main() {
    let nodes = played::nodes();
    println!("variant\tpositions\tby search\tby solver\tby both\tnodes of search\tnodes of solver");
    compare::<Contra>(nodes);
    compare::<Ecke>(nodes);
    compare::<Pur>(nodes);
}

fn compare<G: Playable>(nodes: u64) {
    let mut table = TranspositionTable::new(TABLE_BYTES);
    let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
    let (mut positions, mut by_search, mut by_solver, mut by_both) = (0, 0, 0, 0);
    let (mut search_nodes, mut solver_nodes) = (0, 0);
    for seed in 0..GAMES {
        let mut game: Vec<G> = played::game(seed, PLIES, A_MOVE, &mut table);
        game.truncate(PLIES);
        for position in game.iter().step_by(EVERY).filter(|position| position.stage() == Stage::Move) {
            let analysis =
                played::look(position, SearchLimits { nodes: Some(nodes), ..BY_SEARCH_ALONE }, &mut table);
            let verdict = solver::solve(position, &limits, &Control::new(), TABLE_BYTES);
            let proven = analysis.lines[0].value.proven;
            let searched = proven.is_some_and(|proven| proven.result != GameResult::Draw);
            let solved = verdict.win.is_some();
            positions += 1;
            by_search += u32::from(searched);
            by_solver += u32::from(solved);
            if searched && solved {
                by_both += 1;
                search_nodes += analysis.nodes;
                solver_nodes += verdict.nodes;
            }
        }
    }
    let variant = G::ABOUT.id;
    println!("{variant}\t{positions}\t{by_search}\t{by_solver}\t{by_both}\t{search_nodes}\t{solver_nodes}");
}
