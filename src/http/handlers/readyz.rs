//! Should the process be sent requests?

use actix_web::{HttpResponse, web::Data};

use super::{Code, Contract, Problem, Shown, json};
use crate::{
    http::{state::AppState, version::health},
    service::{health::Health, paths},
};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::get(false, &[Code::Busy]).showing_one(|_| Shown::json(&Health::of_some_build()));

/// Check readiness
///
/// Answers 503 while the service shuts down, so that no new callers are sent to it.
#[utoipa::path(
    get,
    path = paths::READYZ,
    operation_id = "readyz",
    tag = "operation",
    responses((status = 200, description = "It is ready.", body = Health)),
)]
pub async fn answer(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    if state.is_draining() {
        return Err(Problem::busy("the service is shutting down", state.limits.drain));
    }
    Ok(json(&health(state.wari_marbles())))
}
