//! Operations without a question: the games, the limits, health, metrics and problem pages; descriptions of
//! the service for language models (`/llms.txt`) and for programs (RFC 9727, a linkset); Swagger UI, and the
//! page `/play/`.

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
    time::Duration,
};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
    web::{Bytes, Data},
};

use super::{
    metrics::{self, Metrics},
    permits::{Permits, Pool},
    problem::{self, Problem},
    read::{NoParameters, Question, prefers},
    write::{IMMUTABLE, NO_STORE, PNG, Tag, json, stored},
};
use crate::{
    api::{Bounds, Code, JSON, games, health::Health, to_json},
    config::Config,
    engine::tablebase::wari::Endgames,
    game::Notation as _,
    games::GameId,
    queue::Queue,
    render::View,
    version::{COMMIT, SOURCES, VERSION},
    with_game,
};

/// The list of games.
pub async fn games(request: HttpRequest, _: Question<NoParameters>) -> HttpResponse {
    stored(&request, Tag::of("games", ""), JSON, || to_json(&games::answer())).await
}

/// One game, with its rules.
pub async fn game(request: HttpRequest, id: Data<GameId>, _: Question<NoParameters>) -> HttpResponse {
    stored(&request, Tag::of("game", id.about().id), JSON, || to_json(&games::details(**id))).await
}

/// The limits of the service.
pub async fn limits(request: HttpRequest, queue: Data<Queue>, _: Question<NoParameters>) -> HttpResponse {
    let limits = to_json(&queue.limits);
    // A restart may change only the settings, which the version does not show: the tag is that of the answer,
    // and caches must revalidate it.
    let tag = Tag::of("limits", &limits).revalidated();
    stored(&request, tag, JSON, || limits).await
}

/// The liveness probe.
pub async fn healthz(bounds: Data<Bounds>) -> HttpResponse {
    json(&Health {
        status: "ok".into(),
        version: VERSION.into(),
        commit: COMMIT.map(Into::into),
        sources: SOURCES.into(),
        wari_marbles: bounds.tablebases.wari().map_or(0, Endgames::marbles),
    })
}

/// The readiness probe.
pub async fn readyz(
    metrics: Data<Metrics>,
    config: Data<Config>,
    bounds: Data<Bounds>,
) -> Result<HttpResponse, Problem> {
    if metrics.is_draining() {
        let drained = Duration::from_secs(config.drain_seconds);
        return Err(Problem::later(Code::Busy, "the service is shutting down", drained));
    }
    Ok(healthz(bounds).await)
}

/// The metrics, unless the admin port serves them. They are a long answer.
pub async fn metrics(
    request: HttpRequest,
    config: Data<Config>,
    metrics: Data<Metrics>,
    queue: Data<Queue>,
    permits: Data<Permits>,
) -> Result<HttpResponse, Problem> {
    if config.admin_listen.is_some() {
        return Err(Problem::new(Code::NotFound, "this service has its metrics on another port"));
    }
    permits.take(&request, Pool::Short).await?;
    metrics_anywhere(request, metrics, queue, permits).await
}

/// The metrics, on any port: in OpenMetrics, or in the older format for callers who prefer it.
pub async fn metrics_anywhere(
    request: HttpRequest,
    metrics: Data<Metrics>,
    queue: Data<Queue>,
    permits: Data<Permits>,
) -> Result<HttpResponse, Problem> {
    let text = metrics::text(&metrics, &queue, &permits).map_err(|error| {
        log::error!("cannot write the metrics: {error}");
        Problem::internal()
    })?;
    let (text, media) = if prefers(&request, "text/plain", "application/openmetrics-text") {
        (metrics::classic(&text), metrics::CLASSIC)
    } else {
        (text, metrics::OPEN_METRICS)
    };
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, NO_STORE)).insert_header((header::VARY, "accept"));
    Ok(response.content_type(media).body(text))
}

/// The OpenAPI document as a file, which a test generates from the types that serve the requests: indented,
/// with a line break at the end.
pub const DOCUMENT: &str = include_str!("../../openapi/openapi.json");

/// The document as the service sends it: without whitespace between its parts.
pub fn document() -> Bytes {
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| {
        let mut is_in_string = in_strings();
        DOCUMENT.bytes().filter(|&byte| is_in_string(byte) || !byte.is_ascii_whitespace()).collect()
    });
    TEXT.clone()
}

/// A function that is called with each byte of a JSON text, and returns whether it is in a string.
fn in_strings() -> impl FnMut(u8) -> bool {
    let (mut is_string, mut is_escaped) = (false, false);
    move |byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_string = !is_string,
            _ => {}
        }
        is_string
    }
}

/// The OpenAPI document, whose bytes all answers share.
pub async fn openapi(request: HttpRequest) -> HttpResponse {
    stored(&request, Tag::of("openapi", "").revalidated(), JSON, document).await
}

/// The media type of a linkset that is a catalog.
const LINKSET: &str = r#"application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727""#;

/// A description of the service for language models.
pub async fn llms(request: HttpRequest, config: Data<Config>) -> HttpResponse {
    let tag = Tag::of("llms", [config.mcp.into()]).revalidated();
    let lines = include_str!("llms.md").lines().filter(|line| config.mcp || !line.contains("](mcp)"));
    let page = || lines.flat_map(|line| [line, "\n"]).collect::<String>();
    stored(&request, tag, "text/markdown; charset=utf-8", page).await
}

/// A catalog of the service for programs, as links.
pub async fn api_catalog(request: HttpRequest) -> HttpResponse {
    let tag = Tag::of("api-catalog", "").revalidated();
    let catalog = || include_str!("api-catalog.json");
    let mut response = stored(&request, tag, LINKSET, catalog).await;
    let link = HeaderValue::from_static("<api-catalog>; rel=\"api-catalog\"");
    response.headers_mut().insert(header::LINK, link);
    response
}

/// The page that explains a problem.
pub async fn problem(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let name = request.match_info().query("code");
    let &code = Code::ALL.iter().find(|code| code.name() == name).ok_or_else(|| {
        let known: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        Problem::new(Code::NotFound, format!("there is no such problem, only {}", known.join(", ")))
    })?;
    Ok(stored(&request, Tag::of("problem", code.name()), HTML, || explanation(code)).await)
}

/// The HTML page about a code. It needs no escaping: nothing in it comes from a request, and no text of ours
/// has a character that HTML reserves.
pub fn explanation(code: Code) -> String {
    let parts = code.explanation().split('`').enumerate();
    let explanation: String = parts
        .map(|(i, text)| if i % 2 == 0 { text.into() } else { format!("<code>{text}</code>") })
        .collect();
    include_str!("problem.html")
        .replace("{title}", code.title())
        .replace("{code}", code.name())
        .replace("{status}", problem::status(code).as_str())
        .replace("{explanation}", &explanation)
}

/// The path of Swagger UI.
pub const DOCS: &str = "/docs/";

/// Serves a file of Swagger UI, or one of ours in its place; the empty name is the page itself. The guide is
/// beside it.
pub async fn docs(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let name = request.match_info().query("file");
    let bytes = match name {
        "" => include_bytes!("docs/index.html").into(),
        "guide.md" => include_bytes!("../../docs/guide.md").into(),
        "swagger-initializer.js" => include_bytes!("docs/initializer.js").into(),
        "index.css" => include_bytes!("docs/index.css").into(),
        _ => {
            // It fails only for `swagger-initializer.js`, which is ours.
            let file = utoipa_swagger_ui::serve(name, Arc::default()).ok().flatten();
            let none = || Problem::new(Code::NotFound, format!("Swagger UI has no file '{name}'"));
            file.ok_or_else(none)?.bytes
        }
    };
    let bytes = || match bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    Ok(stored(&request, Tag::of("docs", name).revalidated(), content_type(name), bytes).await)
}

/// The path of the page to play and analyse games. It is revalidated each time. Its files are in a folder
/// that is named after a digest of them all: they never change, and browsers may cache them for good.
pub const PLAY: &str = "/play/";

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The scripts, the pictures, and the lessons of each family, by their names.
static ASSETS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The media type of a file, by its extension.
fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        None | Some((_, "html")) => HTML,
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "json")) => JSON,
        // Browsers show it, and save what is called Markdown.
        Some((_, "md")) => "text/plain; charset=utf-8",
        Some((_, "png")) => PNG,
        Some((_, "svg")) => "image/svg+xml",
        Some((_, "webmanifest")) => "application/manifest+json",
        _ => SCRIPT,
    }
}

/// A digest of the page and all its files: the name of their folder.
const DIGEST: &str = env!("CUBLINO_PAGE");

/// The page, with its style and the digest in its references.
static PAGE: LazyLock<Bytes> = LazyLock::new(|| {
    let page = include_str!("play/index.html").replace("{style}", include_str!("play/style.css"));
    page.replace("{digest}", DIGEST).into()
});

/// The service worker, which caches the page and its files, except the PNG pictures.
static WORKER: LazyLock<Bytes> = LazyLock::new(|| {
    let kept = ASSETS.iter().map(|(name, _)| name).filter(|name| content_type(name) != PNG);
    let paths: Vec<_> = kept.map(|name| format!("{DIGEST}/{name}")).collect();
    let worker = include_str!("play/worker.js").replace("{files}", &paths.join(" "));
    worker.replace("{digest}", DIGEST).into()
});

/// The home page, with the boards of the page, and links to it and to the documentation.
static HOME: LazyLock<Bytes> = LazyLock::new(|| {
    let home = include_str!("play/home.html").replace("{style}", include_str!("play/style.css"));
    home.replace("{digest}", &format!("play/{DIGEST}")).into()
});

/// Serves the page, or one of its files.
pub async fn play(request: HttpRequest, config: Data<Config>) -> Result<HttpResponse, Problem> {
    let name = request.match_info().query("file");
    if !config.play {
        return Err(Problem::new(Code::NotFound, "the page /play/ is switched off"));
    }
    let current = |page| Tag::of(page, DIGEST).revalidated();
    match name {
        "" => return Ok(stored(&request, current("play"), HTML, || PAGE.clone()).await),
        "worker.js" => return Ok(stored(&request, current("worker"), SCRIPT, || WORKER.clone()).await),
        _ => {}
    }
    let file = name.strip_prefix(DIGEST).and_then(|rest| rest.strip_prefix('/'));
    let Some(&(file, bytes)) = file.and_then(|file| ASSETS.iter().find(|(name, _)| *name == file)) else {
        return Err(Problem::new(Code::NotFound, format!("the page /play/ has no file '{name}'")));
    };
    let mut tag = Tag::of("play", name);
    tag.cache_control = IMMUTABLE;
    Ok(stored(&request, tag, content_type(file), || bytes).await)
}

/// Serves the home page, or redirects to the documentation if the page is switched off.
pub async fn home(request: HttpRequest, config: Data<Config>) -> HttpResponse {
    if !config.play {
        return HttpResponse::TemporaryRedirect().insert_header((header::LOCATION, &DOCS[1..])).finish();
    }
    let tag = Tag::of("home", DIGEST).revalidated();
    stored(&request, tag, HTML, || HOME.clone()).await
}

/// The modules of the board in conversations, all but its own shared with the page `/play/`, each after those
/// that it imports.
const MODULES: [(&str, &str); 9] = [
    ("dom", include_str!("play/dom.js")),
    ("page", include_str!("play/page.js")),
    ("words", include_str!("play/words.js")),
    ("picker", include_str!("play/picker.js")),
    ("dice", include_str!("play/dice.js")),
    ("board", include_str!("play/board.js")),
    ("cublino", include_str!("play/cublino.js")),
    ("mahbusa", include_str!("play/mahbusa.js")),
    ("wari", include_str!("play/wari.js")),
];

/// The board in a conversation with a language model, as the extension MCP Apps describes it: an HTML
/// document that shows the position of an answer, and on which people move. Hosts allow it no requests and no
/// external scripts, so it contains all that it needs, and calls the tools through its host.
pub fn conversation_board() -> String {
    let games = GameId::ALL.iter().map(|&id| {
        let board = with_game!(id, G => G::default().picture(&View { header: false, ..View::default() }));
        serde_json::json!({"info": games::details(id), "board": board})
    });
    // A `<` in the JSON must not end the script.
    let games = to_json(&games.collect::<Vec<_>>()).replace('<', "\\u003c");
    let modules: String = MODULES.iter().map(|(name, source)| module(name, source)).collect();
    include_str!("mcp/board.html")
        .replace("{style}", include_str!("play/style.css"))
        .replace("{games}", &games)
        .replace("{modules}", &(modules + &module("main", include_str!("mcp/board.js"))))
}

/// A module as a part of one script: a function that returns what the module exports.
fn module(name: &str, source: &str) -> String {
    let (mut body, mut exports) = (String::new(), String::new());
    for line in source.lines() {
        let exported = line.strip_prefix("export ");
        let words = exported.into_iter().flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
        let is_name = |word: &&str| !["async", "class", "const", "function"].contains(word);
        exports.extend(words.filter(is_name).take(1).flat_map(|name| [name, ", "]));
        let imported = line.strip_prefix("import ").and_then(|line| line.split_once(" from "));
        body += &imported.map_or_else(
            || format!("{}\n", exported.unwrap_or(line)),
            |(names, from)| {
                let (names, from) = (names.trim_start_matches("* as "), from.trim_end_matches(';'));
                format!("const {names} = modules[{from}];\n")
            },
        );
    }
    format!("modules[\"./{name}.js\"] = (() => {{\n{body}return {{ {exports} }};\n}})();\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_knows_the_family_of_every_game() {
        let (_, families) = include_str!("mcp/board.js").split_once("const FAMILIES = {").unwrap();
        let (families, _) = families.split_once("\n};").unwrap();
        for game in GameId::ALL {
            let family = game.about().id.split('-').next().unwrap();
            assert!(families.contains(&format!("\n  {family}: ")), "{family} is missing in `FAMILIES`");
            assert!(MODULES.iter().any(|(name, _)| *name == family), "{family} is missing in `MODULES`");
        }
    }
}
