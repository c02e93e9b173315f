//! The application: what every request goes through, access first; and that of the admin port.

use actix_web::{
    App, Error,
    body::MessageBody,
    dev::{ServiceFactory, ServiceRequest, ServiceResponse},
    middleware::{Condition, Next, from_fn},
    web::{self, Data},
};

use super::{
    access::is_guarded,
    compression,
    context::RequestContext,
    headers, observe, pages,
    routes::{self, get_resource, not_found},
    state::AppState,
};
use crate::service::paths;

/// The application: what one worker of the server answers with.
pub fn app(
    state: Data<AppState>,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    let guarded = state.access.is_limited();
    let (others_call, cors) = (!state.origins.is_empty(), headers::cors(&state.origins));
    App::new()
        .app_data(state)
        .wrap_fn(compression::bound)
        .wrap(Condition::new(guarded, from_fn(guard)))
        .wrap(Condition::new(others_call, cors))
        .wrap_fn(observe::observe)
        .configure(routes::configure)
        .default_service(web::to(routes::not_found))
}

/// Answers only those who may call, and tells them how much more they may.
pub async fn guard<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse, Error> {
    // The path as the router sees it, which has undone percent-encoding: `/%761/` leads to the same
    // operations.
    if !is_guarded(request.match_info().as_str()) {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    let state = request.app_data::<Data<AppState>>().expect("the application has its state");
    let caller = RequestContext::of(request.request()).caller;
    let access = &state.clone().access;
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

/// The application of that port. What it answers is not counted among the bytes in flight, which others may
/// have taken: that they have is what the metrics tell.
pub fn admin_app(
    state: Data<AppState>,
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
        .app_data(state)
        .wrap_fn(observe::observe)
        .service(get_resource(paths::HEALTHZ, pages::healthz))
        .service(get_resource(paths::READYZ, pages::readyz))
        .service(get_resource(paths::METRICS, pages::metrics_anywhere))
        .default_service(web::to(not_found))
}
