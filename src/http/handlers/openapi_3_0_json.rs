//! The OpenAPI document in the words of version 3.0.

use actix_web::{HttpRequest, HttpResponse, http::header::ContentType};
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
    Shown::json(&openapi::convert(json!({"openapi": document.openapi, "info": document.info})))
});

/// Get this document for programs that know OpenAPI 3.0
///
/// The same document in the words of OpenAPI 3.0, which cannot say what the events of a stream are.
#[utoipa::path(
    get,
    path = paths::OPENAPI_3_0,
    operation_id = "getOpenApi30",
    tag = "operation",
    responses((status = 200, description = "The OpenAPI document, in version 3.0.", body = Object)),
)]
pub async fn answer(request: HttpRequest) -> Result<HttpResponse, Problem> {
    with_etag(&request, Tag::of("openapi-3.0", &[]).revalidated(), || {
        let mut response = HttpResponse::Ok();
        response.extensions_mut().insert(Static);
        Ok(response.content_type(ContentType::json()).body(openapi::older_text()))
    })
}
