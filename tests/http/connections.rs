//! Callers who are slow, idle, many, or in a hurry.

use std::time::Duration;

use cublino::config::Config;
use futures_util::future::join;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::yield_now,
    time::timeout,
};

use crate::service::{SHARED, START, Service};

/// The timeout for something that must happen: only a failing test waits this long.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub async fn connect(service: &Service) -> TcpStream {
    TcpStream::connect(service.address()).await.unwrap()
}

/// Reads until the service closes the connection.
pub async fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    match timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("the connection is closed") {
        Ok(_) => {}
        // The service closes without reading what the caller has sent meanwhile.
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset),
    }
    String::from_utf8(bytes).unwrap()
}

/// Resolves when this many connections are open.
pub async fn until_open(service: &Service, count: i64) {
    let connections = service.state.metrics.connections.clone();
    let counted = async {
        while connections.get() != count {
            yield_now().await;
            std::thread::yield_now();
        }
    };
    let in_time = timeout(PATIENCE, counted).await.is_ok();
    assert!(in_time, "{} connections are open, not {count}", connections.get());
}

#[actix_web::test]
async fn a_head_that_does_not_come_closes_the_connection() {
    let service = Service::start(&Config { client_timeout_ms: 100, ..Config::default() });
    for head in ["", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: "] {
        let mut stream = connect(&service).await;
        stream.write_all(head.as_bytes()).await.unwrap();
        let answer = rest(stream).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
}

#[actix_web::test]
async fn a_body_that_does_not_come_is_a_problem_and_closes_the_connection() {
    let service =
        Service::start(&Config { body_timeout_ms: 50, client_timeout_ms: 100, ..Config::default() });
    let mut stream = connect(&service).await;
    let head = "POST /v1/games/cublino-pur/apply HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Content-Length: 100\r\n\r\n{\"state\":";
    stream.write_all(head.as_bytes()).await.unwrap();
    let answer = rest(stream).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.to_lowercase().contains("\r\nconnection: close\r\n"), "{answer}");
    let body: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(body["code"], "request-timeout");
    assert!(body["detail"].as_str().unwrap().contains("did not arrive within the limit"), "{body}");
}

/// Sends pipelined requests, and returns the answers. The connection may close before all have been sent. The
/// answers' bodies are not chunked.
async fn sent_ahead(requests: &[String], piece: usize) -> String {
    let (mut reader, mut writer) = connect(&SHARED).await.into_split();
    let write = async {
        for piece in requests.concat().as_bytes().chunks(piece) {
            if writer.write_all(piece).await.is_err() {
                break;
            }
        }
    };
    let mut answers = Vec::new();
    let read = async {
        if let Err(error) = timeout(PATIENCE, reader.read_to_end(&mut answers)).await.unwrap() {
            assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
        }
    };
    join(write, read).await;
    String::from_utf8(answers).unwrap()
}

/// A request with a name, a method, a path and a body.
fn named(i: usize, request: &str, headers: &str, body: &str) -> String {
    let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    format!(
        "{request} HTTP/1.1\r\nHost: x\r\nX-Request-Id: n{i}.\r\nContent-Type: application/json\r\n\
         {length}{headers}\r\n{body}"
    )
}

#[actix_web::test]
async fn what_is_sent_ahead_is_answered_in_order_until_an_answer_says_that_it_is_the_last() {
    const CLOSE: &str = "Connection: close\r\n";
    let search = format!("GET /v1/games/cublino-pur/suggestion?state={START}&nodes=100");
    let post = "POST /v1/games/cublino-pur/apply".to_owned();
    let small = format!("{{\"state\":\"{START}\",\"moves\":[]}}");
    let large = format!("{{\"state\":\"{START}\",\"moves\":[]{}}}", " ".repeat(100_000));
    for (request, body, count) in
        [(search, String::new(), 100), (post.clone(), small, 300), (post, large, 20)]
    {
        for piece in [usize::MAX, 1_009] {
            let last = |i| if i + 1 == count { CLOSE } else { "" };
            let requests: Vec<_> = (0..count).map(|i| named(i, &request, last(i), &body)).collect();
            let answers = sent_ahead(&requests, piece).await;
            let answers: Vec<_> = answers.split("HTTP/1.1 ").skip(1).collect();
            assert!(!answers.is_empty());
            for (i, answer) in answers.iter().enumerate() {
                let (head, body) = answer.split_once("\r\n\r\n").unwrap();
                assert!(
                    head.starts_with("200 OK") && head.contains(&format!("x-request-id: n{i}.")),
                    "{head}"
                );
                let length = head.split_once("content-length: ").unwrap().1;
                assert_eq!(body.len().to_string(), length.lines().next().unwrap());
            }
            let closes = |answer: &&str| answer.contains("connection: close");
            assert!(answers.len() < count || answers.last().is_some_and(closes), "{}", answers.len());
        }
    }
}

#[actix_web::test]
async fn requests_of_all_kinds_that_come_together_are_answered_each_in_its_way() {
    const JSON: &str = "Content-Type: application/json\r\n";
    let body = format!("{{\"state\":\"{START}\",\"moves\":[]}}");
    let kinds = [
        ("HEAD /v1/games", "", "", "200", false),
        ("GET /v1/games", "If-None-Match: *\r\n", "", "304", false),
        ("POST /v1/games/cublino-pur/apply", "", &*body, "200", true),
        ("HEAD /healthz", "", "", "200", false),
        ("GET /healthz", "", "", "200", true),
    ];
    // Any two, in any order: they come at once, and are so short that the library decodes both at once.
    for (first, second) in kinds.iter().flat_map(|first| kinds.iter().map(move |second| (first, second))) {
        let sent = [first, second].map(|(request, headers, body, ..)| {
            let length = format!("Content-Length: {}\r\n", body.len());
            format!("{request} HTTP/1.1\r\nHost: x\r\n{JSON}{length}{headers}\r\n{body}")
        });
        let mut stream = connect(&SHARED).await;
        stream.write_all(sent.concat().as_bytes()).await.unwrap();
        stream.write_all(b"NONSENSE\r\n\r\n").await.unwrap();
        let answers = rest(stream).await;
        let answers: Vec<_> =
            answers.split("HTTP/1.1 ").skip(1).map(|answer| answer.split_once("\r\n\r\n").unwrap()).collect();
        for ((head, body), (request, _, _, status, has_body)) in answers.iter().zip([first, second]) {
            assert!(head.starts_with(status) && body.is_empty() != *has_body, "{request}: {head}\r\n{body}");
        }
        assert!(answers.len() > 2 || answers[0].0.contains("connection: close"), "{sent:?}: {answers:?}");
    }
}

#[actix_web::test]
async fn a_post_that_would_rather_speak_another_protocol_is_answered_as_any_other() {
    let body = format!("{{\"state\":\"{START}\",\"moves\":[]}}");
    let headers = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    for (path, body, status) in [("apply", &*body, "200 OK"), ("apply", "", "400 Bad Request")] {
        let mut stream = connect(&SHARED).await;
        let request = named(0, &format!("POST /v1/games/cublino-pur/{path}"), headers, body);
        stream.write_all(request.as_bytes()).await.unwrap();
        let answer = rest(stream).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
        assert!(answer.contains("connection: close"), "{answer}");
    }
}

#[actix_web::test]
async fn more_connections_than_allowed_wait_until_others_close() {
    let service = Service::start(&Config { max_connections: 2, ..Config::default() });
    let request = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let (first, _second) = (connect(&service).await, connect(&service).await);
    until_open(&service, 2).await;
    let mut third = connect(&service).await;
    third.write_all(request).await.unwrap();
    assert_eq!(service.state.metrics.connections.get(), 2);
    drop(first);
    assert!(rest(third).await.starts_with("HTTP/1.1 200"));
}

#[actix_web::test]
async fn the_limit_of_connections_is_that_of_all_workers_together() {
    let service = Service::start_with_workers(2, &Config { max_connections: 5, ..Config::default() });
    let mut open = Vec::new();
    for _ in 0..10 {
        open.push(connect(&service).await);
    }
    // Two for each worker: the remainder is dropped.
    until_open(&service, 4).await;
    let mut last = connect(&service).await;
    last.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
    assert_eq!(service.state.metrics.connections.get(), 4);
    drop(open);
    assert!(rest(last).await.starts_with("HTTP/1.1 200"));

    let service = Service::start_with_workers(4, &Config { max_connections: 1, ..Config::default() });
    let _open = [connect(&service).await, connect(&service).await];
    until_open(&service, 1).await;
}
