//! Finding out what becomes of games in which a search has found a score.

#![expect(clippy::cast_precision_loss, reason = "there are fewer positions than a float counts exactly")]

use super::game_file::{TrainingGame, VALUE_ONE};
use crate::{game::Notation, search::Calibration};

/// As many positions speak for the curve being straight around a point, so that points which hardly any
/// position comes near have a sensible place.
const SMOOTHNESS: f64 = 1_000.0;
/// From point to point at least so much more is expected, so that a better score is always told as a better
/// one.
const RISE: f64 = 0.01;
/// What is expected without a proof is never quite a win.
const HIGHEST: f64 = 0.995;
/// The points of the curve, and that of 0.
const POINTS: usize = Calibration::POINTS + 1;

/// The normal equations of the curve that is nearest to the results of games, straight between its points.
///
/// A value is worth as much to one player as its negative to the other, so both are counted together: a
/// position in which a loss is expected counts for the opponent. Results that are proven are left out.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// Each row with its right side at the end.
    rows: [[f64; POINTS + 1]; POINTS],
}

impl Fitted {
    /// From no games: a straight line.
    #[must_use]
    pub fn new() -> Self {
        let mut fitted = Self { rows: [[0.0; POINTS + 1]; POINTS] };
        for middle in 1..POINTS - 1 {
            fitted.add(&[(middle - 1, 1.0), (middle, -2.0), (middle + 1, 1.0)], 0.0, SMOOTHNESS);
        }
        // Without any position the line ends at 1, and it begins at 0 whatever the positions say.
        fitted.add(&[(POINTS - 1, 1.0)], 1.0, 1.0);
        fitted.add(&[(0, 1.0)], 0.0, 1e9);
        fitted
    }

    /// Adds the positions of a game that was played without random moves after its opening.
    ///
    /// # Errors
    /// Says what cannot be played of it.
    pub fn add_game<G: Notation>(&mut self, game: &TrainingGame) -> Result<(), String> {
        game.replay::<G>(|i, position| {
            let Some(value) = game.values[i].map(|value| f64::from(value) / f64::from(VALUE_ONE)) else {
                return;
            };
            if value.abs() < 1.0 {
                let result = f64::from(game.result_for(position.turn()));
                let (before, part) = Calibration::place(value);
                let result = if value < 0.0 { -result } else { result };
                self.add(&[(before, 1.0 - part), (before + 1, part)], result, 1.0);
            }
        })
    }

    /// Adds an equation with a weight.
    fn add(&mut self, weights: &[(usize, f64)], right: f64, weight: f64) {
        for &(i, by) in weights {
            self.rows[i][POINTS] += weight * by * right;
            for &(j, other) in weights {
                self.rows[i][j] += weight * by * other;
            }
        }
    }

    /// The curve.
    #[must_use]
    pub fn calibration(&self) -> Calibration {
        let curve = rising(&self.solved());
        Calibration::new(std::array::from_fn(|point| curve[point + 1]))
    }

    /// Solves the equations, whose matrix is positive definite.
    fn solved(&self) -> [f64; POINTS] {
        let mut rows = self.rows;
        for i in 0..POINTS {
            let (above, below) = rows.split_at_mut(i + 1);
            let pivot = &above[i];
            for row in below {
                let factor = row[i] / pivot[i];
                for (value, of_pivot) in row.iter_mut().zip(pivot).skip(i) {
                    *value -= factor * of_pivot;
                }
            }
        }
        let mut solution = [0.0; POINTS];
        for i in (0..POINTS).rev() {
            let known: f64 = (i + 1..POINTS).map(|j| rows[i][j] * solution[j]).sum();
            solution[i] = (rows[i][POINTS] - known) / rows[i][i];
        }
        solution
    }
}

impl Default for Fitted {
    fn default() -> Self {
        Self::new()
    }
}

/// The nearest curve that rises by [`RISE`] from point to point.
fn rising(curve: &[f64; POINTS]) -> Vec<f64> {
    let rise = |point: usize| RISE * point as f64;
    let mut levels: Vec<(f64, usize)> = Vec::new();
    for (point, value) in curve.iter().enumerate() {
        levels.push((value - rise(point), 1));
        // Of the curve less its least rise, neighbours that fall are made equal.
        while let [.., (before, many), (after, more)] = levels[..]
            && before > after
        {
            let mean = (before * many as f64 + after * more as f64) / (many + more) as f64;
            levels.truncate(levels.len() - 2);
            levels.push((mean, many + more));
        }
    }
    let flat = levels.into_iter().flat_map(|(value, many)| vec![value; many]);
    let risen = flat.enumerate().map(|(point, value)| value + rise(point));
    risen.map(|value| value.clamp(0.0, HIGHEST)).collect()
}
