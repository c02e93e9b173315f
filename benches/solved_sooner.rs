//! Counts how many positions of games are proven to be won or lost by the search and by the solver for forced
//! wins, and with how many nodes.
//!
//! `cargo bench --bench solved_sooner -- 100000`: the nodes that each may visit. The search is given a
//! depth that it cannot reach, with which it does not ask the solver.

use ::cublino::{
    engine::{
        Analysis, Control, Engine, GameResult, Options, Playable, SearchLimits, Tablebases,
        TranspositionTable, solver,
    },
    game::{Stage, playout},
    games::{Contra, Ecke, Pur},
};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Memory for the search, and for the solver beside it.
const TABLE_BYTES: usize = 1 << 22;

/// Games of each variant, and the plies from one position that is looked at to the next.
const GAMES: u64 = 20;
const EVERY: usize = 4;
/// A depth that cannot be reached, with which the search does not ask the solver.
const BY_SEARCH_ALONE: SearchLimits = SearchLimits { depth: Some(100), nodes: None, time: None };
/// Random plies that a game begins with.
const OPENING: usize = 8;
/// Plies of a game at most, and the limits for a move.
const PLIES: usize = 120;
const A_MOVE: SearchLimits = SearchLimits { nodes: Some(500), ..BY_SEARCH_ALONE };

fn main() {
    // Cargo adds an argument of its own.
    let given = std::env::args().skip(1).find(|argument| argument != "--bench");
    let nodes = given.map_or(20_000, |text| text.parse().expect("a number of nodes"));
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
        let game = game::<G>(seed, &mut table);
        for position in game.iter().step_by(EVERY).filter(|position| position.stage() == Stage::Move) {
            let analysis = look(position, SearchLimits { nodes: Some(nodes), ..BY_SEARCH_ALONE }, &mut table);
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

/// What the search finds within limits.
fn look<G: Playable>(
    position: &G,
    limits: SearchLimits,
    table: &mut TranspositionTable,
) -> Analysis<G::Move> {
    let engine = Engine::built_in::<G>(Tablebases::none());
    engine.search(position, &Options::new(limits), &Control::new(), table, &mut |_| {})
}

/// The positions of a game of the search against itself.
fn game<G: Playable>(seed: u64, table: &mut TranspositionTable) -> Vec<G> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let opening = playout::positions(G::default(), OPENING, &mut rng).last();
    let mut position: G = opening.expect("a game has a first position");
    let mut positions = vec![position];
    while positions.len() < PLIES && position.stage() == Stage::Move {
        position.play_unchecked(look(&position, A_MOVE, table).best());
        positions.push(position);
    }
    positions
}
