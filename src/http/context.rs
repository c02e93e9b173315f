//! What names a request in the log.

use std::{fmt, rc::Rc, thread};

use actix_web::{HttpMessage, HttpRequest, dev::ServiceRequest};
use log::{
    Level, Record,
    kv::{self, Key, Source, Value, VisitSource},
    logger,
};

use super::{access::Caller, request_id::RequestId, trace::TraceId};
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
        http::trace,
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
            .insert_header((crate::http::request_id::HEADER, "the-request-of-this-test"))
            .insert_header((trace::HEADER, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
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
}
