//! Games by which a network was calibrated, against curves of the others of them.

use std::path::Path;

use cublino::{
    game::Notation,
    search::{Calibration, Chances, Curves, Evaluator, Learned, Playable},
    training::{
        calibration::Fitted,
        game_file::{self, GameFileError, TrainingGame, VALUE_ONE},
    },
};

use super::tally::Sample;

/// So many parts of the games are left out in turn.
const PARTS: usize = 4;

/// What curves expect in the positions of games that they were not fitted to, in order.
pub fn samples<G: Playable + Notation>(path: &Path) -> Result<Vec<Sample>, GameFileError> {
    let network = Learned::built_in::<G>().network().clone();
    let evaluator = Learned::from(network.calibrated(Calibration::NONE));
    let mut fitted = [(); PARTS].map(|()| Fitted::new(&evaluator));
    for_each_game(path, |number, game| {
        for (part, fitted) in (0..).zip(&mut fitted) {
            if number % PARTS != part {
                fitted.add_game::<G>(game)?;
            }
        }
        Ok(())
    })?;
    let curves = fitted.map(|fitted| fitted.curves());
    let mut samples = Vec::new();
    for_each_game(path, |number, game| {
        let curves = &curves[number % PARTS];
        game.replay::<G>(|i, position| {
            let value = game.values[i].map(|value| f64::from(value) / f64::from(VALUE_ONE));
            if let Some(value) = value.filter(|value| value.abs() < 1.0) {
                let result = f64::from(game.result_for(position.turn()));
                let result = if value < 0.0 { -result } else { result };
                let told = evaluator.draw_share(position);
                let (expected, chances) = chances(curves, value.abs(), told);
                samples.push(Sample { game: number as u64, expected, chances, result });
            }
        })
    })?;
    Ok(samples)
}

/// What is expected where a search has found such a value, and the network tells so much of a draw.
fn chances(curves: &Curves, value: f64, told: f64) -> (f64, Chances) {
    let expected = curves.expected(value, told);
    let decided = 1.0 - curves.draw_share(told) * (1.0 - expected);
    let [win, loss] = [expected, -expected].map(|balance| f64::midpoint(decided, balance));
    (expected, Chances { win, draw: 1.0 - decided, loss })
}

/// Hands over the games of a file with their numbers.
fn for_each_game(
    path: &Path,
    mut on_game: impl FnMut(usize, &TrainingGame) -> Result<(), String>,
) -> Result<(), GameFileError> {
    let mut numbers = 0..;
    game_file::read(path, |game| numbers.next().map_or(Ok(()), |number| on_game(number, &game)))
}
