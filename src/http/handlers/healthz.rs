//! Is the process alive?

use actix_web::{HttpResponse, web::Data};

use super::{Contract, Shown, json};
use crate::{
    http::{state::AppState, version::health},
    service::{health::Health, paths},
};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::get(false, &[]).showing_one(|_| Shown::json(&Health::of_some_build()));

/// Check liveness
///
/// Answers 200 as long as the process works.
#[utoipa::path(
    get,
    path = paths::HEALTHZ,
    operation_id = "healthz",
    tag = "operation",
    responses((status = 200, description = "It is alive.", body = Health)),
)]
pub async fn answer(state: Data<AppState>) -> HttpResponse {
    json(&health(state.wari_marbles()))
}
