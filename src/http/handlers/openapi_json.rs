//! The OpenAPI document.

use actix_web::{HttpRequest, HttpResponse, http::header::ContentType, web::Bytes};
use serde_json::json;

use super::{Contract, Problem, Shown};
use crate::{
    http::{
        answers::Static,
        cache::{Tag, with_etag},
        openapi,
    },
    service::paths,
};

/// What the document says about the answers.
pub const CONTRACT: Contract = Contract::get(true, &[]).showing_one(|document| {
    // All of it would be in itself.
    Shown::json(&json!({"openapi": document.openapi, "info": document.info}))
});

/// Get the OpenAPI document
///
/// Returns this document.
#[utoipa::path(
    get,
    path = paths::OPENAPI,
    operation_id = "getOpenApi",
    tag = "operation",
    responses((status = 200, description = "The OpenAPI document.", body = Object)),
)]
pub async fn answer(request: HttpRequest) -> Result<HttpResponse, Problem> {
    document(&request, "openapi", openapi::text)
}

/// Answers with a document that all answers share, under the name that its tag is made from.
pub(super) fn document(
    request: &HttpRequest,
    name: &str,
    text: fn() -> Bytes,
) -> Result<HttpResponse, Problem> {
    with_etag(request, Tag::of(name, &[]).revalidated(), || {
        let mut response = HttpResponse::Ok();
        response.extensions_mut().insert(Static);
        Ok(response.content_type(ContentType::json()).body(text()))
    })
}
