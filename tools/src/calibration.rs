//! Finding out what becomes of games in which a search has found a score.

use std::array;

use super::game_file::{TrainingGame, VALUE_ONE};
use cublino_engine::{Curve, Curves, Learned, Playable};
use cublino_rules::game::Notation;

/// Points of a curve.
const POINTS: usize = Curves::POINTS;
/// As many positions speak for a curve being straight around a point, so that points which hardly any
/// position comes near have a sensible place.
const SMOOTHNESS: f64 = 1_000.0;
/// From point to point a curve rises at least so much, so that what is told as more is more. Where draws are
/// certain a score is worth hardly anything, and with a hundredth too much was expected there.
const RISE: f64 = 0.001;
/// What is not certain is never quite so.
const HIGHEST: f64 = 0.995;

/// What a search has told in a position of a game, and what became of it, for the side that has more of it: a
/// value is worth as much to one player as its negative to the other.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// What the scale makes of the score, from 0 to 1.
    pub scaled: f64,
    /// The part that the network takes for a draw.
    pub draw_share: f64,
    /// What became of the game: 1 a win, 0 a draw, -1 a loss.
    pub result: f64,
}

impl Told {
    /// In each position of a game that was played without random moves after its opening, by a search with an
    /// evaluator that was not calibrated then. Results that are proven are left out.
    ///
    /// # Errors
    /// Says what cannot be played of it.
    pub fn in_game<G: Playable + Notation>(
        evaluator: &Learned,
        game: &TrainingGame,
    ) -> Result<Vec<Self>, String> {
        let mut all = Vec::new();
        game.replay::<G>(|i, position| {
            let value = game.values[i].map(|value| f64::from(value) / f64::from(VALUE_ONE));
            if let Some(value) = value.filter(|value| value.abs() < 1.0) {
                let result = f64::from(game.result_for(position.turn()));
                let result = if value < 0.0 { -result } else { result };
                all.push(Self { scaled: value.abs(), draw_share: evaluator.draw_share(position), result });
            }
        })?;
        Ok(all)
    }
}

/// What a search has told in games, and what became of them.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The curve of the results without draws, and then that where a draw is certain.
    results: LeastSquares<{ 2 * POINTS }>,
    told: Vec<Told>,
}

impl Default for Fitted {
    fn default() -> Self {
        let mut results = LeastSquares::new();
        for of_nothing in [0, POINTS] {
            // Whatever the positions say.
            results.add(&[(of_nothing, 1.0)], 0.0, 1e9);
        }
        Self { results, told: Vec::new() }
    }
}

impl Fitted {
    /// Adds the positions of a game, as [`Told::in_game`] finds them.
    ///
    /// # Errors
    /// Says what cannot be played of it.
    pub fn add_game<G: Playable + Notation>(
        &mut self,
        evaluator: &Learned,
        game: &TrainingGame,
    ) -> Result<(), String> {
        for told in Told::in_game::<G>(evaluator, game)? {
            self.add(told);
        }
        Ok(())
    }

    /// Adds a position.
    pub fn add(&mut self, told: Told) {
        let Told { scaled, draw_share, result } = told;
        let [decisive, drawish] = [(0, 1.0 - draw_share), (POINTS, draw_share)]
            .map(|(first, part)| at(scaled).map(|(point, weight)| (first + point, weight * part)));
        self.results.add([decisive, drawish].as_flattened(), result, 1.0);
        self.told.push(told);
    }

    /// The curves that are nearest to what became of the games.
    #[must_use]
    pub fn curves(&self) -> Curves {
        let [decisive, drawish] = self.results.curves();
        let of_results = Curves([decisive, drawish, Curves::LINE]);
        let mut draws: LeastSquares<POINTS> = LeastSquares::new();
        for &Told { scaled, draw_share, result } in &self.told {
            let room = 1.0 - of_results.expected(scaled, draw_share);
            let weights = at(draw_share).map(|(point, weight)| (point, weight * room));
            draws.add(&weights, f64::from(u8::from(result == 0.0)), 1.0);
        }
        let [draws] = draws.curves();
        Curves([decisive, drawish, draws])
    }
}

/// The points of a curve beside a number from 0 to 1, and how much of each makes what the curve has there.
fn at(number: f64) -> [(usize, f64); 2] {
    let (before, part) = Curves::place(number);
    [(before, 1.0 - part), (before + 1, part)]
}

/// The normal equations of the curves that are nearest to some numbers, straight between their points. The
/// points of one come after those of the other, `N` in all.
///
/// What is looked for is by how much a curve rises to each of its points, so that it cannot fall.
#[derive(Clone, Debug)]
struct LeastSquares<const N: usize> {
    rows: [[f64; N]; N],
    right: [f64; N],
}

impl<const N: usize> LeastSquares<N> {
    /// The solution is found when no rise changes by more than this.
    const PRECISION: f64 = 1e-9;

    /// To no numbers: each the line from 0 to 1.
    fn new() -> Self {
        let mut equations = Self { rows: [[0.0; N]; N], right: [0.0; N] };
        for first in (0..N).step_by(POINTS) {
            let last = first + POINTS - 1;
            for middle in first + 1..last {
                equations.add(&[(middle - 1, 1.0), (middle, -2.0), (middle + 1, 1.0)], 0.0, SMOOTHNESS);
            }
            for (end, value) in [(first, 0.0), (last, 1.0)] {
                equations.add(&[(end, 1.0)], value, 1.0);
            }
        }
        equations
    }

    /// Adds an equation of points, with a weight.
    fn add(&mut self, points: &[(usize, f64)], right: f64, weight: f64) {
        let mut rises = [0.0; N];
        for &(point, by) in points {
            for rise in &mut rises[point / POINTS * POINTS..=point] {
                *rise += by;
            }
        }
        for i in 0..N {
            self.right[i] += weight * rises[i] * right;
            for j in 0..N {
                self.rows[i][j] += weight * rises[i] * rises[j];
            }
        }
    }

    /// The curves, by coordinate descent: it ends in the one minimum, since the matrix is positive definite
    /// and each bound is of one rise.
    fn curves<const CURVES: usize>(&self) -> [Curve; CURVES] {
        let least: [f64; N] = array::from_fn(|i| if i % POINTS == 0 { 0.0 } else { RISE });
        let mut rises = least;
        let mut change = f64::INFINITY;
        while change > Self::PRECISION {
            change = 0.0;
            for i in 0..N {
                let slope: f64 = self.rows[i].iter().zip(rises).map(|(by, rise)| by * rise).sum();
                let rise = (rises[i] - (slope - self.right[i]) / self.rows[i][i]).max(least[i]);
                change = f64::max(change, (rise - rises[i]).abs());
                rises[i] = rise;
            }
        }
        let (curves, _) = rises.as_chunks::<POINTS>();
        array::from_fn(|curve| {
            let mut height: f64 = 0.0;
            curves[curve].map(|rise| {
                height = (height + rise).min(HIGHEST);
                height
            })
        })
    }
}
