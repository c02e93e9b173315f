//! Developer tools: training of networks, studies and measurements.
//!
//! How a network is trained: [`self_play`] plays games, [`games_to_keep`] writes them to files
//! ([`game_file`]), [`samples`] reads training positions from them, [`fit`] fits the weights of a network
//! that predicts their results, and [`weights`] writes it to a file. [`run`] repeats this for each
//! generation, which plays with the network of the one before, and calibrates the last network
//! ([`calibration`]).

mod arena;
mod calibrate;
mod calibration;
mod dice_worth;
mod fit;
mod game_file;
mod games_to_keep;
mod levels;
mod measured_games;
mod model;
mod perft;
mod play_match;
mod puzzles;
mod rollout;
mod run;
mod samples;
mod self_play;
mod solve;
mod study;
#[cfg(test)]
mod tests;
mod train;
mod training;
mod tune;
mod verdicts;
mod weights;

use std::{io, path::Path, process::ExitCode};

use clap::Parser;

use cublino_engine::Tablebases;

/// Play matches, count and solve positions, train networks, and measure what they are worth
#[derive(Debug, Parser)]
#[command(name = "tools", max_term_width = 80)]
enum Tools {
    Match(Box<play_match::PlayMatch>),
    Perft(perft::Perft),
    Solve(solve::Solve),
    Train(train::Train),
    Calibrate(calibrate::Calibrate),
    Study(study::Study),
    Levels(levels::Levels),
    Puzzles(puzzles::Puzzles),
    Rollout(rollout::Rollout),
    Tune(tune::Tune),
    Verdicts(verdicts::Verdicts),
}

fn main() -> ExitCode {
    let done = match Tools::parse() {
        Tools::Match(play_match) => play_match.run(),
        Tools::Perft(perft) => perft.run(),
        Tools::Solve(solve) => solve.run(),
        Tools::Train(train) => train.run(),
        Tools::Calibrate(calibrate) => calibrate.run(),
        Tools::Study(study) => study.run(),
        Tools::Levels(levels) => levels.run(),
        Tools::Puzzles(puzzles) => puzzles.run(),
        Tools::Rollout(rollout) => rollout.run(),
        Tools::Tune(tune) => tune.run(),
        Tools::Verdicts(verdicts) => verdicts.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // The reader, such as `head`, has closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tools: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The tablebases of the program, with those of a file if there is one.
fn tablebases(file: Option<&Path>) -> io::Result<Tablebases> {
    file.map_or(Ok(Tablebases::built_in()), Tablebases::with_wari_database).map_err(io::Error::other)
}
