//! What there is: for language models (`/llms.txt`), and for programs (RFC 9727, a linkset).

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
    web::Data,
};

use super::{
    answer::text,
    headers::{Tag, with_etag},
    state::AppState,
};
use crate::service::paths::MCP;

/// The media type of a linkset that is a catalog.
const LINKSET: &str = r#"application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727""#;

/// What there is, as a page for language models.
pub async fn llms(request: HttpRequest, state: Data<AppState>) -> HttpResponse {
    let lines = include_str!("llms.md").lines().filter(|line| state.config.mcp || !line.contains(MCP));
    let page: String = lines.flat_map(|line| [line, "\n"]).collect();
    let tag = Tag::of("llms", &[&state.config.mcp]).revalidated();
    with_etag(&request, tag, || text("text/markdown; charset=utf-8", page.into_bytes()))
}

/// What there is, as links for programs.
pub async fn api_catalog(request: HttpRequest) -> HttpResponse {
    let tag = Tag::of("api-catalog", &[]).revalidated();
    let catalog = include_bytes!("api-catalog.json");
    let mut response = with_etag(&request, tag, || text(LINKSET, catalog.to_vec()));
    let link = HeaderValue::from_static("</.well-known/api-catalog>; rel=\"api-catalog\"");
    response.headers_mut().insert(header::LINK, link);
    response
}
