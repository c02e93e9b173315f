//! Names, tags, codings and HEAD.

use reqwest::{Method, header};

use crate::{
    commit, digest,
    service::{Answer, SHARED, START},
};

fn legal_moves() -> String {
    format!("/v1/games/cublino-pur/legal-moves?state={START}")
}

async fn with(path: &str, name: &str, value: &str) -> Answer {
    SHARED.send(SHARED.request(Method::GET, path).header(name, value)).await
}

#[actix_web::test]
async fn a_sensible_request_id_is_taken_over_and_any_other_replaced() {
    for sensible in ["mine", "00-4bf92f3577b34da6a3ce929d0e0e4736-01", "a_b.c:d"] {
        assert_eq!(with("/healthz", "x-request-id", sensible).await.header("x-request-id"), sensible);
    }
    for odd in ["", "a b", "a\"b", "<script>", &"a".repeat(129)] {
        let made = with("/healthz", "x-request-id", odd).await;
        assert_eq!(made.header("x-request-id").len(), 16, "{odd}");
    }
    let (one, two) = (SHARED.get("/healthz").await, SHARED.get("/healthz").await);
    assert_ne!(one.header("x-request-id"), two.header("x-request-id"));
    assert_eq!(with("/nothing", "x-request-id", "mine").await.header("x-request-id"), "mine");
}

#[actix_web::test]
async fn answers_that_may_be_kept_have_a_tag_and_are_not_sent_twice() {
    let game = "/v1/games/cublino-pur";
    for (path, kept) in [
        ("/v1/games", "public, max-age=86400"),
        (game, "public, max-age=86400"),
        (&*format!("{game}/validation?state={START}"), "public, max-age=86400"),
        (&*format!("{game}/validation?state=nonsense"), "public, max-age=86400"),
        (&*legal_moves(), "public, max-age=86400"),
        (&*format!("{game}/score?state={START}"), "public, max-age=86400"),
        (&*format!("{game}/board.svg?state={START}&move=e1e2&flip=true"), "public, max-age=86400"),
        ("/v1/games/mahbusa/puzzles?date=2026-11-24", "public, max-age=86400"),
        ("/problems/busy", "public, max-age=86400"),
        // The documentation is asked for again each time.
        ("/", "no-cache"),
        ("/play/", "no-cache"),
        ("/openapi.json", "no-cache"),
        ("/docs/", "no-cache"),
        ("/docs/swagger-ui.css", "no-cache"),
    ] {
        let answer = SHARED.get(path).await;
        let tag = answer.header("etag");
        assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 2, "{path}: {tag}");
        assert_eq!(answer.header("cache-control"), kept, "{path}");
        let known = with(path, "if-none-match", tag).await;
        assert_eq!((known.status.as_u16(), known.bytes.len()), (304, 0), "{path}");
        assert_eq!((known.header("etag"), known.header("cache-control")), (tag, kept), "{path}");
        assert_eq!(with(path, "if-none-match", "\"x\"").await.status, 200, "{path}");
    }
}

#[actix_web::test]
async fn other_states_and_operations_have_another_tag() {
    let tag = |answer: Answer| answer.header("etag").to_owned();
    let start = tag(SHARED.ask("legal-moves", START).await);
    assert_ne!(start, tag(SHARED.ask("score", START).await));
    assert_ne!(start, tag(SHARED.ask("legal-moves", &START.replacen('P', "p", 1)).await));
}

#[actix_web::test]
async fn compression_is_negotiated_and_a_coded_answer_has_a_tag_of_its_own() {
    let plain = SHARED.get(&legal_moves()).await;
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), ("", "accept-encoding"));
    let known = with(&legal_moves(), "if-none-match", plain.header("etag")).await;
    assert_eq!((known.status.as_u16(), known.header("vary")), (304, "accept-encoding"));
    let board = format!("/v1/games/cublino-pur/board.svg?state={START}");
    for path in ["/v1/games", "/play/", "/openapi.json", "/docs/swagger-ui-bundle.js", &board] {
        let plain = SHARED.get(path).await;
        let answer = coded(Method::GET, path, "gzip", "").await;
        assert_eq!(answer.headers()["content-encoding"], "gzip", "{path}");
        assert_eq!(answer.headers()["vary"], "accept-encoding", "{path}");
        let expected = format!("{}-gzip\"", plain.header("etag").trim_end_matches('"'));
        assert_eq!(tag(&answer), expected, "{path}");
        assert!(answer.bytes().await.unwrap().len() < plain.bytes.len(), "{path}");
    }
    // A list is never compressed, and neither is what is compressed already.
    for path in [&*legal_moves(), "/docs/favicon-32x32.png"] {
        let answer = coded(Method::GET, path, "gzip, br", "").await;
        assert_eq!(answer.headers().get("content-encoding"), None, "{path}");
        assert_eq!(tag(&answer), SHARED.get(path).await.header("etag"), "{path}");
    }
}

/// An answer with these headers, its coding not undone; the empty text is no header.
async fn coded(method: Method, path: &str, accept_encoding: &str, if_none_match: &str) -> reqwest::Response {
    let mut request = SHARED.request(method, path);
    for (name, value) in [("accept-encoding", accept_encoding), ("if-none-match", if_none_match)] {
        if !value.is_empty() {
            request = request.header(name, value);
        }
    }
    request.send().await.unwrap()
}

fn tag(response: &reqwest::Response) -> String {
    response.headers()["etag"].to_str().unwrap().to_owned()
}

#[actix_web::test]
async fn a_304_has_the_tag_that_the_200_would_have_had() {
    let board = format!("/v1/games/cublino-pur/board.svg?state={START}");
    let suggestion = format!("/v1/games/cublino-pur/suggestion?state={START}&depth=1");
    let paths = [
        "/v1/games",
        &legal_moves(),
        &board,
        &suggestion,
        "/problems/busy",
        "/play/",
        "/docs/",
        "/docs/favicon-32x32.png",
    ];
    let accepted =
        ["", "identity", "gzip", "br", "deflate", "gzip;q=0.1, br;q=0.2", "*", "identity;q=0", "???"];
    for path in paths {
        for accept in accepted {
            let mine = tag(&coded(Method::GET, path, accept, "").await);
            for method in [Method::GET, Method::HEAD] {
                for known in [mine.clone(), format!("W/{mine}"), format!("\"x\", {mine}"), "*".to_owned()] {
                    let answer = coded(method.clone(), path, accept, &known).await;
                    assert_eq!(
                        (answer.status().as_u16(), tag(&answer)),
                        (304, mine.clone()),
                        "{path} {accept} {known}"
                    );
                    assert!(answer.headers().get("content-encoding").is_none());
                    let mut vary = answer.headers().get_all("vary").iter();
                    assert!(vary.any(|on| on == "accept-encoding"), "{path} {:?}", answer.headers());
                }
            }
            for other in accepted {
                let held = tag(&coded(Method::GET, path, other, "").await);
                let answer = coded(Method::GET, path, accept, &held).await;
                let expected = if held == mine { 304 } else { 200 };
                assert_eq!(
                    (answer.status().as_u16(), tag(&answer)),
                    (expected, mine.clone()),
                    "{path} {accept} {other}"
                );
            }
        }
    }
}

#[actix_web::test]
async fn the_service_tells_the_commit_and_the_digest_of_the_sources_that_are_here() {
    let package = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let here = digest::digest(package, &digest::COVERED).unwrap();
    assert!(commit::checked_out(package).is_none() || !env!("CUBLINO_COMMIT").is_empty());
    for path in ["/healthz", "/readyz"] {
        let answer = SHARED.get(path).await.json();
        assert_eq!(answer["sources"], here, "{path}");
        assert_eq!(answer["commit"].as_str().unwrap_or_default(), env!("CUBLINO_COMMIT"), "{path}");
    }
    assert!(SHARED.get("/metrics").await.text().contains(&format!("sources=\"{here}\"")));
}

#[actix_web::test]
async fn compressed_bodies_are_read() {
    let body = crate::attacks::gzip(r#"{"state":"x","moves":["a1a2"]}"#);
    let request = SHARED
        .request(Method::POST, "/v1/games/cublino-pur/apply")
        .header("content-type", "application/json");
    SHARED.send(request.header("content-encoding", "gzip").body(body)).await.problem("malformed-state");
}

#[actix_web::test]
async fn head_answers_as_get_does_without_the_body() {
    let paths = [
        "/v1/games",
        &legal_moves(),
        &format!("/v1/games/cublino-pur/board.svg?state={START}"),
        "/healthz",
        "/readyz",
        "/docs/",
        "/play/",
        "/openapi.json",
        "/problems/busy",
    ];
    for path in paths {
        let (head, get) = (SHARED.send(SHARED.request(Method::HEAD, path)).await, SHARED.get(path).await);
        assert_eq!(head.status, get.status, "{path}");
        assert!(head.bytes.is_empty());
        for name in [header::CONTENT_LENGTH, header::CONTENT_TYPE, header::ETAG, header::CACHE_CONTROL] {
            assert_eq!(head.headers.get(&name), get.headers.get(&name), "{path} {name}");
        }
    }
    let problem = SHARED.send(SHARED.request(Method::HEAD, "/v1/games/chess")).await;
    assert_eq!((problem.status.as_u16(), problem.bytes.len()), (404, 0));
}

#[actix_web::test]
async fn every_answer_says_which_service_it_is_from_and_that_its_type_is_meant() {
    for path in ["/healthz", "/v1/games", "/nothing", "/docs/", "/metrics"] {
        let answer = SHARED.get(path).await;
        assert!(answer.header("x-engine-version").starts_with(env!("CARGO_PKG_VERSION")), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
    }
}

#[actix_web::test]
async fn pages_and_pictures_load_nothing_from_elsewhere_and_are_not_framed() {
    let browser = "text/html";
    let board = format!("/v1/games/cublino-pur/board.svg?state={START}");
    for path in ["/", "/docs/", "/play/", "/problems/busy", &board] {
        let page = with(path, "accept", browser).await;
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        assert_eq!(page.header("referrer-policy"), "no-referrer");
        assert!(policy.contains("frame-ancestors 'none'") || path == board, "{path}: {policy}");
    }
}

#[actix_web::test]
async fn a_header_with_one_value_has_one_line_on_every_path() {
    let names = ["authorization", "content-encoding", "origin", "content-type", "mcp-method"];
    for (method, path) in [
        (Method::GET, "/v1/games"),
        (Method::GET, "/play/"),
        (Method::GET, "/nothing"),
        (Method::POST, "/mcp"),
        (Method::POST, "/v1/games/wari/apply"),
    ] {
        for name in names {
            let request = SHARED.request(method.clone(), path);
            let problem = SHARED.send(request.header(name, "x").header(name, "x")).await;
            assert_eq!(problem.problem("invalid-parameter")["parameter"], name, "{path}");
        }
    }
}
