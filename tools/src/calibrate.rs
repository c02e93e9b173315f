//! `tools calibrate`.

#![expect(clippy::cast_precision_loss, reason = "there are fewer positions than a float counts exactly")]

use std::{
    io,
    ops::AddAssign,
    path::{Path, PathBuf},
};

use clap::Args;

use crate::{
    arena::result_for,
    calibration::{Fitted, Searched},
    game_file::{self, GameFileError},
    measured_games::{each, play},
};
use cublino_engine::{
    Chances, Control, Curves, Engine, Learned, Options, Playable, RootPosition, SearchLimits, Tablebases,
    TranspositionTable,
};
use cublino_rules::{game::Notation, games::GameId, with_game};

/// Compare the results that the search expects with the results of games
///
/// Plays games of the search against itself. For every tenth of the expected result, it prints the mean
/// expected and the mean real result. It also prints the slope of the real results over the expected ones: 1
/// if values are right. The exit status is 0 only if both are close in every tenth with enough positions.
///
/// With --kept, it plays no games, but cross-validates on the games that `train` calibrated a network with:
/// curves fitted to three quarters of them are tested on the other quarter, each quarter in turn.
///
/// A position with an expected loss counts for the opponent. Proven results are left out.
#[derive(Args, Clone, Debug)]
pub struct Calibrate {
    /// The game
    game: GameId,
    /// Games to play
    #[arg(long, default_value_t = 600)]
    games: u64,
    /// Nodes per move
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// Random seed for openings and rolls
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Instead of new games, read those with which `train` calibrated the network of the program
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "nodes", "seed"])]
    kept: Option<PathBuf>,
}

impl Calibrate {
    /// Plays or reads the games, and prints the comparison.
    pub fn run(&self) -> io::Result<()> {
        match with_game!(self.game, G => check::<G>(self)) {
            Ok(true) => Ok(()),
            Ok(false) => Err(io::Error::other("the expected results are far from the real ones")),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

/// Whether expected and real results are close.
fn check<G: Playable + Notation>(asked: &Calibrate) -> Result<bool, GameFileError> {
    let samples = match &asked.kept {
        Some(path) => kept::<G>(path)?,
        None => played::<G>(asked.games, asked.nodes, asked.seed),
    };
    eprintln!("{} positions without a proven result", samples.len());
    Ok(print(&samples))
}

/// Parts of the games for cross-validation: each is left out in turn.
const PARTS: usize = 4;

/// The positions of calibration games, valued by curves that were fitted to the other parts of the games.
fn kept<G: Playable + Notation>(path: &Path) -> Result<Vec<Sample>, GameFileError> {
    let evaluator = Learned::built_in::<G>();
    let mut games = Vec::new();
    game_file::read(path, |game| Searched::in_game::<G>(&evaluator, &game).map(|found| games.push(found)))?;
    let mut fitted = [(); PARTS].map(|()| Fitted::default());
    for (number, game) in games.iter().enumerate() {
        for (part, fitted) in fitted.iter_mut().enumerate() {
            if number % PARTS != part {
                for &position in game {
                    fitted.add(position);
                }
            }
        }
    }
    let curves = fitted.map(|fitted| fitted.curves());
    let samples = games.iter().enumerate().flat_map(|(number, game)| {
        let curves = &curves[number % PARTS];
        game.iter().map(move |position| {
            let (expected, chances) = chances(curves, position);
            Sample { game: number as u64, expected, chances, result: position.result }
        })
    });
    Ok(samples.collect())
}

/// The expected result of a position by these curves, and its chances.
fn chances(curves: &Curves, position: &Searched) -> (f64, Chances) {
    let expected = curves.expected(position.scaled, position.draw_share);
    let decided = 1.0 - curves.draw_share(position.draw_share) * (1.0 - expected);
    let [win, loss] = [expected, -expected].map(|balance| f64::midpoint(decided, balance));
    (expected, Chances { win, draw: 1.0 - decided, loss })
}

/// A game that takes more moves is given up.
const MAX_MOVES: u32 = 300;
/// Bytes of a transposition table: the searches are short.
const TABLE_BYTES: usize = 1 << 20;

/// The samples of games that the search plays against itself, in order.
fn played<G: Playable + Notation>(games: u64, nodes: u64, seed: u64) -> Vec<Sample> {
    let engine = Engine::built_in::<G>(Tablebases::built_in());
    let options = Options::new(SearchLimits { nodes: Some(nodes), ..SearchLimits::default() });
    each(games, |game| play_game::<G>(game, seed.wrapping_add(game), &engine, &options)).concat()
}

/// Plays a game, and returns its samples.
fn play_game<G: Playable + Notation>(
    game: u64,
    seed: u64,
    engine: &Engine,
    options: &Options,
) -> Vec<Sample> {
    let mut table = TranspositionTable::new(TABLE_BYTES);
    let mut found = Vec::new();
    let ended = play::<G>(seed, MAX_MOVES, |record, _| {
        let root = RootPosition::from(record);
        let analysis = engine.search(root, options, &Control::new(), &mut table, &mut |_| {});
        let value = analysis.lines[0].value;
        if value.proven.is_none() {
            found.push((record.position().turn(), value));
        }
        analysis.best()
    });
    let samples = found.into_iter().map(|(player, value)| {
        let (player, value) = if value.expected < 0.0 { (!player, -value) } else { (player, value) };
        let result = f64::from(result_for(&ended, player));
        Sample { game, expected: value.expected, chances: value.chances, result }
    });
    samples.collect()
}

/// A position of a game, from the view of the player whose expected result is 0 or more.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// The number of the game.
    game: u64,
    /// The result that the search expected.
    expected: f64,
    /// The chances that the search gave each result.
    chances: Chances,
    /// The result of the game: 1 a win, 0 a draw, -1 a loss.
    result: f64,
}

/// A tenth with fewer positions is too noisy to check.
const ENOUGH: f64 = 100.0;
/// The largest difference between expected and real means that still counts as close.
const CLOSE: f64 = 0.08;

/// Prints the expected and the real results of each tenth, and the slope. Returns whether all are close.
fn print(samples: &[Sample]) -> bool {
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
    println!("slope of the real results over the expected ones: {slope:.2} ± {error:.2}");
    println!("mean squared error: {:.4}", mean_squared_error(samples));
    is_close
}

/// Sums over the positions of a tenth of the expected result.
#[derive(Clone, Copy, Debug, Default)]
struct Tenth {
    count: f64,
    expected: f64,
    result: f64,
    /// Expected chances of a win, a draw and a loss.
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
    /// The largest difference between an expected mean and the real one.
    fn difference(&self) -> f64 {
        let pairs = self.chances.iter().zip(&self.results).chain([(&self.expected, &self.result)]);
        pairs.map(|(expected, result)| (expected - result).abs() / self.count).fold(0.0, f64::max)
    }
}

/// The least-squares slope, through zero, of the real results over the expected ones, with its standard
/// error. The error is clustered by game, since the positions of a game share its result.
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
