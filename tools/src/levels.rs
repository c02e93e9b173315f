//! `tools levels`: what it writes is kept in `crates/engine/src/levels`.

#![expect(clippy::cast_precision_loss, reason = "there are fewer moves than a float counts exactly")]

use std::{
    fs, io,
    num::NonZeroUsize,
    ops::ControlFlow,
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Args;
use rand::RngExt;

use crate::measured_games::play;
use cublino_engine::{
    Control, Level, MeasuredLevel, Options, Playable, RootPosition, SearchLimits, Tablebases,
    TranspositionTable,
    arena::{self, Match},
    compare, search,
};
use cublino_rules::{game::Notation, games::GameId, with_game};

/// Measure what the levels for people are worth
///
/// It prints for each level how much it scores against the level below, how much its moves lose, and how long
/// it thinks. What a move loses comes from a search that sees more than any level but the highest: best move
/// and played move in one search, as `analysis` does it. Levels 7 and 8 see as much themselves, so their
/// losses are those that another search of that size finds.
#[derive(Args, Clone, Debug)]
pub struct Levels {
    /// The game
    game: GameId,
    /// Games that each level but the highest plays against the one below
    #[arg(long, default_value_t = 1000)]
    games: u32,
    /// Games that the highest plays, which takes long
    #[arg(long, default_value_t = 100)]
    highest_games: u32,
    /// Games that each level plays against itself to tell what its moves lose
    #[arg(long, default_value_t = 10)]
    compared_games: u64,
    /// Positions that the search visits which tells what a move loses
    #[arg(long, default_value_t = 50_000)]
    nodes: u64,
    /// What openings, rolls and errors are drawn from
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
        println!("level\tscore\terror\tmean loss\tmedian ms");
        let mut measured = Vec::new();
        for level in Level::all() {
            let against_below = match level.get().checked_sub(1).map(Level::try_from) {
                Some(Ok(below)) => Some(with_game!(self.game, G => play_below::<G>(self, level, below))?),
                _ => None,
            };
            let (loss, time) = with_game!(self.game, G => mean_loss::<G>(self, level));
            let (score, error) = against_below.unzip();
            let median_ms = in_thousandths(time.as_secs_f64() * 1e3);
            let [shown_score, shown_error] =
                [score, error].map(|part| part.map(|part| format!("{part:.3}")).unwrap_or_default());
            println!("{}\t{shown_score}\t{shown_error}\t{loss:.3}\t{median_ms:.3}", level.get());
            let score_against_below = score.map(in_thousandths);
            measured.push(MeasuredLevel { score_against_below, mean_loss: in_thousandths(loss), median_ms });
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

/// The score of a level against the one below, and its standard error.
fn play_below<G: Playable + Notation>(asked: &Levels, level: Level, below: Level) -> io::Result<(f64, f64)> {
    let spec = |level: Level| format!("level={}", level.get()).parse().map_err(io::Error::other);
    let config = Match {
        one: spec(level)?,
        two: spec(below)?,
        games: if level == Level::HIGHEST { asked.highest_games } else { asked.games },
        seed: asked.seed,
        threads: NonZeroUsize::MIN,
    };
    let report = arena::run::<G>(&config, &Tablebases::built_in(), &mut |_, _| ControlFlow::Continue(()))
        .map_err(io::Error::other)?;
    Ok((report.score(), report.standard_error()))
}

/// What a move of a level loses on average, where there is a choice, and the median of how long it takes.
fn mean_loss<G: Playable + Notation>(asked: &Levels, level: Level) -> (f64, Duration) {
    let tablebases = Tablebases::built_in();
    let [mut own_table, mut table] = [1, 1].map(|mebibytes: usize| TranspositionTable::new(mebibytes << 20));
    let limits = SearchLimits { nodes: Some(asked.nodes), ..SearchLimits::default() };
    let max_moves = if G::ROLLS.is_empty() { MAX_PLIES } else { MAX_PLIES / 2 };
    let (mut losses, mut times) = (Vec::new(), Vec::new());
    for game in 0..asked.compared_games {
        play::<G>(asked.seed.wrapping_add(game), max_moves, |record, rng| {
            let options =
                Options { level: Some(level), seed: rng.random(), ..Options::new(SearchLimits::default()) };
            let root = || RootPosition::from(record);
            let (began, control) = (Instant::now(), Control::new());
            let found = search(root(), &options, &tablebases, &control, &mut own_table, &mut |_| {}).best();
            times.push(began.elapsed());
            let compared = compare(root(), found, &limits, &tablebases, &Control::new(), &mut table);
            if compared.of > 1 {
                losses.push(compared.best.value.more_than(&compared.played.value).max(0.0));
            }
            found
        });
    }
    times.sort_unstable();
    let loss = losses.iter().sum::<f64>() / losses.len().max(1) as f64;
    (loss, times[times.len() / 2])
}
