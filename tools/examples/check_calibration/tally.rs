//! What was expected against what became of it, tenth by tenth, and the slope of one on the other.

use std::ops::AddAssign;

use cublino::search::{Chances, Curves};

/// A position of a game that was played, from the view of the side that has more of it: a value is worth as
/// much to one player as its negative to the other.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The number of the game.
    pub game: u64,
    /// The result that the search expected.
    pub expected: f64,
    /// How likely it took each result to be.
    pub chances: Chances,
    /// What became of the game: 1 a win, 0 a draw, -1 a loss.
    pub result: f64,
}

/// In fewer positions chance decides.
const ENOUGH: f64 = 100.0;
/// How much what was expected may differ from what became of it, in a tenth with enough positions.
const CLOSE: f64 = 0.08;

/// Prints what was expected in each tenth, what became of it, and the slope; returns whether everything is
/// close.
pub fn print(samples: &[Sample]) -> bool {
    let mut tenths = [Tenth::default(); 10];
    for sample in samples {
        let (tenth, _) = Curves::place(sample.expected);
        tenths[tenth] += sample;
    }
    println!("expected\tpositions\tmean expected\tmean result\twin\tdraw\tloss\twon\tdrawn\tlost");
    let mut is_close = true;
    for (i, tenth) in tenths.iter().enumerate().filter(|(_, tenth)| tenth.count > 0.0) {
        let Tenth { count, expected, result, chances, results } = tenth;
        let of = |sums: &[f64; 3]| sums.map(|sum| format!("{:.3}", sum / count)).join("\t");
        let mark = if *count < ENOUGH {
            "\ttoo few"
        } else if tenth.difference() <= CLOSE {
            ""
        } else {
            is_close = false;
            "\tfar off"
        };
        let (from, to) = (i as f64 / 10.0, (i + 1) as f64 / 10.0);
        let (expected, result) = (expected / count, result / count);
        println!(
            "{from:.1} to {to:.1}\t{count}\t{expected:.3}\t{result:.3}\t{}\t{}{mark}",
            of(chances),
            of(results)
        );
    }
    let (slope, error) = slope(samples);
    println!("slope of the result on what was expected: {slope:.2} ± {error:.2}");
    println!("mean squared error: {:.4}", mean_squared_error(samples));
    is_close
}

/// What was expected in positions, and what became of their games, all added up.
#[derive(Clone, Copy, Debug, Default)]
struct Tenth {
    count: f64,
    expected: f64,
    result: f64,
    /// Won, drawn and lost.
    chances: [f64; 3],
    results: [f64; 3],
}

impl AddAssign<&Sample> for Tenth {
    fn add_assign(
        &mut self,
        &Sample { expected, chances: Chances { win, draw, loss }, result, .. }: &Sample,
    ) {
        self.count += 1.0;
        self.expected += expected;
        self.result += result;
        let results = [result > 0.0, result == 0.0, result < 0.0].map(|is_so| f64::from(u8::from(is_so)));
        for (sum, part) in self.chances.iter_mut().zip([win, draw, loss]) {
            *sum += part;
        }
        for (sum, part) in self.results.iter_mut().zip(results) {
            *sum += part;
        }
    }
}

impl Tenth {
    /// The largest difference between what was expected, on average, and what became of it.
    fn difference(&self) -> f64 {
        let pairs = self.chances.iter().zip(&self.results).chain([(&self.expected, &self.result)]);
        pairs.map(|(expected, result)| (expected - result).abs() / self.count).fold(0.0, f64::max)
    }
}

/// The slope of the line through zero that is nearest to the results, by what was expected, and its standard
/// error. The positions of a game share its result, so games are what counts.
fn slope(samples: &[Sample]) -> (f64, f64) {
    let sum = |of: fn(&Sample) -> f64| samples.iter().map(of).sum::<f64>();
    let squares = sum(|sample| sample.expected * sample.expected);
    let slope = sum(|sample| sample.expected * sample.result) / squares;
    let of_games = samples.chunk_by(|a, b| a.game == b.game).map(|game| {
        let of_sample = |sample: &Sample| sample.expected * (sample.result - slope * sample.expected);
        game.iter().map(of_sample).sum::<f64>().powi(2)
    });
    (slope, of_games.sum::<f64>().sqrt() / squares)
}

fn mean_squared_error(samples: &[Sample]) -> f64 {
    let squares = samples.iter().map(|sample| (sample.result - sample.expected).powi(2));
    squares.sum::<f64>() / samples.len() as f64
}
