//! Games of the search, for measurements of what can be proven in them.

use ::cublino::{
    engine::{Analysis, Control, Engine, Options, Playable, SearchLimits, Tablebases, TranspositionTable},
    game::{Stage, playout},
};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Memory for the search, and for a solver beside it.
pub const TABLE_BYTES: usize = 1 << 22;
/// Random plies that a game begins with.
const OPENING: usize = 8;

/// The nodes that are asked for on the command line, 20,000 if none are.
pub fn nodes() -> u64 {
    // Cargo adds an argument of its own.
    let given = std::env::args().skip(1).find(|argument| argument != "--bench");
    given.map_or(20_000, |text| text.parse().expect("a number of nodes"))
}

/// What the search finds within limits.
pub fn look<G: Playable>(
    position: &G,
    limits: SearchLimits,
    table: &mut TranspositionTable,
) -> Analysis<G::Move> {
    let engine = Engine::built_in::<G>(Tablebases::none());
    engine.search(position, &Options::new(limits), &Control::new(), table, &mut |_| {})
}

/// Plays a game of at most `plies` plies, and returns its positions, the last one included. The limits are
/// those for a move.
pub fn game<G: Playable>(
    seed: u64,
    plies: usize,
    limits: SearchLimits,
    table: &mut TranspositionTable,
) -> Vec<G> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let opening = playout::positions(G::default(), OPENING, &mut rng).last();
    let mut position: G = opening.expect("a game has a first position");
    let mut positions = vec![position];
    while positions.len() <= plies && position.stage() == Stage::Move {
        position.play_unchecked(look(&position, limits, table).best());
        positions.push(position);
    }
    positions
}
