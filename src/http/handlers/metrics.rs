//! What has the service done, and how is it?

use actix_web::{HttpResponse, http::header, web::Data};

use super::{Code, Contract, Problem, Shown};
use crate::{
    http::{
        cache_control::NO_STORE,
        metrics::{MEDIA_TYPE, Metrics},
        state::AppState,
    },
    service::paths,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(false, &[Code::NotFound])
    .showing_one(|_| Shown("application/openmetrics-text", Metrics::example().into()));

/// Get metrics
///
/// Returns counters in the OpenMetrics text format, for Prometheus. Not found if metrics are off or on
/// the admin port.
#[utoipa::path(
    get,
    path = paths::METRICS,
    operation_id = "getMetrics",
    tag = "operation",
    responses((
        status = 200,
        description = "The metrics.",
        body = String,
        content_type = "application/openmetrics-text",
    )),
)]
pub async fn answer(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    if state.admin_listens {
        return Err(Problem::new(Code::NotFound, "this service tells its metrics on another port"));
    }
    tell(&state)
}

/// The metrics, on whatever port.
pub fn tell(state: &AppState) -> Result<HttpResponse, Problem> {
    let text = state.metrics.text().map_err(|error| {
        log::error!("the metrics cannot be written: {error}");
        Problem::internal()
    })?;
    let mut response = HttpResponse::Ok();
    Ok(response.content_type(MEDIA_TYPE).insert_header((header::CACHE_CONTROL, NO_STORE)).body(text))
}
