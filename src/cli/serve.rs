//! `cublino serve`, and how the lines of its log are written.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Args, ValueEnum};
use env_logger::fmt::{Formatter, default_kv_format};
use log::{
    LevelFilter, Record,
    kv::{self, Key, Value, VisitSource},
};
use time::OffsetDateTime;

use crate::{config::Config, http};

/// What is logged by default. The HTTP library tells its starting and stopping besides ours.
const LOG: &str = "info,actix_server=warn";

/// The target of what keeps the service from starting; no filter leaves it out.
const START: &str = "start";

/// Start the service
#[derive(Args, Clone, Debug)]
pub(super) struct Serve {
    #[command(flatten)]
    config: Config,

    /// What is logged: a level, or levels by target; `access=debug` adds a line for every request
    #[arg(long, env = "CUBLINO_LOG", value_name = "FILTER", default_value = LOG, value_parser = log_filter)]
    log: String,

    /// How log lines are written
    #[arg(long, env = "CUBLINO_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
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

/// How a line of the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    /// For people
    Text,
    /// One JSON object per line, for programs
    Json,
}

impl LogFormat {
    /// Writes the log in this format from now on, with what `filter` lets pass.
    fn start(self, filter: &str) {
        let mut logger = env_logger::Builder::new();
        // What the HTTP library calls errors are requests that are not HTTP: a filter has to ask for them.
        logger.filter_module("actix_http", LevelFilter::Off);
        logger.parse_filters(filter).filter_module(START, LevelFilter::Error);
        match self {
            Self::Text => logger.format(write_text),
            Self::Json => logger.format(write_json),
        };
        logger.init();
    }
}

/// The time up to the second, and microseconds.
fn now() -> (String, u32) {
    let now = OffsetDateTime::now_utc();
    let (hour, minute, second, microsecond) = now.time().as_hms_micro();
    (format!("{}T{hour:02}:{minute:02}:{second:02}", now.date()), microsecond)
}

/// Time, level, target, message, and then what this line has besides.
fn write_text(line: &mut Formatter, record: &Record<'_>) -> io::Result<()> {
    // No message looks like a line of its own.
    let message = record.args().to_string().replace('\n', "\n    ");
    write!(line, "[{}Z {:<5} {}] {message}", now().0, record.level(), record.target())?;
    default_kv_format(line, record.key_values())?;
    writeln!(line)
}

/// One object: what every line has, and what this one has besides.
fn write_json(line: &mut Formatter, record: &Record<'_>) -> io::Result<()> {
    let (seconds, microsecond) = now();
    let mut object = Object::from_iter([
        ("time".to_owned(), format!("{seconds}.{microsecond:06}Z").into()),
        ("level".to_owned(), record.level().as_str().into()),
        ("target".to_owned(), record.target().into()),
        ("message".to_owned(), record.args().to_string().into()),
    ]);
    record.key_values().visit(&mut Members(&mut object)).map_err(io::Error::other)?;
    writeln!(line, "{}", serde_json::Value::Object(object))
}

type Object = serde_json::Map<String, serde_json::Value>;

/// Makes members of what a line has besides its message.
struct Members<'a>(&'a mut Object);

impl<'kvs> VisitSource<'kvs> for Members<'_> {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), kv::Error> {
        let value = value.to_u64().map_or_else(|| value.to_string().into(), Into::into);
        self.0.insert(key.to_string(), value);
        Ok(())
    }
}
