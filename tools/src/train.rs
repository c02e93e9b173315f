//! `tools train`.

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
    str::FromStr,
    thread::available_parallelism,
};

use clap::Args;

use crate::{
    arena::{self, Decision, Match, Report, Spec, Sprt},
    fit::Pass,
    run::{Plan, Progress},
    training::Training,
};
use cublino_engine::{Playable, Tablebases, network::Network};
use cublino_rules::{game::Notation, games::GameId, with_game};

/// Train the network of a game by self-play, from nothing but its rules
///
/// In each generation, the search plays against itself, and a network learns from the games. You can
/// interrupt a run at any time; the same command resumes it. Settings of the training must stay the same,
/// but --generations and --calibration-games may grow. At the end, a sequential test (SPRT) against the
/// network of the program decides. The exit status is 0 only if the new one is stronger, or with --games 0.
///
/// The directory then holds the games (NN.games, one a line, which can be merged with others), the networks
/// (NN.net), the games that calibrate the last one (NN.5000.games, NN.20000.games), the result (network.net)
/// and the settings (settings.txt).
#[derive(Args, Clone, Debug)]
pub struct Train {
    /// The game
    game: GameId,

    /// Directory for games and networks
    #[arg(long, value_name = "DIR")]
    directory: PathBuf,

    /// Start from this network, and play as many games in the first generation as in later ones [default: an
    /// untrained network]
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// Generations: rounds of self-play and training
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=99))]
    generations: u32,

    /// Moves and rolls of a generation; the first generations play fewer
    #[arg(
        long, value_name = "N", default_value_t = 1_500_000,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    positions: u64,

    /// Number of latest generations to learn from
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    window: u32,

    /// Nodes per move; in games with dice, the search looks one ply ahead instead
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Hidden units for each view, a multiple of 32
    #[arg(long, value_name = "N", default_value_t = 32)]
    hidden: usize,

    /// Views of a position: 1 for that of the side to move, 2 for both players
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    views: u8,

    /// Passes (epochs) over the positions of a generation
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,

    /// Learning rate at the start of a generation, 0 to 1; it falls to a hundredth. A network that has
    /// learned from many games gains from a smaller one
    #[arg(long, value_name = "R", default_value_t = 0.002, value_parser = fraction::<f32>)]
    rate: f32,

    /// The λ of TD(λ), 0 to 1: the weight of later values and of the result in a target, against the
    /// position's own search
    #[arg(long, value_name = "L", default_value_t = 0.9, value_parser = fraction::<f32>)]
    lambda: f32,

    /// Share of games in which one player has a habit, such as never moving one of the dice: 0 to 1
    #[arg(long, value_name = "PART", default_value_t = 0.02, value_parser = fraction::<f64>)]
    habits: f64,

    /// Games to calibrate the result with, at 5,000 nodes per move; without dice, also half as many at 20,000
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    calibration_games: u64,

    /// Random seed: the same seed gives the same network, on any number of threads
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Threads that play and learn [default: one for each processor]
    #[arg(
        long, value_name = "N", hide_default_value = true,
        default_value_t = available_parallelism().unwrap_or(NonZeroUsize::MIN)
    )]
    threads: NonZeroUsize,

    /// Maximum games against the network of the program; 0 plays none
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    games: u32,

    /// Time per move in these games, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    time: u64,
}

/// The SPRT of the match against the network of the program, in Elo.
const STRONGER: Sprt = Sprt { elo0: 0.0, elo1: 10.0 };

fn fraction<F: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<F, &'static str> {
    let number = text.parse().ok().filter(|number| (F::from(0)..=F::from(1)).contains(number));
    number.ok_or("expected a number from 0 to 1")
}

impl Train {
    /// Trains, reports progress on standard error, and plays the match.
    pub fn run(&self) -> io::Result<()> {
        with_game!(self.game, G => self.learn::<G>())
    }

    fn plan(&self) -> Plan {
        let Self {
            generations,
            positions,
            window,
            nodes,
            hidden,
            views,
            passes,
            rate,
            lambda,
            habits,
            calibration_games,
            seed,
            threads,
            ..
        } = *self;
        Plan {
            directory: self.directory.clone(),
            start: self.start.clone(),
            hidden,
            views: views.into(),
            generations,
            positions,
            window,
            nodes,
            passes,
            rate,
            lambda,
            habits,
            calibration_games,
            seed,
            threads,
        }
    }

    fn learn<G: Training>(&self) -> io::Result<()> {
        let plan = self.plan();
        if !Network::may_have(plan.hidden, plan.views) {
            let (least, most) = (Network::FEWEST_HIDDEN, Network::MOST_HIDDEN / plan.views);
            return Err(io::Error::other(format!("--hidden must be a multiple of {least} up to {most}")));
        }
        let mut shown = Shown::default();
        plan.run::<G>(&mut |progress| shown.progress(progress)).map_err(io::Error::other)?;
        writeln!(io::stdout(), "{}", plan.result().display())?;
        if self.games == 0 {
            return Ok(());
        }
        let played = self.play::<G>(&plan.result(), &mut shown)?;
        writeln!(
            io::stdout(),
            "{played}\ntest {STRONGER}: log-likelihood ratio {:.2}, decided at ±{:.2}",
            STRONGER.log_likelihood_ratio(&played),
            Sprt::BOUND,
        )?;
        match STRONGER.decision(&played) {
            Some(Decision::Stronger) => Ok(()),
            _ => Err(io::Error::other(
                "the test did not show that the new network is stronger than the program's",
            )),
        }
    }

    /// Plays against the network of the program until the SPRT decides, or to the last game.
    fn play<G: Playable + Notation>(&self, network: &Path, shown: &mut Shown) -> io::Result<Report> {
        let spec = |text: String| text.parse::<Spec>().map_err(io::Error::other);
        let config = Match {
            one: spec(format!("time={},network={}", self.time, network.display()))?,
            two: spec(format!("time={}", self.time))?,
            games: self.games,
            seed: self.seed,
            threads: self.threads,
        };
        let mut on_game = |report: &Report, _: &_| {
            shown.show("match", report.games().into(), self.games.into());
            if STRONGER.decision(report).is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        arena::run::<G>(&config, &Tablebases::built_in(), &mut on_game).map_err(io::Error::other)
    }
}

/// Progress on standard error: a line for each stage and each tenth of it.
#[derive(Debug, Default)]
struct Shown {
    last: String,
}

impl Shown {
    fn show(&mut self, stage: &str, done: u64, of: u64) {
        let line = format!("{stage}: {} % of {of}", 100 * done / of.max(1) / 10 * 10);
        if line != self.last {
            eprintln!("{line}");
            self.last = line;
        }
    }

    fn progress(&mut self, progress: Progress) {
        match progress {
            Progress::Played { generation, positions, of } => {
                self.show(&format!("generation {generation}: playing"), positions, of);
            }
            Progress::Fitted { generation, positions, pass: Pass { number, of, loss, loss_of_unseen } } => {
                eprintln!(
                    "generation {generation}: pass {number} of {of} over {positions} positions, loss \
                     {loss:.5}, validation loss {loss_of_unseen:.5}"
                );
            }
            Progress::Calibrated { games, of } => self.show("calibrating", games, of),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        train: Train,
    }

    #[test]
    fn the_command_of_a_plan_is_read_as_the_plan() {
        let others = "--start some.net --hidden 64 --views 1 --generations 2 --positions 3 --window 4 \
                      --nodes 5 --passes 6 --rate 0.5 --lambda 0.7 \
                      --habits 0.8 --calibration-games 9 --seed 10";
        for options in ["", others] {
            let here = ["--directory", "here", "--threads", "3"];
            let plan_of = |options: &str| {
                let words = ["train", "wari"].into_iter().chain(here).chain(options.split_whitespace());
                Command::try_parse_from(words).map(|command| command.train.plan())
            };
            let plan = plan_of(options).unwrap();
            let command = plan.settings("wari");
            let Plan { generations, calibration_games, .. } = plan;
            let same = plan_of(&format!(
                "{} --generations {generations} --calibration-games {calibration_games}",
                command.strip_prefix("tools train wari").unwrap()
            ));
            assert_eq!(format!("{:?}", same.unwrap()), format!("{plan:?}"), "{command}");
        }
    }
}
