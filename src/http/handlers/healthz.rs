//! Is the process alive?

use actix_web::HttpResponse;

use super::{Contract, Shown, json};
use crate::service::{health::Health, paths};

/// What the document says about the answers.
pub const CONTRACT: Contract =
    Contract::get(false, &[]).showing_one(|_| Shown::json(&Health::of_some_build()));

/// Tell whether the service is alive
///
/// Answers as long as the process works at all.
#[utoipa::path(
    get,
    path = paths::HEALTHZ,
    operation_id = "healthz",
    tag = "operation",
    responses((status = 200, description = "It is alive.", body = Health)),
)]
pub async fn answer() -> HttpResponse {
    json(&Health::ok())
}
