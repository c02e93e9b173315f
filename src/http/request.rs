//! What is known of a request: its ID (`X-Request-Id`), its caller, its trace (`traceparent`), and its labels
//! in metrics and the log.

use std::{cell::Cell, fmt, rc::Rc, time::Instant};

use actix_web::{
    HttpMessage as _, HttpRequest,
    dev::ServiceRequest,
    http::header::{HeaderMap, HeaderName, HeaderValue},
    web::Data,
};
use log::{Level, Record, kv::Value, logger};

use crate::{api::Code, caller::Caller, games::GameId};

/// A part of the service that handlers use.
pub fn part<T: 'static>(request: &HttpRequest) -> &Data<T> {
    request.app_data().expect("the application has all parts of the service")
}

/// What is known of a request. It is put into its extensions before any other code sees the request.
#[derive(Debug)]
pub struct RequestContext {
    /// The ID of the request: the caller's own if it is valid, otherwise a new one.
    pub id: HeaderValue,
    /// Who has sent it.
    pub caller: Caller,
    /// The ID of the trace that it belongs to.
    pub trace: Option<String>,
    /// When all of it had arrived, or waiting for its body ended: the time that the caller takes to send a
    /// body does not count.
    pub complete: Cell<Instant>,
    /// Whether it has a permit.
    pub has_permit: Cell<bool>,
    /// Its labels, if its path does not determine them.
    pub labels: Cell<Option<Labels>>,
    /// The query parameters that its question has. Only these are logged: any other could be a misplaced key.
    pub parameters: Cell<&'static [&'static str]>,
}

/// The labels of a request in metrics and the log.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// The operation.
    pub operation: &'static str,
    /// The game, if the operation is about one.
    pub game: Option<GameId>,
    /// The code of the problem in the answer.
    pub code: Option<Code>,
}

/// The labels of a request that no operation answers.
impl Default for Labels {
    fn default() -> Self {
        Self { operation: "none", game: None, code: None }
    }
}

impl RequestContext {
    /// The context of a request whose caller is known.
    pub fn new(request: &ServiceRequest, caller: Caller) -> Self {
        let headers = request.headers();
        let given = headers.get(REQUEST_ID_HEADER).filter(|value| is_sensible(value.as_bytes()));
        let made = || {
            let random = getrandom::u64().expect("the system has random numbers");
            HeaderValue::try_from(format!("{random:016x}")).expect("digits are a header value")
        };
        Self {
            id: given.cloned().unwrap_or_else(made),
            caller,
            trace: trace_of(headers),
            complete: Cell::new(Instant::now()),
            has_permit: Cell::default(),
            labels: Cell::default(),
            parameters: Cell::default(),
        }
    }

    /// The context of a request that is being answered.
    pub fn of(request: &HttpRequest) -> Rc<Self> {
        request.extensions().get::<Rc<Self>>().expect("every request has its context").clone()
    }

    /// Changes what metrics and the log say about the request.
    pub fn relabel(&self, change: impl FnOnce(&mut Labels)) {
        let mut labels = self.labels.get().unwrap_or_default();
        change(&mut labels);
        self.labels.set(Some(labels));
    }

    /// Writes an error that is about the request into the log.
    pub fn error(&self, message: fmt::Arguments<'_>) {
        self.log(module_path!(), Level::Error, &[], message);
    }

    /// Writes a line that is about the request into the log.
    pub fn log(&self, target: &str, level: Level, fields: &[Field<'_>], message: fmt::Arguments<'_>) {
        let about = [
            Some(("request_id", Value::from(self.id.to_str().unwrap_or_default()))),
            Some(("caller", Value::from_display(&self.caller))),
            self.trace.as_deref().map(|trace| ("trace_id", Value::from(trace))),
        ];
        let fields: [&[Field<'_>]; 2] = [&about, fields];
        let mut record = Record::builder();
        record.level(level).target(target).module_path(Some(module_path!())).key_values(&fields);
        logger().log(&record.args(message).build());
    }
}

/// A key-value pair of a log line; `None` if the line does not have it.
pub type Field<'a> = Option<(&'static str, Value<'a>)>;

/// The header with the ID of a request, in both directions.
pub const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Whether a request ID is valid: one word that is safe in a log line and a shell, long enough for the usual
/// identifiers, and short enough for a log line.
fn is_sensible(name: &[u8]) -> bool {
    let is_safe = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    (1..=128).contains(&name.len()) && name.iter().all(is_safe)
}

/// The header with the trace context of the W3C.
pub const TRACE_HEADER: HeaderName = HeaderName::from_static("traceparent");

/// The ID of the trace in these headers, which is the same in all services involved. A header that violates
/// the standard is ignored.
fn trace_of(headers: &HeaderMap) -> Option<String> {
    let mut values = headers.get_all(TRACE_HEADER);
    let value = values.next().filter(|_| values.next().is_none())?.as_bytes();
    // `VERSION-TRACE-PARENT-FLAGS`, in lower-case hexadecimal digits. Versions to come may append to it.
    let mut fields = value.splitn(5, |&byte| byte == b'-');
    let mut next = |length| {
        let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        fields.next().filter(|field| field.len() == length && field.iter().all(is_digit))
    };
    let (version, trace, parent, _flags) = (next(2)?, next(32)?, next(16)?, next(2)?);
    let is_known = version != b"ff" && (version != b"00" || fields.next().is_none());
    let is_name = |field: &[u8]| field.iter().any(|&digit| digit != b'0');
    (is_known && is_name(trace) && is_name(parent)).then(|| String::from_utf8_lossy(trace).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn parse(value: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.append(TRACE_HEADER, value.parse().unwrap());
        trace_of(&headers)
    }

    #[test]
    fn a_header_to_the_letter_names_its_trace() {
        for (before, after) in [("00", "01"), ("00", "ff"), ("01", "00"), ("cc", "00-what the future brings")]
        {
            assert_eq!(parse(&format!("{before}-{TRACE}-00f067aa0ba902b7-{after}")).as_deref(), Some(TRACE));
        }
    }

    #[test]
    fn any_other_counts_as_none() {
        let (parent, none) = ("00f067aa0ba902b7", "00000000000000000000000000000000");
        for wrong in [
            String::new(),
            "00".to_owned(),
            TRACE.to_owned(),
            format!("00-{TRACE}-{parent}"),
            format!("00-{TRACE}-{parent}-"),
            format!("00-{TRACE}-{parent}-1"),
            format!("00-{TRACE}-{parent}-01-more"),
            format!("00-{TRACE}-{parent}-01 "),
            format!("01-{TRACE}-{parent}-01more"),
            format!("ff-{TRACE}-{parent}-01"),
            format!("0g-{TRACE}-{parent}-01"),
            format!("00-{}-{parent}-01", TRACE.to_uppercase()),
            format!("00-{none}-{parent}-01"),
            format!("00-{TRACE}-{}-01", &none[..16]),
            format!("00-{}-{parent}-01", &TRACE[1..]),
            format!("00_{TRACE}_{parent}_01"),
            format!("00-{TRACE}-{parent}-0\u{e4}"),
        ] {
            assert_eq!(parse(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn two_headers_count_as_none() {
        let mut headers = HeaderMap::new();
        assert_eq!(trace_of(&headers), None);
        let value = format!("00-{TRACE}-00f067aa0ba902b7-01");
        headers.append(TRACE_HEADER, value.parse().unwrap());
        assert!(trace_of(&headers).is_some());
        headers.append(TRACE_HEADER, value.parse().unwrap());
        assert_eq!(trace_of(&headers), None);
    }
}
