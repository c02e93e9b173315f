//! Developer tools: training of networks, studies and measurements.
//!
//! How a network is trained: [`self_play`] plays games, [`games_to_keep`] writes them to files
//! ([`game_file`]), [`samples`] reads training positions from them, [`fit`] fits the weights of a network
//! that predicts their results, and [`weights`] writes it to a file. [`run`] repeats this for each
//! generation, which plays with the network of the one before, and calibrates the last network
//! ([`calibration`]).

mod calibrate;
mod calibration;
mod dice_worth;
mod fit;
mod game_file;
mod games_to_keep;
mod levels;
mod measured_games;
mod model;
mod puzzles;
mod rollout;
mod run;
mod samples;
mod self_play;
mod study;
#[cfg(test)]
mod tests;
mod train;
mod training;
mod tune;
mod weights;

use std::process::ExitCode;

use clap::Parser;

/// Train networks for the games, and measure what they are worth
#[derive(Debug, Parser)]
#[command(name = "tools")]
enum Tools {
    Train(train::Train),
    Calibrate(calibrate::Calibrate),
    Study(study::Study),
    Levels(levels::Levels),
    Puzzles(puzzles::Puzzles),
    Rollout(rollout::Rollout),
    Tune(tune::Tune),
}

fn main() -> ExitCode {
    let done = match Tools::parse() {
        Tools::Train(train) => train.run(),
        Tools::Calibrate(calibrate) => calibrate.run(),
        Tools::Study(study) => study.run(),
        Tools::Levels(levels) => levels.run(),
        Tools::Puzzles(puzzles) => puzzles.run(),
        Tools::Rollout(rollout) => rollout.run(),
        Tools::Tune(tune) => tune.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tools: {error}");
            ExitCode::FAILURE
        }
    }
}
