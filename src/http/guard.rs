//! Lets in only those who may call.

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
    web::Data,
};

use super::{access::GUARDED, context::RequestContext, state::AppState};

/// Answers only those who may call, and tells them how much more they may.
pub async fn guard<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse, Error> {
    // The path as the router sees it, which has undone percent-encoding: `/%761/` leads to the same
    // operations.
    if !request.match_info().as_str().starts_with(GUARDED) {
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
