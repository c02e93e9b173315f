//! `tools tune`: tunes the parameters of the search by games (SPSA).

use std::{io, num::NonZeroUsize, ops::ControlFlow, thread::available_parallelism};

use clap::Args;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::arena::{self, Match, Spec, SpecError, in_order};
use cublino_engine::{Playable, Tablebases, Techniques};
use cublino_rules::{
    game::{Game, Notation},
    games::GameId,
    with_game,
};

/// Tune the parameters of the search by games
///
/// In each pair of games, every parameter is a step larger for one player and a step smaller for the other,
/// in a random direction. Then it moves a little towards the player who scores more (SPSA). A step is a tenth
/// of the range at first and a twentieth at the end, but at least 1. The moves get smaller, too. Prints the
/// parameters as `match` takes them.
#[derive(Args, Clone, Debug)]
pub struct Tune {
    /// The game, without dice
    game: GameId,
    /// The limit of the searches
    #[arg(long, default_value = "nodes=12000")]
    limit: String,
    /// Pairs of games
    #[arg(long, default_value_t = 8_000)]
    pairs: u64,
    /// The values to start from, if not those of the program: NAME=VALUE,...
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    start: Vec<String>,
    /// The parameters to tune [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    only: Vec<String>,
    /// How many steps a parameter moves, at the end of the run, if one player wins both games of a pair
    #[arg(long, default_value_t = 0.016)]
    rate: f64,
    /// Random seed for openings and directions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; they change only the time [default: one for each processor]
    #[arg(
        long, hide_default_value = true,
        default_value_t = available_parallelism().unwrap_or(NonZeroUsize::MIN)
    )]
    threads: NonZeroUsize,
}

/// Pairs that are played with the same values, so that threads do not wait for each other.
const PAIRS_A_ROUND: u64 = 32;
/// Rounds between two lines of progress.
const ROUNDS_A_LINE: u64 = 10;

/// A parameter that is tuned.
#[derive(Clone, Debug)]
struct Tuned {
    name: &'static str,
    least: f64,
    most: f64,
    value: f64,
    is_fixed: bool,
}

impl Tuned {
    /// The step of the parameter, after a part of the pairs from 0 to 1.
    fn step(&self, played: f64) -> f64 {
        if self.is_fixed { 0.0 } else { ((self.most - self.least) / 20.0 * (2.0 - played)).max(1.0) }
    }

    /// The setting of a player whose value is larger by `by`.
    fn setting(&self, by: f64) -> String {
        format!("{}={}", self.name, (self.value + by).clamp(self.least, self.most).round())
    }
}

impl Tune {
    /// Plays, and prints the values from time to time.
    pub fn run(&self) -> io::Result<()> {
        let mut tuned = self.tuned()?;
        with_game!(self.game, G => {
            if !G::ROLLS.is_empty() {
                return Err(io::Error::other("with dice, the search has no parameters to tune"));
            }
            self.tune::<G>(&mut tuned)
        })
    }

    /// The parameters with the values to start from.
    fn tuned(&self) -> io::Result<Vec<Tuned>> {
        let refused =
            |text: &str| io::Error::other(format!("'{text}' is not a parameter with a value in its range"));
        let mut tuned: Vec<_> = Techniques::parameters()
            .map(|(name, values)| {
                let [least, value, most] = values.map(f64::from);
                let is_fixed = !self.only.is_empty() && self.only.iter().all(|only| only != name);
                Tuned { name, least, most, value, is_fixed }
            })
            .collect();
        for name in &self.only {
            tuned.iter().find(|parameter| parameter.name == name).ok_or_else(|| refused(name))?;
        }
        for start in &self.start {
            let (name, value) = start.split_once('=').ok_or_else(|| refused(start))?;
            let named = tuned.iter_mut().find(|parameter| parameter.name == name);
            let parameter = named.ok_or_else(|| refused(start))?;
            let in_range = |value: &f64| (parameter.least..=parameter.most).contains(value);
            parameter.value = value.parse().ok().filter(in_range).ok_or_else(|| refused(start))?;
        }
        Ok(tuned)
    }

    /// Tunes the parameters.
    fn tune<G: Playable + Notation>(&self, tuned: &mut [Tuned]) -> io::Result<()> {
        let rounds = self.pairs.div_ceil(PAIRS_A_ROUND);
        for round in 0..rounds {
            #[expect(
                clippy::cast_precision_loss,
                reason = "there are fewer rounds than a float counts exactly"
            )]
            let played = round as f64 / rounds as f64;
            let start = round * PAIRS_A_ROUND;
            let numbers = start..self.pairs.min(start + PAIRS_A_ROUND);
            let mut values: Vec<_> = tuned.iter().map(|parameter| parameter.value).collect();
            let mut failed = Ok(());
            in_order(
                vec![(); self.threads.get()],
                numbers,
                |(), pair, _| self.play::<G>(tuned, played, pair),
                |result| match result {
                    Ok((directions, score)) => {
                        for ((value, parameter), direction) in values.iter_mut().zip(&*tuned).zip(directions)
                        {
                            let most = self.rate * (4.0 - 3.0 * played) * parameter.step(played);
                            *value += most * direction * (2.0 * score - 1.0);
                        }
                        ControlFlow::Continue(())
                    }
                    Err(error) => {
                        failed = Err(error);
                        ControlFlow::Break(())
                    }
                },
            );
            failed?;
            for (parameter, value) in tuned.iter_mut().zip(values) {
                parameter.value = value.clamp(parameter.least, parameter.most);
            }
            if (round + 1) % ROUNDS_A_LINE == 0 || round + 1 == rounds {
                let settings: Vec<_> = tuned.iter().map(|parameter| parameter.setting(0.0)).collect();
                println!("{}\t{}", (start + PAIRS_A_ROUND).min(self.pairs), settings.join(","));
            }
        }
        Ok(())
    }

    /// Plays a pair of games. Returns the direction of each parameter for the first player, and that player's
    /// score.
    fn play<G: Playable + Notation>(
        &self,
        tuned: &[Tuned],
        played: f64,
        pair: u64,
    ) -> io::Result<(Vec<f64>, f64)> {
        let seed = self.seed.wrapping_mul(1 << 32).wrapping_add(pair);
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let directions: Vec<_> = tuned.iter().map(|_| if rng.random() { 1.0 } else { -1.0 }).collect();
        let spec = |sign: f64| -> Result<Spec, SpecError> {
            let settings = tuned.iter().zip(&directions);
            let settings =
                settings.map(|(parameter, at)| parameter.setting(sign * at * parameter.step(played)));
            format!("{},{}", self.limit, settings.collect::<Vec<_>>().join(",")).parse()
        };
        let one = spec(1.0).map_err(io::Error::other)?;
        let two = spec(-1.0).map_err(io::Error::other)?;
        let config = Match { one, two, games: 2, seed, threads: NonZeroUsize::MIN };
        let go_on = &mut |_: &_, _: &_| ControlFlow::Continue(());
        let report = arena::run::<G>(&config, &Tablebases::built_in(), go_on).map_err(io::Error::other)?;
        Ok((directions, report.score()))
    }
}

#[cfg(test)]
mod tests {
    use cublino_rules::games::Contra;

    use super::*;

    fn tune(settings: &str) -> Tune {
        #[derive(Debug, clap::Parser)]
        struct Command {
            #[command(flatten)]
            tune: Tune,
        }
        let arguments = ["tune", "cublino-contra", "--limit=nodes=300,table=1"].into_iter();
        let command: Command = clap::Parser::parse_from(arguments.chain(settings.split(' ')));
        command.tune
    }

    #[test]
    fn threads_change_nothing_and_what_is_not_asked_for_stays() {
        let values = |threads: &str| {
            let asked =
                tune(&format!("--only=full-depth,reverse-futility --start=full-depth=2 --pairs=8 {threads}"));
            let mut tuned = asked.tuned().unwrap();
            asked.tune::<Contra>(&mut tuned).unwrap();
            tuned.iter().map(|parameter| parameter.value).collect::<Vec<_>>()
        };
        let (one, three) = (values("--threads=1"), values("--threads=3"));
        assert_eq!(one, three);
        let changed = Techniques::parameters()
            .zip(one)
            .filter(|&((_, [_, used, _]), value)| (value - f64::from(used)).abs() > 1e-9);
        let changed: Vec<_> = changed.map(|((name, _), _)| name).collect();
        assert_eq!(changed, ["full-depth", "reverse-futility"]);
    }

    #[test]
    fn what_is_no_parameter_is_refused() {
        for settings in
            ["--only=magic", "--start=magic=1", "--start=tried", "--start=tried=many", "--start=tried=99"]
        {
            let error = tune(settings).tuned().unwrap_err().to_string();
            assert!(error.ends_with("is not a parameter with a value in its range"), "{error}");
        }
    }
}
