//! Slow callers of every kind (slowloris, slow readers), and callers who only look slow.

mod ways;

use std::{future::pending, io::ErrorKind, time::Duration};

use actix_web::rt::spawn;
use cublino::config::Config;
use cublino_guard::Cut;
use futures_util::future::{join, join_all};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpStream, tcp::OwnedWriteHalf},
    time::{sleep, timeout},
};

use self::ways::{Then, ways};
use crate::{
    connections::{PATIENCE, connect, rest, until_open},
    service::{START, Service},
};

/// How long a slow caller waits from byte to byte.
const PAUSE: Duration = Duration::from_millis(20);

/// Limits that make tests short. The library's clock, by which heads are timed, goes in steps of half a
/// second.
fn impatient() -> Config {
    Config {
        client_timeout_ms: 1_500,
        body_timeout_ms: 200,
        read_timeout_ms: 200,
        keep_alive_seconds: 1,
        ..Config::default()
    }
}

/// Sends a text byte by byte until the connection is closed.
async fn drip(mut stream: OwnedWriteHalf, text: &str) {
    for byte in text.bytes().cycle() {
        if stream.write_all(&[byte]).await.is_err() {
            return;
        }
        sleep(PAUSE).await;
    }
}

/// Reads until the connection is closed, a byte at a time or as it comes.
async fn read(mut stream: impl AsyncReadExt + Unpin, slowly: bool) {
    let mut buffer = vec![0; if slowly { 1 } else { 65_536 }];
    loop {
        match stream.read(&mut buffer).await {
            Ok(0) => return,
            Ok(_) if slowly => sleep(PAUSE).await,
            Ok(_) => {}
            Err(error) => {
                assert!(
                    [ErrorKind::ConnectionReset, ErrorKind::BrokenPipe].contains(&error.kind()),
                    "{error}"
                );
                return;
            }
        }
    }
}

/// Is slow in one way until the service has closed the connection. A caller who does not read never sees
/// that.
async fn be_slow(mut stream: TcpStream, text: String, then: Then) {
    // The service may have closed it already.
    if stream.write_all(text.as_bytes()).await.is_err() {
        return;
    }
    match then {
        Then::Silence => read(stream, false).await,
        Then::Drip(text) => {
            let (reader, writer) = stream.into_split();
            let dripping = spawn(drip(writer, text));
            read(reader, false).await;
            dripping.abort();
        }
        Then::Sip => read(stream, true).await,
        Then::Ignore => pending().await,
    }
}

#[actix_web::test]
async fn no_connection_outlives_its_limits_in_any_way_to_be_slow() {
    let service = Service::start(&impatient());
    let mut slow = Vec::new();
    for (text, then) in ways() {
        slow.push((format!("{text:?} {then:?}"), then, spawn(be_slow(connect(&service).await, text, then))));
    }
    assert_eq!(service.get("/healthz").await.status, 200);
    let (readers, others): (Vec<_>, Vec<_>) =
        slow.into_iter().partition(|(_, then, _)| matches!(then, Then::Sip | Then::Ignore));
    for (name, _, task) in others {
        let ended = timeout(PATIENCE, task).await;
        ended.unwrap_or_else(|_| panic!("the connection is still open: {name}")).unwrap();
    }
    until_open(&service, 0).await;
    for (_, _, task) in readers {
        task.abort();
    }
    let cut = |cut| service.state.metrics.connections_cut.get(cut);
    assert_eq!(cut(Cut::SlowReader), 2);
    assert!(
        cut(Cut::SlowHead) >= 5 && cut(Cut::SlowBody) >= 5,
        "{:?}",
        Cut::ALL.iter().map(|&one| (one, cut(one))).collect::<Vec<_>>()
    );
}

#[actix_web::test]
async fn a_thousand_slow_callers_take_nothing_for_long() {
    let service = Service::start(&Config { max_connections: 250, ..impatient() });
    let ways: Vec<_> = ways().into_iter().filter(|(_, then)| !matches!(then, Then::Sip)).collect();
    let mut slow = Vec::new();
    for (text, then) in ways.into_iter().cycle().take(1_000) {
        slow.push(spawn(be_slow(connect(&service).await, text, then)));
    }
    // The next caller waits for their connections.
    assert_eq!(service.ask("legal-moves", START).await.status, 200);
    until_open(&service, 0).await;
    for task in slow {
        task.abort();
    }
    let asked = (0..250).map(|_| service.ask("legal-moves", START));
    assert!(join_all(asked).await.iter().all(|answer| answer.status == 200));
}

#[actix_web::test]
async fn an_answer_that_takes_its_time_is_not_cut_off() {
    // Two long searches, and the thread that they leave to short ones.
    let service = Service::start(&Config { search_threads: 3, ..impatient() });
    let search = |path: &str| format!("/v1/games/cublino-pur/{path}?state={START}&time_ms=3000");
    let (suggestion, stream) = (search("suggestion"), search("suggestion/stream"));
    let (answer, events) = join(service.get(&suggestion), service.get(&stream)).await;
    assert_eq!(answer.status, 200);
    assert!(events.text().contains("event: done\n"));
}

#[actix_web::test]
async fn a_reader_who_keeps_up_may_take_longer_than_one_who_takes_nothing() {
    // So long that a busy machine does not look like a reader who takes nothing; the answer takes even
    // longer.
    let service = Service::start(&Config { read_timeout_ms: 5_000, read_rate: 1_024, ..impatient() });
    let mut stream = connect(&service).await;
    let request = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; 4_096]);
    loop {
        let count = stream.read(&mut buffer).await.unwrap();
        bytes.extend_from_slice(&buffer[..count]);
        if count == 0 {
            break;
        }
        sleep(PAUSE).await;
    }
    let whole = service.get("/docs/swagger-ui-bundle.js").await.bytes;
    assert!(bytes.ends_with(&whole));
    assert_eq!(service.state.metrics.connections_cut.get(Cut::SlowReader), 0);
}

#[actix_web::test]
async fn the_rest_of_a_body_that_nobody_reads_ends_the_connection_and_not_the_answer() {
    let service = Service::start(&impatient());
    for framing in ["Transfer-Encoding: chunked", "Content-Length: 1000"] {
        let mut stream = connect(&service).await;
        let head = format!("POST /nowhere HTTP/1.1\r\nHost: x\r\n{framing}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let answer = rest(stream).await.to_lowercase();
        assert!(answer.starts_with("http/1.1 404") && answer.contains("connection: close"), "{answer}");
        assert!(answer.contains("\"code\":\"not-found\""), "{answer}");
    }
}

#[actix_web::test]
async fn what_is_not_http_is_counted() {
    let service = Service::start(&Config::default());
    for (text, status, reason) in [
        ("NONSENSE\r\n\r\n".to_owned(), "400", Cut::Malformed),
        ("GET /healthz HTTP/1.1\r\n\r\n".to_owned(), "400", Cut::Malformed),
        (format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(65_536)), "431", Cut::LargeHead),
        (format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}", "a".repeat(140_000)), "431", Cut::LargeHead),
    ] {
        let before = service.state.metrics.connections_cut.get(reason);
        let mut stream = connect(&service).await;
        stream.write_all(text.as_bytes()).await.unwrap();
        let answer = rest(stream).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
        until_open(&service, 0).await;
        assert_eq!(service.state.metrics.connections_cut.get(reason), before + 1, "{reason:?}");
    }
}
