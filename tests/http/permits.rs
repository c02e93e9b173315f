//! Permits: how many heavy requests are answered at a time, in all and for each caller.

use std::{net::Ipv4Addr, ops::Range};

use actix_web::http::header::CONTENT_ENCODING;
use cublino::{config::Config, http::Pool};
use cublino_guard::Cut;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    task::yield_now,
    time::timeout,
};

use crate::{
    connections::{PATIENCE, until_open},
    service::{START, Service},
};

/// A game that takes a while to analyse, and one to play.
const SHUFFLE: [&str; 6] = ["e1e2", "e7e6", "e2d2", "e6d6", "d2e2", "d6e6"];

/// A service with few permits: one caller may hold two of eight.
fn tight() -> Service {
    Service::start(&Config { permits: 8, max_wait_ms: 600_000, ..Config::default() })
}

/// A connection of a caller with an address of its own.
async fn connect_from(service: &Service, caller: u8) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::new(127, 0, 0, caller), 0).into()).unwrap();
    socket.connect(service.address().parse().unwrap()).await.unwrap()
}

/// The bytes of a request with a body, which may be cut off.
fn request(method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: application/json, \
         text/event-stream\r\n{headers}\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// Ways to hold a permit for a while: requests whose bodies do not arrive, and requests that take long.
fn ways() -> Vec<(String, Pool, Vec<u8>)> {
    let mut ways = Vec::new();
    let large = vec![b' '; 17_000];
    let length = format!("Content-Length: {}\r\n", large.len() + 1);
    for (path, pool) in [
        ("/v1/games/wari/apply", Pool::Short),
        ("/mcp", Pool::Short),
        ("/v1/games/wari/legal-moves", Pool::Long),
        ("/v1/games/wari/validation", Pool::Long),
        ("/v1/games/wari/score", Pool::Long),
        ("/v1/games/wari/evaluation", Pool::Long),
        ("/v1/games/wari/suggestion", Pool::Long),
        ("/v1/games/wari/analysis", Pool::Long),
        ("/v1/games/wari/random-positions", Pool::Long),
    ] {
        let coded = format!("{CONTENT_ENCODING}: gzip\r\nContent-Length: 100\r\n");
        let bodies = [
            ("a large body", &*length, &*large),
            ("chunks", "Transfer-Encoding: chunked\r\n", b"10000\r\n "),
            ("a compressed body", &*coded, b"\x1f\x8b"),
        ];
        for (name, headers, body) in bodies {
            ways.push((format!("{path} with {name}"), pool, request("POST", path, headers, body)));
            if !["/mcp", "/v1/games/wari/random-positions"].contains(&path) {
                ways.push((format!("QUERY {path} with {name}"), pool, request("QUERY", path, headers, body)));
            }
        }
    }
    let stream = format!("/v1/games/cublino-pur/suggestion/stream?state={START}&time_ms=10000");
    ways.push(("a stream".to_owned(), Pool::Long, request("GET", &stream, "", b"")));
    let post = |path: &str, body: &Value| {
        let body = body.to_string();
        request("POST", path, &format!("Content-Length: {}\r\n", body.len()), body.as_bytes())
    };
    let two = json!({"positions": [{"state": START}, {"state": START}], "time_ms": 10_000});
    ways.push(("a batch".to_owned(), Pool::Long, post("/v1/games/cublino-pur/suggestion", &two)));
    let moves = [&SHUFFLE[..2], &SHUFFLE[2..].repeat(24)].concat();
    let game = json!({"moves": moves, "time_ms": 5_000});
    ways.push(("an analysis".to_owned(), Pool::Long, post("/v1/games/cublino-pur/analysis", &game)));
    let arguments = json!({"state": START, "moves": moves});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                      "params": {"name": "analyse", "arguments": arguments}});
    ways.push(("the tool analyse".to_owned(), Pool::Long, post("/mcp", &call)));
    ways
}

/// Resolves when a condition holds.
async fn until(what: &str, condition: impl Fn() -> bool) {
    let holds = async {
        while !condition() {
            yield_now().await;
            std::thread::yield_now();
        }
    };
    assert!(timeout(PATIENCE, holds).await.is_ok(), "{what}");
}

/// Has callers take all permits of a pool with bodies that do not arrive.
async fn hold_all(service: &Service, pool: Pool, operation: &str, callers: Range<u8>) -> Vec<TcpStream> {
    let body = vec![b' '; 17_000];
    let length = format!("Content-Length: {}\r\n", body.len() + 1);
    let bytes = request("POST", &format!("/v1/games/wari/{operation}"), &length, &body);
    let mut held = Vec::new();
    for caller in callers {
        let mut stream = connect_from(service, caller).await;
        stream.write_all(&bytes).await.unwrap();
        held.push(stream);
    }
    until("all permits are held", || service.state.permits.of(pool).free() == 0).await;
    held
}

#[actix_web::test]
async fn one_caller_never_holds_more_than_its_share_however_it_asks() {
    let service = tight();
    for (way, pool, bytes) in ways() {
        let permits = service.state.permits.of(pool);
        let before = permits.over_share.get();
        let mut open = Vec::new();
        for _ in 0..5 {
            let mut stream = connect_from(&service, 2).await;
            stream.write_all(&bytes).await.unwrap();
            open.push(stream);
        }
        until(&way, || permits.over_share.get() == before + 3).await;
        assert_eq!(permits.held.get(), 2, "{way}");
        let others = service.get(&format!("/v1/games/cublino-pur/legal-moves?state={START}")).await;
        assert_eq!(others.status, 200, "{way}");
        drop(open);
        until(&way, || permits.held.get() == 0).await;
    }
}

#[actix_web::test]
async fn when_all_permits_are_held_light_requests_are_answered_and_heavy_ones_are_busy() {
    let service = Service::start(&Config { permits: 4, body_timeout_ms: 600_000, ..Config::default() });
    let _held = [
        hold_all(&service, Pool::Short, "apply", 2..6).await,
        hold_all(&service, Pool::Long, "score", 6..10).await,
    ];
    // From an address that holds none.
    let heavy = json!({"state": START, "moves": [], "resign": null, "plies_from": null});
    let heavy = heavy.to_string() + &" ".repeat(17_000);
    let answers = [("apply", heavy.clone()), ("score", heavy)].map(async |(operation, body)| {
        let path = format!("/v1/games/cublino-pur/{operation}");
        service.post_bytes(&path, body.into_bytes()).await
    });
    for answer in join_all(answers).await {
        answer.problem("busy");
        assert_eq!(answer.header("retry-after"), "1");
    }
    for path in ["/play/", "/openapi.json", "/docs/swagger-ui-bundle.js", "/v1/limits"] {
        assert_eq!(service.get(path).await.status, 200, "{path}");
    }
    let search = format!("/v1/games/cublino-pur/suggestion?state={START}&depth=2");
    assert_eq!(service.get(&search).await.status, 200);
    let moves = json!({"state": START, "moves": SHUFFLE, "plies_from": 5, "legal_moves": true});
    assert_eq!(service.post("/v1/games/cublino-pur/apply", &moves).await.status, 200);
    let one = json!({"positions": [{"state": START, "moves": SHUFFLE}], "depth": 2});
    assert_eq!(service.post("/v1/games/cublino-pur/suggestion", &one).await.status, 200);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                      "params": {"name": "look", "arguments": {"state": START}}});
    let request = service.request(Method::POST, "/mcp").json(&call);
    assert!(service.send(request).await.text().contains("White to move"));
}

#[actix_web::test]
async fn the_slowest_holder_makes_way_when_somebody_waits() {
    let config =
        Config { permits: 4, body_timeout_ms: 600_000, read_timeout_ms: 600_000, ..Config::default() };
    let service = Service::start(&config);
    let mut held = hold_all(&service, Pool::Short, "apply", 2..6).await;
    let body = json!({"state": START, "moves": []}).to_string() + &" ".repeat(17_000);
    let answered = async {
        while service.post_bytes("/v1/games/cublino-pur/apply", body.clone().into_bytes()).await.status != 200
        {
        }
    };
    timeout(PATIENCE, answered).await.expect("somebody makes way");
    until_open(&service, 3).await;
    assert_eq!(service.state.metrics.connections_cut.get(Cut::MadeWay), 1);
    // The first came first, and has been slow for longest.
    assert!(matches!(held[0].read(&mut [0; 512]).await, Ok(0) | Err(_)));
}

#[actix_web::test]
async fn a_long_answer_that_nobody_reads_holds_one_permit() {
    let service = tight();
    let permits = service.state.permits.of(Pool::Short);
    let state = "M11-1AAAAAAAAAAAAAAA7o";
    let mut stream = connect_from(&service, 2).await;
    let path = format!("/v1/games/mahbusa/legal-moves?state={state}&spellings=all");
    stream.write_all(&request("GET", &path, "", b"")).await.unwrap();
    until("it has a permit", || permits.held.get() == 1).await;
    drop(stream);
    until("it has none", || permits.held.get() == 0).await;
    // The usual spellings are few enough to be listed while they are sent.
    let path = format!("/v1/games/mahbusa/legal-moves?state={state}");
    assert_eq!(service.get(&path).await.status, 200);
    assert_eq!(permits.held.get() + permits.waiting.get(), 0);
}
