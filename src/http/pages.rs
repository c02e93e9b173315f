//! Operations without a question: the games, the limits, health, metrics, problem pages and Swagger UI.

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, Accept, ContentType, Header as _, HeaderValue},
    web::{Bytes, Data},
};
use utoipa_swagger_ui::Config;

use super::{
    answer::{json, text},
    cache::{NO_STORE, Tag, with_etag},
    compression::Static,
    extract::{GameOfPath, NoParameters, Path, Query},
    headers::health,
    metrics, openapi,
    problem::{self, Problem},
    state::AppState,
};
use crate::service::{Code, JSON, ProblemPage, UnknownCode, games, to_json};

/// The list of games.
pub async fn games(request: HttpRequest, _: Query<NoParameters>) -> Result<HttpResponse, Problem> {
    with_etag(&request, Tag::of("games", &[]), || Ok(json(&games::answer())))
}

/// One game, with its rules.
pub async fn game(
    request: HttpRequest,
    GameOfPath(id): GameOfPath,
    _: Query<NoParameters>,
) -> Result<HttpResponse, Problem> {
    with_etag(&request, Tag::of("game", &[&id]), || Ok(json(&games::details(id))))
}

/// What the service allows.
pub async fn limits(
    request: HttpRequest,
    state: Data<AppState>,
    _: Query<NoParameters>,
) -> Result<HttpResponse, Problem> {
    let limits = to_json(&state.allows);
    // The settings may change with a restart that changes nothing else: the answer is what names it, and who
    // keeps it asks whether it still holds.
    let tag = Tag::of("limits", &[&limits]).revalidated();
    with_etag(&request, tag, || Ok(text(JSON, limits.into_bytes())))
}

/// Whether the process is alive.
pub async fn healthz(state: Data<AppState>) -> HttpResponse {
    json(&health(state.wari_marbles()))
}

/// Whether the process should be sent requests.
pub async fn readyz(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    if state.is_draining() {
        return Err(Problem::busy("the service is shutting down", state.limits.drain));
    }
    Ok(json(&health(state.wari_marbles())))
}

/// What the service has done, unless that is told on another port.
pub async fn metrics(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    if state.admin_listens {
        return Err(Problem::new(Code::NotFound, "this service tells its metrics on another port"));
    }
    metrics_anywhere(state).await
}

/// What the service has done, on whatever port.
pub async fn metrics_anywhere(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let text = state.metrics.text().map_err(|error| {
        log::error!("the metrics cannot be written: {error}");
        Problem::internal()
    })?;
    let mut response = HttpResponse::Ok();
    Ok(response.content_type(metrics::MEDIA_TYPE).insert_header((header::CACHE_CONTROL, NO_STORE)).body(text))
}

/// The OpenAPI document, which all answers share.
pub async fn openapi(request: HttpRequest) -> Result<HttpResponse, Problem> {
    with_etag(&request, Tag::of("openapi", &[]).revalidated(), || {
        let mut response = HttpResponse::Ok();
        response.extensions_mut().insert(Static);
        Ok(response.content_type(ContentType::json()).body(openapi::text()))
    })
}

/// What a problem means: a page for browsers, and JSON for everybody else.
pub async fn problem(request: HttpRequest, Path(code): Path<Code>) -> Result<HttpResponse, Problem> {
    let html = prefers_html(&request);
    let format = if html { "html" } else { "json" };
    let mut response = with_etag(&request, Tag::of("problem", &[&code, &format]), || {
        let page = explanation(code);
        Ok(if html {
            HttpResponse::Ok().content_type(ContentType::html()).body(to_html(&page))
        } else {
            json(&page)
        })
    })?;
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept"));
    Ok(response)
}

/// Browsers name HTML first; everybody else gets JSON.
fn prefers_html(request: &HttpRequest) -> bool {
    let ranked = Accept::parse(request).map(|accept| accept.ranked()).unwrap_or_default();
    let decisive = |media: &String| media == "text/html" || media.starts_with("application/");
    ranked
        .iter()
        .map(|media| media.essence_str().to_owned())
        .find(decisive)
        .is_some_and(|media| media == "text/html")
}

/// The explanation of a code.
pub fn explanation(code: Code) -> ProblemPage {
    ProblemPage {
        code,
        title: code.title().into(),
        status: problem::status(code).as_u16(),
        explanation: code.explanation().into(),
    }
}

/// A page to read. Nothing in it comes from a request, and no text of ours has a character that HTML
/// reserves.
fn to_html(ProblemPage { code, title, status, explanation }: &ProblemPage) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>body {{ font: 1rem/1.5 sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }}\
         p {{ white-space: pre-line }}</style>\n\
         <h1>{title}</h1>\n<p><code>{code}</code>, status {status}</p>\n<p>{explanation}</p>\n\
         <p>All operations are described at <a href=\"/docs/\">/docs/</a>.</p>\n</html>\n"
    )
}

impl From<UnknownCode> for Problem {
    fn from(_: UnknownCode) -> Self {
        let known: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        Self::new(Code::NotFound, format!("there is no such problem; there are {}", known.join(", ")))
    }
}

/// Where the UI is.
pub const PATH: &str = "/docs/";

/// The path of its files.
pub const FILES: &str = "/docs/{file:.*}";

/// A file of the UI.
struct File {
    content_type: String,
    bytes: Bytes,
}

impl File {
    /// The file with a name; the empty name is the page itself. Ours take the place of those that Swagger UI
    /// brings for others to change.
    fn named(name: &str) -> Result<Option<Self>, Problem> {
        static CONFIG: LazyLock<Arc<Config<'static>>> = LazyLock::new(Arc::default);

        let own = |content_type: &str, text: &'static str| {
            let bytes = Bytes::from_static(text.as_bytes());
            Ok(Some(Self { content_type: content_type.to_owned(), bytes }))
        };
        match name {
            "swagger-initializer.js" => own("text/javascript", include_str!("docs/initializer.js")),
            "index.css" => own("text/css", include_str!("docs/index.css")),
            _ => {
                let file = utoipa_swagger_ui::serve(name, CONFIG.clone()).map_err(|error| {
                    log::error!("the file '{name}' of Swagger UI cannot be made: {error}");
                    Problem::internal()
                })?;
                // It makes no file anew but the one that is ours.
                Ok(file.map(|file| {
                    let bytes = match file.bytes {
                        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                        Cow::Owned(bytes) => bytes.into(),
                    };
                    Self { content_type: file.content_type, bytes }
                }))
            }
        }
    }
}

/// A file of the UI.
pub async fn answer(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let name = request.match_info().query("file");
    let Some(File { content_type, bytes }) = File::named(name)? else {
        return Err(Problem::new(Code::NotFound, format!("Swagger UI has no file '{name}'")));
    };
    let tag = Tag::of("docs", &[&name]).revalidated();
    // Pictures are compressed already.
    let is_picture = content_type.starts_with("image/");
    with_etag(&request, if is_picture { tag.uncoded() } else { tag }, || {
        let mut response = HttpResponse::Ok();
        response.extensions_mut().insert(Static);
        Ok(response.content_type(content_type).body(bytes))
    })
}
