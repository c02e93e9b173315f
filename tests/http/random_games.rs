//! Random games, for questions about positions of any kind.

use cublino::{
    game::{Game, Notation, Record, Stage, playout},
    games::GameId,
    with_game,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// The start of a game.
pub fn start(game: GameId) -> String {
    with_game!(game, G => G::default().to_string())
}

/// The states of a random game, with their stages.
pub fn states(game: GameId, count: usize, seed: u64) -> Vec<(String, &'static str)> {
    with_game!(game, G => {
        let stage = |position: &G| match position.stage() {
            Stage::Move => "move",
            Stage::Roll => "roll",
            Stage::Over(_) => "over",
        };
        let mut rng = Pcg64::seed_from_u64(seed);
        let positions = playout::positions(G::default(), count, &mut rng);
        positions.map(|position| (position.to_string(), stage(&position))).collect()
    })
}

/// The moves of a random game, its rolls among them.
pub fn moves(game: GameId, plies: usize, seed: u64) -> Vec<String> {
    with_game!(game, G => {
        let (mut record, mut rng) = (Record::from(G::default()), Pcg64::seed_from_u64(seed));
        let mut moves = Vec::new();
        while moves.len() < plies && record.stage().outcome().is_none() {
            let mut texts: Vec<String> = Vec::new();
            if record.stage() == Stage::Roll {
                texts.extend(playout::roll::<G>(&mut rng).map(|roll| roll.to_string()));
            } else {
                record.position().list(|spelling, _| texts.push(spelling.to_string()));
            }
            let text = &texts[rng.random_range(..texts.len())];
            moves.push(record.play(text).unwrap().text);
        }
        moves
    })
}
