//! Fits the weights of a hand-made evaluation to the results of games that the search plays against itself.
//!
//! `cargo run --release --example fit_weights -- cublino-contra --games 2000 --nodes 300 > weights.json`
//!
//! It is a logistic regression: a hundred units of the evaluation, or as many as are asked for, are one
//! natural unit of log-odds of a win. What a weight contributes to the evaluation of a position is found by
//! changing it, so nothing here knows a game. The weights are printed as `cublino match GAME --one
//! nodes=1000,weights=weights.json --two nodes=1000` reads them, which decides whether they are better.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "weights are small whole numbers"
)]

mod linear_equations;

use std::{collections::HashMap, io};

use clap::Parser;
use cublino::{
    game::{Player, Stage, playout},
    games::GameId,
    search::{Control, Engine, Evaluator, Options, Playable, SearchLimits, TranspositionTable},
    with_game,
};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64Mcg;
use serde_json::Value;

use self::linear_equations::solve;

/// Fits the weights of a game's evaluation
#[derive(Debug, Parser)]
struct Asked {
    /// The game
    game: GameId,
    /// Games to play; every tenth is not fitted to, but tells how well the fit foretells results
    #[arg(long, default_value_t = 1_000)]
    games: u64,
    /// Positions that the search visits for a move
    #[arg(long, default_value_t = 300)]
    nodes: u64,
    /// Units of the evaluation that are one natural unit of log-odds; in Wari they are about 400
    #[arg(long, default_value_t = 100.0)]
    units: f64,
    /// What openings, random moves and rolls are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Random plies before a game counts.
const OPENING: usize = 4;
/// One move in so many is a random one, so that there is more to learn from than the best play.
const RANDOM_MOVE: u32 = 12;
/// A game that takes more plies counts as drawn.
const MAX_PLIES: u32 = 300;
/// Where more units come from no weight than this, the game is decided, and there is nothing to learn.
const DECIDED: f64 = 5_000.0;
/// By how much a weight is changed to see what it contributes: enough for rounding not to matter.
const CHANGE: i64 = 100;
/// How strongly weights are held where they are: about as if one position spoke for each.
const PRIOR: f64 = 1e-4;
/// Numbers that the evaluation is not linear in.
const NOT_FITTED: [&str; 2] = ["scale", "offset"];
/// Steps of Newton's method, and how often one that goes too far is halved.
const STEPS: usize = 12;
const HALVINGS: i32 = 10;

/// What is known about a position of a game.
struct Sample {
    game: u64,
    /// What the weights contribute, in log-odds for each unit of the weight, without those that contribute
    /// nothing.
    features: Vec<(usize, f64)>,
    /// The log-odds that do not come from the weights.
    rest: f64,
    /// For the side to move: 1 a win, 0 a loss.
    result: f64,
}

fn main() -> io::Result<()> {
    let asked = Asked::parse();
    with_game!(asked.game, G => fit::<G>(&asked))
}

fn fit<G: Playable>(asked: &Asked) -> io::Result<()> {
    let mut weights = serde_json::to_value(G::Evaluator::default())?;
    let paths = paths_of_numbers(&weights, "");
    let start: Vec<f64> = paths.iter().map(|path| number(&weights, path) as f64).collect();
    let evaluators = Evaluators::<G::Evaluator>::new(asked.units, &weights, &paths)?;
    let samples: Vec<_> =
        (0..asked.games).flat_map(|game| play::<G>(asked, game, &evaluators, &start)).collect();
    let (held_out, fitted): (Vec<_>, Vec<_>) = samples.into_iter().partition(|sample| sample.game % 10 == 9);

    let mut found = start.clone();
    for _ in 0..STEPS {
        found = improved(&fitted, &start, &found);
    }
    eprintln!(
        "{} positions of {} games, {} weights",
        fitted.len() + held_out.len(),
        asked.games,
        start.len()
    );
    for (name, samples) in [("fitted", &fitted), ("held out", &held_out)] {
        let [before, after] = [&start, &found].map(|weights| loss(samples, weights));
        eprintln!("logarithmic loss, {name}: {before:.4} before, {after:.4} after");
    }
    for (path, weight) in paths.iter().zip(&found) {
        *weights.pointer_mut(path).expect("the path leads to a number") = Value::from(weight.round() as i64);
    }
    serde_json::to_writer_pretty(io::stdout().lock(), &weights)?;
    println!();
    Ok(())
}

/// Where the numbers are that can be fitted.
fn paths_of_numbers(value: &Value, path: &str) -> Vec<String> {
    match value {
        Value::Number(_) => vec![path.to_owned()],
        Value::Array(values) => {
            (0..).zip(values).flat_map(|(i, value)| paths_of_numbers(value, &format!("{path}/{i}"))).collect()
        }
        Value::Object(fields) => {
            let fitted = fields.iter().filter(|(name, _)| !NOT_FITTED.contains(&name.as_str()));
            fitted.flat_map(|(name, value)| paths_of_numbers(value, &format!("{path}/{name}"))).collect()
        }
        _ => Vec::new(),
    }
}

fn number(weights: &Value, path: &str) -> i64 {
    weights.pointer(path).and_then(Value::as_i64).expect("weights are whole numbers")
}

/// The evaluator as it is, and with each of its weights changed.
struct Evaluators<E> {
    units: f64,
    unchanged: E,
    changed: Vec<E>,
}

impl<E: Default + serde::de::DeserializeOwned> Evaluators<E> {
    fn new(units: f64, weights: &Value, paths: &[String]) -> serde_json::Result<Self> {
        let changed = |path: &String| {
            let mut changed = weights.clone();
            let number = Value::from(number(weights, path) + CHANGE);
            *changed.pointer_mut(path).expect("the path leads to a number") = number;
            serde_json::from_value(changed)
        };
        let changed = paths.iter().map(changed).collect::<Result<_, _>>()?;
        Ok(Self { units, unchanged: E::default(), changed })
    }

    /// What is known about a position before the result is; nothing where the game is decided.
    fn sample<G: Playable>(&self, position: &G, start: &[f64]) -> Option<Sample>
    where
        E: Evaluator<G>,
    {
        let units = |evaluator: &E| f64::from(evaluator.evaluate(position).units());
        let unchanged = units(&self.unchanged);
        let feature = |evaluator| (units(evaluator) - unchanged) / CHANGE as f64;
        let mut features: Vec<_> = self.changed.iter().map(feature).enumerate().collect();
        features.retain(|&(_, feature)| feature != 0.0);
        let rest = unchanged - features.iter().map(|&(i, feature)| start[i] * feature).sum::<f64>();
        for (_, feature) in &mut features {
            *feature /= self.units;
        }
        (rest.abs() < DECIDED).then_some(Sample { game: 0, features, rest: rest / self.units, result: 0.0 })
    }
}

/// Plays a game, and returns its positions.
fn play<G: Playable>(
    asked: &Asked,
    game: u64,
    evaluators: &Evaluators<G::Evaluator>,
    start: &[f64],
) -> Vec<Sample> {
    let mut rng = Pcg64Mcg::seed_from_u64(asked.seed.wrapping_add(game));
    let (engine, mut table) = (Engine::<G::Evaluator>::default(), TranspositionTable::new(1 << 20));
    let options = Options::new(SearchLimits { nodes: Some(asked.nodes), ..SearchLimits::default() });
    let opening = playout::positions(G::default(), OPENING, &mut rng).last();
    let mut position = opening.expect("a game has a first position");
    let (mut samples, mut occurred, mut plies) = (Vec::new(), HashMap::<G, u32>::new(), 0);
    let outcome = loop {
        // With dice the search evaluates positions before they are rolled.
        if position.stage() == if G::ROLLS.is_empty() { Stage::Move } else { Stage::Roll } {
            samples.extend(evaluators.sample(&position, start).map(|sample| (position.turn(), sample)));
        }
        match position.stage() {
            Stage::Over(outcome) => break Some(outcome),
            Stage::Roll => position = playout::step(&position, &mut rng),
            Stage::Move => {
                let times = occurred.entry(position).or_default();
                *times += 1;
                if *times == 3 || plies == MAX_PLIES {
                    break None;
                }
                let m = if rng.random_ratio(1, RANDOM_MOVE) {
                    let mut moves = Vec::new();
                    position.generate(&mut moves);
                    *moves.choose(&mut rng).expect("Stage::Move has a legal move")
                } else {
                    engine.search(&position, &options, &Control::new(), &mut table, &mut |_| {}).best()
                };
                position.play_unchecked(m);
                plies += 1;
            }
        }
    };
    let result = |player: Player| f64::from(outcome.map_or(0, |outcome| outcome.result_for(player)));
    let told = |(player, sample)| Sample { game, result: f64::midpoint(1.0, result(player)), ..sample };
    samples.into_iter().map(told).collect()
}

/// The chance of a win that some weights foretell.
fn chance(sample: &Sample, weights: &[f64]) -> f64 {
    let log_odds: f64 = sample.features.iter().map(|&(i, feature)| weights[i] * feature).sum();
    1.0 / (1.0 + (-(sample.rest + log_odds)).exp())
}

/// The mean logarithmic loss.
fn loss(samples: &[Sample], weights: &[f64]) -> f64 {
    let loss = |sample: &Sample| {
        let chance = chance(sample, weights).clamp(1e-9, 1.0 - 1e-9);
        -sample.result * chance.ln() - (1.0 - sample.result) * (1.0 - chance).ln()
    };
    samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
}

/// Better weights by a step of Newton's method, or by a part of one if it goes too far; the same if there are
/// none.
fn improved(samples: &[Sample], start: &[f64], weights: &[f64]) -> Vec<f64> {
    let step = newton_step(samples, start, weights);
    let before = loss(samples, weights);
    let part = |halvings| -> Vec<f64> {
        weights.iter().zip(&step).map(|(weight, step)| weight - step * 0.5_f64.powi(halvings)).collect()
    };
    (0..HALVINGS).map(part).find(|after| loss(samples, after) < before).unwrap_or_else(|| weights.to_vec())
}

/// What is to be taken away from the weights by a step of Newton's method.
fn newton_step(samples: &[Sample], start: &[f64], weights: &[f64]) -> Vec<f64> {
    let count = weights.len();
    // Each row is that of the Hessian matrix, and the gradient after it.
    let mut rows = vec![vec![0.0; count + 1]; count];
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] = PRIOR;
        row[count] = PRIOR * (weights[i] - start[i]);
    }
    for sample in samples {
        let chance = chance(sample, weights);
        let (error, curvature) = (chance - sample.result, chance * (1.0 - chance));
        for &(i, feature) in &sample.features {
            rows[i][count] += error * feature;
            for &(j, other) in &sample.features {
                rows[i][j] += curvature * feature * other;
            }
        }
    }
    solve(rows)
}
