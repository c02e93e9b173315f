//! How the lines of the log are written.
//!
//! With `tracing`, spans would name the request in every line. Few lines are about requests, and each has its
//! request at hand; the search threads would have to be handed the span as they are handed the context. The
//! documented members would need a formatter of their own there as well, and eight more packages beside
//! `env_logger`.

use std::{
    env,
    io::{self, Write},
};

use clap::ValueEnum;
use env_logger::fmt::Formatter;
use log::{
    LevelFilter, Record,
    kv::{self, Key, Value, VisitSource},
};

/// The variable that sets the format.
pub const FORMAT_VARIABLE: &str = "CUBLINO_LOG_FORMAT";

/// The target of what keeps the service from starting; no filter leaves it out.
pub const START: &str = "start";

/// How a line of the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people
    Text,
    /// One JSON object a line, for programs
    Json,
}

impl LogFormat {
    /// The format that is wanted, as far as settings tell that could not be read as a whole.
    pub fn asked_for() -> Self {
        const FLAG: &str = "--log-format";
        let arguments: Vec<_> =
            env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
        let flag =
            arguments.iter().enumerate().find_map(|(i, argument)| match argument.strip_prefix(FLAG)? {
                "" => arguments.get(i + 1).cloned(),
                rest => rest.strip_prefix('=').map(str::to_owned),
            });
        let name = flag.or_else(|| env::var(FORMAT_VARIABLE).ok()).unwrap_or_default();
        Self::from_str(&name, false).unwrap_or(Self::Text)
    }

    /// Writes the log in this format from now on, with what `filter` lets pass.
    pub fn start(self, filter: &str) {
        let mut logger = env_logger::Builder::new();
        // What the HTTP library calls errors are requests that are not HTTP: a filter has to ask for them.
        logger.filter_module("actix_http", LevelFilter::Off);
        logger.parse_filters(filter).filter_module(START, LevelFilter::Error);
        if self == Self::Json {
            logger.format(write_json);
        }
        logger.init();
    }
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
