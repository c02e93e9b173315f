//! What is answered on the port for probes and metrics.

use actix_web::{
    App, Error, HttpResponse,
    body::MessageBody,
    dev::{ServiceFactory, ServiceRequest, ServiceResponse},
    middleware::from_fn,
    web::{self, Data},
};
use utoipa::Path as _;

use super::{
    answers,
    handlers::{healthz, metrics, readyz},
    metrics::Operation,
    observe,
    problem::Problem,
    routes::{Allowed, not_found, resource},
    state::AppState,
};

/// The application of that port.
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
    let health = resource(&healthz::__path_answer::path(), Allowed::Get, healthz::answer);
    let ready = resource(&readyz::__path_answer::path(), Allowed::Get, readyz::answer);
    let counts = resource(&metrics::__path_answer::path(), Allowed::Get, tell);
    App::new()
        .app_data(state)
        .wrap(from_fn(answers::bound))
        .wrap(from_fn(observe::observe))
        .service(health.app_data(Operation("healthz")))
        .service(ready.app_data(Operation("readyz")))
        .service(counts.app_data(Operation("metrics")))
        .default_service(web::to(not_found))
}

async fn tell(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    metrics::tell(&state)
}
