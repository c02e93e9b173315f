//! How much of requests and answers the service holds at a time.

use cublino::config::Config;
use futures_util::future::select;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::yield_now,
    time::timeout,
};

use crate::{
    connections::{PATIENCE, connect, rest, until_open},
    service::{START, Service, gzip},
};

/// A service that holds as little as can be set.
fn tight() -> Service {
    Service::start(&Config {
        max_in_flight_bytes: 1_048_576,
        body_timeout_ms: 600_000,
        read_timeout_ms: 600_000,
        ..Config::default()
    })
}

/// Resolves when the service holds enough bytes.
async fn until_held(service: &Service, enough: impl Fn(i64) -> bool) {
    let gauge = service.state.in_flight.held.clone();
    let held = async {
        while !enough(gauge.get()) {
            yield_now().await;
            std::thread::yield_now();
        }
    };
    assert!(timeout(PATIENCE, held).await.is_ok(), "{} bytes are held", gauge.get());
}

/// Sends the head of a POST.
async fn send_head(service: &Service, path: &str, headers: &str, length: usize) -> TcpStream {
    let mut stream = connect(service).await;
    let head = format!(
        "POST /v1/games/{path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{headers}\
         Content-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// Sends all of a body but its last byte.
async fn send_most(service: &Service, headers: &str, body: &[u8]) -> TcpStream {
    let mut stream = send_head(service, "wari/apply", headers, body.len()).await;
    stream.write_all(&body[..body.len() - 1]).await.unwrap();
    stream
}

#[actix_web::test]
async fn bodies_for_which_there_is_no_memory_are_told_to_come_back() {
    let service = tight();
    let body = vec![b' '; 262_144];
    let mut held = Vec::new();
    for i in 1..=3 {
        held.push(send_most(&service, "", &body).await);
        until_held(&service, |bytes| bytes >= i * 262_144).await;
    }
    // Of two more, one does not fit.
    let (fourth, fifth) = (send_most(&service, "", &body).await, send_most(&service, "", &body).await);
    let (answer, other) = select(Box::pin(rest(fourth)), Box::pin(rest(fifth))).await.factor_first();
    let answer = answer.to_lowercase();
    assert!(answer.starts_with("http/1.1 503"), "{answer}");
    assert!(answer.contains("retry-after: 1") && answer.contains("\"code\":\"busy\""), "{answer}");
    // What needs no memory is answered as ever.
    assert_eq!(service.ask("legal-moves", START).await.status, 200);
    drop((held, other));
    until_held(&service, |bytes| bytes == 0).await;
    let body = serde_json::json!({"state": START, "moves": ["a1a2"]});
    assert_eq!(service.post("/v1/games/cublino-pur/apply", &body).await.status, 200);
}

#[actix_web::test]
async fn compressed_bodies_count_as_they_unfold() {
    // Deflate has a block of repetitions for this: 200,000 blanks in a few hundred bytes.
    let blanks = gzip(" ".repeat(200_000) + r#"{"state":"W","moves":[]}"#).await;
    assert!(blanks.len() < 1_000);
    let service = tight();
    let _held = send_most(&service, "Content-Encoding: gzip\r\n", &blanks).await;
    until_held(&service, |bytes| bytes > 100_000).await;
}

#[actix_web::test]
async fn answers_that_nobody_reads_are_counted() {
    let service = tight();
    let mut unread = Vec::new();
    let mut refused = String::new();
    for _ in 0..100 {
        let mut stream = connect(&service).await;
        stream.write_all(&b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(2)).await.unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).await.unwrap();
        if &status == b"HTTP/1.1 503" {
            refused = String::from_utf8_lossy(&status).into_owned();
            break;
        }
        unread.push(stream);
    }
    assert_eq!(refused, "HTTP/1.1 503", "{} answers are held", unread.len());
    drop(unread);
    until_held(&service, |bytes| bytes == 0).await;
    until_open(&service, 0).await;
    assert_eq!(service.get("/openapi.json").await.status, 200);
}

#[actix_web::test]
async fn heads_that_do_not_end_are_counted() {
    let service = Service::start(&Config {
        max_in_flight_bytes: 1_048_576,
        client_timeout_ms: 600_000,
        ..Config::default()
    });
    let mut open = Vec::new();
    for _ in 0..20 {
        let mut stream = connect(&service).await;
        let head = format!("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: {}", "a".repeat(100_000));
        // The last are cut off.
        if stream.write_all(head.as_bytes()).await.is_ok() {
            open.push(stream);
        }
    }
    let cut = || service.state.connections_cut.get(cublino_guard::Cut::Memory);
    let some = async {
        while cut() == 0 {
            yield_now().await;
            std::thread::yield_now();
        }
    };
    timeout(PATIENCE, some).await.expect("there is no memory for all of them");
    assert!(service.state.in_flight.held.get() <= 1_048_576);
    assert_eq!(service.get("/healthz").await.status, 200);
}

#[actix_web::test]
async fn what_a_list_is_worked_out_from_is_counted_until_it_has_been_sent() {
    let service = Service::start(&Config { socket_buffer_bytes: 65_536, ..Config::default() });
    let position = json!({"state": "M11-1AAAAAAAAAAAAAAA7o"});
    let positions = json!({"positions": vec![&position; 1_000]});
    let searched = json!({"positions": vec![&position; 1_000], "nodes": 1, "lines": 1_000});
    let drawn = json!({"count": 1_000, "seed": 1, "plies": {"from": 200, "to": 1_000}});
    for (path, body, held) in [
        ("mahbusa/legal-moves", &positions, 40_000),
        ("mahbusa/validation", &positions, 40_000),
        ("mahbusa/score", &positions, 40_000),
        ("mahbusa/suggestion", &searched, 40_000),
        // What has been drawn must not be drawn again.
        ("mahbusa/random-positions", &drawn, 150_000),
    ] {
        let body = body.to_string();
        let headers = "Accept: application/x-ndjson\r\n";
        let mut stream = send_head(&service, path, headers, body.len()).await;
        stream.write_all(body.as_bytes()).await.unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).await.unwrap();
        assert_eq!(str::from_utf8(&status).unwrap(), "HTTP/1.1 200", "{path}");
        // The rest is not read, and does not fit into the buffers of the connection.
        until_held(&service, |bytes| bytes > held).await;
        let metrics = service.get("/metrics").await;
        let shown = metrics.text().lines().find_map(|line| line.strip_prefix("cublino_in_flight_bytes "));
        assert!(shown.unwrap().parse::<i64>().unwrap() > held, "{path}: {shown:?}");
        drop(stream);
        until_held(&service, |bytes| bytes == 0).await;
    }
}

#[actix_web::test]
async fn a_list_for_which_there_is_no_memory_is_told_to_come_back() {
    // Compressed, it is a hundredth of what it takes when it has been read.
    let service = Service::start(&Config { max_in_flight_bytes: 400_000, ..Config::default() });
    let few = json!({"positions": [{"state": START, "moves": vec!["x"; 45]}]});
    let many = json!({"positions": vec![&few["positions"][0]; 1_000]});
    for operation in ["legal-moves", "validation", "score", "evaluation", "suggestion"] {
        let path = format!("/v1/games/cublino-pur/{operation}");
        service.post(&path, &many).await.problem("busy");
        assert_eq!(service.post(&path, &few).await.status, 200, "{operation}");
    }
    for operation in ["apply", "analysis"] {
        let path = format!("/v1/games/cublino-pur/{operation}");
        service.post(&path, &json!({"state": START, "moves": vec!["x"; 54_000]})).await.problem("busy");
    }
    assert_eq!(service.state.in_flight.held.get(), 0);
    // Short answers need nothing, and come also when nothing is left.
    let mut others = service.state.in_flight.share();
    others.set(400_000).unwrap();
    assert_eq!(service.ask("legal-moves", START).await.status, 200);
}
