//! `cublino serve`, and how the lines of its log are written.

use std::{
    env,
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

use crate::{
    config::{Config, REMOVED, variable},
    http,
};

/// The default log filter. The HTTP library's own start and stop messages would repeat ours.
const LOG: &str = "info,actix_server=warn";

/// The log target of errors that prevent the start; no filter can disable it.
const START: &str = "start";

/// Start the service
#[derive(Args, Clone, Debug)]
pub(super) struct Serve {
    #[command(flatten)]
    config: Config,

    /// Log filter: a level, or levels by target; `access=debug` adds a line for every request
    #[arg(long, env = "CUBLINO_LOG", value_name = "FILTER", default_value = LOG, value_parser = log_filter)]
    log: String,

    /// Format of log lines
    #[arg(long, env = "CUBLINO_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    log_format: LogFormat,
}

impl Serve {
    /// Runs the service until it is stopped. A failure to start or run is logged in the chosen format.
    pub(super) fn run(self) -> ExitCode {
        self.log_format.start(&self.log);
        for (flag, successor) in REMOVED {
            if env::var_os(variable(flag)).is_some() {
                let (removed, successor) = (variable(flag), variable(successor));
                log::warn!("the variable {removed} was removed and has no effect; use {successor}");
            }
        }
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

/// Rejects an invalid filter, which the logger itself would ignore with a warning.
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
    /// Starts logging in this format, with what `filter` allows.
    fn start(self, filter: &str) {
        let mut logger = env_logger::Builder::new();
        // The HTTP library logs malformed requests as errors: they are off unless the filter enables them.
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

/// Writes a line as text: time, level, target, message, and the key-value pairs of the record.
fn write_text(line: &mut Formatter, record: &Record<'_>) -> io::Result<()> {
    // Indented, so that no message can forge a log line.
    let message = record.args().to_string().replace('\n', "\n    ");
    write!(line, "[{}Z {:<5} {}] {message}", now().0, record.level(), record.target())?;
    default_kv_format(line, record.key_values())?;
    writeln!(line)
}

/// Writes a line as a JSON object: the members that every line has, and the key-value pairs of the record.
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

/// Collects the key-value pairs of a record as members of a JSON object.
struct Members<'a>(&'a mut Object);

impl<'kvs> VisitSource<'kvs> for Members<'_> {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), kv::Error> {
        let value = value.to_u64().map_or_else(|| value.to_string().into(), Into::into);
        self.0.insert(key.to_string(), value);
        Ok(())
    }
}
