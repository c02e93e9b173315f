//! Calibration: curves that give the mean result of games with a score.

use std::array;

use super::game_file::{TrainingGame, VALUE_ONE};
use cublino_engine::{Curve, Curves, Learned, Playable};
use cublino_rules::game::Notation;

/// Points of a curve.
const POINTS: usize = Curves::POINTS;
/// Weight, in positions, of the smoothness penalty at each point. It places the points that few positions are
/// near.
const SMOOTHNESS: f64 = 1_000.0;
/// The least rise of a curve from point to point, so that a better score gets a better value. A hundredth was
/// too much where draws are certain: a score is worth hardly anything there.
const RISE: f64 = 0.001;
/// The highest value of a curve: results that are not proven are never certain.
const HIGHEST: f64 = 0.995;

/// The value of a search in a position of a game, and the result of the game, from the view of the player
/// whose value is 0 or more.
#[derive(Clone, Copy, Debug)]
pub struct Searched {
    /// The expected result before calibration, from 0 to 1.
    pub scaled: f64,
    /// The share of draws that the network expects, from 0 to 1.
    pub draw_share: f64,
    /// The result of the game: 1 a win, 0 a draw, -1 a loss.
    pub result: f64,
}

impl Searched {
    /// The values in a game without random moves after its opening, played with an evaluator that was not
    /// calibrated. Proven results are left out.
    ///
    /// # Errors
    /// Fails if the state of the game is invalid, or a move cannot be played.
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

/// Values and results of games, and the fit of the curves to them.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The fit of both curves of results: first without draws, then where a draw is certain.
    results: LeastSquares<{ 2 * POINTS }>,
    searched: Vec<Searched>,
}

impl Default for Fitted {
    fn default() -> Self {
        let mut results = LeastSquares::new();
        for of_nothing in [0, POINTS] {
            // A score of 0 has the value 0, whatever the positions say.
            results.add(&[(of_nothing, 1.0)], 0.0, 1e9);
        }
        Self { results, searched: Vec::new() }
    }
}

impl Fitted {
    /// Adds the positions of a game, as [`Searched::in_game`] finds them.
    ///
    /// # Errors
    /// Fails if the state of the game is invalid, or a move cannot be played.
    pub fn add_game<G: Playable + Notation>(
        &mut self,
        evaluator: &Learned,
        game: &TrainingGame,
    ) -> Result<(), String> {
        for position in Searched::in_game::<G>(evaluator, game)? {
            self.add(position);
        }
        Ok(())
    }

    /// Adds a position.
    pub fn add(&mut self, position: Searched) {
        let Searched { scaled, draw_share, result } = position;
        let [decisive, drawish] = [(0, 1.0 - draw_share), (POINTS, draw_share)]
            .map(|(first, part)| at(scaled).map(|(point, weight)| (first + point, weight * part)));
        self.results.add([decisive, drawish].as_flattened(), result, 1.0);
        self.searched.push(position);
    }

    /// The least-squares curves of the games.
    #[must_use]
    pub fn curves(&self) -> Curves {
        let [decisive, drawish] = self.results.curves();
        let of_results = Curves([decisive, drawish, Curves::LINE]);
        let mut draws: LeastSquares<POINTS> = LeastSquares::new();
        for &Searched { scaled, draw_share, result } in &self.searched {
            let room = 1.0 - of_results.expected(scaled, draw_share);
            let weights = at(draw_share).map(|(point, weight)| (point, weight * room));
            draws.add(&weights, f64::from(u8::from(result == 0.0)), 1.0);
        }
        let [draws] = draws.curves();
        Curves([decisive, drawish, draws])
    }
}

/// The two points of a curve beside a number from 0 to 1, with their weights for interpolation.
fn at(number: f64) -> [(usize, f64); 2] {
    let (before, part) = Curves::place(number);
    [(before, 1.0 - part), (before + 1, part)]
}

/// The normal equations of least-squares curves that are linear between their points. The curves have `N`
/// points in all, one curve after the other.
///
/// The unknowns are the rises of a curve to each of its points, with a lower bound, so that it cannot fall.
#[derive(Clone, Debug)]
struct LeastSquares<const N: usize> {
    rows: [[f64; N]; N],
    right: [f64; N],
}

impl<const N: usize> LeastSquares<N> {
    /// The solution is found when no rise changes by more than this.
    const PRECISION: f64 = 1e-9;

    /// Equations without data, whose solution is the line from 0 to 1.
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

    /// Solves them by coordinate descent. It ends in the only minimum, since the matrix is positive definite
    /// and each bound limits one unknown.
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
