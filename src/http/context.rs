//! Middleware around every request: its ID (`X-Request-Id`), its caller, its trace (`traceparent`), its line
//! in the log, and a problem as the answer to each failure.

use std::{
    any::Any,
    cell::Cell,
    fmt,
    panic::AssertUnwindSafe,
    rc::Rc,
    time::{Duration, Instant},
};

use actix_cors::CorsError;
use actix_web::{
    Error, HttpMessage, HttpRequest, ResponseError,
    body::MessageBody,
    dev::{Service, ServiceRequest, ServiceResponse},
    error::InternalError,
    http::{
        ConnectionType, Uri,
        header::{HeaderMap, HeaderName, HeaderValue},
    },
};
use cublino_guard::{Counted, Watchdog};
use futures_util::FutureExt as _;
use log::{Level, Record, kv::Value, log_enabled, logger};

use super::{headers, problem::Problem, routes, state::AppState};
use crate::{
    api::{Code, Failure},
    games::GameId,
    queue::{self, Caller},
};

/// Middleware that identifies a request, completes the headers of its answer, counts it and logs it.
pub fn observe<S, B>(
    request: ServiceRequest,
    service: &S,
) -> impl Future<Output = Result<ServiceResponse, Error>> + use<S, B>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    B: MessageBody + 'static,
{
    let state = AppState::of(request.request()).clone();
    let in_flight = Counted::new(&state.metrics.in_flight);
    let caller = state.access.caller(&request);
    let context = Rc::new(RequestContext::new(&request, caller));
    request.extensions_mut().insert(context.clone());
    let answer = AssertUnwindSafe(service.call(request)).catch_unwind();
    async move {
        let _in_flight = in_flight;
        let answered = answer.await.unwrap_or_else(|panic| Err(panicked(&context, &*panic)));
        let mut response = answered.map(explain_refused_origin).inspect_err(|error| {
            let status = error.as_response_error().status_code();
            state.metrics.count(Labels::default(), status, context.complete.get().elapsed());
        })?;
        if state.is_draining() {
            response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
        }
        let headers = response.headers_mut();
        headers::complete(headers);
        if state.access.needs_key() {
            headers::make_private(headers);
        }
        headers.insert(REQUEST_ID_HEADER, context.id.clone());
        if let Some(watchdog) = response.request().conn_data::<Rc<Watchdog>>() {
            watchdog.request.replace(Some(context.id.clone()));
        }
        let took = context.complete.get().elapsed();
        let labels = response.request().extensions().get().copied();
        let mut labels = labels.unwrap_or_else(|| routes::labels(response.request()));
        let problem = response.response().error().and_then(|error| error.as_error::<Problem>());
        labels.code = problem.map(Problem::code).or(labels.code);
        state.metrics.count(labels, response.status(), took);
        log_answer(&response, &context, labels, took);
        Ok(response)
    }
}

/// The labels of a request in metrics and the log. They are among the extensions of a request whose path does
/// not determine them.
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

/// The target of the log line for each request.
const ACCESS: &str = "access";

/// The longest method, path and query that the line shows, in characters.
const MAX_SHOWN: usize = 1_000;

/// Logs an answer: at `debug` if it is good, at `info` for faults of the caller, at `warn` for 503, and at
/// `error` for other failures of the service.
fn log_answer(
    response: &ServiceResponse,
    context: &RequestContext,
    Labels { operation, game, code }: Labels,
    took: Duration,
) {
    let status = response.status().as_u16();
    let level = match status {
        ..400 => Level::Debug,
        400..500 => Level::Info,
        503 => Level::Warn,
        _ => Level::Error,
    };
    if !log_enabled!(target: ACCESS, level) {
        return;
    }
    let line = format!("{} {}", response.request().method(), shown(response.request().uri()));
    // The detail quotes the request, which could contain a key: only the code is logged.
    let reason = match (code, response.response().error()) {
        (Some(code), _) => format!(": {code}"),
        (None, Some(error)) => format!(": {error}"),
        (None, None) => String::new(),
    };
    let fields = [
        Some(("operation", Value::from(operation))),
        Some(("game", Value::from(game.map_or("none", |game| game.about().id)))),
        Some(("status", Value::from(status))),
        code.map(|code| ("code", Value::from(code.name()))),
        Some(("micros", Value::from(u64::try_from(took.as_micros()).unwrap_or(u64::MAX)))),
    ];
    context.log(ACCESS, level, &fields, format_args!("{line:.MAX_SHOWN$}{reason}"));
}

/// The query parameters that are logged. Any other could be a misplaced key.
const SHOWN: [&str; 20] = [
    "state",
    "moves",
    "spellings",
    "depth",
    "nodes",
    "time_ms",
    "lines",
    "level",
    "seed",
    "date",
    "difficulty",
    "count",
    "move",
    "last",
    "previous",
    "highlight",
    "flip",
    "header",
    "size",
    "theme",
];

/// A path with its query, in which parameters that may not be logged are replaced.
fn shown(uri: &Uri) -> String {
    let Some(query) = uri.query() else { return uri.path().to_owned() };
    let parameters = query.split('&').map(|parameter| {
        let name = parameter.split('=').next().unwrap_or_default();
        if SHOWN.contains(&name) { parameter } else { "…" }
    });
    format!("{}?{}", uri.path(), parameters.collect::<Vec<_>>().join("&"))
}

/// Turns the library's answer to a refused origin (CORS) into a problem.
fn explain_refused_origin<B: MessageBody + 'static>(response: ServiceResponse<B>) -> ServiceResponse {
    if response.response().error().and_then(|error| error.as_error::<CorsError>()).is_none() {
        return response.map_into_boxed_body();
    }
    let detail = "pages of this origin may not call the service, or not with this method";
    let problem = Problem::from(Failure::invalid_parameter("Origin", detail));
    response.error_response(problem)
}

/// Makes an answer of a panic, so that the caller gets a problem rather than a closed connection.
fn panicked(context: &RequestContext, panic: &(dyn Any + Send)) -> Error {
    context.error(format_args!("a request caused a panic: {}", queue::message(panic)));
    let mut response = Problem::internal().error_response();
    response.headers_mut().insert(REQUEST_ID_HEADER, context.id.clone());
    InternalError::from_response("panic", response).into()
}

/// What identifies a request in its log lines. It is put into the extensions of each request before any other
/// code sees the request.
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
}

impl RequestContext {
    /// The context of a request whose caller is known.
    pub fn new(request: &ServiceRequest, caller: Caller) -> Self {
        let headers = request.headers();
        let given = headers.get(REQUEST_ID_HEADER).filter(|value| is_sensible(value.as_bytes()));
        let made = || HeaderValue::from_bytes(&digits(rand::random())).expect("digits are a header value");
        let (trace, complete) = (trace_of(headers), Cell::new(Instant::now()));
        Self { id: given.cloned().unwrap_or_else(made), caller, trace, complete, has_permit: Cell::default() }
    }

    /// The context of a request that has passed [`observe`].
    pub fn of(request: &HttpRequest) -> Rc<Self> {
        request.extensions().get::<Rc<Self>>().expect("every request has its context").clone()
    }

    /// Writes an error that is about the request into the log.
    pub fn error(&self, message: fmt::Arguments<'_>) {
        self.log(module_path!(), Level::Error, &[], message);
    }

    /// Writes a line that is about the request into the log.
    fn log(&self, target: &str, level: Level, fields: &[Field<'_>], message: fmt::Arguments<'_>) {
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
type Field<'a> = Option<(&'static str, Value<'a>)>;

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

/// The digits of a number in base 16.
pub type Digits = [u8; 32];

/// Writes a number with all its digits. Formatting does the same, but takes several times as long, for every
/// request.
pub fn digits(number: u128) -> Digits {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let bytes = number.to_be_bytes();
    std::array::from_fn(|i| {
        let byte = bytes[i / 2];
        DIGITS[usize::from(if i % 2 == 0 { byte >> 4 } else { byte & 0xf })]
    })
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeMap,
        net::{IpAddr, Ipv4Addr},
        sync::Mutex,
    };

    use actix_web::{
        App, HttpRequest, HttpResponse,
        http::{StatusCode, header},
        test::{self, TestRequest},
        web::{self, Data},
    };
    use log::{
        LevelFilter, Log, Metadata,
        kv::{self, Key, VisitSource},
    };

    use super::*;
    use crate::{
        api::{self, Effort, Found},
        config::Config,
        engine::{Control, Options, SearchLimits, TranspositionTable},
        http::searching::Search,
        queue::Class,
    };

    #[actix_web::test]
    async fn every_request_knows_its_caller_by_key_or_else_by_address() {
        const KEY: &str = "a-key-for-this-test";
        async fn handler(request: HttpRequest) -> String {
            RequestContext::of(&request).caller.to_string()
        }
        for (api_keys, expected) in [(Vec::new(), "192.0.2.7"), (vec![KEY.parse().unwrap()], "key 1")] {
            let state = Data::new(AppState::new(&Config { api_keys, ..Config::default() }).unwrap());
            let app = App::new().app_data(state).wrap_fn(observe).route("/", web::get().to(handler));
            let app = test::init_service(app).await;
            let request = test::TestRequest::get().peer_addr("192.0.2.7:99".parse().unwrap());
            let shown = request.insert_header((header::AUTHORIZATION, format!("Bearer {KEY}"))).to_request();
            assert_eq!(test::call_and_read_body(&app, shown).await, expected);
        }
    }

    #[actix_web::test]
    async fn a_panic_is_answered_with_a_problem_that_names_the_request() {
        async fn handler() -> HttpResponse {
            panic!("as this test wants")
        }
        let state = Data::new(AppState::new(&Config::default()).unwrap());
        let app = App::new().app_data(state).wrap_fn(observe).route("/", web::get().to(handler));
        let app = test::init_service(app).await;
        let request = test::TestRequest::get().insert_header((REQUEST_ID_HEADER, "mine")).to_request();
        let error = test::try_call_service(&app, request).await.expect_err("a panic is an error");
        let response = error.error_response();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(response.headers().get(REQUEST_ID_HEADER).unwrap(), "mine");
    }

    /// What has been logged, with its fields.
    static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

    struct Collector;

    impl Log for Collector {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn log(&self, record: &Record<'_>) {
            struct Fields(BTreeMap<String, String>);
            impl<'kvs> VisitSource<'kvs> for Fields {
                fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), kv::Error> {
                    self.0.insert(key.to_string(), value.to_string());
                    Ok(())
                }
            }
            let mut fields = Fields(BTreeMap::new());
            record.key_values().visit(&mut fields).unwrap();
            LINES.lock().unwrap().push(format!("{} {:?}", record.args(), fields.0));
        }

        fn flush(&self) {}
    }

    #[actix_web::test]
    async fn a_search_that_panics_says_which_request_it_was_for() {
        log::set_logger(&Collector).unwrap();
        log::set_max_level(LevelFilter::Error);
        let request = TestRequest::get()
            .insert_header((REQUEST_ID_HEADER, "the-request-of-this-test"))
            .insert_header((TRACE_HEADER, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
            .app_data(Data::new(AppState::new(&Config::default()).unwrap()))
            .to_srv_request();
        let caller = Caller::Address(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7)));
        let context = RequestContext::new(&request, caller);
        request.extensions_mut().insert(Rc::new(context));
        let fails = |_: &Control, _: &mut TranspositionTable| -> Found<()> { panic!("as this test wants") };
        let effort = Effort { options: Options::new(SearchLimits::default()), searches: 1 };
        let search = api::Search::new(effort, fails);
        let search = Search::begin(request.request().clone(), Class::Interactive, GameId::CublinoPur, search);
        assert!(search.await.unwrap().answer().await.is_err());
        let found = |lines: &[String]| {
            let fields = |line: &&String| line.contains("the-request-of-this-test");
            lines.iter().find(fields).cloned().unwrap()
        };
        let line = found(&LINES.lock().unwrap());
        assert!(line.starts_with("the search of a request failed: as this test wants"), "{line}");
        for field in ["192.0.2.7", "4bf92f3577b34da6a3ce929d0e0e4736"] {
            assert!(line.contains(field), "{line}");
        }
    }

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

    #[test]
    fn digits_are_those_of_formatting() {
        for number in [0, 1, u128::MAX, 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978] {
            assert_eq!(str::from_utf8(&digits(number)).unwrap(), format!("{number:032x}"));
        }
    }

    #[test]
    fn only_known_parameters_are_shown() {
        let shown = |uri: &'static str| shown(&Uri::from_static(uri));
        assert_eq!(shown("/v1/games"), "/v1/games");
        assert_eq!(shown("/x?state=P&depth=3&moves=5"), "/x?state=P&depth=3&moves=5");
        assert_eq!(shown("/x?api_key=secret&state=P&secret"), "/x?…&state=P&…");
    }
}
