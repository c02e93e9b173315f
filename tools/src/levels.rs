//! `tools levels`, which makes the files in `crates/engine/src/levels`.

use std::{
    fs, io,
    num::NonZeroUsize,
    ops::ControlFlow,
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Args;
use rand::{RngExt, SeedableRng, seq::IteratorRandom};
use rand_pcg::Pcg64Mcg;

use crate::{
    arena::{self, Match},
    measured_games::{each, play},
    rollout::{error, mean},
};
use cublino_engine::{
    Control, Engine, Level, MeasuredLevel, Options, Playable, RootPosition, SearchLimits, Tablebases,
    TranspositionTable, in_ten_thousandths,
};
use cublino_rules::{
    game::{Notation, Record},
    games::GameId,
    with_game,
};

/// Measure the strength of the levels
///
/// Prints for each level the mean loss of its moves, its median time, and its score against the level below
/// (of the lowest: against random play). All levels choose in the same positions, each from another game
/// between levels. The loss of a move comes from a search of best and played move, as in `analysis`, with
/// more nodes than level 8.
#[derive(Args, Clone, Debug)]
pub struct Levels {
    /// The game
    game: GameId,
    /// Games that each level but the highest plays against the one below
    #[arg(long, default_value_t = 1000)]
    games: u32,
    /// Games of the highest level, which are slow
    #[arg(long, default_value_t = 100)]
    highest_games: u32,
    /// Positions in which all levels choose a move, to measure what it loses
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// Nodes of the search that measures the loss of a move
    #[arg(long, default_value_t = 3_000_000)]
    nodes: u64,
    /// Random seed for openings, rolls and errors
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write the levels to
    #[arg(long)]
    out: Option<PathBuf>,
}

/// A game that takes more plies is given up; rolls count as well.
const MAX_PLIES: u32 = 200;

impl Levels {
    /// Plays the games, prints a line for each level, and writes the file.
    pub fn run(&self) -> io::Result<()> {
        with_game!(self.game, G => self.measure::<G>())
    }

    fn measure<G: Playable + Notation>(&self) -> io::Result<()> {
        println!("level\tmean loss\terror\tmedian ms\tscore\terror");
        let choices = each(self.positions, |number| choices::<G>(self, number));
        let mut measured: Vec<MeasuredLevel> = Vec::new();
        for (i, level) in Level::all().enumerate() {
            let of_level = || choices.iter().filter_map(|levels| levels.get(i));
            let losses: Vec<_> = of_level().map(|choice| choice.loss).collect();
            let mut times: Vec<_> = of_level().map(|choice| choice.time).collect();
            times.sort_unstable();
            let median_ms = in_thousandths(times[times.len() / 2].as_secs_f64() * 1e3);
            print!("{}\t{:.4}\t{:.4}\t{median_ms:.3}", level.get(), mean(&losses), error(&losses));
            let (score, error) = play_below::<G>(self, level)?;
            println!("\t{score:.3}\t{error:.3}");
            // The rating follows from the score: with a score of 1, it would be infinite.
            let score_against_below = in_thousandths(score).min(0.999);
            let mean_loss = in_ten_thousandths(mean(&losses));
            measured.push(MeasuredLevel { score_against_below, mean_loss, median_ms });
        }
        match &self.out {
            Some(out) => fs::write(out, serde_json::to_string_pretty(&measured)? + "\n"),
            None => Ok(()),
        }
    }
}

fn in_thousandths(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}

/// The score of a level against the one below, or of the lowest against random play, and its standard error.
fn play_below<G: Playable + Notation>(asked: &Levels, level: Level) -> io::Result<(f64, f64)> {
    let spec = |level: u8| if level == 0 { "random".to_owned() } else { format!("level={level}") };
    let [one, two] =
        [level.get(), level.get() - 1].map(|level| spec(level).parse().map_err(io::Error::other));
    let config = Match {
        one: one?,
        two: two?,
        games: if level == Level::HIGHEST { asked.highest_games } else { asked.games },
        seed: asked.seed,
        threads: NonZeroUsize::MIN,
    };
    let report = arena::run::<G>(&config, &Tablebases::built_in(), &mut |_, _| ControlFlow::Continue(()))
        .map_err(io::Error::other)?;
    Ok((report.score(), report.standard_error()))
}

/// The move of a level in a position: its loss, and the time it took.
struct Choice {
    loss: f64,
    time: Duration,
}

/// The choices of all levels in one position of a game; empty if no position of the game has a choice.
fn choices<G: Playable + Notation>(asked: &Levels, number: u64) -> Vec<Choice> {
    let engine = Engine::built_in::<G>(Tablebases::built_in());
    let [mut own_table, mut table] = [1, 16].map(|mebibytes: usize| TranspositionTable::new(mebibytes << 20));
    let mut choose = |record: &Record<G>, level, rng: &mut Pcg64Mcg| {
        let options =
            Options { level: Some(level), seed: rng.random(), ..Options::new(SearchLimits::default()) };
        let root = RootPosition::from(record);
        engine.search(root, &options, &Control::new(), &mut own_table, &mut |_| {}).best()
    };
    let below_highest = || Level::all().filter(|&level| level != Level::HIGHEST);
    let max_moves = if G::ROLLS.is_empty() { MAX_PLIES } else { MAX_PLIES / 2 };
    let mut positions = Vec::new();
    play::<G>(asked.seed.wrapping_add(number), max_moves, |record, rng| {
        if record.position().legal_moves().len() > 1 {
            positions.push(record.clone());
        }
        choose(record, below_highest().choose(rng).expect("there are lower levels"), rng)
    });
    let mut rng = Pcg64Mcg::seed_from_u64(asked.seed.wrapping_add(number));
    let Some(record) = positions.into_iter().choose(&mut rng) else {
        return Vec::new();
    };
    let limits = SearchLimits { nodes: Some(asked.nodes), ..SearchLimits::default() };
    let mut losses: Vec<(G::Move, f64)> = Vec::new();
    Level::all()
        .map(|level| {
            let began = Instant::now();
            let m = choose(&record, level, &mut rng);
            let time = began.elapsed();
            let known = losses.iter().find_map(|&(other, loss)| (other == m).then_some(loss));
            let loss = known.unwrap_or_else(|| {
                let root = RootPosition::from(&record);
                let compared = engine.compare(root, m, &limits, &Control::new(), &mut table);
                compared.best.value.more_than(&compared.played.value).max(0.0)
            });
            losses.push((m, loss));
            Choice { loss, time }
        })
        .collect()
}
