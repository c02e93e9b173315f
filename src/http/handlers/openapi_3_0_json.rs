//! The OpenAPI document in the words of version 3.0.

use actix_web::{HttpRequest, HttpResponse};
use serde_json::json;

use super::{Contract, Problem, Shown, openapi_json::document};
use crate::{http::openapi, service::paths};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, &[]).showing_one(|document| {
    // All of it would be in itself.
    Shown::json(&openapi::convert(json!({"openapi": document.openapi, "info": document.info})))
});

/// Get the OpenAPI 3.0 document
///
/// Returns this document for generators that need OpenAPI 3.0. It does not describe the events of
/// streams.
#[utoipa::path(
    get,
    path = paths::OPENAPI_3_0,
    operation_id = "getOpenApi30",
    tag = "operation",
    responses((status = 200, description = "The OpenAPI document, in version 3.0.", body = Object)),
)]
pub async fn answer(request: HttpRequest) -> Result<HttpResponse, Problem> {
    document(&request, "openapi-3.0", openapi::older_text)
}
