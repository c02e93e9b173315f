//! Games of the search against itself, for measurements.

use std::{ops::ControlFlow, thread::available_parallelism};

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::arena::{REPETITION_LIMIT, in_order, play_on};
use cublino_engine::Playable;
use cublino_rules::game::{Notation, Record, playout};

/// Random plies at the start of a game, rolls included.
pub const OPENING: usize = 6;

/// Plays a game after a random opening, to its end or up to `max_moves`. The seed is that of the opening, the
/// rolls and the generator that `choose` gets.
pub fn play<G: Playable + Notation>(
    seed: u64,
    max_moves: u32,
    choose: impl FnMut(&Record<G>, &mut Pcg64Mcg) -> G::Move,
) -> Record<G> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let opening = playout::positions(G::default(), OPENING, &mut rng).last();
    let mut record = Record::new(opening.expect("a game has a first position"), Some(REPETITION_LIMIT));
    play_on(&mut record, max_moves, &mut rng, choose);
    record
}

/// Plays the games with the numbers below `games` on all processors, and returns their results in order.
pub fn each<T: Send>(games: u64, play: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let workers = vec![(); available_parallelism().map_or(1, usize::from)];
    let mut played = Vec::new();
    in_order(
        workers,
        0..games,
        |(), game, _| play(game),
        |result| {
            played.push(result);
            ControlFlow::Continue(())
        },
    );
    played
}
