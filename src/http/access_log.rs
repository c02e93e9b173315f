//! The line that each request leaves in the log.

use std::{
    fmt::{self, Write},
    time::Duration,
};

use actix_web::{Error, HttpMessage as _, dev::ServiceResponse, http::Uri};
use log::{
    Level, Record,
    kv::{self, Key, Source, Value, VisitSource},
    log_enabled, logger,
};

use super::{
    context::RequestContext,
    metrics::{Called, Operation},
    problem::Problem,
    routes,
};
use crate::{games::GameId, service::Code};

/// The target of the line.
const ACCESS: &str = "access";

/// The longest method, path and query that a line shows, in characters.
const MAX_SHOWN: usize = 1_000;

/// The parameters that a line shows. Others are none of ours; one could be a key that has lost its way.
const SHOWN: [&str; 9] = ["state", "move", "flip", "time_ms", "depth", "nodes", "lines", "level", "seed"];

/// What was answered.
#[derive(Clone, Copy, Debug)]
pub struct Served {
    /// What was asked for.
    pub operation: Operation,
    /// About which game, if about one.
    pub game: Option<GameId>,
    /// The kind of the problem, if it was one.
    pub code: Option<Code>,
    status: u16,
    took: Duration,
}

impl Served {
    /// What was answered, and in what time.
    pub fn of<B>(response: &ServiceResponse<B>, took: Duration) -> Self {
        let (mut operation, mut game) = routes::asked(response.request());
        let mut code = response.response().error().and_then(problem).map(Problem::code);
        if let Some(called) = response.request().extensions().get::<Called>() {
            (operation, game, code) = (called.operation, called.game, code.or(called.code));
        }
        Self { operation, game, code, status: response.status().as_u16(), took }
    }

    /// Writes it into the log: good answers are for those who look closely, the caller's faults for
    /// information, and only ours are errors.
    pub fn log<B>(self, response: &ServiceResponse<B>, context: &RequestContext) {
        let level = match self.status {
            ..400 => Level::Debug,
            400..500 => Level::Info,
            503 => Level::Warn,
            _ => Level::Error,
        };
        if !log_enabled!(target: ACCESS, level) {
            return;
        }
        let line = format!("{} {}", response.request().method(), Shown(response.request().uri()));
        let reason = response.response().error().map(reason).unwrap_or_default();
        let fields = Fields { served: self, context };
        let mut record = Record::builder();
        record.level(level).target(ACCESS).module_path(Some(module_path!())).key_values(&fields);
        logger().log(&record.args(format_args!("{line:.MAX_SHOWN$}{reason}")).build());
    }
}

/// What the line has besides its message.
struct Fields<'a> {
    served: Served,
    context: &'a RequestContext,
}

impl Source for Fields<'_> {
    fn visit<'kvs>(&'kvs self, visitor: &mut dyn VisitSource<'kvs>) -> Result<(), kv::Error> {
        let Served { operation, game, code, status, took } = &self.served;
        let game = game.map_or("none", |game| game.about().id);
        self.context.visit(visitor)?;
        visitor.visit_pair(Key::from_str("operation"), Value::from(operation.0))?;
        visitor.visit_pair(Key::from_str("game"), Value::from(game))?;
        visitor.visit_pair(Key::from_str("status"), Value::from(*status))?;
        if let Some(code) = code {
            visitor.visit_pair(Key::from_str("code"), Value::from(code.name()))?;
        }
        visitor.visit_pair(
            Key::from_str("micros"),
            Value::from(u64::try_from(took.as_micros()).unwrap_or(u64::MAX)),
        )
    }
}

/// The problem that an error is, if it is one.
fn problem(error: &Error) -> Option<&Problem> {
    error.as_error()
}

/// Why a request was refused. The sentence for the caller repeats what was sent, and that could be a key.
fn reason(error: &Error) -> String {
    match problem(error) {
        Some(problem) => format!(": {}", problem.code()),
        None => format!(": {error}"),
    }
}

/// A path with the parameters that may be shown.
struct Shown<'a>(&'a Uri);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.path())?;
        let Some(query) = self.0.query() else { return Ok(()) };
        let mut before = '?';
        for parameter in query.split('&') {
            f.write_char(before)?;
            before = '&';
            let name = parameter.split('=').next().unwrap_or_default();
            f.write_str(if SHOWN.contains(&name) { parameter } else { "…" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_parameters_are_shown() {
        let shown = |uri: &'static str| Shown(&Uri::from_static(uri)).to_string();
        assert_eq!(shown("/v1/games"), "/v1/games");
        assert_eq!(shown("/x?state=P&depth=3"), "/x?state=P&depth=3");
        assert_eq!(shown("/x?api_key=secret&state=P&secret"), "/x?…&state=P&…");
    }
}
