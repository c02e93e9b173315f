//! Games of the search against itself, for measurements.

use cublino::{
    game::{Notation, Outcome, Record, Stage, playout},
    search::Playable,
};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Random plies before a game counts, dice included.
const OPENING: usize = 6;
/// So often a position may occur before a game is drawn, as in matches.
const REPETITION_LIMIT: u32 = 3;

/// Plays a game after a random opening, and returns how it ended; nothing if it takes more moves than are said. Opening and rolls
/// are drawn from the seed, and so is what `choose` draws.
pub fn play<G: Playable + Notation>(
    seed: u64,
    max_moves: u32,
    mut choose: impl FnMut(&Record<G>, &mut Pcg64Mcg) -> G::Move,
) -> Option<Outcome> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let opening = playout::positions(G::default(), OPENING, &mut rng).last();
    let mut record = Record::new(opening.expect("a game has a first position"), Some(REPETITION_LIMIT));
    let mut moves = 0;
    loop {
        let text = match record.stage() {
            Stage::Over(outcome) => return Some(outcome),
            Stage::Roll => playout::roll::<G>(&mut rng).expect("a game that rolls has rolls").to_string(),
            Stage::Move if moves == max_moves => return None,
            Stage::Move => {
                moves += 1;
                let m = choose(&record, &mut rng);
                record.position().spell(m).to_string()
            }
        };
        record.play(&text).expect("what is legal can be played");
    }
}
