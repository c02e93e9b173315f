//! What names a request in the log: its id (`X-Request-Id`), its caller and its trace (`traceparent`).

use std::{cell::OnceCell, fmt, rc::Rc, thread};

use actix_web::{
    HttpMessage, HttpRequest,
    dev::ServiceRequest,
    http::header::{HeaderMap, HeaderName, HeaderValue},
};
use log::{
    Level, Record,
    kv::{self, Key, Source, Value, VisitSource},
    logger,
};

use super::access::Caller;
use crate::search::{Control, TranspositionTable};

/// What names a request in the log, in every line that is about it. It is among the extensions of each
/// request, before anything else sees that.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// The name of the request.
    pub id: RequestId,
    /// Who has sent it.
    pub caller: Caller,
    /// The trace that it belongs to.
    pub trace: OnceCell<TraceId>,
}

impl RequestContext {
    /// The context of a request whose caller is known.
    pub fn new(request: &ServiceRequest, caller: Caller) -> Self {
        let headers = request.headers();
        let trace = TraceId::of(headers).map_or_else(OnceCell::new, OnceCell::from);
        Self { id: RequestId::of(headers), caller, trace }
    }

    /// Has a request belong to the trace that its body names, unless its headers name one.
    pub fn join(request: &HttpRequest, trace: &str) {
        let extensions = request.extensions();
        let context = extensions.get::<Rc<Self>>().expect("every request has its context");
        if let Some(trace) = TraceId::parse(trace.as_bytes()) {
            // The trace that a header names comes first.
            context.trace.get_or_init(|| trace);
        }
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
        match self.trace.get() {
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

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeMap,
        net::{IpAddr, Ipv4Addr},
        sync::Mutex,
    };

    use actix_web::test::TestRequest;
    use log::{LevelFilter, Log, Metadata};

    use super::*;
    use crate::{
        games::Pur,
        queue::{CallerId, Demand, Limits, Queue},
        search::{Options, SearchLimits},
        service::Found,
    };

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
}
