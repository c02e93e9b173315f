//! Is the process alive?

use actix_web::HttpResponse;

use super::{Contract, json};
use crate::service::health::Health;

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(false, &[]);

/// Tell whether the service is alive
///
/// Answers as long as the process works at all.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "healthz",
    tag = "operation",
    responses((status = 200, description = "It is alive.", body = Health)),
)]
pub async fn answer() -> HttpResponse {
    json(&Health::ok())
}
