//! What happens around every request: its name, its line in the log, and a problem as the answer to each
//! failure.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    rc::Rc,
    task::Poll,
    time::Instant,
};

use actix_cors::CorsError;
use actix_web::{
    Error, HttpMessage, ResponseError,
    body::MessageBody,
    dev::{Service, ServiceRequest, ServiceResponse},
    error::InternalError,
    http::ConnectionType,
    web::Data,
};
use cublino_guard::Watchdog;

use super::{
    access_log::Served,
    cache,
    context::{self, RequestContext},
    extract::Received,
    headers,
    metrics::Operation,
    problem::Problem,
    state::AppState,
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
        cache::make_private(headers);
    }
    let id = context.id.to_header();
    headers.insert(context::REQUEST_ID_HEADER, id.clone());
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
            response.headers_mut().insert(context::REQUEST_ID_HEADER, context.id.to_header());
            Poll::Ready(Err(InternalError::from_response("panic", response).into()))
        })
    })
    .await
}

#[cfg(test)]
mod tests {
    use actix_web::{
        App, HttpRequest, HttpResponse,
        http::{StatusCode, header},
        test, web,
    };

    use super::*;
    use crate::config::Config;

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
        let request =
            test::TestRequest::get().insert_header((context::REQUEST_ID_HEADER, "mine")).to_request();
        let error = test::try_call_service(&app, request).await.expect_err("a panic is an error");
        let response = error.error_response();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(response.headers().get(context::REQUEST_ID_HEADER).unwrap(), "mine");
    }
}
