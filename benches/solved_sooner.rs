//! Counts how many positions of games are proven to be won or lost by the search and by the solver for forced
//! wins, and with how many nodes.
//!
//! `cargo bench --bench solved_sooner -- 100000`: the nodes that each may visit. The search is given a
//! depth that it cannot reach, with which it does not ask the solver.

use ::cublino::{
    game::{Stage, playout},
    games::{Contra, Ecke, Pur},
    search::{
        Control, GameResult, Options, Playable, SearchLimits, Tablebases, TranspositionTable, search, solver,
    },
};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Memory for each of the two.
const TABLE_BYTES: usize = 1 << 22;
/// Games of each variant, their random opening plies, and the plies from one position that is looked at to
/// the next.
const GAMES: u64 = 20;
const OPENING: usize = 8;
const EVERY: usize = 4;
/// Plies of a game at most, and the nodes that a move of it is chosen with.
const PLIES: usize = 120;
const NODES_A_MOVE: u64 = 500;

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
    let (control, mut table) = (Control::new(), TranspositionTable::new(TABLE_BYTES));
    let mut look = |position: &G, nodes| {
        let limits = SearchLimits { nodes: Some(nodes), depth: Some(100), time: None };
        let options = Options::new(limits);
        search(position, &options, &Tablebases::none(), &control, &mut table, &mut |_| {})
    };
    let (mut positions, mut by_search, mut by_solver, mut by_both) = (0, 0, 0, 0);
    let (mut search_nodes, mut solver_nodes) = (0, 0);
    for seed in 0..GAMES {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let opening = playout::positions(G::default(), OPENING, &mut rng).last();
        let mut position: G = opening.expect("a game has a first position");
        for ply in 0..PLIES {
            if position.stage() != Stage::Move {
                break;
            }
            if ply % EVERY == 0 {
                let analysis = look(&position, nodes);
                let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
                let verdict = solver::solve(&position, &limits, &Control::new(), TABLE_BYTES);
                let searched =
                    analysis.lines[0].value.proven.is_some_and(|proven| proven.result != GameResult::Draw);
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
            position.play_unchecked(look(&position, NODES_A_MOVE).best());
        }
    }
    let variant = G::ABOUT.id;
    println!("{variant}\t{positions}\t{by_search}\t{by_solver}\t{by_both}\t{search_nodes}\t{solver_nodes}");
}
