//! What there is: for language models (`/llms.txt`), and for programs (RFC 9727, a linkset).

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
    web::Data,
};

use super::{
    answer::text,
    cache::{Tag, with_etag},
    problem::Problem,
    state::AppState,
};
use crate::service::paths::MCP;

/// The media type of a linkset that is a catalog.
const LINKSET: &str = r#"application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727""#;

/// What there is, as a page for language models.
pub async fn llms(request: HttpRequest, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let lines = include_str!("llms.md").lines().filter(|line| state.has_mcp || !line.contains(MCP));
    let page: String = lines.flat_map(|line| [line, "\n"]).collect();
    let tag = Tag::of("llms", &[&state.has_mcp]).revalidated();
    with_etag(&request, tag, || Ok(text("text/markdown; charset=utf-8", page.into_bytes())))
}

/// What there is, as links for programs.
pub async fn api_catalog(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let tag = Tag::of("api-catalog", &[]).revalidated();
    let mut response =
        with_etag(&request, tag, || Ok(text(LINKSET, include_bytes!("api-catalog.json").to_vec())))?;
    let link = HeaderValue::from_static("</.well-known/api-catalog>; rel=\"api-catalog\"");
    response.headers_mut().insert(header::LINK, link);
    Ok(response)
}
