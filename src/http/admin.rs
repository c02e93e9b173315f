//! What is answered on the port for probes and metrics.

use actix_web::{
    App, Error,
    body::MessageBody,
    dev::{ServiceFactory, ServiceRequest, ServiceResponse},
    web::{self, Data},
};

use super::{
    observe, pages,
    routes::{get_resource, not_found},
    state::AppState,
};
use crate::service::paths;

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
    App::new()
        .app_data(state)
        .wrap_fn(observe::observe)
        .service(get_resource(paths::HEALTHZ, pages::healthz))
        .service(get_resource(paths::READYZ, pages::readyz))
        .service(get_resource(paths::METRICS, pages::metrics_anywhere))
        .default_service(web::to(not_found))
}
