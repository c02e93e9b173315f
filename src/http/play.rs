//! The page to play and to analyse on, under `/play/`, and the page under `/` that leads there.
//!
//! The page itself is asked for again each time. Its files are in a folder that is named after a digest of
//! them all: what is there never changes, and is kept for as long as a browser likes.

use std::sync::LazyLock;

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Bytes, Data},
};
use sha2::{Digest, Sha256};

use super::{
    cache::{Tag, with_etag},
    compression::Static,
    context::{self, Digits},
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
const ICON: &str = "image/svg+xml";
const PICTURE: &str = "image/png";
const JSON: &str = "application/json";
const MANIFEST: &str = "application/manifest+json";

/// Files with their names.
macro_rules! files {
    ($($name:literal $content_type:expr;)+) => {
        [$(File {
            name: $name,
            content_type: $content_type,
            bytes: include_bytes!(concat!("play/", $name)),
        }),+]
    };
}

/// A script, style, picture, or the lessons of a family.
struct File {
    name: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
}

/// All of them.
static ASSETS: [File; 34] = files! {
    "advice.js" SCRIPT;
    "analysis.js" SCRIPT;
    "api.js" SCRIPT;
    "board.js" SCRIPT;
    "choose.js" SCRIPT;
    "clock.js" SCRIPT;
    "cublino.js" SCRIPT;
    "cublino.json" JSON;
    "dice.js" SCRIPT;
    "dom.js" SCRIPT;
    "end.js" SCRIPT;
    "family.js" SCRIPT;
    "game.js" SCRIPT;
    "hand.js" SCRIPT;
    "icon.png" PICTURE;
    "icon.svg" ICON;
    "learn.js" SCRIPT;
    "mahbusa.js" SCRIPT;
    "mahbusa.json" JSON;
    "main.js" SCRIPT;
    "manifest.webmanifest" MANIFEST;
    "page.js" SCRIPT;
    "picker.js" SCRIPT;
    "rules.js" SCRIPT;
    "setup.js" SCRIPT;
    "share.js" SCRIPT;
    "share.png" PICTURE;
    "show.js" SCRIPT;
    "sound.js" SCRIPT;
    "style.css" STYLE;
    "turns.js" SCRIPT;
    "wari.js" SCRIPT;
    "wari.json" JSON;
    "words.js" SCRIPT;
};

/// What the page loads when it is needed: the family that is played, the analysis, the setting up.
const LATER: [&str; 5] = ["analysis.js", "cublino.js", "mahbusa.js", "setup.js", "wari.js"];

/// The page without the digest in its references.
const INDEX: &str = include_str!("play/index.html");

/// A digest of the page and all its files: the name of their folder.
static DIGEST: LazyLock<Digits> = LazyLock::new(|| {
    let mut digest = Sha256::new_with_prefix(INDEX);
    for file in &ASSETS {
        digest.update(file.name);
        digest.update(file.bytes);
    }
    let digest = digest.finalize();
    let (half, _) = digest.split_first_chunk().expect("a digest is longer than its half");
    context::digits(u128::from_be_bytes(*half))
});

fn digest() -> &'static str {
    str::from_utf8(&*DIGEST).expect("hexadecimal digits are ASCII")
}

/// The page, with the digest in its references. It names the scripts that every game needs, so that a browser
/// need not read one to learn of the next.
static PAGE: LazyLock<Bytes> = LazyLock::new(|| {
    let is_needed = |file: &&File| file.content_type == SCRIPT && !LATER.contains(&file.name);
    let scripts = ASSETS.iter().filter(is_needed);
    let preload = |file: &File| format!(r#"<link rel="modulepreload" href="{{digest}}/{}">"#, file.name);
    let modules: Vec<_> = scripts.map(preload).collect();
    let page = INDEX.replace("{modules}", &modules.join("\n"));
    page.replace("{digest}", digest()).into()
});

/// The service worker, which keeps the page and its files but for the pictures that others show of it.
static WORKER: LazyLock<Bytes> = LazyLock::new(|| {
    let kept = ASSETS.iter().filter(|file| file.content_type != PICTURE);
    let paths: Vec<_> = kept.map(|file| format!("{}/{}", digest(), file.name)).collect();
    let worker = include_str!("play/worker.js").replace("{files}", &paths.join(" "));
    worker.replace("{digest}", digest()).into()
});

/// What leads to the page and to the documentation.
const HOME: &str = include_str!("play/home.html");

/// The page, or one of its files.
pub async fn answer(request: HttpRequest, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let name = request.match_info().query("file");
    if !state.has_page {
        return Err(Problem::new(Code::NotFound, "the page to play on is switched off"));
    }
    if name.is_empty() {
        let tag = Tag::of("play", &[&digest()]).revalidated();
        return with_etag(&request, tag, || Ok(shared(HTML, PAGE.clone())));
    }
    if name == "worker.js" {
        let tag = Tag::of("worker", &[&digest()]).revalidated();
        return with_etag(&request, tag, || Ok(shared(SCRIPT, WORKER.clone())));
    }
    let file = name.strip_prefix(digest()).and_then(|rest| rest.strip_prefix('/'));
    let Some(file) = file.and_then(|name| ASSETS.iter().find(|file| file.name == name)) else {
        return Err(Problem::new(Code::NotFound, format!("the page to play on has no file '{name}'")));
    };
    with_etag(&request, Tag::of("play", &[&name]).immutable(), || {
        Ok(shared(file.content_type, Bytes::from_static(file.bytes)))
    })
}

/// Leads to the page, or straight to the documentation where the page is switched off.
pub async fn home(request: HttpRequest, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    if !state.has_page {
        return Ok(HttpResponse::TemporaryRedirect().insert_header((header::LOCATION, pages::PATH)).finish());
    }
    with_etag(&request, Tag::of("home", &[]).revalidated(), || {
        Ok(shared(HTML, Bytes::from_static(HOME.as_bytes())))
    })
}

/// An answer whose body all share who ask for it.
fn shared(content_type: &str, bytes: Bytes) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response.extensions_mut().insert(Static);
    response.content_type(content_type).body(bytes)
}
