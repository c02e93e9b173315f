//! What names a request in the log.

use std::fmt;

use actix_web::dev::ServiceRequest;
use log::{
    Level, Record,
    kv::{self, Key, Source, Value, VisitSource},
    logger,
};

use super::{access::Caller, request_id::RequestId, trace::TraceId};

/// What names a request in the log, in every line that is about it. It is among the extensions of each request.
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

    /// Writes an error that is about the request into the log.
    pub fn error(&self, message: fmt::Arguments<'_>) {
        let mut record = Record::builder();
        record.level(Level::Error).target(module_path!()).module_path(Some(module_path!()));
        logger().log(&record.key_values(self).args(message).build());
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
