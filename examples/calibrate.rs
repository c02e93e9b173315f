//! Finds out what becomes of games in which a search has found a score, and checks what is known of that.
//!
//! `cargo run --release --example calibrate -- cublino-contra --games 3000` plays games of the search against
//! itself and prints the curves of [`Calibration`], to be written into the evaluator of the game.
//! `cargo run --release --example calibrate -- cublino-contra --games 200 --seed 100000 --check` plays other
//! games and prints, for every tenth of the expected result, what was expected and what became of it.
//!
//! A value is worth as much to one player as its negative to the other, so both are counted together: a
//! position in which a loss is expected counts for the opponent. Results that are proven are left out.

#![expect(clippy::cast_precision_loss, reason = "there are fewer positions than a float counts exactly")]

mod linear_equations;

use std::{ops::AddAssign, process::ExitCode};

use clap::Parser;
use cublino::{
    game::{Game, Notation, Player, Record, Stage, playout},
    games::GameId,
    search::{
        Calibration, Chances, Control, Engine, Evaluator, Options, Playable, RootPosition, Scale, Score,
        SearchLimits, Tablebases, Techniques, TranspositionTable,
    },
    with_game,
};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use self::linear_equations::solve;

/// Finds out what became of games in which a search found a score
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
    /// Compares what the service tells with what becomes of games, instead of finding it out
    #[arg(long)]
    check: bool,
}

/// Random plies before a game counts, dice included.
const OPENING: usize = 6;
/// So often a position may occur before a game is drawn, as in matches.
const REPETITION_LIMIT: u32 = 3;
/// A game that takes more plies counts as drawn.
const MAX_PLIES: u32 = 300;
/// In fewer positions chance decides.
const ENOUGH: f64 = 100.0;
/// How much what was expected may differ from what became of it, in a tenth with enough positions.
const CLOSE: f64 = 0.08;
/// As many positions speak for a curve being straight around a point, so that points which hardly any position
/// comes near have a sensible place.
const SMOOTHNESS: f64 = 1_000.0;
/// From point to point at least so much more is expected, so that a better score is always told as a better one.
const RISE: f64 = 0.01;
/// What is expected without a proof is never quite a win.
const HIGHEST: f64 = 0.995;

fn main() -> ExitCode {
    let asked = Asked::parse();
    with_game!(asked.game, G => if asked.check { check::<G>(&asked) } else { find_out::<G>(&asked) })
}

/// A position of a game that was played, from the view of the side that has more of it.
struct Sample {
    /// What the search expected.
    expected: f64,
    chances: Chances,
    /// What became of the game: 1 a win, 0 a draw, -1 a loss.
    result: f64,
}

/// The evaluator of a game without its calibration.
#[derive(Clone, Debug, Default)]
struct Uncalibrated<E>(E);

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Uncalibrated<E> {
    fn scale(&self) -> Scale {
        self.0.scale()
    }

    fn evaluate(&self, position: &G) -> Score {
        self.0.evaluate(position)
    }
}

fn find_out<G: Playable + Notation>(asked: &Asked) -> ExitCode {
    let samples = samples::<G, _>(asked, &Uncalibrated(G::Evaluator::default()));
    // One more point than each curve has: that of 0, and that of 1.
    let points = Calibration::POINTS + 1;
    let expected = fitted(&samples, points, Some((0, 0.0)), |sample| sample.result);
    let draw =
        fitted(&samples, points, Some((points - 1, 0.0)), |sample| f64::from(u8::from(sample.result == 0.0)));
    println!("Calibration::new(");
    println!("    {:.3?},", rising(&expected)[1..].to_vec());
    println!(
        "    {:.3?},",
        draw[..Calibration::POINTS].iter().map(|part| part.clamp(0.0, 1.0)).collect::<Vec<_>>()
    );
    println!(")");
    ExitCode::SUCCESS
}

fn check<G: Playable + Notation>(asked: &Asked) -> ExitCode {
    let mut tenths = vec![Tenth::default(); 10];
    for sample in samples::<G, _>(asked, &G::Evaluator::default()) {
        let (tenth, _) = Calibration::place(sample.expected);
        tenths[tenth] += &sample;
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
    fn add_assign(&mut self, &Sample { expected, chances: Chances { win, draw, loss }, result }: &Sample) {
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

/// All games, and what is known of their positions.
fn samples<G: Playable + Notation, E: Evaluator<G> + Clone>(asked: &Asked, evaluator: &E) -> Vec<Sample> {
    let tablebases = Tablebases::built_in();
    let engine = Engine { evaluator: evaluator.clone(), tablebases, techniques: Techniques::default() };
    let samples: Vec<_> = (0..asked.games).flat_map(|game| play::<G, E>(asked, game, &engine)).collect();
    eprintln!("{} games, {} positions without a proven result", asked.games, samples.len());
    samples
}

/// Plays a game, and returns what is known of its positions.
fn play<G: Playable + Notation, E: Evaluator<G>>(
    asked: &Asked,
    game: u64,
    engine: &Engine<E>,
) -> Vec<Sample> {
    let mut rng = Pcg64Mcg::seed_from_u64(asked.seed.wrapping_add(game));
    let mut table = TranspositionTable::new(1 << 20);
    let options = Options::new(SearchLimits { nodes: Some(asked.nodes), ..SearchLimits::default() });
    let opening = playout::positions(G::default(), OPENING, &mut rng).last();
    let mut record = Record::new(opening.expect("a game has a first position"), Some(REPETITION_LIMIT));
    let (mut found, mut plies) = (Vec::new(), 0);
    let outcome = loop {
        let text = match record.stage() {
            Stage::Over(outcome) => break Some(outcome),
            Stage::Roll => playout::roll::<G>(&mut rng).expect("a game that rolls has rolls").to_string(),
            Stage::Move if plies == MAX_PLIES => break None,
            Stage::Move => {
                plies += 1;
                let root = RootPosition::from(&record);
                let analysis = engine.search(root, &options, &Control::new(), &mut table, &mut |_| {});
                let value = analysis.lines[0].value;
                if value.proven.is_none() {
                    found.push((record.position().turn(), value));
                }
                record.position().spell(analysis.best()).to_string()
            }
        };
        record.play(&text).expect("what is legal can be played");
    };
    let result = |player: Player| f64::from(outcome.map_or(0, |outcome| outcome.result_for(player)));
    let sample = |(player, value): (Player, cublino::search::Value)| {
        let (player, value) = if value.expected < 0.0 { (!player, -value) } else { (player, value) };
        Sample { expected: value.expected, chances: value.chances, result: result(player) }
    };
    found.into_iter().map(sample).collect()
}

/// The curve, straight between its points, that is nearest to a number which each position has; one point may
/// be fixed.
fn fitted(
    samples: &[Sample],
    points: usize,
    fixed: Option<(usize, f64)>,
    number: impl Fn(&Sample) -> f64,
) -> Vec<f64> {
    /// Positions that would speak for a fixed point.
    const FIXED: f64 = 1e9;
    // Each row is that of the normal equations, and their right side after it.
    let mut rows = vec![vec![0.0; points + 1]; points];
    for sample in samples {
        let (before, part) = Calibration::place(sample.expected);
        let weights = [(before, 1.0 - part), (before + 1, part)];
        for (i, weight) in weights {
            rows[i][points] += weight * number(sample);
            for (j, other) in weights {
                rows[i][j] += weight * other;
            }
        }
    }
    for middle in 1..points - 1 {
        let bend = [(middle - 1, 1.0), (middle, -2.0), (middle + 1, 1.0)];
        for (i, weight) in bend {
            for (j, other) in bend {
                rows[i][j] += SMOOTHNESS * weight * other;
            }
        }
    }
    if let Some((i, value)) = fixed {
        rows[i][i] += FIXED;
        rows[i][points] += FIXED * value;
    }
    solve(rows)
}

/// The nearest curve that rises by [`RISE`] from point to point.
fn rising(curve: &[f64]) -> Vec<f64> {
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
