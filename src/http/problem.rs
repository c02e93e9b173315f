//! Failures as callers see them: RFC 9457 problems. Only this module gives a failure its status.

use std::time::Duration;

use actix_web::{
    HttpResponse, ResponseError,
    body::BoxBody,
    http::{
        StatusCode,
        header::{self, HeaderName},
    },
};

use crate::{
    api::{AtIn, Code, Failure, ProblemBody, to_json},
    queue::QueueError,
};

/// The media type of every failure.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// The failure to answer a request, with an optional header for its response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{failure}")]
pub struct Problem {
    failure: Failure,
    /// An additional header of the response, such as `Retry-After`.
    hint: Option<Box<(HeaderName, String)>>,
}

impl Problem {
    /// A problem without a place.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Failure::new(code, detail).into()
    }

    /// The kind of the problem.
    pub const fn code(&self) -> Code {
        self.failure.code
    }

    /// A problem with the header `Retry-After`.
    pub fn later(code: Code, detail: impl Into<String>, retry_after: Duration) -> Self {
        Self::new(code, detail).with(header::RETRY_AFTER, whole_seconds(retry_after).max(1).to_string())
    }

    /// The value of the header `Retry-After`, in seconds, if there is one.
    pub fn retry_after(&self) -> Option<&str> {
        let (name, value) = self.hint.as_deref()?;
        (name == header::RETRY_AFTER).then_some(value)
    }

    /// The same problem with a header.
    pub(super) fn with(self, name: HeaderName, value: impl Into<String>) -> Self {
        Self { hint: Some(Box::new((name, value.into()))), ..self }
    }

    /// A failure of the service itself. Its cause is for the log, not for the caller.
    pub fn internal() -> Self {
        Self::new(
            Code::Internal,
            "the service has failed; its log has the cause, with the X-Request-Id of this answer",
        )
    }

    /// The body of the problem.
    pub fn body(&self) -> ProblemBody<'_> {
        let Failure { code, detail, at, parameter, faults } = &self.failure;
        ProblemBody {
            kind: format!("/problems/{code}"),
            title: code.title().into(),
            status: status(*code).as_u16(),
            detail: detail.into(),
            code: *code,
            at: *at,
            at_in: at.and_then(|_| AtIn::of(*code)),
            parameter: parameter.as_deref().map(Into::into),
            problems: faults.into(),
        }
    }
}

/// The status of the answers with a code.
pub const fn status(code: Code) -> StatusCode {
    match code {
        Code::MalformedState
        | Code::InvalidState
        | Code::WrongGame
        | Code::MalformedMove
        | Code::IllegalMove
        | Code::GameOver
        | Code::RollFirst
        | Code::NoDice
        | Code::TooMuchWork => StatusCode::UNPROCESSABLE_ENTITY,
        Code::MalformedJson | Code::InvalidParameter => StatusCode::BAD_REQUEST,
        Code::Unauthorized => StatusCode::UNAUTHORIZED,
        Code::UnknownGame | Code::NotFound => StatusCode::NOT_FOUND,
        Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Code::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
        Code::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::UriTooLong => StatusCode::URI_TOO_LONG,
        Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Code::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
        Code::Busy => StatusCode::SERVICE_UNAVAILABLE,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// The time in whole seconds, as headers need it: rounded up, except for fractions below a millisecond.
pub fn whole_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_millis() > 0)
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self { failure, hint: None }
    }
}

/// A search is refused or not finished: the caller has too many, or the service is at one of its limits.
impl From<QueueError> for Problem {
    fn from(error: QueueError) -> Self {
        // When a thread will be free is unknown. A search usually takes half a second.
        const SOON: Duration = Duration::from_secs(1);
        let (code, wait) = match error {
            QueueError::Share => (Code::TooManyRequests, SOON),
            QueueError::Queue | QueueError::Expired | QueueError::Closing => (Code::Busy, SOON),
            // A machine that was too busy for so long will not be idle in a second.
            QueueError::Overdue(longest) => (Code::Busy, longest),
            QueueError::Failed(_) => return Self::internal(),
        };
        Self::later(code, error.to_string(), wait)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        status(self.code())
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::build(self.status_code());
        response.content_type(MEDIA_TYPE).insert_header((header::CACHE_CONTROL, "no-store"));
        if let Some((name, value)) = self.hint.as_deref() {
            response.insert_header((name, value.as_str()));
        }
        if self.code() == Code::RequestTimeout {
            // The rest of the body may still arrive, and is not read.
            response.force_close();
        }
        response.body(to_json(&self.body()))
    }
}
