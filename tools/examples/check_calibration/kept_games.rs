//! Games by which a network was calibrated, against curves of the others of them.

use std::path::Path;

use cublino::{
    game::Notation,
    search::{Calibration, Chances, Curves, Learned, Playable},
};
use cublino_tools::{
    calibration::{Fitted, Told},
    game_file::{self, GameFileError},
};

use super::tally::Sample;

/// So many parts of the games are left out in turn.
const PARTS: usize = 4;

/// What curves expect in the positions of games that they were not fitted to, in order.
pub fn samples<G: Playable + Notation>(path: &Path) -> Result<Vec<Sample>, GameFileError> {
    let network = Learned::built_in::<G>().network().clone();
    let evaluator = Learned::from(network.calibrated(Calibration::NONE));
    let mut games = Vec::new();
    game_file::read(path, |game| Told::in_game::<G>(&evaluator, &game).map(|told| games.push(told)))?;
    let mut fitted = [(); PARTS].map(|()| Fitted::default());
    for (number, game) in games.iter().enumerate() {
        for (part, fitted) in fitted.iter_mut().enumerate() {
            if number % PARTS != part {
                for &told in game {
                    fitted.add(told);
                }
            }
        }
    }
    let curves = fitted.map(|fitted| fitted.curves());
    let samples = games.iter().enumerate().flat_map(|(number, game)| {
        let curves = &curves[number % PARTS];
        game.iter().map(move |told| {
            let (expected, chances) = chances(curves, told);
            Sample { game: number as u64, expected, chances, result: told.result }
        })
    });
    Ok(samples.collect())
}

/// What curves tell of a position.
fn chances(curves: &Curves, told: &Told) -> (f64, Chances) {
    let expected = curves.expected(told.scaled, told.draw_share);
    let decided = 1.0 - curves.draw_share(told.draw_share) * (1.0 - expected);
    let [win, loss] = [expected, -expected].map(|balance| f64::midpoint(decided, balance));
    (expected, Chances { win, draw: 1.0 - decided, loss })
}
