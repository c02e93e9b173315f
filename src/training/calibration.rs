//! Finding out what becomes of games in which a search has found a score.

#![expect(clippy::cast_precision_loss, reason = "there are fewer positions than a float counts exactly")]

use super::game_file::{TrainingGame, VALUE_ONE};
use crate::{
    game::Notation,
    search::{Calibration, Curve, Evaluator, Learned, Playable},
};

/// As many positions speak for a curve being straight around a point, so that points which hardly any position
/// comes near have a sensible place.
const SMOOTHNESS: f64 = 1_000.0;
/// From point to point a curve rises at least so much, so that what is told as more is more.
const RISE: f64 = 0.01;
/// What is not certain is never quite so.
const HIGHEST: f64 = 0.995;

/// What a search has told in games, and what became of them.
///
/// A value is worth as much to one player as its negative to the other, so both are counted together: a
/// position in which a loss is expected counts for the opponent. Results that are proven are left out.
#[derive(Debug)]
pub struct Fitted<'a> {
    /// Of the network before it is calibrated.
    evaluator: &'a Learned,
    expected: LeastSquares,
    told: Vec<Told>,
}

/// What is told of a position, and whether its game was drawn.
#[derive(Clone, Copy, Debug)]
struct Told {
    expected: f64,
    draw_share: f64,
    is_drawn: bool,
}

impl<'a> Fitted<'a> {
    /// Of games in which the search used an evaluator that has not been calibrated.
    #[must_use]
    pub fn new(evaluator: &'a Learned) -> Self {
        let mut expected = LeastSquares::new();
        // Whatever the positions say.
        expected.add(&[(0, 1.0)], 0.0, 1e9);
        Self { evaluator, expected, told: Vec::new() }
    }

    /// Adds the positions of a game that was played without random moves after its opening.
    ///
    /// # Errors
    /// Says what cannot be played of it.
    pub fn add_game<G: Playable + Notation>(&mut self, game: &TrainingGame) -> Result<(), String> {
        game.replay::<G>(|i, position| {
            let Some(value) = game.values[i].map(|value| f64::from(value) / f64::from(VALUE_ONE)) else {
                return;
            };
            if value.abs() < 1.0 {
                let result = f64::from(game.result_for(position.turn()));
                let (before, part) = Calibration::place(value.abs());
                let result = if value < 0.0 { -result } else { result };
                self.expected.add(&[(before, 1.0 - part), (before + 1, part)], result, 1.0);
                let draw_share = self.evaluator.draw_share(position);
                self.told.push(Told { expected: value, draw_share, is_drawn: game.result == 0 });
            }
        })
    }

    /// The curves that are nearest to what became of the games.
    #[must_use]
    pub fn calibration(&self) -> Calibration {
        let results = self.expected.rising();
        let of_results = Calibration::new(results, Calibration::LINE);
        let mut draws = LeastSquares::new();
        for &Told { expected, draw_share, is_drawn } in &self.told {
            let room = 1.0 - of_results.expected(expected).abs();
            let (before, part) = Calibration::place(draw_share);
            let weights = [(before, (1.0 - part) * room), (before + 1, part * room)];
            draws.add(&weights, f64::from(u8::from(is_drawn)), 1.0);
        }
        Calibration::new(results, draws.rising())
    }
}

/// Points of a curve.
const POINTS: usize = Calibration::POINTS;

/// The normal equations of the curve that is nearest to some numbers, straight between its points.
#[derive(Clone, Debug)]
struct LeastSquares {
    /// Each row with its right side at the end.
    rows: [[f64; POINTS + 1]; POINTS],
}

impl LeastSquares {
    /// To no numbers: the line from 0 to 1.
    fn new() -> Self {
        let mut equations = Self { rows: [[0.0; POINTS + 1]; POINTS] };
        for middle in 1..POINTS - 1 {
            equations.add(&[(middle - 1, 1.0), (middle, -2.0), (middle + 1, 1.0)], 0.0, SMOOTHNESS);
        }
        for (end, value) in [(0, 0.0), (POINTS - 1, 1.0)] {
            equations.add(&[(end, 1.0)], value, 1.0);
        }
        equations
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

    /// The curve, raised where it would fall.
    fn rising(&self) -> Curve {
        rising(&self.solved())
    }

    /// Solves the equations, whose matrix is positive definite.
    fn solved(&self) -> Curve {
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

/// The nearest curve that rises by [`RISE`] from point to point.
fn rising(curve: &Curve) -> Curve {
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
    let flat: Vec<f64> = levels.into_iter().flat_map(|(value, many)| vec![value; many]).collect();
    std::array::from_fn(|point| (flat[point] + rise(point)).clamp(0.0, HIGHEST))
}
