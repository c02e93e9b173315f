//! `cublino serve`.

use std::{io, process::ExitCode};

use clap::Args;
use log::LevelFilter;

use super::log_lines::{FORMAT_VARIABLE, LogFormat, START};
use crate::{config::Config, http};

/// What is logged by default. The HTTP library tells its starting and stopping besides ours.
const LOG: &str = "info,actix_server=warn";

/// Answer requests
#[derive(Args, Clone, Debug)]
pub struct Serve {
    #[command(flatten)]
    config: Config,

    /// What is logged: a level, or levels by target; `access=debug` writes a line for every request
    #[arg(long, env = "CUBLINO_LOG", value_name = "FILTER", default_value = LOG, value_parser = log_filter)]
    log: String,

    /// How a line of the log is written
    #[arg(long, env = FORMAT_VARIABLE, value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
}

impl Serve {
    /// Listens, and answers until told to stop. A failure is a line of the log, in the format of the others.
    pub(super) fn run(self) -> ExitCode {
        self.log_format.start(&self.log);
        let config = self.config;
        let served: io::Result<()> =
            actix_web::rt::System::new().block_on(async { http::bind(&config)?.serve().await });
        match served {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                log::error!(target: START, "{error}");
                ExitCode::FAILURE
            }
        }
    }
}

/// Checks what the logger itself would pass over with a warning.
fn log_filter(text: &str) -> Result<String, String> {
    for directive in text.split(',') {
        let level = directive.rsplit_once('=').map_or(directive, |(_, level)| level);
        if level.parse::<LevelFilter>().is_err() {
            return Err(format!("'{level}' is not a level: off, error, warn, info, debug or trace"));
        }
    }
    Ok(text.to_owned())
}
