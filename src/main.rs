//! The binary; everything is in the library.

use std::process::ExitCode;

use clap::Parser;
use cublino::cli::Cli;

fn main() -> ExitCode {
    Cli::parse().run()
}
