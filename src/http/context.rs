//! What happens around every request: its name, its line in the log, and a problem as the answer to each
//! failure.

use std::{
    fmt::{self, Write},
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    rc::Rc,
    task::Poll,
    thread,
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
    web::Data,
};
use cublino_guard::Watchdog;
use log::{
    Level, Record,
    kv::{self, Key, Source, Value, VisitSource},
    log_enabled, logger,
};

use super::{
    access::Caller, extract::Received, headers, metrics::Operation, problem::Problem, routes, state::AppState,
};
use crate::{
    games::GameId,
    search::{Control, TranspositionTable},
    service::Code,
};

/// Names the request and its caller, answers it, counts it, and writes it down.
pub fn observe<S, B>(
    request: ServiceRequest,
    service: &S,
) -> impl Future<Output = Result<ServiceResponse, Error>> + use<S, B>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    B: MessageBody + 'static,
{
    let began = Instant::now();
    let state = request.app_data::<Data<AppState>>().expect("the application has its state").clone();
    let in_flight = state.metrics.begin();
    let caller = state.access.caller(&request);
    let context = Rc::new(RequestContext::new(&request, caller));
    request.extensions_mut().insert(context.clone());
    let answer = service.call(request);
    async move {
        let _in_flight = in_flight;
        let answered = unwinding(pin!(answer), &context).await.map(explain_refused_origin);
        finished(answered, &state, &context, began)
    }
}

/// Completes an answer, counts it, and writes it down.
fn finished(
    answered: Result<ServiceResponse, Error>,
    state: &AppState,
    context: &RequestContext,
    began: Instant,
) -> Result<ServiceResponse, Error> {
    let mut response = answered.inspect_err(|error| {
        let status = error.as_response_error().status_code();
        state.metrics.count(Operation::NONE, None, status, None, began.elapsed());
    })?;
    if state.is_draining() {
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    let headers = response.headers_mut();
    headers::complete(headers);
    if state.access.needs_key() {
        headers::make_private(headers);
    }
    let id = context.id.to_header();
    headers.insert(REQUEST_ID_HEADER, id.clone());
    if let Some(watchdog) = response.request().conn_data::<Rc<Watchdog>>() {
        watchdog.answering(id);
    }
    // The time that the caller took to send the body is not the service's.
    let took = response.request().extensions().get().map_or(began, |&Received(at)| at).elapsed();
    let served = Served::of(&response, took);
    state.metrics.count(served.operation, served.game, response.status(), served.code, took);
    served.log(&response, context);
    Ok(response)
}

/// A browser asks on behalf of a page whose origin may not call: that is a failure like any other.
fn explain_refused_origin<B: MessageBody + 'static>(response: ServiceResponse<B>) -> ServiceResponse {
    if response.response().error().and_then(|error| error.as_error::<CorsError>()).is_none() {
        return response.map_into_boxed_body();
    }
    let detail = "pages of this origin may not call the service, or not with this method or these headers";
    let problem = Problem::invalid_parameter("Origin", detail);
    response.error_response(problem)
}

/// Makes an answer of a panic, so that the caller gets a problem rather than a closed connection.
async fn unwinding<B>(
    mut answer: Pin<&mut impl Future<Output = Result<ServiceResponse<B>, Error>>>,
    context: &RequestContext,
) -> Result<ServiceResponse<B>, Error> {
    poll_fn(|task| {
        let polled = catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(task)));
        polled.unwrap_or_else(|_| {
            context.error(format_args!("a request caused a panic"));
            let mut response = Problem::internal().error_response();
            response.headers_mut().insert(REQUEST_ID_HEADER, context.id.to_header());
            Poll::Ready(Err(InternalError::from_response("panic", response).into()))
        })
    })
    .await
}

/// What names a request in the log, in every line that is about it. It is among the extensions of each
/// request, before anything else sees that.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// The name of the request.
    pub id: RequestId,
    /// Who has sent it.
    pub caller: Caller,
    /// The trace that it belongs to.
    pub trace: Option<TraceId>,
}

impl RequestContext {
    /// The context of a request whose caller is known.
    pub fn new(request: &ServiceRequest, caller: Caller) -> Self {
        let headers = request.headers();
        Self { id: RequestId::of(headers), caller, trace: TraceId::of(headers) }
    }

    /// The context of a request that has been let in.
    pub fn of(request: &HttpRequest) -> Self {
        request.extensions().get::<Rc<Self>>().expect("every request has its context").as_ref().clone()
    }

    /// Writes an error that is about the request into the log.
    pub fn error(&self, message: fmt::Arguments<'_>) {
        let mut record = Record::builder();
        record.level(Level::Error).target(module_path!()).module_path(Some(module_path!()));
        logger().log(&record.key_values(self).args(message).build());
    }
}

/// A search that, if it panics, says on its thread which request it was for.
pub fn watched<T>(
    context: RequestContext,
    search: impl FnOnce(&Control, &mut TranspositionTable) -> T + Send + 'static,
) -> impl FnOnce(&Control, &mut TranspositionTable) -> T + Send + 'static {
    move |control, table| {
        let _watch = Watch(context);
        search(control, table)
    }
}

/// Lives as long as a search.
struct Watch(RequestContext);

impl Drop for Watch {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.error(format_args!("the search of a request failed"));
        }
    }
}

impl Source for RequestContext {
    fn visit<'kvs>(&'kvs self, visitor: &mut dyn VisitSource<'kvs>) -> Result<(), kv::Error> {
        visitor.visit_pair(Key::from_str("request_id"), Value::from_display(&self.id))?;
        visitor.visit_pair(Key::from_str("caller"), Value::from_display(&self.caller))?;
        match &self.trace {
            Some(trace) => visitor.visit_pair(Key::from_str("trace_id"), Value::from_display(trace)),
            None => Ok(()),
        }
    }
}

/// The header that carries it, in both directions.
pub const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The longest name that is taken over, in characters: enough for the usual identifiers, short enough for a
/// log line.
const MAX_CHARS: usize = 128;

/// The name of a request: the caller's own if it is sensible, else one made here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestId {
    /// The caller's own.
    Given(HeaderValue),
    /// One made here.
    Made(Digits),
}

impl RequestId {
    /// The name of the request with these headers.
    pub fn of(headers: &HeaderMap) -> Self {
        let given = headers.get(REQUEST_ID_HEADER).filter(|value| is_sensible(value.as_bytes()));
        given.map_or_else(|| Self::Made(digits(rand::random())), |given| Self::Given(given.clone()))
    }

    /// The value of the header.
    #[must_use]
    pub fn to_header(&self) -> HeaderValue {
        match self {
            Self::Given(value) => value.clone(),
            Self::Made(digits) => {
                HeaderValue::from_bytes(digits).expect("hexadecimal digits are a header value")
            }
        }
    }

    fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Given(value) => value.as_bytes(),
            Self::Made(digits) => digits,
        }
    }
}

/// A sensible name is one word that is safe in a log line and a shell.
fn is_sensible(name: &[u8]) -> bool {
    let safe = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    (1..=MAX_CHARS).contains(&name.len()) && name.iter().all(safe)
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(self.as_bytes()).expect("a request id is ASCII"))
    }
}

/// The header that carries it.
pub const TRACE_HEADER: HeaderName = HeaderName::from_static("traceparent");

/// The digits of a trace's name.
const TRACE_ID: usize = 32;

/// The digits of the name of the caller's part in it.
const PARENT_ID: usize = 16;

/// The trace that a request belongs to, by the name that all services involved call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceId([u8; TRACE_ID]);

impl TraceId {
    /// The trace of the request with these headers. A header that does not follow the standard to the letter
    /// counts as none.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let mut values = headers.get_all(TRACE_HEADER);
        let value = values.next()?;
        if values.next().is_some() { None } else { Self::parse(value.as_bytes()) }
    }

    /// `VERSION-TRACE-PARENT-FLAGS`, in lower-case hexadecimal digits. Versions to come may append to it.
    fn parse(value: &[u8]) -> Option<Self> {
        let (version, rest) = field::<2>(value)?;
        let (trace, rest) = field::<TRACE_ID>(rest.strip_prefix(b"-")?)?;
        let (parent, rest) = field::<PARENT_ID>(rest.strip_prefix(b"-")?)?;
        let (_flags, rest) = field::<2>(rest.strip_prefix(b"-")?)?;
        let ends = match version {
            b"00" => rest.is_empty(),
            b"ff" => false,
            _ => rest.is_empty() || rest.starts_with(b"-"),
        };
        let names = |digits: &[u8]| digits.iter().any(|&digit| digit != b'0');
        (ends && names(trace) && names(parent)).then_some(Self(*trace))
    }
}

/// So many lower-case hexadecimal digits, and what follows them.
fn field<const N: usize>(text: &[u8]) -> Option<(&[u8; N], &[u8])> {
    let (digits, rest) = text.split_first_chunk()?;
    digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')).then_some((digits, rest))
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(&self.0).expect("the digits have been checked"))
    }
}

/// The digits of a number in base 16.
pub type Digits = [u8; 32];

/// Writes a number with all its digits. Formatting does the same at several times the price, for every
/// request.
pub fn digits(number: u128) -> Digits {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let bytes = number.to_be_bytes();
    std::array::from_fn(|i| {
        let byte = bytes[i / 2];
        DIGITS[usize::from(if i % 2 == 0 { byte >> 4 } else { byte & 0xf })]
    })
}

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
        let (operation, game) = routes::asked(response.request());
        let code = response.response().error().and_then(problem).map(Problem::code);
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
    use std::{
        collections::BTreeMap,
        net::{IpAddr, Ipv4Addr},
        sync::Mutex,
    };

    use actix_web::{
        App, HttpRequest, HttpResponse,
        http::{StatusCode, header},
        test::{self, TestRequest},
        web,
    };
    use log::{LevelFilter, Log, Metadata};

    use super::*;
    use crate::{
        config::Config,
        games::Pur,
        queue::{CallerId, Demand, Limits, Queue},
        search::{Options, SearchLimits},
        service::Found,
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
            let thread = thread::current().name().unwrap_or_default().to_owned();
            LINES.lock().unwrap().push(format!("{thread}: {} {:?}", record.args(), fields.0));
        }

        fn flush(&self) {}
    }

    #[actix_web::test]
    async fn a_search_that_panics_says_on_its_thread_which_request_it_was_for() {
        log::set_logger(&Collector).unwrap();
        log::set_max_level(LevelFilter::Error);
        let request = TestRequest::get()
            .insert_header((REQUEST_ID_HEADER, "the-request-of-this-test"))
            .insert_header((TRACE_HEADER, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
            .to_srv_request();
        let caller = Caller::Address(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7)));
        let context = RequestContext::new(&request, caller);
        let limits = Limits { threads: 1, table_bytes: 1 << 16, ..Limits::default() };
        let queue = Queue::new(limits).unwrap();
        let fails = |_: &Control, _: &mut TranspositionTable| -> Found<()> { panic!("as this test wants") };
        let demand = Demand::of::<Pur>(&Options::new(SearchLimits::default()), 1, limits.longest);
        let running = queue.begin(CallerId::default(), demand, watched(context, fails)).await.unwrap();
        assert!(running.await.is_err());
        let found = |lines: &[String]| {
            let fields = |line: &&String| line.contains("the-request-of-this-test");
            lines.iter().find(fields).cloned().unwrap()
        };
        let line = found(&LINES.lock().unwrap());
        assert!(line.starts_with("search-0: the search of a request failed"), "{line}");
        for field in ["192.0.2.7", "4bf92f3577b34da6a3ce929d0e0e4736"] {
            assert!(line.contains(field), "{line}");
        }
    }

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn parse(value: &str) -> Option<String> {
        TraceId::parse(value.as_bytes()).map(|id| id.to_string())
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
        assert_eq!(TraceId::of(&headers), None);
        let value = format!("00-{TRACE}-00f067aa0ba902b7-01");
        headers.append(TRACE_HEADER, value.parse().unwrap());
        assert!(TraceId::of(&headers).is_some());
        headers.append(TRACE_HEADER, value.parse().unwrap());
        assert_eq!(TraceId::of(&headers), None);
    }

    #[test]
    fn digits_are_those_of_formatting() {
        for number in [0, 1, u128::MAX, 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978] {
            assert_eq!(str::from_utf8(&digits(number)).unwrap(), format!("{number:032x}"));
        }
    }

    #[test]
    fn only_known_parameters_are_shown() {
        let shown = |uri: &'static str| Shown(&Uri::from_static(uri)).to_string();
        assert_eq!(shown("/v1/games"), "/v1/games");
        assert_eq!(shown("/x?state=P&depth=3"), "/x?state=P&depth=3");
        assert_eq!(shown("/x?api_key=secret&state=P&secret"), "/x?…&state=P&…");
    }
}
