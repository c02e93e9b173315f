//! Callers who are slow, idle, many, or in a hurry.

use std::time::Duration;

use cublino::config::Config;
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
    let whole = format!("{{\"state\":\"{START}\",\"moves\":[]}}");
    let length = format!("Content-Length: {}\r\n", whole.len());
    for (length, body, status) in [(&*length, &*whole, "200 OK"), ("", "", "400 Bad Request")] {
        let mut stream = connect(&SHARED).await;
        let request = format!(
            "POST /v1/games/cublino-pur/apply HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
             {length}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let answer = rest(stream).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
        assert!(answer.contains("connection: close"), "{answer}");
    }
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
