//! The page to play on, as it is served; what it does is tested in a browser.

use std::{collections::BTreeSet, path::Path};

use cublino::{config::Config, games::GameId};
use reqwest::{Method, header};
use serde_json::{Value, json};

use crate::service::{SHARED, Service};

/// The families of games: each has a module and lessons with its name, which is that of its games up to the
/// first hyphen.
fn families() -> BTreeSet<&'static str> {
    GameId::ALL.iter().filter_map(|game| game.about().id.split('-').next()).collect()
}

/// The paths that the page refers to, without that of the documentation.
fn references(page: &str) -> Vec<String> {
    const KINDS: [&str; 3] = ["js", "css", "svg"];
    let is_file = |part: &&str| {
        Path::new(part).extension().is_some_and(|kind| KINDS.iter().any(|&known| kind == known))
    };
    let mut paths: Vec<_> = page.split('"').filter(is_file).map(|path| format!("/play/{path}")).collect();
    paths.sort();
    paths.dedup();
    paths
}

#[actix_web::test]
async fn the_page_and_all_that_it_loads_are_small_and_kept_under_their_digest() {
    /// After compression.
    const MOST_BYTES: usize = 120_000;
    /// With the page, its icon, a family of games, and five requests for a game.
    const MOST_FILES: usize = 22;
    let compressed = async |path: &str| {
        let request = SHARED.request(Method::GET, path).header(header::ACCEPT_ENCODING, "gzip");
        SHARED.send(request).await.bytes.len()
    };
    let page = SHARED.get("/play/").await;
    assert_eq!((page.status.as_u16(), page.header("cache-control")), (200, "no-cache"));
    assert!(page.header("content-security-policy").contains("script-src 'self'"));
    let paths = references(page.text());
    assert!((10..=MOST_FILES).contains(&paths.len()), "{paths:?}");
    let mut bytes = compressed("/play/").await;
    for path in &paths {
        let file = SHARED.get(path).await;
        assert_eq!(file.status, 200, "{path}");
        assert_eq!(file.header("cache-control"), "public, max-age=31536000, immutable", "{path}");
        let known = SHARED.request(Method::GET, path).header(header::IF_NONE_MATCH, file.header("etag"));
        assert_eq!(SHARED.send(known).await.status, 304, "{path}");
        // Every module that another imports is named by the page.
        for part in file.text().split("from \"./").skip(1) {
            let name = part.split('"').next().unwrap();
            assert!(paths.iter().any(|known| known.ends_with(&format!("/{name}"))), "{path} imports {name}");
        }
        bytes += compressed(path).await;
    }
    // The page loads one family of games; its lessons and other parts come when somebody opens them.
    let folder = paths[0].rsplit_once('/').unwrap().0;
    for family in families() {
        let module = SHARED.get(&format!("{folder}/{family}.js")).await;
        assert_eq!(module.status, 200, "{family}");
        let is_named = paths.iter().any(|path| path.ends_with(&format!("/{family}.js")));
        assert!(!is_named, "{family} is loaded when one of its games is played");
        let all = bytes + compressed(&format!("{folder}/{family}.js")).await;
        assert!(all < MOST_BYTES, "{all} bytes for {family}");
    }
    for (later, content_type) in [
        ("analysis.js", "text/javascript; charset=utf-8"),
        ("puzzle.js", "text/javascript; charset=utf-8"),
        ("setup.js", "text/javascript; charset=utf-8"),
        ("mahbusa.json", "application/json"),
    ] {
        let file = SHARED.get(&format!("{folder}/{later}")).await;
        assert_eq!((file.status.as_u16(), file.header("content-type")), (200, content_type), "{later}");
    }
    let coded = SHARED.request(Method::GET, &paths[0]).header(header::ACCEPT_ENCODING, "gzip");
    let coded = reqwest::Client::new().execute(coded.build().unwrap()).await.unwrap();
    assert_eq!(coded.headers()[header::CONTENT_ENCODING], "gzip");
}

#[actix_web::test]
async fn the_page_can_be_installed_and_is_kept_by_its_worker() {
    let page = SHARED.get("/play/").await;
    assert!(page.header("content-security-policy").contains("manifest-src 'self'"));
    let file = |kind: &str| {
        let path = page.text().split('"').find(|part| part.ends_with(kind));
        format!("/play/{}", path.expect("the page refers to it"))
    };
    let manifest = SHARED.get(&file(".webmanifest")).await;
    assert_eq!(manifest.header("content-type"), "application/manifest+json");
    assert!(manifest.text().contains("\"icon.svg\""));
    assert_eq!(SHARED.get(&file("share.png")).await.header("content-type"), "image/png");
    let worker = SHARED.get("/play/worker.js").await;
    assert_eq!((worker.status.as_u16(), worker.header("cache-control")), (200, "no-cache"));
    // It keeps all that the page and its games need.
    let text = worker.text();
    let kept: Vec<_> = text.split('`').nth(1).unwrap().split(' ').collect();
    assert!(kept.len() > 20 && !text.contains("{digest}"), "{kept:?}");
    for path in kept {
        assert_eq!(SHARED.get(&format!("/play/{path}")).await.status, 200, "{path}");
    }
}

#[actix_web::test]
async fn every_step_of_every_lesson_can_be_done() {
    let page = SHARED.get("/play/").await;
    let paths = references(page.text());
    let folder = paths[0].rsplit_once('/').unwrap().0;
    let mut games = 0;
    for family in families() {
        let lessons = SHARED.get(&format!("{folder}/{family}.json")).await.json();
        for (game, steps) in lessons.as_object().unwrap() {
            games += 1;
            assert!((6..=8).contains(&steps.as_array().unwrap().len()), "{game}");
            for step in steps.as_array().unwrap() {
                let body = json!({"state": step["state"], "moves": [step["move"]]});
                let answer = SHARED.post(&format!("/v1/games/{game}/apply"), &body).await.json();
                let events = answer["plies"][0]["events"].as_array().unwrap();
                for wanted in step["want"].as_array().unwrap() {
                    let wanted = wanted.as_object().unwrap();
                    let fits = |event: &Value| wanted.iter().all(|(name, value)| event[name] == *value);
                    assert!(events.iter().any(fits), "{game}, {}: {events:?}", step["title"]);
                }
            }
        }
    }
    assert_eq!(games, GameId::ALL.len());
}

#[actix_web::test]
async fn files_that_the_page_has_not_are_not_found() {
    for path in ["/play/main.js", "/play/0/main.js", "/play/index.html"] {
        SHARED.get(path).await.problem("not-found");
    }
    let redirect = SHARED.get("/play").await;
    assert_eq!((redirect.status.as_u16(), redirect.header("location")), (307, "play/"));
}

#[actix_web::test]
async fn the_root_leads_to_the_page_and_to_the_documentation() {
    let home = SHARED.get("/").await;
    assert_eq!((home.status.as_u16(), home.header("content-type")), (200, "text/html; charset=utf-8"));
    for link in ["href=\"play/\"", "href=\"docs/\""] {
        assert!(home.text().contains(link), "{link}");
    }
    for game in GameId::ALL {
        let board = format!("data-game=\"{game}\"");
        assert!(home.text().contains(&board), "{game} has no board on the start page");
    }
}

#[actix_web::test]
async fn the_page_can_be_switched_off() {
    let service = Service::start(&Config { play: false, ..Config::default() });
    service.get("/play/").await.problem("not-found");
    let root = service.get("/").await;
    assert_eq!((root.status.as_u16(), root.header("location")), (307, "docs/"));
    assert_eq!(service.get("/v1/games").await.status, 200);
}
