//! `cublino serve`.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use env_logger::fmt::Formatter;
use log::{
    LevelFilter, Record,
    kv::{self, Key, Value, VisitSource},
};

use crate::{config::Config, http};

/// What is logged by default. What the HTTP library calls errors are faults of callers who do not speak HTTP, and it tells
/// its starting and stopping besides ours.
const LOG: &str = "info,actix_http=off,actix_server=warn";

/// Answer requests
#[derive(Args, Clone, Debug)]
pub struct Serve {
    #[command(flatten)]
    config: Config,

    /// What is logged: a level, or levels by target; `access=debug` writes a line for every request
    #[arg(long, env = "CUBLINO_LOG", value_name = "FILTER", default_value = LOG, value_parser = log_filter)]
    log: String,

    /// How a line of the log is written
    #[arg(long, env = "CUBLINO_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    /// For people
    Text,
    /// One JSON object a line, for programs
    Json,
}

impl Serve {
    /// Listens, and answers until told to stop.
    pub(super) fn run(self) -> io::Result<()> {
        let mut logger = env_logger::Builder::new();
        logger.parse_filters(&self.log);
        if self.log_format == LogFormat::Json {
            logger.format(write_json);
        }
        logger.init();
        actix_web::rt::System::new().block_on(async { http::bind(&self.config)?.serve().await })
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

/// One object: what every line has, and what this one has besides.
fn write_json(line: &mut Formatter, record: &Record<'_>) -> io::Result<()> {
    let mut object = Object::from_iter([
        ("time".to_owned(), line.timestamp_micros().to_string().into()),
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
