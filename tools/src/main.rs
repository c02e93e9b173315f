//! Programs for those who make the numbers: training, studies and measurements.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use cublino_tools::train::Train;

/// Train networks for the games
#[derive(Debug, Parser)]
#[command(version)]
struct Tools {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Train(Train),
}

fn main() -> ExitCode {
    let done = match Tools::parse().command {
        Command::Train(train) => train.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tools: {error}");
            ExitCode::FAILURE
        }
    }
}
