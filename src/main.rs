//! The binary; everything is in the library.

use std::process::ExitCode;

use cublino::cli::Cli;

fn main() -> ExitCode {
    Cli::run()
}
