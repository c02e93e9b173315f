//! What happens around every request: its name, its line in the log, and the promise that each failure is a problem.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    task::Poll,
    time::Instant,
};

use actix_web::{
    Error, ResponseError,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    error::InternalError,
    http::header::{self, AcceptEncoding, Encoding, Header},
    middleware::Next,
    web::Data,
};
use log::{Level, log, log_enabled};

use super::{
    State, cache,
    problem::{Code, Problem},
    request_id::{self, RequestId},
};

/// The target of the line that each request leaves in the log.
const ACCESS: &str = "access";

/// The longest method, path and query that a line of the log shows, in characters.
const MAX_SHOWN: usize = 1_000;

/// Names the request, answers it, and writes it down.
pub async fn observe<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let began = Instant::now();
    let id = RequestId::of(request.headers());
    let mut response = if let Some(problem) = uri_too_long(&request) {
        request.into_response(problem.error_response()).map_into_right_body()
    } else {
        ignore_impossible_coding(&mut request);
        unwinding(pin!(next.call(request)), &id).await?.map_into_left_body()
    };
    let headers = response.headers_mut();
    cache::distinguish_coding(headers);
    headers.insert(request_id::HEADER, id.to_header());
    write_down(&response, &id, began);
    Ok(response)
}

/// Writes a request into the log: good answers are for those who look closely, the caller's faults for information, and
/// only ours are errors.
fn write_down<B>(response: &ServiceResponse<B>, id: &RequestId, began: Instant) {
    let status = response.status().as_u16();
    let level = match status {
        ..400 => Level::Debug,
        400..500 => Level::Info,
        503 => Level::Warn,
        _ => Level::Error,
    };
    if log_enabled!(target: ACCESS, level) {
        let line = format!("{} {}", response.request().method(), response.request().uri());
        let reason = response.response().error().map(|error| format!(" ({error})")).unwrap_or_default();
        let micros = began.elapsed().as_micros();
        log!(target: ACCESS, level, "{line:.MAX_SHOWN$} {status} {micros} us, request {id}{reason}");
    }
}

fn uri_too_long(request: &ServiceRequest) -> Option<Problem> {
    let limit = request.app_data::<Data<State>>().map(|state| state.limits.uri_bytes)?;
    let length = request.uri().path_and_query().map_or(0, |text| text.as_str().len());
    let detail = || format!("path and query have {length} bytes, and no more than {limit} are read");
    (length > limit).then(|| Problem::new(Code::UriTooLong, detail()))
}

/// A caller who refuses every coding that there is gets the answer uncoded, which HTTP allows, rather than none.
fn ignore_impossible_coding(request: &mut ServiceRequest) {
    if !request.headers().contains_key(header::ACCEPT_ENCODING) {
        return;
    }
    let codings = [Encoding::identity(), Encoding::brotli(), Encoding::gzip(), Encoding::deflate()];
    let possible =
        AcceptEncoding::parse(request).is_ok_and(|accepted| accepted.negotiate(codings.iter()).is_some());
    if !possible {
        request.headers_mut().remove(header::ACCEPT_ENCODING);
    }
}

/// Makes an answer of a panic, so that the caller gets a problem rather than a closed connection.
async fn unwinding<B>(
    mut answer: Pin<&mut impl Future<Output = Result<ServiceResponse<B>, Error>>>,
    id: &RequestId,
) -> Result<ServiceResponse<B>, Error> {
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context)));
        polled.unwrap_or_else(|_| {
            log::error!(target: ACCESS, "request {id} caused a panic");
            let mut response = Problem::internal().error_response();
            response.headers_mut().insert(request_id::HEADER, id.to_header());
            Poll::Ready(Err(InternalError::from_response("panic", response).into()))
        })
    })
    .await
}

#[cfg(test)]
mod tests {
    use actix_web::{App, HttpResponse, http::StatusCode, middleware::from_fn, test, web};

    use super::*;

    #[actix_web::test]
    async fn a_panic_is_answered_with_a_problem_that_names_the_request() {
        async fn handler() -> HttpResponse {
            panic!("as this test wants")
        }
        let app =
            test::init_service(App::new().wrap(from_fn(observe)).route("/", web::get().to(handler))).await;
        let request = test::TestRequest::get().insert_header((request_id::HEADER, "mine")).to_request();
        let error = test::try_call_service(&app, request).await.expect_err("a panic is an error");
        let response = error.error_response();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(response.headers().get(request_id::HEADER).unwrap(), "mine");
    }
}
