//! The page to play and to analyse on, under `/play/`, and the page under `/` that leads there.
//!
//! The page itself is asked for again each time. Its scripts and styles are in a folder that is named after a
//! digest of them all: what is there never changes, and is kept for as long as a browser likes.

use std::sync::LazyLock;

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Bytes, Data},
};
use sha2::{Digest, Sha256};

use super::{
    compression::Static,
    context::{self, Digits},
    headers::{Tag, with_etag},
    pages,
    problem::Problem,
    state::AppState,
};
use crate::service::Code;

/// Where the page is.
pub const PATH: &str = "/play/";

/// The path of its files.
pub const FILES: &str = "/play/{file:.*}";

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Files with their names.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("play/", $name)))),+]
    };
}

/// All scripts, and the style.
static ASSETS: [(&str, &str); 21] = files![
    "advice.js",
    "analysis.js",
    "api.js",
    "board.js",
    "clock.js",
    "cublino.js",
    "dom.js",
    "game.js",
    "hand.js",
    "mahbusa.js",
    "main.js",
    "page.js",
    "picker.js",
    "rules.js",
    "setup.js",
    "share.js",
    "show.js",
    "style.css",
    "turns.js",
    "wari.js",
    "words.js",
];

/// The page without the digest in its references.
const INDEX: &str = include_str!("play/index.html");

/// A digest of the page and all scripts and styles: the name of their folder.
static DIGEST: LazyLock<Digits> = LazyLock::new(|| {
    let mut digest = Sha256::new_with_prefix(INDEX);
    for (name, text) in &ASSETS {
        digest.update(name);
        digest.update(text);
    }
    let digest = digest.finalize();
    let (half, _) = digest.split_first_chunk().expect("a digest is longer than its half");
    context::digits(u128::from_be_bytes(*half))
});

fn digest() -> &'static str {
    str::from_utf8(&*DIGEST).expect("hexadecimal digits are ASCII")
}

/// The page, with the digest in its references. The scripts are all named, so that a browser need not read
/// one to learn of the next.
static PAGE: LazyLock<Bytes> = LazyLock::new(|| {
    let scripts = ASSETS.iter().map(|(name, _)| name).filter(|name| name.ends_with(".js"));
    let preload = |name| format!(r#"<link rel="modulepreload" href="{{digest}}/{name}">"#);
    let modules: Vec<_> = scripts.map(preload).collect();
    let page = INDEX.replace("{modules}", &modules.join("\n"));
    page.replace("{digest}", digest()).into()
});

/// What leads to the page and to the documentation.
const HOME: &str = include_str!("play/home.html");

/// The page, or one of its scripts and styles.
pub async fn answer(request: HttpRequest, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let name = request.match_info().query("file");
    if !state.config.play {
        return Err(Problem::new(Code::NotFound, "the page to play on is switched off"));
    }
    if name.is_empty() {
        let tag = Tag::of("play", &[&digest()]).revalidated();
        return Ok(with_etag(&request, tag, || shared(HTML, PAGE.clone())));
    }
    let file = name.strip_prefix(digest()).and_then(|rest| rest.strip_prefix('/'));
    let Some(&(file, text)) = file.and_then(|file| ASSETS.iter().find(|(name, _)| *name == file)) else {
        return Err(Problem::new(Code::NotFound, format!("the page to play on has no file '{name}'")));
    };
    let content_type = if file.ends_with(".js") { SCRIPT } else { STYLE };
    let tag = Tag::of("play", &[&name]).immutable();
    Ok(with_etag(&request, tag, || shared(content_type, Bytes::from_static(text.as_bytes()))))
}

/// Leads to the page, or straight to the documentation where the page is switched off.
pub async fn home(request: HttpRequest, state: Data<AppState>) -> HttpResponse {
    if !state.config.play {
        return HttpResponse::TemporaryRedirect().insert_header((header::LOCATION, pages::PATH)).finish();
    }
    let tag = Tag::of("home", &[]).revalidated();
    with_etag(&request, tag, || shared(HTML, Bytes::from_static(HOME.as_bytes())))
}

/// An answer whose body all share who ask for it.
pub fn shared(content_type: &str, bytes: Bytes) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response.extensions_mut().insert(Static);
    response.content_type(content_type).body(bytes)
}
