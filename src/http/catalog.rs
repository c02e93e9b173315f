//! What there is: for language models (`/llms.txt`), and for programs (RFC 9727, a linkset).

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
    web::Data,
};
use serde_json::{Value, json};

use super::{
    answer::text,
    cache::{Tag, with_etag},
    pages, play,
    problem::Problem,
    state::AppState,
};
use crate::{
    games::GameId,
    service::{
        JSON,
        paths::{API_CATALOG, GAME, GAMES, LIMITS, LLMS, MCP, OPENAPI, of_game},
        to_json,
    },
};

/// The media type of a linkset that is a catalog.
const LINKSET: &str = r#"application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727""#;

/// What there is, as a page for language models.
pub async fn llms(request: HttpRequest, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let games = GameId::ALL.iter().map(|&game| {
        let about = game.about();
        format!("- [{}]({}): {}\n", about.name, of_game(GAME, game), about.goal)
    });
    let mcp = if state.has_mcp {
        format!("- {MCP}: tools for language models (Model Context Protocol, streamable HTTP, POST)\n")
    } else {
        String::new()
    };
    let page = if state.has_page {
        format!("- [Page to play on]({}): for people\n", play::PATH)
    } else {
        String::new()
    };
    let page = format!(
        "# Cublino, Mahbusa and Wari\n\n\
         > Rules, legal moves, scores and good moves of five board games for two, over HTTP. It is \
         stateless: every answer has a state, which you hand back unchanged.\n\n\
         ## Interfaces\n\n{mcp}\
         - [OpenAPI document]({OPENAPI}): all operations over HTTP\n\
         - [API documentation]({}): the same for people\n\
         - [Limits]({LIMITS}): what one request may ask for\n{page}\n\
         ## Games\n\nEach link has the rules in Markdown, in the member `rules`; [the list]({GAMES}) has the \
         start of each.\n\n{}",
        pages::PATH,
        games.collect::<String>()
    );
    let tag = Tag::of("llms", &[&state.has_mcp, &state.has_page]).revalidated();
    with_etag(&request, tag, || Ok(text("text/markdown; charset=utf-8", page.into_bytes())))
}

/// What there is, as links for programs.
pub async fn api_catalog(request: HttpRequest, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let link = |href: &str, media: &str| json!([{"href": href, "type": media}]);
    let mut apis: Vec<Value> = vec![json!({
        "anchor": GAMES,
        "service-desc": link(OPENAPI, JSON),
        "service-doc": link(pages::PATH, "text/html"),
        "service-meta": link(LIMITS, JSON),
    })];
    if state.has_mcp {
        apis.push(json!({"anchor": MCP, "service-doc": link(LLMS, "text/markdown")}));
    }
    let catalog = to_json(&json!({"linkset": apis}));
    let tag = Tag::of("api-catalog", &[&state.has_mcp]).revalidated();
    let mut response = with_etag(&request, tag, || Ok(text(LINKSET, catalog.into_bytes())))?;
    let link = format!("<{API_CATALOG}>; rel=\"api-catalog\"");
    let link = HeaderValue::try_from(link).expect("a path is a header value");
    response.headers_mut().insert(header::LINK, link);
    Ok(response)
}
