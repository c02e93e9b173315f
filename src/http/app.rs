//! The application: the parts of the service, its routes, and the middleware around every request.

use std::{any::Any, io, panic::AssertUnwindSafe, rc::Rc, time::Duration};

use actix_cors::{Cors, CorsError};
use actix_web::{
    App, Error, HttpMessage as _, ResponseError as _,
    body::MessageBody,
    dev::{self, ServiceFactory, ServiceRequest, ServiceResponse},
    error::InternalError,
    http::{
        ConnectionType, Method, Uri,
        header::{self, CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue},
    },
    middleware::{Condition, Next, from_fn},
    web::{self, Data},
};
use cublino_guard::{Counted, Watchdog};
use futures_util::FutureExt as _;
use log::{Level, kv::Value, log_enabled};

use super::{
    access::{Access, is_guarded},
    mcp::{self, Calls},
    metrics::Metrics,
    permits::Permits,
    problem::Problem,
    request::{Labels, REQUEST_ID_HEADER, RequestContext, part},
    routes::{self, QUERY},
};
use crate::{
    api::{Bounds, Code, Failure},
    config::{Config, Origin},
    engine::{Learned, Tablebases},
    games::GameId,
    queue::Queue,
    version, with_game,
    words::of_panic,
};

/// The parts of a service. Each is data of the application, so that a handler takes only what it uses.
#[derive(Clone, Debug)]
pub struct Service {
    /// The settings.
    pub config: Data<Config>,
    /// The limits, the table size and the tablebases for all questions.
    pub bounds: Data<Bounds>,
    /// The search threads.
    pub queue: Data<Queue>,
    /// API keys, rate limits and search time quotas.
    pub access: Data<Access>,
    /// The permits of heavy requests.
    pub permits: Data<Permits>,
    /// What the service counts.
    pub metrics: Data<Metrics>,
    /// The calls of model tools that run.
    pub calls: Data<Calls>,
}

/// The tablebases that the settings ask for.
fn tablebases(config: &Config) -> io::Result<Tablebases> {
    let Some(path) = &config.wari_database else { return Ok(Tablebases::built_in()) };
    Tablebases::with_wari_database(path).or_else(|error| {
        let detail = format!("{error} (--wari-database, CUBLINO_WARI_DATABASE)");
        if config.wari_database_required {
            return Err(io::Error::other(detail));
        }
        log::warn!("cannot use the file of endgames; using the built-in ones: {detail}");
        Ok(Tablebases::built_in())
    })
}

impl Service {
    /// A service with these settings that has just started.
    ///
    /// # Errors
    /// The search threads cannot be started, or a file of the settings cannot be used.
    pub fn new(config: &Config) -> io::Result<Self> {
        let bounds = config.bounds(tablebases(config)?);
        // The learned evaluations are loaded and checked now, so that no search has to wait for them.
        for &game in GameId::ALL {
            with_game!(game, G => Learned::built_in::<G>());
        }
        let queue = Queue::new(config.into(), bounds.table_bytes).map_err(|error| {
            let setting = "--search-threads, CUBLINO_SEARCH_THREADS";
            io::Error::new(error.kind(), format!("cannot start the search threads ({setting}): {error}"))
        })?;
        Ok(Self {
            config: Data::new(config.clone()),
            bounds: Data::new(bounds),
            queue: Data::new(queue),
            access: Data::new(Access::new(config)?),
            permits: Data::new(Permits::new(config.permits, config.permits_per_caller())),
            metrics: Data::default(),
            calls: Data::default(),
        })
    }

    /// Registers each part.
    fn register(&self, config: &mut web::ServiceConfig) {
        let Self { config: settings, bounds, queue, access, permits, metrics, calls } = self.clone();
        config.app_data(settings).app_data(bounds).app_data(queue).app_data(access);
        config.app_data(permits).app_data(metrics).app_data(calls);
    }

    /// The application of one worker of the server.
    pub fn app(
        self,
    ) -> App<
        impl ServiceFactory<
            ServiceRequest,
            Config = (),
            Response = ServiceResponse<impl MessageBody>,
            Error = Error,
            InitError = (),
        >,
    > {
        let origins = &self.config.cors_origins;
        App::new()
            .configure(|config| self.register(config))
            .wrap(Condition::new(self.access.is_limited(), from_fn(guard)))
            .wrap(from_fn(check_head))
            .wrap(Condition::new(!origins.is_empty(), cors(origins)))
            .wrap_fn(observe)
            .configure(routes::configure)
            .default_service(web::to(routes::not_found))
    }

    /// The application of the admin listener.
    pub fn admin_app(
        self,
    ) -> App<
        impl ServiceFactory<
            ServiceRequest,
            Config = (),
            Response = ServiceResponse<impl MessageBody>,
            Error = Error,
            InitError = (),
        >,
    > {
        App::new()
            .configure(|config| self.register(config))
            .wrap_fn(observe)
            .configure(routes::configure_admin)
    }
}

/// Middleware that identifies a request, completes the headers of its answer, counts it and logs it.
fn observe<S, B>(
    request: ServiceRequest,
    service: &S,
) -> impl Future<Output = Result<ServiceResponse, Error>> + use<S, B>
where
    S: dev::Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    B: MessageBody + 'static,
{
    let metrics = part::<Metrics>(request.request()).clone();
    let access = part::<Access>(request.request()).clone();
    let in_flight = Counted::new(&metrics.in_flight);
    let caller = access.caller(&request);
    let context = Rc::new(RequestContext::new(&request, caller));
    request.extensions_mut().insert(context.clone());
    let answer = AssertUnwindSafe(service.call(request)).catch_unwind();
    async move {
        let _in_flight = in_flight;
        let answered = answer.await.unwrap_or_else(|panic| Err(panicked(&context, &*panic)));
        let mut response = answered.map(explain_refused_origin).inspect_err(|error| {
            let status = error.as_response_error().status_code();
            metrics.count(Labels::default(), status, context.complete.get().elapsed());
        })?;
        if metrics.is_draining() {
            response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
        }
        let headers = response.headers_mut();
        complete(headers);
        if access.needs_key() {
            make_private(headers);
        }
        headers.insert(REQUEST_ID_HEADER, context.id.clone());
        if let Some(watchdog) = response.request().conn_data::<Rc<Watchdog>>() {
            watchdog.request.replace(Some(context.id.clone()));
        }
        let took = context.complete.get().elapsed();
        let mut labels = context.labels.get().unwrap_or_else(|| routes::labels(response.request()));
        let problem = response.response().error().and_then(|error| error.as_error::<Problem>());
        labels.code = problem.map(Problem::code).or(labels.code);
        metrics.count(labels, response.status(), took);
        log_answer(&response, &context, labels, took);
        Ok(response)
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
    let line = format!(
        "{} {}",
        response.request().method(),
        shown(response.request().uri(), context.parameters.get())
    );
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

/// A path with its query, in which other parameters than the known ones are replaced.
fn shown(uri: &Uri, known: &[&str]) -> String {
    let Some(query) = uri.query() else { return uri.path().to_owned() };
    let parameters = query.split('&').map(|parameter| {
        let name = parameter.split('=').next().unwrap_or_default();
        if known.contains(&name) { parameter } else { "…" }
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
    context.error(format_args!("a request caused a panic: {}", of_panic(panic)));
    let mut response = Problem::internal().error_response();
    response.headers_mut().insert(REQUEST_ID_HEADER, context.id.clone());
    InternalError::from_response("panic", response).into()
}

/// Middleware that checks access, and adds the rate limit headers to the answer.
async fn guard<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse, Error> {
    // The path as the router sees it, which has undone percent-encoding: `/%761/` leads to the same
    // operations.
    if !is_guarded(request.match_info().as_str()) {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    let access = part::<Access>(request.request()).clone();
    let caller = RequestContext::of(request.request()).caller;
    let mut response = match access.admit(&caller, request.headers()) {
        Ok(()) => next.call(request).await?.map_into_boxed_body(),
        Err(problem) => request.error_response(problem),
    };
    // The request may have cost more than one.
    for (name, value) in access.rate_limit_headers(&caller).into_iter().flatten() {
        response.headers_mut().insert(name, value);
    }
    Ok(response)
}

/// The content security policy of HTML pages: what they need, from this origin only. Swagger UI uses inline
/// styles, and small pictures in its style sheet (`data:`); `/play/` has a manifest.
const PAGES: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                     img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
                     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The content security policy of SVG pictures: inline styles only.
const PICTURES: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// Completes the headers of an answer.
fn complete(headers: &mut HeaderMap) {
    const CODING: HeaderValue = HeaderValue::from_static("accept-encoding");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(VERSION_HEADER, HeaderValue::from_static(version::FULL));
    // The choice of a content coding depends on the request, even if the answer is not compressed.
    let is_coding = |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(CODING.as_bytes());
    if !headers.get_all(header::VARY).any(is_coding) {
        headers.append(header::VARY, CODING);
    }
    let policy = match headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes) {
        Some(media) if media.starts_with(b"text/html") => PAGES,
        Some(media) if media.starts_with(b"image/svg+xml") => PICTURES,
        _ => return,
    };
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}

/// The request headers that have one value. Two lines could mean one thing to a proxy, and another here.
const SINGLE: [HeaderName; 8] = [
    header::AUTHORIZATION,
    header::CONTENT_ENCODING,
    header::CONTENT_TYPE,
    header::HOST,
    header::ORIGIN,
    mcp::METHOD_HEADER,
    mcp::NAME_HEADER,
    mcp::VERSION_HEADER,
];

/// Middleware that refuses a path and query that are too long, and several lines of a header with one value.
async fn check_head<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse, Error> {
    let limit = part::<Config>(request.request()).uri_limit;
    let length = request.uri().path_and_query().map_or(0, |text| text.as_str().len());
    let repeated = SINGLE.into_iter().find(|name| request.headers().get_all(name).nth(1).is_some());
    let problem = if length > limit {
        let detail = format!("path and query have {length} bytes, but the limit is {limit}");
        Problem::new(Code::UriTooLong, detail)
    } else if let Some(name) = repeated {
        let detail = format!("the header {name} may occur only once");
        Failure::invalid_parameter(name.as_str(), detail).into()
    } else {
        return Ok(next.call(request).await?.map_into_boxed_body());
    };
    Ok(request.error_response(problem))
}

/// How long a browser may cache the answer to a CORS preflight, in seconds.
const MAX_AGE: usize = 3_600;

/// CORS: lets pages of these origins call the service, and read all response headers.
fn cors(origins: &[Origin]) -> Cors {
    let cors = Cors::default()
        .allowed_methods([Method::GET, Method::HEAD, Method::POST, QUERY.clone()])
        .allow_any_header()
        .expose_headers(["*"])
        .max_age(MAX_AGE)
        .block_on_origin_mismatch(false);
    origins.iter().fold(cors, |cors, origin| match origin {
        Origin::Any => cors.allow_any_origin(),
        Origin::Exactly(origin) => cors.allowed_origin(origin),
    })
}

/// The header with version and commit.
const VERSION_HEADER: HeaderName = HeaderName::from_static("x-engine-version");

/// Forbids shared caches to store an answer for callers with a key.
fn make_private(headers: &mut HeaderMap) {
    let Some(rest) = headers.get(CACHE_CONTROL).and_then(|value| value.to_str().ok()?.strip_prefix("public"))
    else {
        return;
    };
    let private = HeaderValue::try_from(format!("private{rest}")).expect("the rest is valid");
    headers.insert(CACHE_CONTROL, private);
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
    use log::{
        LevelFilter, Log, Metadata, Record,
        kv::{self, Key, VisitSource},
    };

    use super::*;
    use crate::{
        api::{self, Effort, Found},
        caller::Caller,
        config::Config,
        engine::{Control, Options, SearchLimits, TranspositionTable},
        http::{operations::Search, request::TRACE_HEADER},
        queue::Class,
    };

    #[actix_web::test]
    async fn every_request_knows_its_caller_by_key_or_else_by_address() {
        const KEY: &str = "a-key-for-this-test";
        async fn handler(request: HttpRequest) -> String {
            RequestContext::of(&request).caller.to_string()
        }
        for (api_keys, expected) in [(Vec::new(), "192.0.2.7"), (vec![KEY.parse().unwrap()], "key 1")] {
            let service = Service::new(&Config { api_keys, ..Config::default() }).unwrap();
            let app = App::new().configure(|config| service.register(config)).wrap_fn(observe);
            let app = app.route("/", web::get().to(handler));
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
        let service = Service::new(&Config::default()).unwrap();
        let app = App::new().configure(|config| service.register(config)).wrap_fn(observe);
        let app = app.route("/", web::get().to(handler));
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
        let service = Service::new(&Config::default()).unwrap();
        let request = TestRequest::get()
            .insert_header((REQUEST_ID_HEADER, "the-request-of-this-test"))
            .insert_header((TRACE_HEADER, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
            .app_data(service.queue.clone())
            .app_data(service.access.clone())
            .app_data(service.metrics.clone())
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

    #[test]
    fn only_known_parameters_are_shown() {
        let shown = |uri: &'static str| shown(&Uri::from_static(uri), &["state", "depth", "moves"]);
        assert_eq!(shown("/v1/games"), "/v1/games");
        assert_eq!(shown("/x?state=P&depth=3&moves=5"), "/x?state=P&depth=3&moves=5");
        assert_eq!(shown("/x?api_key=secret&state=P&secret"), "/x?…&state=P&…");
    }
}
