//! What is answered on the port for probes and metrics.

use actix_web::{
    App, Error, HttpResponse,
    body::MessageBody,
    dev::{ServiceFactory, ServiceRequest, ServiceResponse},
    web::{self, Data},
};
use utoipa::Path as _;

use super::{
    asked::Operations,
    handlers::{healthz, metrics, readyz},
    metrics::Operation,
    observe,
    problem::Problem,
    routes::{get_resource, not_found},
    state::AppState,
};

/// The application of that port. What it answers is not counted among the bytes in flight, which others may
/// have taken: that they have is what the metrics tell.
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
    let health = get_resource(&healthz::__path_answer::path(), healthz::answer);
    let ready = get_resource(&readyz::__path_answer::path(), readyz::answer);
    let counts = get_resource(&metrics::__path_answer::path(), tell);
    App::new()
        .app_data(state)
        .wrap_fn(observe::observe)
        .service(health.app_data(Operations::only(Operation("healthz"))))
        .service(ready.app_data(Operations::only(Operation("readyz"))))
        .service(counts.app_data(Operations::only(Operation("metrics"))))
        .default_service(web::to(not_found))
}

async fn tell(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    metrics::tell(&state)
}
