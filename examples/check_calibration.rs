//! Checks what the service expects against what becomes of games.
//!
//! `cargo run --release --example check_calibration -- cublino-contra --games 200` plays games of the search
//! against itself and prints, for every tenth of the expected result, what was expected and what became of
//! it, and the slope of the result on what was expected, which is 1 if values are right.
//!
//! A value is worth as much to one player as its negative to the other, so both are counted together: a
//! position in which a loss is expected counts for the opponent. Results that are proven are left out.

#![expect(clippy::cast_precision_loss, reason = "there are fewer positions than a float counts exactly")]

mod self_play;

use std::{ops::AddAssign, process::ExitCode};

use clap::Parser;
use cublino::{
    game::{Notation, Player},
    games::GameId,
    search::{
        Chances, Control, Curves, Engine, Learned, Options, Playable, RootPosition, SearchLimits, Tablebases,
        TranspositionTable,
    },
    with_game,
};

/// Checks what the service expects against what becomes of games
#[derive(Debug, Parser)]
struct Asked {
    /// The game
    game: GameId,
    /// Games to play
    #[arg(long, default_value_t = 600)]
    games: u64,
    /// Positions that the search visits for a move
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// What openings and rolls are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A game that takes more moves counts as drawn.
const MAX_MOVES: u32 = 300;
/// In fewer positions chance decides.
const ENOUGH: f64 = 100.0;
/// How much what was expected may differ from what became of it, in a tenth with enough positions.
const CLOSE: f64 = 0.08;

fn main() -> ExitCode {
    let asked = Asked::parse();
    with_game!(asked.game, G => check::<G>(&asked))
}

/// A position of a game that was played, from the view of the side that has more of it.
#[derive(Clone)]
struct Sample {
    /// The number of the game.
    game: u64,
    /// What the search expected.
    expected: f64,
    chances: Chances,
    /// What became of the game: 1 a win, 0 a draw, -1 a loss.
    result: f64,
}

fn check<G: Playable + Notation>(asked: &Asked) -> ExitCode {
    let mut tenths = vec![Tenth::default(); 10];
    let samples = samples::<G>(asked);
    for sample in &samples {
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
    let (slope, error) = slope(&samples);
    println!("slope of the result on what was expected: {slope:.2} ± {error:.2}");
    if is_close { ExitCode::SUCCESS } else { ExitCode::FAILURE }
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

/// All games, and what is known of their positions.
fn samples<G: Playable + Notation>(asked: &Asked) -> Vec<Sample> {
    let engine = Engine::built_in::<G>(Tablebases::built_in());
    let samples = self_play::each(asked.games, |game| play::<G>(asked, game, &engine)).concat();
    eprintln!("{} games, {} positions without a proven result", asked.games, samples.len());
    samples
}

/// Plays a game, and returns what is known of its positions.
fn play<G: Playable + Notation>(asked: &Asked, game: u64, engine: &Engine<Learned>) -> Vec<Sample> {
    let mut table = TranspositionTable::new(1 << 20);
    let options = Options::new(SearchLimits { nodes: Some(asked.nodes), ..SearchLimits::default() });
    let mut found = Vec::new();
    let outcome = self_play::play::<G>(asked.seed.wrapping_add(game), MAX_MOVES, |record, _| {
        let root = RootPosition::from(record);
        let analysis = engine.search(root, &options, &Control::new(), &mut table, &mut |_| {});
        let value = analysis.lines[0].value;
        if value.proven.is_none() {
            found.push((record.position().turn(), value));
        }
        analysis.best()
    });
    let result = |player: Player| f64::from(outcome.map_or(0, |outcome| outcome.result_for(player)));
    let sample = |(player, value): (Player, cublino::search::Value)| {
        let (player, value) = if value.expected < 0.0 { (!player, -value) } else { (player, value) };
        Sample { game, expected: value.expected, chances: value.chances, result: result(player) }
    };
    found.into_iter().map(sample).collect()
}
